// slow: some ten seconds. footfall bench expo-paper: its rows, its report and what it refuses, on one of the four
// tests.
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double seconds; // of the measurement

static int measure(void **state)
{
  const double before = ffi_bench_spent();
  char arguments[512];
  snprintf(arguments, sizeof arguments, "expo-paper --quick --case solo-squat --html '%s/report.html'",
           ffi_scratch_folder());
  *state = ffi_bench_rows(arguments);
  seconds = ffi_bench_spent() - before;
  return 0;
}

// All four tests together are to take under a minute; this one alone is less than a quarter of them.
static void quick_is_quick(void **state)
{
  (void)state;
  assert_true(seconds > 0 && seconds < 60);
}

static void rows_have_the_schema(void **state)
{
  ffi_bench_check_schema(*state, 1); // where every period failed
  assert_true(ffi_bench_need(*state, "solo-squat", "period", "ms") == 40);
  assert_true(ffi_bench_need(*state, "solo-squat", "error:expo:dt=40000us:common:mean", "SI") > 0);
  assert_true(ffi_bench_need(*state, "times", "implicit:squat:iterations", "per step") >= 1);
}

// The parts of the implicit method's time are all there, and make the whole.
static void implicit_is_told_apart(void **state)
{
  static const char *const parts[] = {"residuals", "derivatives", "solve", "rest"};
  double sum = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    char metric[64];
    snprintf(metric, sizeof metric, "implicit:squat:%s", parts[i]);
    const double us = ffi_bench_need(*state, "times", metric, "us");
    assert_true(us > 0);
    sum += us;
  }
  const double whole = ffi_bench_need(*state, "times", "implicit:squat:step", "us");
  assert_true(fabs(sum - whole) < 2e-5 * whole); // five figures of six digits
}

// A quick run judges forces only; of the other claims it has figures where this test gives them.
static void claims_have_figures(void **state)
{
  static const char *const timed[] = {"C1", "C1:expo-paper", "C3", "C3:expo-paper", "C4", "C4:expo-paper"};
  char metric[64];
  for (size_t i = 0; i < sizeof timed / sizeof *timed; ++i) {
    snprintf(metric, sizeof metric, "claim:%s", timed[i]);
    assert_null(ffi_bench_find_word(*state, "paper", metric));
    snprintf(metric, sizeof metric, "decided:%s", timed[i]);
    assert_true(ffi_bench_need(*state, "paper", metric, "x") >= (timed[i][1] == '3' ? 1 - 1e-9 : 0));
    snprintf(metric, sizeof metric, "rule:%s", timed[i]);
    assert_non_null(ffi_bench_find_word(*state, "paper", metric));
  }
  assert_string_equal(ffi_bench_find_word(*state, "paper", "claim:C5"), "holds");
  assert_true(ffi_bench_need(*state, "paper", "decided:C5", "relative") < 0.1);
  const char *where = ffi_bench_find_word(*state, "paper", "where:C1:expo-paper");
  assert_non_null(where);
  assert_non_null(strstr(where, "\nsolo-squat\t"));              // whole, however long
  assert_null(ffi_bench_find_word(*state, "paper", "claim:C2")); // needs the trot
}

// Table 2: explicit steps must be shorter by far.
static void stability_is_there(void **state)
{
  assert_true(ffi_bench_need(*state, "solo-squat", "stable:expo", "ms") == 40);
  assert_true(ffi_bench_need(*state, "solo-squat", "stable:published", "ms") == 40);
  const double euler = ffi_bench_need(*state, "solo-squat", "stable:euler", "ms");
  assert_true(euler > 0.05 && euler < 0.4);
}

static void report_stands_by_itself(void **state)
{
  static const char *const words[] = {"Claims", "<svg ",         "Table 1", "Table 2",
                                      "Fig. 5", "quick variant", NULL};
  (void)state;
  ffi_bench_check_report("report.html", words);
}

static void nonsense_is_refused(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"expo-paper solo", 2, "options only"},
      {"expo-paper --case solo-sqat", 2, "solo-squat"},
      {"expo-paper --models a", 2, "--models"},
      {"expo-paper --scenes /nowhere", 1, "--scenes"},
      {"expo-paper --html /nowhere/a.html", 1, "cannot be written"},
  };
  (void)state;
  ffi_bench_check_refusals(refusals, (int)(sizeof refusals / sizeof *refusals));
}

static void help_is_there(void **state)
{
  static const char *const words[] = {"--html", "--json", "--quick", "--scenes", NULL};
  (void)state;
  ffi_bench_check_help("expo-paper", words);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(rows_have_the_schema),   cmocka_unit_test(quick_is_quick),
      cmocka_unit_test(implicit_is_told_apart), cmocka_unit_test(claims_have_figures),
      cmocka_unit_test(stability_is_there),     cmocka_unit_test(report_stands_by_itself),
  };
  const struct CMUnitTest options[] = {
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(help_is_there),
  };
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
