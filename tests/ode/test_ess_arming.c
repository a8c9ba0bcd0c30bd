// Which guard arms which: the guard-reset matrix, and where the rule of the paper goes wrong. The two small systems
// that came with the paper. Widths that follow the field.
#include "ode/ess_hopper.h"
#include "support/must.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ff_ess *must_create(const ff_ess_def *def)
{
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(def, &ess, &error), &error);
  return ess;
}

static void must_run(ff_ess *ess, const double *x, double end)
{
  ff_error error;
  ffi_must(ff_ess_start(ess, 0, x, NULL, &error), &error);
  ffi_must(ff_ess_advance(ess, end, &error), &error);
}

// ---- Two hoppers that know nothing of each other ----------------------------------------------------------

static ffi_hopper leg = {9.81, 20, 0};

static int two_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const ff_ess_system one = ffi_hopper_system(&leg);
  (void)user;
  return one.field(t, x, side, dx, &leg) + one.field(t, x + 2, side + 2, dx + 2, &leg);
}

static void two_guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = 1 - x[0], h[1] = x[0] - 1;
  h[2] = 1 - x[2], h[3] = x[2] - 1;
}

static const ff_ess_rearm two_rearm[] = {{2, 3}, {1, 0}, {0, 1}, {3, 2}};

// One hops low and often, the other falls from high. All-or-nothing arming waits for the other before the first may
// lift off again, whose leg then pulls it down.
static void test_matrix_and_the_papers_rule(void **state)
{
  (void)state;
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){.size = 4, .guards = 4, .field = two_field, .guard = two_guard};
  def.method = FF_ESS_LOCATE;
  def.relative_tolerance = def.absolute_tolerance = 1e-12;
  const double x0[4] = {1.1, 0, 6, 0}, end = 2.2;
  double exact[4];
  ffi_hopper_exact(&leg, 1.1, end, exact);
  ffi_hopper_exact(&leg, 6, end, exact + 2);

  ff_ess *paper = must_create(&def);
  must_run(paper, x0, end);
  assert_true(ffi_gap(2, ff_ess_state(paper), exact) > 0.1);
  ff_ess_destroy(paper);

  def.rearm = two_rearm;
  def.rearm_count = 4;
  ff_ess *matrix = must_create(&def);
  must_run(matrix, x0, end);
  ffi_check_near("state", ffi_gap(4, ff_ess_state(matrix), exact), 0, 1e-9);
  ff_ess_destroy(matrix);
}

// For one hopper the paper's rule is enough, as long as the field does not ask for the side of lift-off.
static void test_papers_rule(void **state)
{
  (void)state;
  ff_ess_def def = ff_ess_def_default();
  def.system = ffi_hopper_system(&leg);
  def.method = FF_ESS_LOCATE;
  def.relative_tolerance = def.absolute_tolerance = 1e-12;
  ff_ess *ess = must_create(&def);
  must_run(ess, (double[]){1.7, 0}, 10);
  double exact[2];
  ffi_hopper_exact(&leg, 1.7, 10, exact);
  ffi_check_near("state", ffi_gap(2, ff_ess_state(ess), exact), 0, 1e-8);
  ff_ess_destroy(ess);
}

// ---- A guard that arms itself -----------------------------------------------------------------------------

static int clock_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)side;
  (void)user;
  dx[0] = x[1];
  dx[1] = -x[0];
  return 0;
}

static void clock_guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0];
}

// An oscillator's x rises through zero once a turn, however long the steps are.
static void test_arms_itself(void **state)
{
  (void)state;
  const ff_ess_rearm self = {0, 0};
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    ff_ess_def def = ff_ess_def_default();
    def.system = (ff_ess_system){.size = 2, .guards = 1, .field = clock_field, .guard = clock_guard};
    def.method = (ff_ess_method)method;
    def.relative_tolerance = def.absolute_tolerance = 1e-12;
    def.epsilon = 1e-5;
    def.rearm = &self;
    def.rearm_count = 1;
    ff_ess *ess = must_create(&def);
    ff_error error;
    const double pi = 3.14159265358979323846;
    ffi_must(ff_ess_start(ess, 0, (double[]){-1, 0}, NULL, &error), &error);
    for (int i = 0; i < 50; ++i) {
      int guard;
      ffi_must(ff_ess_next(ess, 1000, &guard, &error), &error);
      assert_int_equal(guard, 0);
      ffi_check_near("time", ff_ess_time(ess), (2 * i + 0.5) * pi, method == FF_ESS_LOCATE ? 1e-8 : 1e-7);
    }
    ff_ess_destroy(ess);
  }
}

static double drop;

static int rise_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t, (void)x, (void)side, (void)user;
  dx[0] = 1;
  return 0;
}

static int fall_back(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)guard, (void)t, (void)side, (void)user;
  out[0] = x[0] - drop;
  return 0;
}

// A saw tooth, also of teeth that are far lower than the band is wide.
static void test_arms_itself_and_falls_back(void **state)
{
  (void)state;
  const ff_ess_rearm self = {0, 0};
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method)
    for (drop = 1; drop > 1e-8; drop *= 0.1) {
      ff_ess_def def = ff_ess_def_default();
      def.system = (ff_ess_system){
          .size = 1, .guards = 1, .field = rise_field, .guard = clock_guard, .reset = fall_back};
      def.method = (ff_ess_method)method;
      def.rearm = &self, def.rearm_count = 1;
      ff_ess *ess = must_create(&def);
      must_run(ess, (double[]){-0.3 * drop}, 10 * drop);
      assert_int_equal(ff_ess_get_info(ess).crossings, 10);
      ffi_check_near("x", ff_ess_state(ess)[0] / drop, -0.3, 1e-9); // rates by differences
      ff_ess_destroy(ess);
    }
}

// ---- The paper's small systems ----------------------------------------------------------------------------

// Piecewise constant, guards x + y + 0.1 and x - y + 0.1. By hand, from (-0.45, 0.15): guard 0 at t = 0.2, at (-0.25,
// 0.15); then (1, -0.5), guard 1 where x - y = -0.1: -0.4 + 1.5 s = -0.1, s = 0.2, at (-0.05, 0.05); then (0.5, 0)
// for 0.6.
static int flat_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)x;
  (void)user;
  const int a = side[0] > 0, b = side[1] > 0;
  dx[0] = a && b ? 0.5 : 1;
  dx[1] = a == b ? 0 : a ? -0.5 : 0.5;
  return 0;
}

static void flat_guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0] + x[1] + 0.1;
  h[1] = x[0] - x[1] + 0.1;
}

static void test_flat_system(void **state)
{
  (void)state;
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    ff_ess_def def = ff_ess_def_default();
    def.system = (ff_ess_system){.size = 2, .guards = 2, .field = flat_field, .guard = flat_guard};
    def.method = (ff_ess_method)method;
    def.epsilon = 0.15;
    ff_ess *ess = must_create(&def);
    must_run(ess, (double[]){-0.45, 0.15}, 1);
    assert_int_equal(ff_ess_get_info(ess).crossings, 2);
    ffi_check_near("x", ff_ess_state(ess)[0], 0.25, 1e-11); // rates by differences
    ffi_check_near("y", ff_ess_state(ess)[1], 0.05, 1e-11);
    ff_ess_destroy(ess);
  }
}

// Guards x/2 and -y/2; x' = 1 until y < 0, then 0.5; y' = -0.15 / (x^2 + 0.1) until a guard is crossed, -0.5 from
// then on. From (-0.4, 0.5): y falls by the integral of an arc tangent.
static int curved_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)user;
  dx[0] = side[1] < 0 ? 1 : 0.5;
  dx[1] = side[0] < 0 && side[1] < 0 ? -0.15 / (x[0] * x[0] + 0.1) : -0.5;
  return 0;
}

static void curved_guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0] / 2;
  h[1] = -x[1] / 2;
}

static void test_curved_system(void **state)
{
  (void)state;
  const double q = sqrt(0.1), y_first = 0.5 - 0.15 / q * atan(0.4 / q); // at x = 0, t = 0.4
  const double second = 0.4 + y_first / 0.5;                            // y = 0
  const double exact[2] = {(second - 0.4) + 0.5 * (1 - second), -0.5 * (1 - second)};
  assert_true(y_first > 0 && second < 1);
  double gap[2];
  for (int i = 0; i < 3; ++i) {
    ff_ess_def def = ff_ess_def_default();
    def.system = (ff_ess_system){.size = 2, .guards = 2, .field = curved_field, .guard = curved_guard};
    def.method = i < 2 ? FF_ESS_PROJECT : FF_ESS_LOCATE;
    def.epsilon = i == 0 ? 2e-2 : 1e-3;
    def.relative_tolerance = def.absolute_tolerance = 1e-12;
    ff_ess *ess = must_create(&def);
    must_run(ess, (double[]){-0.4, 0.5}, 1);
    const double error = ffi_gap(2, ff_ess_state(ess), exact);
    if (i < 2)
      gap[i] = error;
    else
      ffi_check_near("located", error, 0, 1e-10);
    ff_ess_destroy(ess);
  }
  print_message("errors %g %g\n", gap[0], gap[1]);
  assert_true(gap[0] / gap[1] > 200); // epsilon^2 would be 400, and a band is entered up to a twentieth late
  assert_true(gap[1] < 1e-5);         // y'' is at most 3, and 2e-3 of y are projected
}

// ---- Widths that follow the field --------------------------------------------------------------------------

static double guard_scale = 1;

static void scaled_guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = guard_scale * (1 - x[0]);
  h[1] = guard_scale * (x[0] - 1);
}

static void scaled_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x;
  (void)user;
  rate[0] = -guard_scale * dx[0];
  rate[1] = guard_scale * dx[0];
}

// A guard's unit must not matter if widths follow the field: the same bits for a guard that is 1024 times as large,
// and another motion if they do not follow.
static void test_band_time(void **state)
{
  (void)state;
  double end[2][2][2];
  for (int i = 0; i < 4; ++i) {
    guard_scale = i & 1 ? 1024 : 1;
    ff_ess_def def = ff_ess_def_default();
    def.system = ffi_hopper_system(&leg);
    def.system.guard = scaled_guard;
    def.system.guard_rate = scaled_rate;
    def.rearm = ffi_hopper_rearm;
    def.rearm_count = 2;
    def.band_time = i & 2 ? 1e-3 : 0;
    ff_ess *ess = must_create(&def);
    must_run(ess, (double[]){1.7, 0}, 5);
    const ff_ess_info info = ff_ess_get_info(ess);
    assert_true(info.projections > 5);
    // It hits its leg's length with 3.7 m/s: in a second more than any band of 1e-3 is wide. With band_time bands are
    // as wide as the advice wants them.
    assert_int_equal(info.hasty, def.band_time > 0 ? 0 : info.projections);
    memcpy(end[i >> 1][i & 1], ff_ess_state(ess), sizeof end[0][0]);
    ff_ess_destroy(ess);
  }
  assert_memory_equal(end[1][0], end[1][1], sizeof end[0][0]);
  assert_memory_not_equal(end[0][0], end[0][1], sizeof end[0][0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix_and_the_papers_rule),
      cmocka_unit_test(test_papers_rule),
      cmocka_unit_test(test_arms_itself),
      cmocka_unit_test(test_arms_itself_and_falls_back),
      cmocka_unit_test(test_flat_system),
      cmocka_unit_test(test_curved_system),
      cmocka_unit_test(test_band_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
