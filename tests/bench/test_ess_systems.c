// The systems of bench ess-paper: closed forms against figures computed elsewhere and against what they must conserve;
// guards against differences; and the plate as an event-selected system against small steps that know nothing of
// guards.
#include "papers/ess/ess_hopper.h"
#include "papers/ess/ess_order.h"
#include "papers/ess/ess_plate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const bench_ess_plate plate = {.springs = 7,
                                      .half = 0.5,
                                      .mass = 10,
                                      .inertia = 50,
                                      .stiffness = 600,
                                      .damping = 6,
                                      .length = 1,
                                      .gravity = 9.81};

// By matrix exponential and bisection, in another program.
static void order_test_is_the_known_one(void **state)
{
  static const struct {
    double t, x[3];
  } known[] = {
      {0.209588078334644, {-0.173864417907084, 0, 0.054193675550457}},
      {0.262364264467491, {-0.119478310155418, 0.060530991871482, 0}},
      {0.369207153821749, {0, 0.173864417907084, -0.125952000094634}},
      {0.5, {0.269850417833365, 0.337890438217040, -0.346637698427865}},
  };
  double at[3], x[3];
  (void)state;
  bench_ess_order_crossings(at);
  assert_true(fabs(at[1] - known[0].t) < 1e-14);
  assert_true(fabs(at[2] - known[1].t) < 1e-14);
  assert_true(fabs(at[0] - known[2].t) < 1e-14);
  for (int i = 0; i < 4; ++i) {
    assert_true(bench_ess_order_at(NULL, known[i].t, x));
    for (int k = 0; k < 3; ++k)
      assert_true(fabs(x[k] - known[i].x[k]) < 2e-14);
  }
}

// The closed form moves along the field of its side.
static void order_test_follows_its_field(void **state)
{
  const ff_ess_def def = bench_ess_order_def();
  const double d = 1e-5;
  double at[3];
  (void)state;
  bench_ess_order_crossings(at);
  for (int i = 1; i < 50; ++i) {
    const double t = 0.01 * i + 3e-3;
    double before[3], now[3], after[3], dx[3];
    signed char side[3];
    for (int k = 0; k < 3; ++k)
      side[k] = t > at[k] ? 1 : -1;
    bench_ess_order_at(NULL, t - d, before);
    bench_ess_order_at(NULL, t, now);
    bench_ess_order_at(NULL, t + d, after);
    assert_int_equal(def.system.field(t, now, side, dx, NULL), 0);
    for (int k = 0; k < 3; ++k)
      assert_true(fabs((after[k] - before[k]) / (2 * d) - dx[k]) < 1e-6); // d^2 / 6 of the third derivative
  }
}

// Its energy, the spring's and the preload's with it, is that of the start; it is at the leg's length at touch-down and
// lift-off; and it comes back.
static void hopper_keeps_its_energy(void **state)
{
  (void)state;
  for (int k = 0; k < 3; ++k) {
    const bench_ess_hopper h = {
        .mass = 2, .stiffness = 700, .length = 1, .preload = 15.0 * k, .gravity = 9.81, .start = 1.8};
    const double fall = bench_ess_hopper_touchdown(&h), stance = bench_ess_hopper_stance(&h),
                 period = 2 * fall + stance;
    double x[2], y[2];
    for (int i = 0; i < 500; ++i) {
      bench_ess_hopper_exact(&h, 0.01 * i, x);
      const double shorter = fmax(0, h.length - x[0]);
      const double energy = h.mass * (h.gravity * x[0] + 0.5 * x[1] * x[1]) +
                            (0.5 * h.stiffness * shorter + h.preload) * shorter;
      assert_true(fabs(energy - h.mass * h.gravity * h.start) < 1e-12 * energy);
    }
    bench_ess_hopper_exact(&h, fall, x);
    bench_ess_hopper_exact(&h, fall + stance, y);
    assert_true(fabs(x[0] - 1) < 1e-13 && fabs(y[0] - 1) < 1e-13 && fabs(x[1] + y[1]) < 1e-12 && y[1] > 0);
    bench_ess_hopper_exact(&h, 0.5 * period, x); // the lowest point
    assert_true(x[0] < 1 && fabs(x[1]) < 1e-12);
    bench_ess_hopper_exact(&h, 3 * period, x);
    assert_true(fabs(x[0] - h.start) < 1e-12 && fabs(x[1]) < 1e-11);
  }
}

static void slopes_are_those_of_the_guards(void **state)
{
  (void)state;
  for (int feet = 0; feet < 2; ++feet) {
    bench_ess_plate p = plate;
    double x[BENCH_ESS_PLATE_SIZE] = {0.2, 1.1, -0.3, 0.5, -2, 0.7}, h[7], Dh[21], up[7], down[7];
    p.has_feet = feet;
    bench_ess_plate_guards(&p, x, h, Dh);
    for (int k = 0; k < 3; ++k) {
      const double at = x[k], d = 1e-6;
      x[k] = at + d, bench_ess_plate_guards(&p, x, up, NULL);
      x[k] = at - d, bench_ess_plate_guards(&p, x, down, NULL);
      x[k] = at;
      for (int i = 0; i < 7; ++i)
        assert_true(fabs((up[i] - down[i]) / (2 * d) - Dh[3 * i + k]) < 1e-9);
    }
  }
}

// Located guards against many small steps, whose error at each jump of the force is of the order of the step.
static void plates_agree_with_small_steps(void **state)
{
  ff_ess_rearm rearm[14];
  (void)state;
  for (int feet = 0; feet < 2; ++feet) {
    bench_ess_plate p = plate;
    bench_ess_simulator simulator;
    bench_ess_trace trace = {0};
    ff_error error = {0};
    double x0[BENCH_ESS_PLATE_SIZE];
    p.has_feet = feet;
    ff_ess_def def = bench_ess_plate_def(&p, rearm);
    def.method = FF_ESS_LOCATE;
    def.relative_tolerance = 1e-10;
    def.absolute_tolerance = 1e-12;
    assert_int_equal(bench_ess_simulator_create(&def, &p, &simulator, &error), FF_OK);
    for (int start = 0; start < 3; ++start) {
      bench_ess_plate_start(start, x0);
      assert_true(x0[1] > 2 && x0[1] < 3 && fabs(x0[2]) < 0.1 && x0[0] == 0 && x0[4] == 0);
      assert_int_equal(simulator.go(simulator.self, x0, 1.5, &trace, &error), FF_OK);
      const double coarse = bench_ess_plate_fine(&p, x0, 1e-4, &trace),
                   fine = bench_ess_plate_fine(&p, x0, 1e-5, &trace);
      assert_true(fine < 2e-4 && fine < 0.5 * coarse);
      assert_true(ff_ess_get_info(bench_ess_simulator_ess(&simulator)).crossings >= 14);
    }
    bench_ess_trace_free(&trace);
    bench_ess_simulator_destroy(&simulator);
  }
}

static int shifted(void *by, double t, double *x)
{
  x[0] = t + *(double *)by;
  x[1] = -t;
  return 1;
}

static void errors_are_root_mean_squares(void **state)
{
  bench_ess_trace trace = {0}, finer = {0};
  double by = 0.25;
  (void)state;
  bench_ess_trace_begin(&trace, 2);
  bench_ess_trace_begin(&finer, 2);
  for (int i = 0; i < 2000; ++i) {
    const double t = 1e-3 * i, x[2] = {t, -t}, y[2] = {t, 0.5 - t};
    if (i % 10 == 0)
      bench_ess_trace_add(&trace, t, x);
    bench_ess_trace_add(&finer, t, y);
  }
  assert_int_equal(trace.count, 200);
  assert_true(fabs(bench_ess_trace_error(&trace, shifted, &by) - 0.25) < 1e-15);
  assert_true(
      fabs(bench_ess_trace_error(&trace, bench_ess_trace_fine_at, &(bench_ess_trace_fine){&finer, 0}) - 0.5) <
      1e-15);
  assert_true(isnan(bench_ess_trace_error(&finer, bench_ess_trace_fine_at,
                                          &(bench_ess_trace_fine){&trace, 0}))); // has not those times
  bench_ess_trace_free(&trace);
  bench_ess_trace_free(&finer);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_test_is_the_known_one),   cmocka_unit_test(order_test_follows_its_field),
      cmocka_unit_test(hopper_keeps_its_energy),       cmocka_unit_test(slopes_are_those_of_the_guards),
      cmocka_unit_test(plates_agree_with_small_steps), cmocka_unit_test(errors_are_root_mean_squares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
