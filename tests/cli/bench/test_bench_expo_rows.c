// slow: under sanitizers. footfall bench expo: the rows it writes. That orders hold is tested in tests/properties; here
// only that the figures are there, and that they say what the pages made of them say: by factors that are far from the
// edge. Its options: test_bench_expo.c.
#include "cli/bench/bench_rows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static int measure(void **state)
{
  *state = ffi_bench_rows("expo --quick");
  return 0;
}

static void rows_have_the_schema(void **state)
{
  ffi_bench_check_schema(*state, 1); // where a stepper diverged
}

// The page on the exponential: a higher order is better, up to dt |A| = 3; auto is good to its tolerance of 1e-4 at any
// length, in every state in which it does not say that it is capped.
static void orders_are_there(void **state)
{
  static const int orders[] = {1, 2, 3, 5, 7};
  static const double sizes[] = {0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000};
  char metric[64];
  for (int i = 0; i < 4; ++i) {
    double last = 1;
    for (int k = 0; k < 5; ++k) {
      snprintf(metric, sizeof metric, "velocity:order-%d:median:dtA=%g", orders[k], sizes[i]);
      const double error = ffi_bench_need(*state, "orders", metric, "relative");
      assert_true(error < fmax(last, 1e-14)); // then it is rounding
      last = error;
    }
  }
  for (int i = 0; i < 9; ++i) {
    snprintf(metric, sizeof metric, "velocity:auto:worst:dtA=%g", sizes[i]);
    assert_true(ffi_bench_need(*state, "orders", metric, "relative") < 1e-4);
    snprintf(metric, sizeof metric, "displacement:auto:worst:dtA=%g", sizes[i]);
    ffi_bench_need(*state, "orders", metric, "relative");
  }
}

// Without events there is nothing for events to gain; with them it is most of what can be gained.
static void parts_are_worth_something(void **state)
{
  static const char *const ways[] = {"expo",       "expo-order1", "expo-no-events", "expo-order1-no-events",
                                     "expo-paper", "implicit",    "euler",          "symplectic",
                                     "rk4"};
  static const char *const scenes[] = {"stance", "landing", "sliding"};
  char metric[64];
  double error[3][9];
  for (int s = 0; s < 3; ++s) {
    for (int w = 0; w < 9; ++w) {
      snprintf(metric, sizeof metric, "error:%s:dt=2500us", ways[w]);
      error[s][w] = ffi_bench_need(*state, scenes[s], metric, "SI");
      snprintf(metric, sizeof metric, "step:%s:dt=2500us", ways[w]);
      assert_true(ffi_bench_need(*state, scenes[s], metric, "us") > 0.1);
    }
    assert_true(error[s][0] < error[s][1] / 3);                                        // the corrector
    assert_true(s == 0 ? error[s][0] == error[s][2] : error[s][0] < error[s][2] / 30); // events
    assert_true(error[s][0] < error[s][4] / 30 && error[s][0] < error[s][5] / 30);
    assert_true(ffi_bench_need(*state, scenes[s], "truth", "SI") < 1e-3);
  }
  assert_true(ffi_bench_need(*state, "stance", "pieces:expo:dt=2500us", "per step") == 1);
  assert_true(ffi_bench_need(*state, "landing", "pieces:expo:dt=2500us", "per step") > 1);
}

// Order 2 over a factor of 16, less what is lost to rounding up; the published law is of order 1.
static void friction_has_a_limit(void **state)
{
  const double coarse = ffi_bench_need(*state, "slope", "error:expo:dt=7812.5us", "SI"),
               fine = ffi_bench_need(*state, "slope", "error:expo:dt=488.281us", "SI");
  assert_true(coarse / fine > 128);
  assert_true(ffi_bench_need(*state, "slope", "error:expo-paper:dt=488.281us", "SI") > 1000 * fine);
}

static void motors_inside_take_longer_steps(void **state)
{
  static const int gains[] = {5, 50, 500};
  char metric[64];
  for (int g = 0; g < 3; ++g) {
    snprintf(metric, sizeof metric, "longest:tau:kp=%d", gains[g]);
    const double outside = ffi_bench_need(*state, "motors", metric, "ms");
    snprintf(metric, sizeof metric, "longest:elements:kp=%d", gains[g]);
    assert_true(ffi_bench_need(*state, "motors", metric, "ms") > outside);
  }
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(rows_have_the_schema),
      cmocka_unit_test(orders_are_there),
      cmocka_unit_test(parts_are_worth_something),
      cmocka_unit_test(friction_has_a_limit),
      cmocka_unit_test(motors_inside_take_longer_steps),
  };
  return cmocka_run_group_tests(rows, measure, ffi_bench_forget);
}
