// `expo` with an error tolerance instead of a fixed step: does it keep its rules. How large its errors are is tested
// elsewhere (properties/order_accuracy, order_block).
#include "sim/toys.h"

#include "support/alloc_counter.h"

#include <math.h>

static const ff_material hard = {.stiffness = 1e5, .damping = 200, .friction = 0.4};

// A cube that is thrown, lands on an edge, slides and comes to rest.
static ff_sim *thrown(const ff_model *model, double dt, double accuracy)
{
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  ff_error error;
  const double q[7] = {0, 0, 0.16, 0.1, 0.2, 0, 0.9746794344808963}, v[6] = {0.5, 0.1, -0.2, 0.3, 0.5, 1};
  def.dt = dt;
  def.accuracy = accuracy;
  ffi_must(ff_sim_create(model, &def, &sim, &error), &error);
  ffi_must(ff_sim_reset(sim, q, v, &error), &error);
  return sim;
}

static void step(ff_sim *sim, int steps)
{
  ff_error error;
  for (int k = 0; k < steps; ++k)
    ffi_must(ff_sim_step(sim, NULL, &error), &error);
}

// A step of the sim is dt, whatever is inside; counts add up, and smaller accuracies take more steps.
static void steps_fill_dt(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&hard);
  long long before = 0;
  for (int digits = 2; digits <= 6; digits += 2) {
    ff_sim *sim = thrown(model, 0.01, pow(10, -digits));
    long long steps = 0, rejected = 0;
    double shortest = 1, longest = 0;
    for (int k = 0; k < 40; ++k) {
      step(sim, 1);
      const ff_step_info *info = ff_sim_info(sim);
      assert_true(fabs(ff_sim_time(sim) - 0.01 * (k + 1)) < 1e-14);
      assert_true(info->integrator_steps >= 1 && info->rejected >= 0 && info->inaccurate == 0);
      assert_true(info->shortest > 0 && info->shortest <= info->longest);
      assert_true(info->longest <= 0.01 && info->longest * info->integrator_steps >= 0.01 * (1 - 1e-12));
      assert_true(info->shortest * info->integrator_steps <= 0.01 * (1 + 1e-12));
      assert_true(info->pieces >= info->integrator_steps);
      steps += info->integrator_steps;
      rejected += info->rejected;
      shortest = fmin(shortest, info->shortest);
      longest = fmax(longest, info->longest);
    }
    const ff_sim_totals t = ff_sim_get_totals(sim);
    assert_int_equal(t.integrator_steps, steps);
    assert_int_equal(t.rejected, rejected);
    assert_true(t.shortest == shortest && t.longest == longest && t.steps == 40 && t.touchdowns >= 4);
    assert_true(steps > 2 * before);
    before = steps;
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Torques are those of the step: a wheel of inertia J under a torque that changes with each step has the closed
// form's velocity, sum of tau dt / J, and angle.
static void torques_are_held_for_dt(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(0.5, 0);
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  ff_error error;
  double angle = 0, speed = 0;
  def.dt = 0.02;
  def.accuracy = 1e-6;
  ffi_must(ff_sim_create(model, &def, &sim, &error), &error);
  for (int k = 0; k < 50; ++k) {
    const double tau = sin(k), gain = tau / 0.5 * 0.02;
    ffi_must(ff_sim_step(sim, &tau, &error), &error);
    angle += 0.02 * (speed + gain / 2);
    speed += gain;
    assert_true(fabs(ff_sim_v(sim)[0] - speed) < 1e-12 && fabs(ff_sim_q(sim)[0] - angle) < 1e-12);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// In the air and at rest there is nothing to correct: one step each.
static void nothing_to_do_takes_long_steps(void **state)
{
  (void)state;
  ff_model *model = toy_mass(1, &hard);
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  ff_error error;
  const double q = 5;
  def.dt = 0.05;
  def.accuracy = 1e-8;
  ffi_must(ff_sim_create(model, &def, &sim, &error), &error);
  ffi_must(ff_sim_reset(sim, &q, NULL, &error), &error);
  step(sim, 10);
  assert_int_equal(ff_sim_get_totals(sim).integrator_steps, 10);
  assert_int_equal(ff_sim_get_totals(sim).rejected, 0);
  assert_true(ff_sim_get_totals(sim).shortest == 0.05);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Vertical velocity of a loose body, whose own frame v is in.
static double upwards(const ff_sim *sim)
{
  const double *q = ff_sim_q(sim) + 3, *v = ff_sim_v(sim);
  return 2 * (q[0] * q[2] - q[3] * q[1]) * v[0] + 2 * (q[1] * q[2] + q[3] * q[0]) * v[1] +
         (1 - 2 * (q[0] * q[0] + q[1] * q[1])) * v[2];
}

// The mean forces over a step are the momentum that they gave, F dt = m (dv + g dt), however many steps are inside: a
// correction of no more than ten times the accuracy in each is what it may miss. Contacts that begin or end on the
// way have pushed for less, and those that ended are not told.
static void mean_forces_are_those_of_dt(void **state)
{
  (void)state;
  const double dt = 0.004, accuracy = 1e-6, mass = 2;
  ff_model *model = toy_cube(&hard);
  ff_sim *sim = thrown(model, dt, accuracy);
  int checked = 0;
  for (int k = 0; k < 200; ++k) {
    const double before = upwards(sim);
    int count;
    step(sim, 1);
    const ff_contact *contacts = ff_sim_contacts(sim, &count);
    const ff_step_info *info = ff_sim_info(sim);
    double push = 0;
    for (int i = 0; i < count; ++i)
      push += dt * contacts[i].mean_force[2];
    if (info->liftoffs > 0 || info->integrator_steps < 3 || count == 0)
      continue;
    const double given = mass * (upwards(sim) - before + toy_gravity * dt);
    if (!(fabs(push - given) < mass * 10 * accuracy * info->integrator_steps))
      fail_msg("step %d: %.9g N s, not %.9g N s, in %d steps", k, push, given, info->integrator_steps);
    ++checked;
  }
  assert_true(checked >= 10);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Taken up from a saved state, also by another sim, a run has the same bits; so has one after a reset. A step
// allocates nothing.
static void states_have_all_that_lasts(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&hard);
  ff_sim *sim = thrown(model, 0.004, 1e-5), *other = thrown(model, 0.004, 1e-5);
  ff_error error;
  const size_t size = (size_t)ff_sim_state_size(sim);
  double *saved = malloc(size * sizeof *saved), *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b);
  step(other, 100);
  for (int k = 0; k < 60; ++k) {
    ff_sim_get_state(sim, saved);
    const long long allocations = (long long)ffi_test_alloc_count();
    step(sim, 1);
    assert_true((long long)ffi_test_alloc_count() == allocations);
    ff_sim_get_state(sim, a);
    ffi_must(ff_sim_set_state(other, saved, &error), &error);
    step(other, 1);
    ff_sim_get_state(other, b);
    assert_memory_equal(a, b, size * sizeof *a);
  }
  ff_sim *again = thrown(model, 0.004, 1e-5);
  const double q[7] = {0, 0, 0.16, 0.1, 0.2, 0, 0.9746794344808963}, v[6] = {0.5, 0.1, -0.2, 0.3, 0.5, 1};
  ffi_must(ff_sim_reset(sim, q, v, &error), &error);
  step(sim, 30), step(again, 30);
  ff_sim_get_state(sim, a), ff_sim_get_state(again, b);
  assert_memory_equal(a, b, size * sizeof *a);
  saved[7] = -1; // the length of its next step
  assert_int_equal(ff_sim_set_state(sim, saved, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "next step"));
  free(saved), free(a), free(b);
  ff_sim_destroy(sim), ff_sim_destroy(other), ff_sim_destroy(again);
  ff_model_destroy(model);
}

// What cannot be had is taken with the shortest steps, and counted: means brought into their cones, without events,
// have no corrector.
static void what_cannot_be_had_is_told(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&hard);
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  ff_error error;
  const double q[7] = {0, 0, 0.0999, 0, 0, 0, 1}, v[6] = {2, 0, -1, 0, 0, 0};
  def.dt = 1e-3;
  def.accuracy = 1e-11;
  def.expo.events = 0;
  ffi_must(ff_sim_create(model, &def, &sim, &error), &error);
  ffi_must(ff_sim_reset(sim, q, v, &error), &error);
  step(sim, 1);
  const ff_step_info *info = ff_sim_info(sim);
  assert_true(info->inaccurate > 0 && info->inaccurate <= info->integrator_steps);
  assert_true(info->integrator_steps <= 16384 && info->shortest >= 1e-3 / 16384 * (1 - 1e-9));
  assert_int_equal(ff_sim_get_totals(sim).inaccurate, info->inaccurate);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void refuse(const ff_model *model, const ff_sim_def *def, const char *fragment)
{
  ff_sim *sim;
  ff_error error;
  assert_int_equal(ff_sim_create(model, def, &sim, &error), FF_ERROR_ARGUMENT);
  assert_null(sim);
  if (!strstr(error.message, fragment))
    fail_msg("'%s' is not in '%s'", fragment, error.message);
}

static void nonsense_is_refused(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&hard);
  const double bad[] = {-1e-4, (double)NAN, (double)INFINITY, 2, 1e-13};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    ff_sim_def def = ff_sim_def_default();
    def.accuracy = bad[i];
    refuse(model, &def, "accuracy is ");
    refuse(model, &def, "1e-12..1");
  }
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)k;
    def.accuracy = 1e-4;
    if (def.stepper != FF_STEPPER_EXPO && def.stepper != FF_STEPPER_C2A)
      refuse(model, &def, "only 'expo' and 'c2a' control their error");
  }
  ff_sim_def first = ff_sim_def_default();
  first.accuracy = 1e-4;
  first.expo.order = 1;
  refuse(model, &first, "expo.order is 1");
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_fill_dt),
      cmocka_unit_test(torques_are_held_for_dt),
      cmocka_unit_test(nothing_to_do_takes_long_steps),
      cmocka_unit_test(mean_forces_are_those_of_dt),
      cmocka_unit_test(states_have_all_that_lasts),
      cmocka_unit_test(what_cannot_be_had_is_told),
      cmocka_unit_test(nonsense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
