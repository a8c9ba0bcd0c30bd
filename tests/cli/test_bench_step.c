// footfall bench step: the rows it writes and what it refuses. How fast steps are is not judged here, only that the figures are there
// and possible.
#define _POSIX_C_SOURCE 200809L
#include "json_value.h"
#include "run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int clean_up(void **state)
{
  (void)state;
  ffi_clean_up();
  return 0;
}

// ---- Rows -------------------------------------------------------------------------------------------------

// The rows of "bench step --quick ARGUMENTS --json -".
static ffi_json_value *rows_of(const char *arguments)
{
  char why[200];
  ffi_output output = ffi_run("", "bench step --quick %s --json -", arguments);
  if (output.status != 0)
    fail_msg("exit status %d: %s", output.status, output.err);
  assert_string_equal(output.err, ""); // progress is for terminals
  ffi_json_value *rows = ffi_json_parse(output.out, why);
  if (!rows)
    fail_msg("not JSON: %s", why);
  ffi_output_free(&output);
  return rows;
}

static int measure(void **state)
{
  *state = rows_of("");
  return 0;
}

static int forget(void **state)
{
  ffi_json_free(*state);
  return 0;
}

// The value of a metric, NAN if it has no row.
static double find(const ffi_json_value *rows, const char *which, const char *metric, const char *unit)
{
  for (const ffi_json_value *row = rows->first; row; row = row->next)
    if (strcmp(ffi_json_get(row, "case")->text, which) == 0 &&
        strcmp(ffi_json_get(row, "metric")->text, metric) == 0) {
      assert_string_equal(ffi_json_get(row, "unit")->text, unit);
      return ffi_json_get(row, "value")->number;
    }
  return NAN;
}

// A step takes more than 100 instructions and, in any build, less than a second.
static double need_us(const ffi_json_value *rows, const char *which, const char *metric)
{
  const double us = find(rows, which, metric, "us");
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
  const ffi_json_value *rows = *state;
  assert_int_equal(rows->type, FFI_JSON_ARRAY);
  for (const ffi_json_value *row = rows->first; row; row = row->next) {
    assert_int_equal(row->type, FFI_JSON_OBJECT);
    assert_int_equal(row->count, 4);
    assert_int_equal(ffi_json_get(row, "case")->type, FFI_JSON_STRING);
    assert_int_equal(ffi_json_get(row, "metric")->type, FFI_JSON_STRING);
    assert_int_equal(ffi_json_get(row, "value")->type, FFI_JSON_NUMBER);
    assert_int_equal(ffi_json_get(row, "unit")->type, FFI_JSON_STRING);
    for (const ffi_json_value *other = row->next; other; other = other->next) // once each
      assert_true(strcmp(ffi_json_get(row, "case")->text, ffi_json_get(other, "case")->text) != 0 ||
                  strcmp(ffi_json_get(row, "metric")->text, ffi_json_get(other, "metric")->text) != 0);
  }
}

static void every_stepper_has_a_time_on_every_robot(void **state)
{
  char metric[64];
  for (int r = 0; r < 3; ++r) {
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; ++w) {
      snprintf(metric, sizeof metric, "step:%s", ways[w]);
      need_us(*state, robots[r], metric);
    }
    assert_true(find(*state, robots[r], "contacts", "contacts") == contacts[r]);
    assert_true(find(*state, robots[r], "noise", "ratio") >= 1);
  }
}

// The phases are parts of a step. They are measured apart and with clock reads inside, so on a busy machine their sum may be more than
// the step, but not many times.
static void phases_are_parts_of_a_step(void **state)
{
  static const char *const phases[] = {"contact", "prepare", "integral", "update"};
  char metric[64];
  for (int r = 0; r < 3; ++r)
    for (int w = 0; w < 2; ++w) { // expo and expo-paper have all four
      double sum = 0;
      for (int p = 0; p < 4; ++p) {
        snprintf(metric, sizeof metric, "phase:%s:%s", ways[w], phases[p]);
        const double us = find(*state, robots[r], metric, "us");
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
      assert_true(find(*state, name, "contacts", "contacts") == points[p]);
      last = need_us(*state, name, metric);
      first = p == 0 ? last : first;
    }
    if (!(last > 2 * first))
      fail_msg("%s: %g us on 1 contact, %g us on 100", metric, first, last);
  }
}

static void mujoco_is_beside_us(void **state)
{
  if (isnan(find(*state, "solo12-stand4", "mujoco:step", "us")))
    skip(); // a build without MuJoCo
  for (int r = 0; r < 3; ++r)
    need_us(*state, robots[r], "mujoco:step");
  need_us(*state, "box-4", "mujoco:step");
}

// ---- Options ----------------------------------------------------------------------------------------------

static void one_case_can_be_chosen(void **state)
{
  (void)state;
  ffi_json_value *rows = rows_of("--case box-4 --isa base");
  for (const ffi_json_value *row = rows->first; row; row = row->next)
    assert_string_equal(ffi_json_get(row, "case")->text, "box-4");
  need_us(rows, "box-4", "step:expo");
  assert_true(find(rows, "box-4", "isa:base", "bits") == 128);
  ffi_json_free(rows);
}

// Under valgrind if the machine does not count itself; which of the two it was is said. A step of one contact is some thousand
// instructions, and a processor takes no more than ten in a nanosecond.
static void instructions_are_counted(void **state)
{
  (void)state;
  ffi_json_value *rows = rows_of("--case box-1 --isa base --instructions");
  const double instructions = find(rows, "box-1", "step:expo_instructions", "instructions");
  const int by_perf = find(rows, "box-1", "instructions:perf:base", "bits") == 128,
            by_callgrind = find(rows, "box-1", "instructions:callgrind:base", "bits") == 128;
  assert_true(isnan(instructions) == (!by_perf && !by_callgrind)); // no figure without its source
  if (isnan(instructions)) {
    ffi_json_free(rows);
    skip(); // neither counter nor valgrind
  }
  assert_true(instructions > 1000);
  assert_true(instructions < 1e4 * need_us(rows, "box-1", "step:expo"));
  assert_true(find(rows, "box-1", "step:euler_instructions", "instructions") < instructions);
  ffi_json_free(rows);
}

static void tables_are_printed(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "bench step --quick --case solo12-stand4");
  assert_int_equal(output.status, 0);
  static const char *const words[] = {"solo12-stand4: 4 contacts, 18 velocities", "expo-paper",
                                      "paper, standard", "94.0*", "stated"};
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
  static const struct {
    const char *arguments;
    int status;
    const char *words;
  } cases[] = {
      {"stpe", 2, "did you mean 'step'?"},
      {"step --case solo12-stand5", 2, "did you mean 'solo12-stand4'?"},
      {"step --case tower", 2, "romeo-stand8"},
      {"step --isa avx", 2, "did you mean 'avx2'?"},
      {"step now", 2, "'now' is too much"},
      {"step --frobnicate", 2, "'footfall bench step --help' lists them"},
      {"step --count --json -", 2, "measures nothing"},
      {"step --json /no/such/folder/x.json", 1, "/no/such/folder/x.json: cannot be written"},
      {"step --models /no/such/folder", 1, "/no/such/folder/solo12.urdf: cannot be read"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = ffi_run("", "bench %s", cases[i].arguments);
    const char *end = strchr(output.err, '\n');
    if (output.status != cases[i].status || strncmp(output.err, "footfall: ", 10) != 0 || !end || end[1] ||
        !strstr(output.err, cases[i].words) || output.out[0])
      fail_msg("bench %s: exit status %d, or not one line with '%s': %s", cases[i].arguments, output.status,
               cases[i].words, output.err);
    ffi_output_free(&output);
  }
  ffi_output output = ffi_run("", "bench step --help");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "--case NAME"));
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(rows_have_the_schema),       cmocka_unit_test(every_stepper_has_a_time_on_every_robot),
      cmocka_unit_test(phases_are_parts_of_a_step), cmocka_unit_test(boxes_show_the_growth),
      cmocka_unit_test(mujoco_is_beside_us),
  };
  const struct CMUnitTest options[] = {
      cmocka_unit_test(one_case_can_be_chosen),
      cmocka_unit_test(instructions_are_counted),
      cmocka_unit_test(tables_are_printed),
      cmocka_unit_test(mistakes_are_told),
  };
  const int failed = cmocka_run_group_tests(rows, measure, forget);
  return failed + cmocka_run_group_tests(options, NULL, clean_up);
}
