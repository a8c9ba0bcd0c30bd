// Joints that follow others, against closed forms. Two wheels about the vertical, geared q2 = n q1: a torque on the
// first feels I1 + n^2 I2. A wheel that follows by a polynomial: the energy I1 v^2/2 + I2 (P'(q) v)^2/2 stays.
#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double I1 = 2e-3, I2 = 5e-4;

static void add_wheel(ff_builder *b, const char *name, double inertia)
{
  ff_link_def link = ff_link_def_default();
  link.name = name;
  link.joint.name = name;
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[2] = 1;
  link.inertia.mass = 0.1;
  for (int k = 0; k < 6; ++k)
    link.inertia.matrix[k] = k == 0 || k == 3 || k == 5 ? inertia : 0;
  ffi_must_add_link(b, &link);
}

static ff_model *make_wheels(const double polynomial[5])
{
  ff_builder *b = ffi_must_begin("wheels");
  add_wheel(b, "a", I1);
  add_wheel(b, "b", I2);
  ff_element_def gear = ff_element_def_default();
  ff_error error;
  gear.type = FF_ELEMENT_COUPLING;
  gear.name = "gear";
  for (int k = 0; k < 5; ++k)
    gear.polynomial[k] = polynomial[k];
  ffi_must(ff_builder_add_element(b, &gear, "b", "a", &error), &error);
  return ffi_must_finish(b);
}

static ff_sim *make_sim(const ff_model *model, ff_stepper stepper, double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground_count = 0;
  return ffi_must_sim(model, &def);
}

// Of first order in time, where the others have a constant acceleration exactly.
static int is_first_order(ff_stepper stepper)
{
  return stepper == FF_STEPPER_SYMPLECTIC || stepper == FF_STEPPER_IMPLICIT || stepper == FF_STEPPER_CA;
}

// Steppers that keep a rigid coupling by a stiff spring: it gives by force / K.
static int has_spring(ff_stepper stepper)
{
  return stepper == FF_STEPPER_EXPO || stepper == FF_STEPPER_EXPO_PAPER || stepper == FF_STEPPER_IMPLICIT;
}

static void gears_reflect_inertia(void **state)
{
  (void)state;
  const double n = -3, polynomial[5] = {0.5, n, 0, 0, 0}, tau[2] = {0.01, 0}, dt = 1e-3, t = 0.2;
  const double a = tau[0] / (I1 + n * n * I2);
  const double slack = I2 * fabs(n) * a * (1 / I2 + n * n / I1) / 1e8; // force over the spring of 1e4 rad/s
  ff_model *model = make_wheels(polynomial);
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    const ff_stepper stepper = (ff_stepper)k;
    const char *name = ff_stepper_name(stepper);
    ff_sim *sim = make_sim(model, stepper, dt);
    const double *q = ff_sim_q(sim), *v = ff_sim_v(sim);
    ffi_check_near("the follower begins where its leader wants it", q[1], 0.5, 0);
    for (int step = 0; step < 200; ++step)
      ffi_must_step(sim, tau);
    ffi_check_near(name, v[0], a * t, 1e-12 * a * t);
    ffi_check_near(name, q[0], a * t * t / 2,
                   a * t * (is_first_order(stepper) ? 0.51 * dt : 1e-12) + 2 * slack);
    ffi_check_near("gap", q[1], 0.5 + n * q[0], has_spring(stepper) ? 1.01 * slack : 1e-12);
    ffi_check_near("rate", v[1], n * v[0], 1e-11);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Error of the leader's velocity after 0.3 s, by the energy that its position leaves it.
static double speed_error(const ff_model *model, ff_stepper stepper, double dt)
{
  const double v0[2] = {3, 3};
  ff_sim *sim = make_sim(model, stepper, dt);
  const double *q = ff_sim_q(sim), *v = ff_sim_v(sim);
  ffi_must_reset(sim, NULL, v0);
  for (int k = 0; k < (int)lround(0.3 / dt); ++k)
    ffi_must_step(sim, NULL);
  const double x = q[0], P = 0.1 + x * (1 + x * (0.8 + x * (-0.5 + x * 0.3)));
  const double slope = 1 + x * (1.6 + x * (-1.5 + x * 1.2));
  const double want = sqrt((I1 + I2) * 9 / (I1 + I2 * slope * slope)), error = fabs(v[0] - want);
  ffi_check_near(ff_stepper_name(stepper), q[1], P, stepper == FF_STEPPER_SYMPLECTIC ? 0.1 * dt : 2e-6);
  ff_sim_destroy(sim);
  return error;
}

// Steppers of higher order are right to 1e-5 m/s in steps of 1 ms, those of first order are 10 times nearer in steps of
// 0.1 ms.
static void polynomials_keep_energy(void **state)
{
  (void)state;
  const double polynomial[5] = {0.1, 1, 0.8, -0.5, 0.3};
  ff_model *model = make_wheels(polynomial);
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    const ff_stepper stepper = (ff_stepper)k;
    const double error = speed_error(model, stepper, 1e-3), finer = speed_error(model, stepper, 1e-4);
    if (!(error < 1e-5 || (error < 2e-3 && finer < 0.15 * error)))
      fail_msg("%s: %g m/s in steps of 1 ms, %g in steps of 0.1 ms", ff_stepper_name(stepper), error, finer);
  }
  ff_model_destroy(model);
}

static void add_gear(ff_builder *b, const char *name, const char *follower, const char *leader, double ratio)
{
  ff_element_def gear = ff_element_def_default();
  ff_error error;
  gear.type = FF_ELEMENT_COUPLING;
  gear.name = name;
  gear.polynomial[1] = ratio;
  ffi_must(ff_builder_add_element(b, &gear, follower, leader, &error), &error);
}

// a = 2 b and b = 2 a hold at 0 alone: two wheels that follow each other so are locked, and nobody puts one after the
// other further and further away.
static void a_circle_is_locked(void **state)
{
  (void)state;
  const double tau[2] = {0.01, 0}, dt = 1e-3;
  ff_builder *b = ffi_must_begin("circle");
  add_wheel(b, "a", I1);
  add_wheel(b, "b", I2);
  add_gear(b, "first", "a", "b", 2);
  add_gear(b, "second", "b", "a", 2);
  ff_model *model = ffi_must_finish(b);
  double q[2] = {1, 0.25};
  ff_model_place_followers(model, q);
  assert_true(q[0] == 1 && q[1] == 0.25);
  const double stiffness = 1e8 / (1 / I1 + 4 / I2); // of the weaker spring, 1e4 rad/s
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    const ff_stepper stepper = (ff_stepper)k;
    ff_sim *sim = make_sim(model, stepper, dt);
    for (int step = 0; step < 300; ++step)
      ffi_must_step(sim, tau);
    for (int i = 0; i < 2; ++i)
      ffi_check_near(ff_stepper_name(stepper), ff_sim_q(sim)[i], 0,
                     has_spring(stepper) ? 2 * tau[0] / stiffness : 1e-12);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gears_reflect_inertia),
      cmocka_unit_test(polynomials_keep_energy),
      cmocka_unit_test(a_circle_is_locked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
