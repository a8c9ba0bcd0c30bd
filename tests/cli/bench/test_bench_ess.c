// slow: some twenty seconds. footfall bench ess-paper: its rows, its report and what it refuses.
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double seconds; // processor time of the measurement

static int measure(void **state)
{
  const double before = ffi_bench_spent();
  char arguments[512];
  snprintf(arguments, sizeof arguments, "ess-paper --quick --html '%s/ess.html'", ffi_scratch_folder());
  // the release that tests install, whatever a benchmark has fetched
  *state = ffi_bench_rows_with("FOOTFALL_MUJOCO=debian", arguments);
  seconds = ffi_bench_spent() - before;
  return 0;
}

static void quick_is_quick(void **state)
{
  (void)state;
  assert_true(seconds > 0 && seconds < 60);
}

// 40 epsilons from 2 to 4e-5.
static void order_is_two(void **state)
{
  int count = 0;
  const ffi_json_value *rows = *state;
  ffi_bench_check_schema(rows, 1);
  for (const ffi_json_value *row = rows->first; row; row = row->next)
    count += strcmp(ffi_json_get(row, "case")->text, "order") == 0 &&
             strncmp(ffi_json_get(row, "metric")->text, "rms:", 4) == 0;
  assert_int_equal(count, 40);
  const double order = ffi_bench_need(rows, "paper", "order", "1");
  assert_true(order >= 1.95 && order < 2.3);
  assert_true(ffi_bench_need(rows, "order", "fitted", "1") == order);
  double error[2], epsilon[2];
  for (int i = 0; i < 2; ++i) {
    char metric[48];
    epsilon[i] = pow(10, 0.3 - 4.7 * (19 + 8 * i) / 39); // samples of logspace(0.3, -4.4, 40)
    snprintf(metric, sizeof metric, "rms:epsilon=%.4e", epsilon[i]);
    error[i] = ffi_bench_need(rows, "order", metric, "1");
  }
  const double slope = log(error[0] / error[1]) / log(epsilon[0] / epsilon[1]);
  assert_true(slope > 1.9 && slope < 2.1);
  assert_string_equal(ffi_bench_find_word(rows, "paper", "claim:E1"), "holds");
}

// What does not depend on the machine's speed. Locating guards in steps of 2 ms is right to eight digits; a preload is
// no matter to guards, and spoils what applies it from step to step.
static void hoppers_are_what_they_are(void **state)
{
  assert_true(ffi_bench_need(*state, "hopper", "dopri5:rms", "1") < 1e-8);
  assert_true(ffi_bench_need(*state, "hopper", "expo:rms", "1") < 1e-10); // exact for such a leg
  assert_true(ffi_bench_need(*state, "preloaded", "dopri5:rms", "1") < 1e-8);
  assert_true(ffi_bench_need(*state, "preloaded", "ess:rms", "1") < 1e-2);
  assert_true(ffi_bench_need(*state, "preloaded", "expo:rms", "1") > 1e-2);
  const double order = ffi_bench_need(*state, "preloaded", "ess:order", "1");
  assert_true(order > 1.8 && order < 2.3);
}

static void plates_are_what_they_are(void **state)
{
  static const int bed[] = {2, 25, 50, 75, 100}, crowd[] = {100, 200, 500, 1000};
  char metric[64];
  for (int i = 0; i < 5; ++i) {
    snprintf(metric, sizeof metric, "n=%d:ess:crossings",
             bed[i]); // down, up, down, up: four for each spring or more
    assert_true(ffi_bench_need(*state, "plate", metric, "per run") >= 4 * bed[i]);
    snprintf(metric, sizeof metric, "n=%d:dopri5:rms", bed[i]);
    assert_true(ffi_bench_need(*state, "plate", metric, "1") < 1e-7);
  }
  double last = INFINITY;
  for (int i = 0; i < 4; ++i) { // more contacts are no more wrong
    snprintf(metric, sizeof metric, "n=%d:ess:rms", crowd[i]);
    const double now = ffi_bench_need(*state, "crowd", metric, "1");
    assert_true(now < 1.1 * last);
    last = now;
  }
  assert_true(ffi_bench_need(*state, "feet", "n=10:expo:rms", "1") < 1e-3);
}

// Times of one program against another's in the same run: far from the edge, but for builds that are to be slow.
static void bars_hold(void **state)
{
  const double hopper = ffi_bench_find(*state, "paper", "hopper:time_ratio_vs_mujoco", "x"),
               plate = ffi_bench_find(*state, "paper", "plate:marginal_ratio_vs_mujoco", "x");
  if (isnan(hopper))
    skip(); // no MuJoCo
  assert_true(hopper > 0 && plate > 0);
  assert_true(ffi_bench_need(*state, "hopper", "epsilon:mujoco:contact", "m") > 1e-4);
#if defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  const double bounded = ffi_bench_need(*state, "hopper", "ess:us", "us"),
               free_steps = ffi_bench_need(*state, "hopper", "ess:us_at_mujoco_error", "us");
  assert_true(free_steps < 0.2 * bounded); // there are tens of them instead of a thousand
  if (hopper < 5 || plate > 0.2)
    fail_msg("hopper %g times faster than MuJoCo, plate %g of its marginal time", hopper, plate);
#endif
}

// The order is judged, what depends on time is not in a quick run.
static void claims_have_figures(void **state)
{
  ffi_bench_need(*state, "paper", "decided:E1", "1");
  assert_null(ffi_bench_find_word(*state, "paper", "claim:E2"));
  assert_null(ffi_bench_find_word(*state, "paper", "claim:E3"));
  const double ratio = ffi_bench_need(*state, "paper", "decided:E3", "x"),
               low = ffi_bench_find(*state, "paper", "low:E3", "x");
  assert_true(ratio > 0 && !(low > ratio));
}

static void report_stands_by_itself(void **state)
{
  static const char *const words[] = {"Claims",  "<svg ",    "Fig. 4.1",      "Fig. 5.1", "Fig. 5.2",
                                      "preload", "thousand", "quick variant", NULL};
  (void)state;
  ffi_bench_check_report("ess.html", words);
}

static void nonsense_is_refused(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"ess-paper hopper", 2, "options only"},
      {"ess-papre", 2, "did you mean 'ess-paper'?"},
      {"ess-paper --case order", 2, "--case"},
      {"ess-paper --html /nowhere/a.html", 1, "cannot be written"},
      {"ess-paper --json /nowhere/a.json", 1, "cannot be written"},
  };
  static const char *const words[] = {"--html", "--json", "--quick", NULL};
  (void)state;
  ffi_bench_check_refusals(refusals, (int)(sizeof refusals / sizeof *refusals));
  ffi_bench_check_help("ess-paper", words);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(order_is_two),
      cmocka_unit_test(quick_is_quick),
      cmocka_unit_test(hoppers_are_what_they_are),
      cmocka_unit_test(plates_are_what_they_are),
      cmocka_unit_test(bars_hold),
      cmocka_unit_test(claims_have_figures),
      cmocka_unit_test(report_stands_by_itself),
  };
  const struct CMUnitTest options[] = {cmocka_unit_test(nonsense_is_refused)};
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
