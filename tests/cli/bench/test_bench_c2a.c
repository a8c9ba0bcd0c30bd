// slow: some twenty seconds. footfall bench c2a-paper: its rows, its report and what it refuses.
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <footfall/sim.h>

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
  snprintf(arguments, sizeof arguments, "c2a-paper --quick --html '%s/c2a.html'", ffi_scratch_folder());
  *state = ffi_bench_rows(arguments);
  seconds = ffi_bench_spent() - before;
  return 0;
}

static void quick_is_quick(void **state)
{
  ffi_bench_check_schema(*state, 1);
  assert_true(seconds > 0 && seconds < 60);
}

// Deviations that an independent program has at the paper's steps, to the digits that are given; and Euler's step goes
// with the tolerance.
static void the_walker_is_the_known_one(void **state)
{
  const double euler = ffi_bench_need(*state, "walker", "euler:deviation_at_stated", "1"),
               rk4 = ffi_bench_need(*state, "walker", "rk4:deviation_at_stated", "1");
  assert_true(fabs(euler - 1.34e-3) < 5e-6 && fabs(rk4 - 1.67e-3) < 1e-5);
  const double euler_ratio = ffi_bench_need(*state, "walker", "euler:longest_step:0.0015", "1") /
                             ffi_bench_need(*state, "walker", "euler:longest_step:1e-05", "1");
  assert_true(fabs(log(euler_ratio) / log(150) - 1) < 0.05);                      // of first order
  assert_string_equal(ffi_bench_find_word(*state, "paper", "claim:A1"), "fails"); // at the printed tolerance
  assert_string_equal(ffi_bench_find_word(*state, "paper", "claim:A1:fraction"), "holds");
}

// A share of throws for each stepper; with conservative advancement it is nothing at all, and a thing that is seen at
// the ends of steps only is through when it is fast.
static void every_stepper_throws(void **state)
{
  for (int s = 0; s < FF_STEPPER_COUNT; ++s) {
    const char *name = ff_stepper_name((ff_stepper)s);
    const double share = ffi_bench_need(*state, name, "tunnel", "1");
    assert_true(share >= 0 && share <= 1);
    if (s == FF_STEPPER_CA || s == FF_STEPPER_C2A)
      assert_true(share == 0);
  }
  assert_true(ffi_bench_need(*state, "symplectic", "tunnel:v=300", "1") > 0.5);
}

// A quick run has figures; it judges what does not depend on its length.
static void claims_have_figures(void **state)
{
  for (int i = 2; i <= 5; ++i) {
    char metric[64];
    snprintf(metric, sizeof metric, "claim:A%d", i);
    assert_null(ffi_bench_find_word(*state, "paper", metric));
    snprintf(metric, sizeof metric, "decided:A%d", i);
    ffi_bench_need(*state, "paper", metric, i == 2 ? "1" : i == 4 ? "ms" : "x");
  }
  const double low = ffi_bench_need(*state, "paper", "low:A3", "x"),
               high = ffi_bench_need(*state, "paper", "high:A3", "x");
  assert_true(low < high); // it depends on the law of impact
}

// Local errors of one Euler step are of second order in its length, relative errors of an energy that is the same are
// too: the longest of the list has more than the shortest.
static void local_errors_grow_with_the_step(void **state)
{
  const double shortest = ffi_bench_need(*state, "fixed", "energy_error:dt=1ms", "1"),
               longest = ffi_bench_need(*state, "fixed", "energy_error:dt=5ms", "1");
  assert_true(shortest > 0 && longest > shortest);
  for (int k = 0; k < FF_C2A_SCHEME_COUNT; ++k)
    assert_true(ffi_bench_need(*state, ff_c2a_scheme_name((ff_c2a_scheme)k), "energy_error:relative", "1") >
                0);
  const double mean = ffi_bench_need(*state, "control", "mean_step:trot", "ms");
  assert_true(mean >= 0.5 && mean <= 5);
}

static void report_stands_by_itself(void **state)
{
  static const char *const words[] = {
      "Claims",         "<svg ",           "Fig. 3",     "Fig. 4",        "Fig. 5",
      "passive walker", "Error over time", "Tunnelling", "quick variant", NULL};
  (void)state;
  ffi_bench_check_report("c2a.html", words);
}

static void nonsense_is_refused(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"c2a-paper walker", 2, "options only"},
      {"c2a-papre", 2, "did you mean 'c2a-paper'?"},
      {"c2a-paper --case walker", 2, "--case"},
      {"c2a-paper --html /nowhere/a.html", 1, "cannot be written"},
      {"c2a-paper --json /nowhere/a.json", 1, "cannot be written"},
      {"c2a-paper --quick --scenes /nowhere", 1, "links-trot.yaml"},
  };
  static const char *const words[] = {"--html", "--json", "--quick", "--scenes", NULL};
  (void)state;
  ffi_bench_check_refusals(refusals, (int)(sizeof refusals / sizeof *refusals));
  ffi_bench_check_help("c2a-paper", words);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(quick_is_quick),
      cmocka_unit_test(the_walker_is_the_known_one),
      cmocka_unit_test(every_stepper_throws),
      cmocka_unit_test(claims_have_figures),
      cmocka_unit_test(local_errors_grow_with_the_step),
      cmocka_unit_test(report_stands_by_itself),
  };
  const struct CMUnitTest options[] = {cmocka_unit_test(nonsense_is_refused)};
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
