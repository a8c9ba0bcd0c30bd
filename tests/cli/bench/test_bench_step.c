// slow: some ten seconds. footfall bench step: the rows it writes and what it refuses. How fast steps are is not judged
// here, only that the figures are there and possible.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Rows -------------------------------------------------------------------------------------------------

static int measure(void **state)
{
  *state = ffi_bench_rows("step --quick");
  return 0;
}

// A step takes more than 100 instructions and, in any build, less than a second.
static double need_us(const ffi_json_value *rows, const char *which, const char *metric)
{
  const double us = ffi_bench_find(rows, which, metric, "us");
  if (!(us > 0.03 && us < 1e6))
    fail_msg("%s %s is %g us", which, metric, us);
  return us;
}

static const char *const robots[] = {"solo12-stand4", "solo12-stand2", "romeo-stand8"};
static const int contacts[] = {4, 2, 8};
static const char *const ways[] = {"expo",
                                   "expo-paper",
                                   "euler",
                                   "symplectic",
                                   "rk4",
                                   "implicit",
                                   "expo-order1",
                                   "expo-no-events",
                                   "expo-pd",
                                   "expo-paper-pd",
                                   "expo-paper-order-1",
                                   "expo-paper-order-2",
                                   "expo-paper-order-3",
                                   "expo-paper-order-5",
                                   "expo-paper-order-7",
                                   "expo-paper-exact"};

static void rows_have_the_schema(void **state)
{
  ffi_bench_check_schema(*state, 0);
}

static void every_stepper_has_a_time_on_every_robot(void **state)
{
  char metric[64];
  for (int r = 0; r < 3; ++r) {
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; ++w) {
      snprintf(metric, sizeof metric, "step:%s", ways[w]);
      need_us(*state, robots[r], metric);
    }
    assert_true(ffi_bench_find(*state, robots[r], "contacts", "contacts") == contacts[r]);
    assert_true(ffi_bench_find(*state, robots[r], "noise", "ratio") >= 1);
  }
}

// The phases are parts of a step. They are measured apart and with clock reads inside, so on a busy machine their sum
// may be more than the step, but not many times.
static void phases_are_parts_of_a_step(void **state)
{
  static const char *const phases[] = {"contact", "prepare", "integral", "update"};
  char metric[64];
  for (int r = 0; r < 3; ++r)
    for (int w = 0; w < 2; ++w) { // expo and expo-paper have all four
      double sum = 0;
      for (int p = 0; p < 4; ++p) {
        snprintf(metric, sizeof metric, "phase:%s:%s", ways[w], phases[p]);
        const double us = ffi_bench_find(*state, robots[r], metric, "us");
        if (!(us > 0))
          fail_msg("%s %s is %g us", robots[r], metric, us);
        sum += us;
      }
      snprintf(metric, sizeof metric, "step:%s", ways[w]);
      const double step = need_us(*state, robots[r], metric);
      if (!(sum > 0.2 * step && sum < 20 * step))
        fail_msg("%s %s: phases are %g us, the step %g us", robots[r], ways[w], sum, step);
    }
}

// 100 contacts are more work than one: the one comparison that no machine is too busy for.
static void boxes_show_the_growth(void **state)
{
  static const int points[] = {1, 2, 4, 8, 16, 32, 64, 100};
  char name[32], metric[64];
  for (int w = 0; w < 3; ++w) {
    double first = 0, last = 0;
    snprintf(metric, sizeof metric, "step:%s", ways[w]);
    for (int p = 0; p < 8; ++p) {
      snprintf(name, sizeof name, "box-%d", points[p]);
      assert_true(ffi_bench_find(*state, name, "contacts", "contacts") == points[p]);
      last = need_us(*state, name, metric);
      first = p == 0 ? last : first;
    }
    if (!(last > 2 * first))
      fail_msg("%s: %g us on 1 contact, %g us on 100", metric, first, last);
  }
}

// A trot: two feet on the ground most of the time, four where they change.
static void a_motion_is_measured(void **state)
{
  static const char *const measured[] = {"expo",     "expo-paper",  "euler",
                                         "implicit", "expo-order1", "expo-no-events"};
  char metric[64];
  for (size_t w = 0; w < sizeof measured / sizeof *measured; ++w) {
    snprintf(metric, sizeof metric, "step:%s", measured[w]);
    need_us(*state, "solo12-trot", metric);
  }
  assert_true(
      isnan(ffi_bench_find(*state, "solo12-trot", "step:expo-pd", "us"))); // its motors are not inside
  const double feet = ffi_bench_need(*state, "solo12-trot", "contacts", "contacts");
  assert_true(feet > 1.5 && feet < 3.5);
}

// In every setting, and the rows say which release it is.
static void mujoco_is_beside_us(void **state)
{
  static const char *const where[] = {"solo12-stand4", "solo12-stand2", "solo12-trot", "romeo-stand8",
                                      "box-4"};
  static const char *const settings[] = {"mujoco:step", "mujoco:step:cg", "mujoco:step:default"};
  if (isnan(ffi_bench_find(*state, "solo12-stand4", "mujoco:step", "us"))) {
    assert_null(ffi_bench_find_word(*state, "run", "mujoco"));
    skip(); // it is not there
  }
  for (int r = 0; r < 5; ++r)
    for (int k = 0; k < 3; ++k)
      need_us(*state, where[r], settings[k]);
  const char *words = ffi_bench_find_word(*state, "run", "mujoco");
  assert_non_null(words);
  int version;
  char source[8];
  assert_int_equal(sscanf(words, "MuJoCo %d.%*d.%*d (%6[A-Za-z],", &version, source), 2);
  assert_true(version >= 2);
}

// ---- Options ----------------------------------------------------------------------------------------------

static void one_case_can_be_chosen(void **state)
{
  (void)state;
  ffi_json_value *rows = ffi_bench_rows("step --quick --case box-4 --isa base");
  for (const ffi_json_value *row = rows->first; row; row = row->next)
    if (strcmp(ffi_json_get(row, "case")->text, "run") != 0)
      assert_string_equal(ffi_json_get(row, "case")->text, "box-4");
  need_us(rows, "box-4", "step:expo");
  assert_true(ffi_bench_find(rows, "box-4", "isa:base", "bits") == 128);
  ffi_json_free(rows);
}

// Under valgrind if the machine does not count itself; which of the two it was is said. A step of one contact is some
// thousand instructions, and no processor takes fifty in a nanosecond: 8 a cycle at 6 GHz.
static void instructions_are_counted(void **state)
{
  (void)state;
  ffi_json_value *rows = ffi_bench_rows("step --quick --case box-1 --isa base --instructions");
  const double instructions = ffi_bench_find(rows, "box-1", "step:expo_instructions", "instructions");
  const int by_perf = ffi_bench_find(rows, "box-1", "instructions:perf:base", "bits") == 128,
            by_callgrind = ffi_bench_find(rows, "box-1", "instructions:callgrind:base", "bits") == 128;
  assert_true(isnan(instructions) == (!by_perf && !by_callgrind)); // no figure without its source
  if (isnan(instructions)) {
    ffi_json_free(rows);
    skip(); // neither counter nor valgrind
  }
  assert_true(instructions > 1000);
  assert_true(instructions < 5e4 * need_us(rows, "box-1", "step:expo"));
  assert_true(ffi_bench_find(rows, "box-1", "step:euler_instructions", "instructions") < instructions);
  ffi_json_free(rows);
}

static void it_runs_without_mujoco(void **state)
{
  (void)state;
  ffi_json_value *rows = ffi_bench_rows_with("FOOTFALL_MUJOCO=none", "step --quick --case solo12-trot");
  ffi_bench_check_schema(rows, 0);
  need_us(rows, "solo12-trot", "step:expo");
  assert_true(isnan(ffi_bench_find(rows, "solo12-trot", "mujoco:step", "us")));
  assert_null(ffi_bench_find_word(rows, "run", "mujoco"));
  ffi_json_free(rows);
  ffi_output output = ffi_run("FOOTFALL_MUJOCO=none", "bench step --quick --case box-1");
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
}

static void tables_are_printed(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "bench step --quick --case solo12-stand4");
  assert_int_equal(output.status, 0);
  static const char *const words[] = {"solo12-stand4: 4 contacts, 18 velocities", "expo-paper",
                                      "paper, standard", "94.0*", "published"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (!strstr(output.out, words[i]))
      fail_msg("'%s' is not in:\n%s", words[i], output.out);
  ffi_output_free(&output);
  output = ffi_run("", "bench step --quick --case box-1 --markdown");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "| `box-1` | "));
  ffi_output_free(&output);
}

static void mistakes_are_told(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"stpe", 2, "did you mean 'step'?"},
      {"step --case solo12-stand5", 2, "did you mean 'solo12-stand4'?"},
      {"step --case tower", 2, "romeo-stand8"},
      {"step --isa avx", 2, "did you mean 'avx2'?"},
      {"step now", 2, "unexpected argument 'now'"},
      {"step --frobnicate", 2, "'footfall bench step --help' lists the options"},
      {"step --count --json -", 2, "measures nothing"},
      {"step --json /no/such/folder/x.json", 1, "/no/such/folder/x.json: cannot be written"},
      {"step --models /no/such/folder", 1, "/no/such/folder/solo12.urdf: cannot be read"},
      {"step --case solo12-trot --scenes /no/such/folder", 1,
       "/no/such/folder/solo-trot.yaml: cannot be read"},
  };
  static const char *const words[] = {"--case NAME", NULL};
  (void)state;
  ffi_bench_check_refusals(refusals, sizeof refusals / sizeof *refusals);
  ffi_bench_check_help("step", words);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(rows_have_the_schema),       cmocka_unit_test(every_stepper_has_a_time_on_every_robot),
      cmocka_unit_test(phases_are_parts_of_a_step), cmocka_unit_test(boxes_show_the_growth),
      cmocka_unit_test(a_motion_is_measured),       cmocka_unit_test(mujoco_is_beside_us),
  };
  const struct CMUnitTest options[] = {
      cmocka_unit_test(one_case_can_be_chosen), cmocka_unit_test(instructions_are_counted),
      cmocka_unit_test(it_runs_without_mujoco), cmocka_unit_test(tables_are_printed),
      cmocka_unit_test(mistakes_are_told),
  };
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
