// A hopper for a hundred hops against its closed form: its energy, both methods, with a leg that is preloaded, and
// many hoppers at once.
#include "ode/ess_hopper.h"
#include "support/alloc_counter.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ffi_hopper plain = {9.81, 20, 0}, preloaded = {9.81, 20, 30};

static ff_ess *new_hopper(ffi_hopper *p, ff_ess_method method, double epsilon, double tolerance)
{
  ff_ess_def def = ff_ess_def_default();
  def.system = ffi_hopper_system(p);
  def.rearm = ffi_hopper_rearm;
  def.rearm_count = 2;
  def.method = method;
  def.epsilon = epsilon;
  def.relative_tolerance = def.absolute_tolerance = tolerance;
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  return ess;
}

// The closed form does obey the law: differences of it.
static void test_closed_form(void **state)
{
  (void)state;
  ffi_hopper *all[] = {&plain, &preloaded};
  for (int i = 0; i < 2; ++i)
    for (double t = 0.013; t < 3; t += 0.037) {
      double a[2], b[2], c[2];
      const double s = 1e-4;
      ffi_hopper_exact(all[i], 1.7, t - s, a);
      ffi_hopper_exact(all[i], 1.7, t, b);
      ffi_hopper_exact(all[i], 1.7, t + s, c);
      if ((a[0] < 1) != (c[0] < 1))
        continue;
      const double force = b[0] < 1 ? all[i]->preload + 400 * (1 - b[0]) : 0;
      ffi_check_near("velocity", (c[0] - a[0]) / (2 * s), b[1], 1e-5);
      ffi_check_near("acceleration", (c[1] - a[1]) / (2 * s), force - 9.81, 1e-4);
      ffi_check_near("energy", ffi_hopper_energy(all[i], b), 9.81 * 1.7, 1e-12);
    }
}

// A step's error is at most 1e-13 (1 + 4), speeds being up to 4 m/s, and a hop has some 100 steps: 5e-11 m/s a hop.
// Flights are longer by 2/g times what has come together, and these times add up: 5000 * 5e-11 * 2/g * 4 m/s after
// 100 hops; energy, of 17 J/kg, changes by 100 * 5e-11 * 4.
static void hundred_hops(ffi_hopper *p)
{
  const double x0 = 1.7, period = ffi_hopper_period(p, x0);
  ff_ess *ess = new_hopper(p, FF_ESS_LOCATE, 1, 1e-13);
  ff_error error;
  ffi_must(ff_ess_start(ess, 0, (double[]){x0, 0}, NULL, &error), &error);
  ffi_margin motion = {.what = "state", .tolerance = 2e-7}, energy = {.what = "energy", .tolerance = 1.2e-9};
  for (int i = 1; i <= 400; ++i) {
    const double t = i * period * 0.2501;
    double x[2];
    ffi_must(ff_ess_advance(ess, t, &error), &error);
    ffi_hopper_exact(p, x0, t, x);
    ffi_margin_add(&motion, ffi_gap(2, ff_ess_state(ess), x), i);
    ffi_margin_add(&energy, fabs(ffi_hopper_energy(p, ff_ess_state(ess)) / (9.81 * x0) - 1), i);
  }
  ffi_margin_check(&motion);
  ffi_margin_check(&energy);
  assert_int_equal(ff_ess_get_info(ess).crossings, 200);
  assert_int_equal(ff_ess_get_info(ess).located, 200);
  ff_ess_destroy(ess);
}

static void test_hundred_hops(void **state)
{
  (void)state;
  hundred_hops(&plain);
}

static void test_hundred_hops_preloaded(void **state)
{
  (void)state;
  hundred_hops(&preloaded);
}

// The error after a hundred hops. A straight line to the guard leaves out how the force changes on the way: w^2 / 2
// per epsilon^2 of energy at lift-off, and what a constant force a bends the way is a^2 / (2 v^2) per epsilon^2 at
// both guards. Bands are entered up to a twentieth of their width late.
static double error_projecting(ffi_hopper *p, double epsilon)
{
  const double x0 = 1.7, t = 100.1 * ffi_hopper_period(p, x0), v = sqrt(2 * 9.81 * (x0 - 1));
  double x[2];
  ff_ess *ess = new_hopper(p, FF_ESS_PROJECT, epsilon, 1e-13);
  ff_error error;
  ffi_must(ff_ess_start(ess, 0, (double[]){x0, 0}, NULL, &error), &error);
  ffi_must(ff_ess_advance(ess, t, &error), &error);
  ffi_hopper_exact(p, x0, t, x);
  const double gap = ffi_gap(2, ff_ess_state(ess), x);
  const ff_ess_info info = ff_ess_get_info(ess);
  assert_int_equal(info.crossings, 200);
  assert_int_equal(info.projections, 200);
  assert_int_equal(info.turned + info.wide, 0);
  ffi_check_near("slowest", info.slowest, v, 1e-2);
  ffi_check_near("fastest", info.fastest, v, 1e-2);
  const double bends = (p->preload - 9.81) * (p->preload - 9.81) + 9.81 * 9.81;
  const double a_hop = 0.5 * (p->w * p->w + bends / (v * v)) * epsilon * epsilon;
  const double ratio = (ffi_hopper_energy(p, ff_ess_state(ess)) - 9.81 * x0) / (100 * a_hop);
  print_message("epsilon %g: error %g, energy %.4f of what is expected\n", epsilon, gap, ratio);
  assert_true(ratio > 0.95 * 0.95 && ratio < 1.001);
  ff_ess_destroy(ess);
  return gap;
}

static void test_projections_converge(void **state)
{
  (void)state;
  ffi_hopper *all[] = {&plain, &preloaded};
  for (int i = 0; i < 2; ++i) {
    const double coarse = error_projecting(all[i], 4e-5), fine = error_projecting(all[i], 1e-5);
    ffi_check_near("order", log2(coarse / fine) / 2, 2, 0.1);
  }
}

// ff_ess_next() stops at every crossing, in turn, where the closed form is.
static void test_next(void **state)
{
  (void)state;
  const double x0 = 1.7, fall = sqrt(2 * 0.7 / 9.81), period = ffi_hopper_period(&plain, x0);
  ff_ess *ess = new_hopper(&plain, FF_ESS_LOCATE, 1, 1e-12);
  ff_error error;
  ffi_must(ff_ess_start(ess, 0, (double[]){x0, 0}, NULL, &error), &error);
  for (int i = 0; i < 20; ++i) {
    int guard;
    ffi_must(ff_ess_next(ess, 100, &guard, &error), &error);
    assert_int_equal(guard, i % 2);
    ffi_check_near("time", ff_ess_time(ess), i % 2 ? (i + 1) / 2 * period - fall : i / 2 * period + fall,
                   1e-9);
    assert_int_equal(ff_ess_side(ess)[i % 2], 1);
    assert_int_equal(ff_ess_side(ess)[1 - i % 2], -1);
  }
  int guard = 7;
  ffi_must(ff_ess_next(ess, ff_ess_time(ess) + 1e-3, &guard, &error), &error);
  assert_int_equal(guard, -1);
  ff_ess_destroy(ess);
}

// Pieces of any length, such as those of a simulation's steps, lead to the same motion; and nothing is allocated on
// the way.
static void test_pieces(void **state)
{
  (void)state;
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    ff_ess *ess = new_hopper(&preloaded, (ff_ess_method)method, 1e-5, 1e-12);
    ff_error error;
    ffi_must(ff_ess_start(ess, 0, (double[]){1.7, 0}, NULL, &error), &error);
    const long before = ffi_test_alloc_count();
    for (int i = 1; i <= 10000; ++i) {
      ffi_must(ff_ess_advance(ess, i * 1e-3, &error), &error);
      assert_true(ff_ess_time(ess) == i * 1e-3);
    }
    assert_int_equal(ffi_test_alloc_count(), before);
    double x[2];
    ffi_hopper_exact(&preloaded, 1.7, 10, x);
    ffi_check_near("state", ffi_gap(2, ff_ess_state(ess), x), 0, 1e-6);
    ff_ess_destroy(ess);
  }
}

// Hops lower than the band are wide: guards turn round inside of their bands and are located.
static void test_turns_inside_the_band(void **state)
{
  (void)state;
  ff_ess *ess = new_hopper(&plain, FF_ESS_PROJECT, 0.2, 1e-12);
  ff_error error;
  ffi_must(ff_ess_start(ess, 0, (double[]){1.05, 0}, NULL, &error), &error);
  ffi_must(ff_ess_advance(ess, 5, &error), &error);
  double x[2];
  ffi_hopper_exact(&plain, 1.05, 5, x);
  ffi_check_near("state", ffi_gap(2, ff_ess_state(ess), x), 0, 1e-8);
  const ff_ess_info info = ff_ess_get_info(ess);
  assert_int_equal(info.projections, 0);
  assert_true(info.located > 20);
  ff_ess_destroy(ess);
}

// ---- Many -------------------------------------------------------------------------------------------------

enum { MANY = 300 };

static int many_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)user;
  const ff_ess_system one = ffi_hopper_system(&preloaded);
  for (int i = 0; i < MANY; ++i)
    one.field(t, x + 2 * i, side + 2 * i, dx + 2 * i, &preloaded);
  return 0;
}

static void many_guard(const double *x, double *h, void *user)
{
  (void)user;
  for (int i = 0; i < MANY; ++i) {
    h[2 * i] = 1 - x[2 * i];
    h[2 * i + 1] = x[2 * i] - 1;
  }
}

static void many_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x;
  (void)user;
  for (int i = 0; i < MANY; ++i) {
    rate[2 * i] = -dx[2 * i];
    rate[2 * i + 1] = dx[2 * i];
  }
}

// Hoppers that know nothing of each other, some dropped from the same height: guards are crossed together, one after
// the other, and in each other's bands. Each one's motion is its own.
static double many_hoppers(ff_ess_method method, double epsilon)
{
  static double x0[2 * MANY];
  static ff_ess_rearm rearm[2 * MANY];
  ffi_random random = ffi_random_seed(4);
  for (int i = 0; i < MANY; ++i) {
    x0[2 * i] = i % 3 == 2 ? x0[2 * i - 2] : ffi_random_between(&random, 1.2, 2);
    rearm[2 * i] = (ff_ess_rearm){2 * i, 2 * i + 1};
    rearm[2 * i + 1] = (ff_ess_rearm){2 * i + 1, 2 * i};
  }
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){.size = 2 * MANY,
                               .guards = 2 * MANY,
                               .field = many_field,
                               .guard = many_guard,
                               .guard_rate = many_rate};
  def.rearm = rearm;
  def.rearm_count = 2 * MANY;
  def.method = method;
  def.epsilon = epsilon;
  def.relative_tolerance = def.absolute_tolerance = 1e-12;
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  ffi_must(ff_ess_start(ess, 0, x0, NULL, &error), &error);
  const double end = 3;
  ffi_must(ff_ess_advance(ess, end, &error), &error);
  double worst = 0;
  long long crossings = 0;
  for (int i = 0; i < MANY; ++i) {
    double x[2];
    ffi_hopper_exact(&preloaded, x0[2 * i], end, x);
    worst = fmax(worst, ffi_gap(2, ff_ess_state(ess) + 2 * i, x));
    const double period = ffi_hopper_period(&preloaded, x0[2 * i]), fall = sqrt(2 * (x0[2 * i] - 1) / 9.81);
    crossings += (long long)floor((end - fall) / period) + (long long)floor((end + fall) / period) + 1;
  }
  assert_int_equal(ff_ess_get_info(ess).crossings, crossings);
  ff_ess_destroy(ess);
  return worst;
}

// Located, each is as if it were alone. Projected, all of them go straight whenever one of them is near its guard,
// thousands of times: the error is larger, and still epsilon^2.
static void test_many(void **state)
{
  (void)state;
  ffi_check_near("located", many_hoppers(FF_ESS_LOCATE, 1), 0, 1e-9);
  const double coarse = many_hoppers(FF_ESS_PROJECT, 8e-6), fine = many_hoppers(FF_ESS_PROJECT, 2e-6);
  print_message("errors %g %g\n", coarse, fine);
  ffi_check_near("order", log2(coarse / fine) / 2, 2, 0.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_closed_form),
      cmocka_unit_test(test_hundred_hops),
      cmocka_unit_test(test_hundred_hops_preloaded),
      cmocka_unit_test(test_projections_converge),
      cmocka_unit_test(test_next),
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_turns_inside_the_band),
      cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
