// The campaign itself: a crash and a scene without end are counted and the rest goes on; a seed is one scene; cuts lead
// to the same small scene again; a fault that is built in is found.
#include "campaign/crew.h"
#include "campaign/shrink.h"
#include "campaign/table.h"

#include <footfall/option.h>

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void take(const ffi_judge_result *result, void *user)
{
  ffi_table_add(result, user);
}

static long long sum_of(const ffi_table *table, ffi_judge_fault fault)
{
  long long sum = 0;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper)
    sum += table->rows[stepper][0].faults[fault] + table->rows[stepper][1].faults[fault];
  return sum;
}

static long long scenes_of(const ffi_table *table)
{
  long long sum = 0;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper)
    sum += table->rows[stepper][0].scenes + table->rows[stepper][1].scenes;
  return sum;
}

static void crashes_and_hangs_are_counted(void **state)
{
  (void)state;
  static ffi_table table;
  const ffi_crew_task task = {
      .first = 1,
      .count = 60,
      .seconds = (double)INFINITY,
      .workers = 2,
      .which = FFI_DRAW_MILD,
      .stepper = FF_STEPPER_EULER,
      .way = {.step_limit = 0.02, .scene_limit = 1, .crash_every = 7, .hang_every = 50},
  };
  assert_int_equal(ffi_crew_run(&task, take, &table), 1);
  assert_int_equal(scenes_of(&table), 60);
  assert_int_equal(sum_of(&table, FFI_JUDGE_CRASH), 8); // 7, 14, .. 56
  assert_int_equal(sum_of(&table, FFI_JUDGE_HANG), 1);  // 50
  const ffi_judge_result *crash = &table.broken[FF_STEPPER_EULER][FFI_JUDGE_CRASH][0];
  assert_int_equal(crash->seed % 7, 0);
  assert_true(crash->signal == SIGABRT || strstr(crash->message, "exit status")); // sanitizers exit
  assert_true(ffi_table_broken(&table, 0) >= 9);
}

static void a_seed_is_one_scene(void **state)
{
  (void)state;
  static ffi_recipe a, b;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    ffi_draw(seed, FFI_DRAW_ANY, FFI_DRAW_ANY_STEPPER, &a);
    ffi_draw(seed, FFI_DRAW_ANY, FFI_DRAW_ANY_STEPPER, &b);
    assert_memory_equal(&a, &b, sizeof a);
    ffi_draw(seed, a.is_wild ? FFI_DRAW_WILD : FFI_DRAW_MILD, FF_STEPPER_C2A, &b);
    b.stepper = a.stepper; // that alone differs
    assert_memory_equal(&a, &b, sizeof a);
    ffi_draw(seed + 1, FFI_DRAW_ANY, FFI_DRAW_ANY_STEPPER, &b);
    assert_true(a.dt != b.dt);
  }
}

// Every option of the table is drawn sooner or later, stepper, dt and isa apart.
static void every_option_is_drawn(void **state)
{
  (void)state;
  static ffi_recipe r;
  int drawn[256] = {0}, missing = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    ffi_draw(seed, FFI_DRAW_ANY, FFI_DRAW_ANY_STEPPER, &r);
    for (int i = 0; i < r.option_count; ++i)
      drawn[r.options[i].index] = 1;
  }
  for (int i = 0; i < ff_option_count(); ++i)
    missing += !drawn[i];
  assert_int_equal(missing, 3);
}

// A falling ball that explicit Euler throws back faster than it came: gravity's work is as known, the gain is not.
static void a_gain_is_found_and_made_small(void **state)
{
  (void)state;
  static ffi_recipe whole, small, again;
  ffi_cut_list cuts;
  ffi_judge_result result;
  uint64_t seed = 1;
  do { // the first scene in which Euler gains energy, whatever the rounding
    ffi_draw(seed, FFI_DRAW_MILD, FF_STEPPER_EULER, &whole);
    whole.is_deaf = 1; // else the steps tell
    ffi_judge(&whole, &(ffi_judge_way){0}, &result);
    ++seed;
  } while (!(result.faults >> FFI_JUDGE_GAIN & 1) && seed < 100);
  assert_true(result.gain > FFI_JUDGE_GAIN_LIMIT);
  small = again = whole;
  assert_int_equal(ffi_shrink(&small, FFI_JUDGE_GAIN, 2, &cuts, &result), 1);
  assert_true(result.faults >> FFI_JUDGE_GAIN & 1);
  assert_true(cuts.count > 0 && small.link_count <= whole.link_count && small.steps <= whole.steps);
  for (int i = 0; i < cuts.count; ++i)
    assert_int_equal(ffi_cut_apply(cuts.cuts[i], &again), 1);
  assert_memory_equal(&small, &again, sizeof small);
}

// A start that is pressed into stiff ground is faster than max_speed, as it should be; Euler's runaway is a failure.
static void limits_are_no_failures(void **state)
{
  (void)state;
  static ffi_recipe r;
  ffi_judge_result result;
  ffi_draw(10299, FFI_DRAW_MILD, FF_STEPPER_EXPO, &r);
  ffi_judge(&r, &(ffi_judge_way){0}, &result);
  assert_non_null(strstr(result.failure, "max_speed"));
  assert_true(result.is_ended && !result.is_failed);
  uint64_t seed = 1;
  do {
    ffi_draw(seed++, FFI_DRAW_MILD, FF_STEPPER_EULER, &r);
    ffi_judge(&r, &(ffi_judge_way){.is_energy_only = 1}, &result);
  } while (!strstr(result.failure, "max_speed") && seed < 300);
  assert_true(result.is_failed && !result.is_ended);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crashes_and_hangs_are_counted), cmocka_unit_test(a_seed_is_one_scene),
      cmocka_unit_test(every_option_is_drawn),         cmocka_unit_test(a_gain_is_found_and_made_small),
      cmocka_unit_test(limits_are_no_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
