// The inputs of a controller, and motors with a delay.
#include "sim/toys.h"
#include "support/robots.h"

#include <footfall/controls.h>

#include <math.h>

static void same_motion(const ff_sim *a, const ff_sim *b)
{
  const ff_model_size size = ff_model_get_size(ff_sim_model(a));
  assert_memory_equal(ff_sim_q(a), ff_sim_q(b), (size_t)size.nq * sizeof(double));
  assert_memory_equal(ff_sim_v(a), ff_sim_v(b), (size_t)size.nv * sizeof(double));
}

// A robot without motors has one torque for each joint that moves, in the order of its joints; they are tau.
static void torques_are_tau(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_sim *by_tau = ffi_must_sim(model, NULL), *by_controls = ffi_must_sim(model, NULL);
  const ff_world *world = ff_sim_world(by_controls);
  ff_error error;
  ff_control_info info;
  assert_int_equal(ff_world_control_count(world), 12);
  assert_int_equal(ff_world_control(world, 12, &info), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_world_control(world, -1, &info), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_world_find_control(world, "root_joint"), -1);
  double u[12], tau[18] = {0};
  for (int k = 0; k < 12; ++k) {
    ffi_must(ff_world_control(world, k, &info), NULL);
    assert_int_equal(info.kind, FF_CONTROL_TORQUE);
    assert_int_equal(info.v, 6 + k);
    assert_int_equal(info.element, -1);
    assert_int_equal(ff_world_find_control(world, info.name), k);
    assert_true(info.lower == -info.upper && info.upper > 0);
    u[k] = tau[6 + k] = 0.1 * (k - 5);
  }
  ffi_must(ff_sim_set_posture(by_tau, "standing", &error), &error);
  ffi_must(ff_sim_set_posture(by_controls, "standing", &error), &error);
  for (int step = 0; step < 10; ++step) {
    ffi_must_step(by_tau, tau);
    ffi_must(ff_sim_set_controls(by_controls, u, &error), &error);
    ffi_must_step(by_controls, NULL);
  }
  same_motion(by_tau, by_controls);
  ffi_must_step(by_tau, NULL); // torques are of one step
  ffi_must_step(by_controls, NULL);
  same_motion(by_tau, by_controls);
  u[3] = (double)NAN;
  assert_int_equal(ff_sim_set_controls(by_controls, u, &error), FF_ERROR_ARGUMENT);
  ffi_must(ff_world_control(world, 3, &info), NULL);
  assert_non_null(strstr(error.message, info.name));
  ffi_must_step(by_tau, NULL);
  ffi_must_step(by_controls, NULL);
  same_motion(by_tau, by_controls);
  ff_sim_destroy(by_tau);
  ff_sim_destroy(by_controls);
  ff_model_destroy(model);
}

static ff_element_def motor_of(double stiffness, double damping, double delay)
{
  ff_element_def motor = ff_element_def_default();
  motor.name = "motor";
  motor.joint = 0;
  motor.stiffness = stiffness;
  motor.damping = damping;
  motor.delay = delay;
  return motor;
}

static ff_sim *motor_sim(const ff_model *model, ff_stepper stepper, const ff_element_def *motor)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 1e-3;
  def.elements = motor;
  def.element_count = 1;
  def.model_elements = 0;
  return ffi_must_sim(model, &def);
}

// A joint with a motor has its reference for a control, one without stiffness its rate.
static void motors_have_references(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(0.5, 0);
  for (int is_rate = 0; is_rate < 2; ++is_rate) {
    const ff_element_def motor = motor_of(is_rate ? 0 : 200, 4, 0);
    ff_sim *by_controls = motor_sim(model, FF_STEPPER_EXPO, &motor),
           *by_hand = motor_sim(model, FF_STEPPER_EXPO, &motor);
    ff_control_info info;
    ff_error error;
    assert_int_equal(ff_world_control_count(ff_sim_world(by_controls)), 1);
    ffi_must(ff_world_control(ff_sim_world(by_controls), 0, &info), NULL);
    assert_int_equal(info.kind, is_rate ? FF_CONTROL_RATE : FF_CONTROL_REFERENCE);
    assert_int_equal(info.element, 0);
    const double u = 0.4;
    ffi_must(ff_sim_set_controls(by_controls, &u, &error), &error);
    ff_sim_set_reference(by_hand, 0, is_rate ? 0 : u, is_rate ? u : 0);
    ffi_must_run(by_controls, 20, NULL); // it lasts
    ffi_must_run(by_hand, 20, NULL);
    same_motion(by_controls, by_hand);
    assert_true(ff_sim_q(by_hand)[0] > 0);
    ff_sim_destroy(by_controls);
    ff_sim_destroy(by_hand);
  }
  ff_model_destroy(model);
}

// What a motor with a delay of n steps is told is what one without is told n steps later: bit for bit, with every
// stepper. A delay between two steps is rounded up. In the middle the
// state is taken out and put into another sim.
static void a_delay_is_a_delay(void **state)
{
  (void)state;
  enum { STEPS = 40 };
  ff_model *model = toy_wheel(0.5, 0);
  for (int i = 0; i < FF_STEPPER_COUNT; ++i)
    for (int half = 0; half < 2; ++half) {
      const int n = half ? 4 : 3;
      const ff_element_def late = motor_of(200, 4, 3e-3 + half * 0.4e-3), prompt = motor_of(200, 4, 0);
      ff_sim *a = motor_sim(model, (ff_stepper)i, &late), *b = motor_sim(model, (ff_stepper)i, &prompt);
      for (int k = 0; k < STEPS; ++k) {
        ff_sim_set_reference(a, 0, 77, 0); // told again at the same time: the last word counts
        ff_sim_set_reference(a, 0, 0.3 * sin(0.2 * k), 0);
        if (k >= n)
          ff_sim_set_reference(b, 0, 0.3 * sin(0.2 * (k - n)), 0);
        ffi_must_step(a, NULL);
        ffi_must_step(b, NULL);
        same_motion(a, b);
        if (k == STEPS / 2) {
          ff_error error;
          double *state_of = calloc((size_t)ff_sim_state_size(a), sizeof *state_of);
          ff_sim *other = motor_sim(model, (ff_stepper)i, &late);
          ff_sim_get_state(a, state_of);
          ffi_must(ff_sim_set_state(other, state_of, &error), &error);
          ff_sim_destroy(a);
          a = other;
          free(state_of);
        }
      }
      assert_true(fabs(ff_sim_q(a)[0]) > 1e-4);
      ff_sim_destroy(a);
      ff_sim_destroy(b);
    }
  ff_model_destroy(model);
}

// A moving reference moves from the moment on at which it acts; a reset drops pending references.
static void delays_move_and_reset(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(0.5, 0);
  const ff_element_def late = motor_of(200, 4, 2e-3);
  ff_sim *sim = motor_sim(model, FF_STEPPER_EXPO, &late);
  ff_element_def now;
  ff_sim_set_reference(sim, 0, 1, 5);
  ffi_must_step(sim, NULL);
  ff_sim_element(sim, 0, &now);
  assert_true(now.reference == 0 && now.reference_velocity == 0);
  ffi_must_run(sim, 3, NULL); // due at 2 ms, now 4 ms
  ff_sim_element(sim, 0, &now);
  assert_true(fabs(now.reference - (1 + 5 * 2e-3)) < 1e-12 && now.reference_velocity == 5);
  ff_sim_set_reference(sim, 0, -1, 0);
  ffi_must_reset(sim, NULL, NULL);
  ffi_must_run(sim, 10, NULL);
  assert_true(ff_sim_q(sim)[0] == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// What waits does not depend on dt: a state goes on in a sim with another one.
static void what_waits_fits_other_steps(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(0.5, 0);
  const ff_element_def late = motor_of(200, 4, 3e-3);
  ff_sim *sim = motor_sim(model, FF_STEPPER_EXPO, &late), *fine;
  ff_sim_def def = ff_sim_def_default();
  def.dt = 1e-4;
  def.elements = &late;
  def.element_count = 1;
  def.model_elements = 0;
  fine = ffi_must_sim(model, &def);
  ff_sim_set_reference(sim, 0, 0.5, 0);
  ffi_must_step(sim, NULL);
  assert_int_equal(ff_sim_state_size(sim), ff_sim_state_size(fine));
  double *x = calloc((size_t)ff_sim_state_size(sim), sizeof *x);
  ff_error error;
  ff_element_def now;
  ff_sim_get_state(sim, x);
  ffi_must(ff_sim_set_state(fine, x, &error), &error);
  ffi_must_run(fine, 19, NULL); // 2.9 ms
  ff_sim_element(fine, 0, &now);
  assert_true(now.reference == 0);
  ffi_must_step(fine, NULL);
  ff_sim_element(fine, 0, &now);
  assert_true(now.reference == 0.5);
  // More than can wait: refused, and what waits is as it was.
  int waiting = 0;
  ff_status status = FF_OK;
  for (; waiting < 100 && status == FF_OK; ++waiting) {
    status = ff_sim_set_reference(fine, 0, 0.1 * waiting, 0);
    ffi_must_step(fine, NULL);
  }
  assert_true(status == FF_ERROR_LIMIT && waiting > 6 && waiting < 12); // 3 ms at 2000 a second, and two more
  free(x);
  ff_sim_destroy(sim);
  ff_sim_destroy(fine);
  ff_model_destroy(model);
}

static void absurd_delays_are_refused(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(0.5, 0);
  const double delays[] = {-1, (double)NAN, 11, (double)INFINITY};
  ff_sim_def def = ff_sim_def_default();
  ff_element_def motor;
  ff_sim *sim;
  ff_error error;
  def.elements = &motor;
  def.element_count = 1;
  for (int k = 0; k < 4; ++k) {
    motor = motor_of(200, 4, delays[k]);
    assert_int_equal(ff_sim_create(model, &def, &sim, &error), FF_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "delay"));
  }
  motor = motor_of(200, 4, 0); // the sim's own, for all motors
  def.dt = 1e-3;
  def.motor_delay = 5e-3;
  ffi_must(ff_sim_create(model, &def, &sim, &error), &error);
  ff_sim_element(sim, 0, &motor);
  assert_true(motor.delay == 5e-3);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torques_are_tau),
      cmocka_unit_test(motors_have_references),
      cmocka_unit_test(a_delay_is_a_delay),
      cmocka_unit_test(delays_move_and_reset),
      cmocka_unit_test(what_waits_fits_other_steps),
      cmocka_unit_test(absurd_delays_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
