// Forces on links for the next step: against closed forms, against tau by Jacobians, and cleared afterwards.
#include "sim/toys.h"
#include "support/robots.h"

#include <footfall/dynamics.h>
#include <footfall/world.h>

#include <math.h>

static ff_sim *floating(const ff_model *model, ff_stepper stepper)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 1e-3;
  def.ground_count = 0;
  return ffi_must_sim(model, &def);
}

// A force at the middle of a loose cube of 2 kg adds F dt / m to its velocity, a torque T dt / I to its turning; off
// the middle it does both. I = m a^2 / 6.
static void a_cube_follows_newton_and_euler(void **state)
{
  (void)state;
  const double m = 2, a = 0.2, I = m * a * a / 6, dt = 1e-3;
  const double at[3] = {0, 0.05, 0}, force[3] = {3, 0, 1}, torque[3] = {0, 0.002, 0};
  ff_model *model = toy_cube(NULL);
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    ff_sim *sim = floating(model, (ff_stepper)i);
    ff_error error;
    ffi_must(ff_sim_push(sim, 0, at, force, torque, &error), &error);
    ffi_must_step(sim, NULL);
    const double *v = ff_sim_v(sim);
    // r x F = (0.05 * 1 - 0, 0, -0.05 * 3). Turning by w dt, of order 1e-5, tilts the axes that v is told in.
    const double expected[6] = {force[0] / m * dt,
                                0,
                                force[2] / m * dt - toy_gravity * dt,
                                at[1] * force[2] / I * dt,
                                torque[1] / I * dt,
                                -at[1] * force[0] / I * dt};
    for (int k = 0; k < 6; ++k)
      if (!(fabs(v[k] - expected[k]) < 1e-5))
        fail_msg("%s: v[%d] is %.9g, not %.9g", ff_stepper_name((ff_stepper)i), k, v[k], expected[k]);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// On a robot it is tau = J' f, J by dynamics.h: the same step as with that tau, to rounding.
static void a_robot_feels_the_jacobian(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const int nv = ff_model_get_size(model).nv, link = ff_model_find_link(model, "FL_LOWER_LEG");
  assert_true(link >= 0);
  const double at[3] = {0.01, -0.02, -0.05}, force[3] = {5, -3, 8};
  ff_link_info info;
  ff_model_link(model, link, &info);
  ff_point point = {.frame = info.frame, .offset = {at[0], at[1], at[2]}};
  ff_sim *pushed = ffi_must_sim(model, NULL), *driven = ffi_must_sim(model, NULL);
  ff_error error;
  ffi_must(ff_sim_set_posture(pushed, "standing", &error), &error);
  ffi_must(ff_sim_set_posture(driven, "standing", &error), &error);
  ff_dynamics *d;
  ffi_must(ff_dynamics_create(model, NULL, &d, &error), &error);
  double *J = calloc(3 * (size_t)nv, sizeof *J), *tau = calloc((size_t)nv, sizeof *tau);
  for (int step = 0; step < 20; ++step) {
    ff_dynamics_kinematics(d, ff_sim_q(driven), NULL, NULL);
    ff_dynamics_point_jacobian(d, 1, &point, J);
    for (int k = 0; k < nv; ++k)
      tau[k] = J[k] * force[0] + J[nv + k] * force[1] + J[2 * nv + k] * force[2];
    ffi_must_step(driven, tau);
    ffi_must(ff_sim_push(pushed, link, at, force, NULL, &error), &error);
    ffi_must_step(pushed, NULL);
  }
  for (int k = 0; k < nv; ++k)
    assert_true(fabs(ff_sim_v(pushed)[k] - ff_sim_v(driven)[k]) < 1e-9);
  assert_true(fabs(ff_sim_energy(pushed).control_work - ff_sim_energy(driven).control_work) < 1e-9);
  assert_true(fabs(ff_sim_energy(pushed).control_work) > 1e-6);
  free(J);
  free(tau);
  ff_dynamics_destroy(d);
  ff_sim_destroy(pushed);
  ff_sim_destroy(driven);
  ff_model_destroy(model);
}

static void same_motion(const ff_sim *a, const ff_sim *b)
{
  const ff_model_size size = ff_model_get_size(ff_sim_model(a));
  assert_memory_equal(ff_sim_q(a), ff_sim_q(b), (size_t)size.nq * sizeof(double));
  assert_memory_equal(ff_sim_v(a), ff_sim_v(b), (size_t)size.nv * sizeof(double));
}

// Pushes add up, a step uses them up, a reset takes them back, a clone has them.
static void pushes_last_for_one_step(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  const double half[3] = {1, 0, 0}, whole[3] = {2, 0, 0};
  ff_sim *once = floating(model, FF_STEPPER_EXPO), *twice = floating(model, FF_STEPPER_EXPO), *clone;
  ff_error error;
  ffi_must(ff_sim_push(once, 0, NULL, whole, NULL, &error), &error);
  ffi_must(ff_sim_push(twice, 0, NULL, half, NULL, &error), &error);
  ffi_must(ff_sim_push(twice, 0, NULL, half, NULL, &error), &error);
  ffi_must(ff_sim_clone(twice, &clone, &error), &error);
  ffi_must_run(once, 3, NULL);
  ffi_must_run(twice, 3, NULL);
  ffi_must_run(clone, 3, NULL);
  same_motion(once, twice);
  same_motion(once, clone);
  assert_true(fabs(ff_sim_v(once)[0] - 1e-3) < 1e-9); // 2 N / 2 kg for 1 ms, and no longer
  ffi_must(ff_sim_push(once, 0, NULL, whole, NULL, &error), &error);
  ffi_must_reset(once, NULL, NULL);
  ffi_must_run(once, 3, NULL);
  assert_true(ff_sim_v(once)[0] == 0);
  // A state that is set has no pushes waiting.
  double *at = calloc((size_t)ff_sim_state_size(once), sizeof *at);
  ff_sim_get_state(once, at);
  ffi_must(ff_sim_push(once, 0, NULL, whole, NULL, &error), &error);
  ffi_must(ff_sim_set_state(once, at, &error), &error);
  ffi_must_run(once, 3, NULL);
  assert_true(ff_sim_v(once)[0] == 0);
  free(at);
  ff_sim_destroy(once);
  ff_sim_destroy(twice);
  ff_sim_destroy(clone);
  ff_model_destroy(model);
}

static void nonsense_is_refused(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  ff_sim *sim = floating(model, FF_STEPPER_EXPO), *other = floating(model, FF_STEPPER_EXPO);
  const double bad[3] = {0, (double)NAN, 0}, good[3] = {1, 0, 0};
  ff_error error;
  assert_int_equal(ff_sim_push(NULL, 0, NULL, good, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_push(sim, -1, NULL, good, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_push(sim, 1, NULL, good, NULL, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "no link 1"));
  assert_int_equal(ff_sim_push(sim, 0, NULL, bad, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_push(sim, 0, bad, good, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_push(sim, 0, NULL, good, bad, &error), FF_ERROR_ARGUMENT);
  const double huge[3] = {1e308, 1e308, 1e308};
  assert_int_equal(ff_sim_push(sim, 0, huge, huge, NULL, &error), FF_ERROR_ARGUMENT);
  ffi_must_step(sim, NULL);
  ffi_must_step(other, NULL);
  same_motion(sim, other);
  ff_sim_destroy(sim);
  ff_sim_destroy(other);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_follows_newton_and_euler),
      cmocka_unit_test(a_robot_feels_the_jacobian),
      cmocka_unit_test(pushes_last_for_one_step),
      cmocka_unit_test(nonsense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
