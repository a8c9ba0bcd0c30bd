// Tendons against closed forms: two wheels and the sum L = c1 q1 + c2 q2 of their angles, with the mobility m =
// c1^2/I1 + c2^2/I2 of that sum. A spring on it swings with sqrt(K m), friction stops it after Ldot^2 / (2 F m), a
// stop of stiffness K throws it back, a motor of limited effort accelerates it by F m.
#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>
#include <footfall/controls.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double I1 = 2e-3, I2 = 5e-4, c[2] = {0.5, -1.5};

static double mobility(void)
{
  return c[0] * c[0] / I1 + c[1] * c[1] / I2;
}

static double length_of(const double *x)
{
  return c[0] * x[0] + c[1] * x[1];
}

// Two wheels in the world, and their tendon.
static ff_builder *begin(int *tendon)
{
  ff_builder *b = ffi_must_begin("wheels");
  int links[2];
  ff_error error;
  for (int i = 0; i < 2; ++i) {
    ff_link_def link = ff_link_def_default();
    link.name = i == 0 ? "a" : "b";
    link.joint.type = FF_JOINT_REVOLUTE;
    link.joint.axis[2] = 1;
    link.inertia.mass = 0.1;
    for (int k = 0; k < 6; ++k)
      link.inertia.matrix[k] = k == 0 || k == 3 || k == 5 ? (i == 0 ? I1 : I2) : 0;
    ffi_must(ff_builder_add_link(b, &link, &links[i], &error), &error);
  }
  ffi_must(ff_builder_add_tendon(b, "cord", 2, links, c, tendon, &error), &error);
  return b;
}

static ff_model *make(const ff_element_def *element)
{
  int tendon;
  ff_error error;
  ff_builder *b = begin(&tendon);
  ff_element_def def = *element;
  def.tendon = tendon;
  ffi_must(ff_builder_add_element(b, &def, NULL, NULL, &error), &error);
  return ffi_must_finish(b);
}

static ff_sim *start(const ff_model *model, int stepper, double dt, const double v[2])
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = (ff_stepper)stepper;
  def.dt = dt;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, NULL, v);
  return sim;
}

static void run(ff_sim *sim, int steps)
{
  for (int k = 0; k < steps; ++k)
    ffi_must_step(sim, NULL);
}

// The momentum across the cord is never touched.
static void check_other_motion(ff_stepper stepper, const double *v, const double v0[2])
{
  const double now = c[1] * I1 * v[0] - c[0] * I2 * v[1], before = c[1] * I1 * v0[0] - c[0] * I2 * v0[1];
  ffi_check_near(ff_stepper_name(stepper), now, before, 1e-9);
}

static void springs_swing(void **state)
{
  (void)state;
  const double v0[2] = {1, 2}, K = 0.02, t = 0.3, dt = 1e-4;
  ff_element_def spring = ff_element_def_default();
  spring.stiffness = K;
  ff_model *model = make(&spring);
  const double w = sqrt(K * mobility()), L = length_of(v0) / w * sin(w * t);
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    ff_sim *sim = start(model, k, dt, v0);
    run(sim, (int)lround(t / dt));
    const int is_fine =
        k == FF_STEPPER_EXPO || k == FF_STEPPER_EXPO_PAPER || k == FF_STEPPER_RK4 || k == FF_STEPPER_ESS;
    ffi_check_near(ff_stepper_name((ff_stepper)k), length_of(ff_sim_q(sim)), L, is_fine ? 1e-6 : 20 * dt);
    check_other_motion((ff_stepper)k, ff_sim_v(sim), v0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

static void friction_stops(void **state)
{
  (void)state;
  const double v0[2] = {1, 2}, F = 0.002, dt = 1e-4, rate = length_of(v0),
               want = -rate * rate / (2 * F * mobility());
  ff_element_def friction = ff_element_def_default();
  friction.type = FF_ELEMENT_JOINT_FRICTION;
  friction.effort = F;
  ff_model *model = make(&friction);
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    ff_sim *sim = start(model, k, dt, v0);
    run(sim, 6000);
    ffi_check_near(ff_stepper_name((ff_stepper)k), length_of(ff_sim_q(sim)), want,
                   0.6 * dt * fabs(rate) + 1e-5);
    ffi_check_near(ff_stepper_name((ff_stepper)k), length_of(ff_sim_v(sim)), 0, 1e-6);
    check_other_motion((ff_stepper)k, ff_sim_v(sim), v0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Soft steppers: it comes back as fast as it came, after half a period. Hard ones: it stays.
static void stops_hold(void **state)
{
  (void)state;
  const double v0[2] = {-1, 1}, rate = length_of(v0), K = 5, lower = -0.1, dt = 1e-4;
  ff_element_def stop = ff_element_def_default();
  stop.type = FF_ELEMENT_JOINT_LIMIT;
  stop.stiffness = K;
  stop.lower = lower;
  ff_model *model = make(&stop);
  const double t = 0.2, inside = t - lower / rate, half = M_PI / sqrt(K * mobility());
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    ff_sim *sim = start(model, k, dt, v0);
    run(sim, (int)lround(t / dt));
    const int is_hard = ff_stepper_is_hard((ff_stepper)k),
              damps = k == FF_STEPPER_IMPLICIT || k == FF_STEPPER_EULER;
    const double back = lower - rate * (inside - half);
    const double slack = damps                                         ? 0.1 * fabs(rate) * t
                         : k == FF_STEPPER_EXPO || k == FF_STEPPER_ESS ? 1e-6
                                                                       : 30 * dt;
    ffi_check_near(ff_stepper_name((ff_stepper)k), length_of(ff_sim_q(sim)), is_hard ? lower : back,
                   is_hard ? 2 * dt * fabs(rate) : slack);
    check_other_motion((ff_stepper)k, ff_sim_v(sim), v0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Actuators on the cord: one of type motor by its control, and a servo whose effort is too small for its error.
static void motors_pull(void **state)
{
  (void)state;
  const double F = 0.003, t = 0.1, dt = 1e-3, none[2] = {0, 0};
  for (int is_servo = 0; is_servo < 2; ++is_servo) {
    int tendon;
    ff_error error;
    ff_builder *b = begin(&tendon);
    ff_actuator_def motor = ff_actuator_def_default();
    motor.tendon = tendon;
    motor.name = "winch";
    motor.type = is_servo ? FF_ACTUATOR_POSITION : FF_ACTUATOR_MOTOR;
    motor.kp = 100;
    motor.force_range[0] = -F;
    motor.force_range[1] = F;
    ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
    ff_model *model = ffi_must_finish(b);
    for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
      ff_sim *sim = start(model, k, dt, none);
      const ff_world *world = ff_sim_world(sim);
      ff_control_info info;
      assert_int_equal(ff_world_control_count(world), 1);
      assert_int_equal(ff_world_control(world, 0, &info), FF_OK);
      assert_string_equal(info.name, "cord");
      assert_int_equal(info.kind, is_servo ? FF_CONTROL_REFERENCE : FF_CONTROL_TORQUE);
      assert_int_equal(info.tendon, 0);
      const double u = is_servo ? 1000 : F;
      for (int step = 0; step < (int)lround(t / dt); ++step) {
        ffi_must(ff_sim_set_controls(sim, &u, &error), &error);
        ffi_must_step(sim, NULL);
      }
      ffi_check_near(ff_stepper_name((ff_stepper)k), length_of(ff_sim_v(sim)), F * mobility() * t,
                     1e-9 + 1e-6 * F * mobility() * t);
      check_other_motion((ff_stepper)k, ff_sim_v(sim), none);
      ff_sim_destroy(sim);
    }
    ff_model_destroy(model);
  }
}

// A tendon follows another one: L2 = -2 L1.
static void tendons_follow(void **state)
{
  (void)state;
  int tendon[2], links[3];
  ff_error error;
  ff_builder *b = ffi_must_begin("three");
  for (int i = 0; i < 3; ++i) {
    ff_link_def link = ff_link_def_default();
    link.name = (const char *[]){"a", "b", "c"}[i];
    link.joint.type = FF_JOINT_PRISMATIC;
    link.joint.axis[0] = 1;
    link.inertia.mass = 1 + i;
    ffi_must(ff_builder_add_link(b, &link, &links[i], &error), &error);
  }
  ffi_must(ff_builder_add_tendon(b, "sum", 2, links, (const double[]){1, 1}, &tendon[0], &error), &error);
  ffi_must(ff_builder_add_tendon(b, "last", 1, links + 2, (const double[]){1}, &tendon[1], &error), &error);
  ff_element_def def = ff_element_def_default();
  def.type = FF_ELEMENT_COUPLING;
  def.tendon = tendon[1];
  def.leader_tendon = tendon[0];
  def.polynomial[1] = -2;
  ffi_must(ff_builder_add_element(b, &def, NULL, NULL, &error), &error);
  ff_model *model = ffi_must_finish(b);
  // row (2, 2, 1): force f = -(2 a0) / (J M^-1 J'), a0 the acceleration by 6 N on a alone
  const double tau[3] = {6, 0, 0}, t = 0.1, inverse = 4.0 / 1 + 4.0 / 2 + 1.0 / 3, f = -2 * 6 / inverse;
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    if (ff_stepper_is_hard((ff_stepper)k)) { // three trees
      ff_sim_def hard = ff_sim_def_default();
      ff_sim *none;
      hard.stepper = (ff_stepper)k;
      assert_int_equal(ff_sim_create(model, &hard, &none, &error), FF_ERROR_UNSUPPORTED);
      continue;
    }
    ff_sim *sim = start(model, k, 1e-3, (const double[]){0, 0, 0});
    for (int step = 0; step < 100; ++step)
      ffi_must_step(sim, tau);
    const double *v = ff_sim_v(sim);
    ffi_check_near(ff_stepper_name((ff_stepper)k), v[0], (6 + 2 * f) * t, 1e-6);
    ffi_check_near(ff_stepper_name((ff_stepper)k), v[1], 2 * f / 2 * t, 1e-6);
    ffi_check_near(ff_stepper_name((ff_stepper)k), v[2], f / 3 * t, 1e-6);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_swing), cmocka_unit_test(friction_stops), cmocka_unit_test(stops_hold),
      cmocka_unit_test(motors_pull),   cmocka_unit_test(tendons_follow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
