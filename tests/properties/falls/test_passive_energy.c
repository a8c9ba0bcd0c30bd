// slow: some ten seconds. Robots that fall limp on a stiff floor gain no energy and come to rest, at steps hundreds of
// times longer than an explicit stepper survives.
#include "properties/falls/robot_shapes.h"

#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct course {
  double start;   ///< total energy [J], zero on the floor
  double excess;  ///< the largest over that of the start, relative to it
  double rise;    ///< the largest of one step, relative to the start
  double fastest; ///< largest velocity at the end
  double kinetic; ///< at the end [J]
} course;

static double fastest(const ff_sim *sim)
{
  double most = 0;
  for (int i = 0; i < ff_model_get_size(ff_sim_model(sim)).nv; ++i)
    most = fmax(most, fabs(ff_sim_v(sim)[i]));
  return most;
}

// From `height` above the posture "standing", at rest; K = 1e5 and B = 300 are the models' own.
static course drop(int robot, double height, double dt, double duration)
{
  ff_model *model = ffi_robot_shapes_load(robot);
  ff_sim_def def = ff_sim_def_default();
  def.dt = dt;
  ff_sim *sim;
  ff_error error;
  if (ff_sim_create(model, &def, &sim, &error) != FF_OK)
    fail_msg("%s", error.message);
  double q[64];
  const int nq = ff_model_get_size(model).nq;
  assert_true(nq <= 64);
  memcpy(q, ff_model_posture(model, ff_model_find_posture(model, "standing")), (size_t)nq * sizeof *q);
  q[2] += height;
  assert_int_equal(ff_sim_reset(sim, q, NULL, &error), FF_OK);
  course c = {.start = ff_sim_energy(sim).total};
  double before = c.start;
  for (long k = 0; k < lround(duration / dt); ++k) {
    if (ff_sim_step(sim, NULL, &error) != FF_OK)
      fail_msg("%s: %s", ffi_robot_shapes_name(robot), error.message);
    const ff_energy e = ff_sim_energy(sim);
    c.excess = fmax(c.excess, e.total / c.start - 1);
    c.rise = fmax(c.rise, (e.total - before) / c.start);
    before = e.total;
    c.kinetic = e.kinetic;
  }
  c.fastest = fastest(sim);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return c;
}

// What there is of energy comes from the fall and friction only takes: 1 % is the promise, and no single step may give
// a tenth of that back.
static void check_energy(int robot, double dt, const course *c)
{
  if (!(c->excess <= 0.01 && c->rise <= 1e-3))
    fail_msg("%s at %g s: total energy exceeds its start by %g, a step added %g",
             ffi_robot_shapes_name(robot), dt, c->excess, c->rise);
}

// At rest: what moves is rounding. Forces of K x are rounded to K eps x 1 m, that is 2e-11 N, and shake the lightest
// links, 1e-5 kg m^2, at up to 2e-11 dt / 1e-5 = 1e-8 rad/s. Romeo's arms and head may end up in the air, where nothing
// damps them.
static void check_rest(int robot, const course *c)
{
  if (strcmp(ffi_robot_shapes_name(robot), "romeo") != 0 && !(c->fastest <= 1e-8))
    fail_msg("%s has not come to rest: a velocity is %g", ffi_robot_shapes_name(robot), c->fastest);
}

static void falls_and_rests(int robot, double dt, double duration)
{
  const course c = drop(robot, 0.2, dt, duration);
  print_message("%s at %g ms: excess %.2g, rise %.2g, fastest %.2g, kinetic %.2g J of %.3g J\n",
                ffi_robot_shapes_name(robot), 1e3 * dt, c.excess, c.rise, c.fastest, c.kinetic, c.start);
  check_energy(robot, dt, &c);
  check_rest(robot, &c);
}

static void solo12_falls_for_a_minute(void **state)
{
  (void)state;
  falls_and_rests(0, 0.005, 60);
}

static void the_others_too(void **state)
{
  (void)state;
  for (int robot = 1; robot < FFI_ROBOT_SHAPES_ROBOTS; ++robot)
    falls_and_rests(robot, 0.005, 30);
}

static void at_any_step(void **state)
{
  (void)state;
  static const double dts[] = {0.02, 0.01, 0.002, 0.0005};
  for (int i = 0; i < 4; ++i)
    falls_and_rests(0, dts[i], 10);
}

static void from_any_height(void **state)
{
  (void)state;
  enum { HEIGHTS = 30 };
  static const double dts[] = {0.02, 0.01, 0.005, 0.002};
  for (int i = 0; i < 4; ++i) {
    course worst = {0};
    for (int k = 0; k < HEIGHTS; ++k) {
      const course c = drop(0, 0.1 + 0.3 * k / HEIGHTS, dts[i], 2);
      check_energy(0, dts[i], &c);
      worst.excess = fmax(worst.excess, c.excess);
      worst.rise = fmax(worst.rise, c.rise);
    }
    print_message("solo12 from %d heights at %g ms: excess %.2g, largest rise of a step %.2g\n", HEIGHTS,
                  1e3 * dts[i], worst.excess, worst.rise);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solo12_falls_for_a_minute),
      cmocka_unit_test(the_others_too),
      cmocka_unit_test(at_any_step),
      cmocka_unit_test(from_any_height),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
