// The stepper ess in a sim: a step is a function of the state and allocates nothing, whatever the options; its info;
// its failures.
#include "sim/toys.h"
#include "support/alloc_counter.h"

#include <footfall/load.h>

#include <math.h>

static ff_sim_def ess_def(double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_ESS;
  def.dt = dt;
  return def;
}

// A cube, a ball and a pendulum with a motor and stops land, slide and stop.
static void check_options(const ff_model *model, const ff_sim_def *def)
{
  ff_sim *sim = ffi_must_sim(model, def), *other = ffi_must_sim(model, def);
  ff_error error;
  const size_t size = (size_t)ff_sim_state_size(sim);
  double *middle = malloc(3 * size * sizeof *middle), *end = middle + size, *again = end + size;
  assert_non_null(middle);
  const int steps = (int)(0.2 / def->dt);
  ffi_must(ff_sim_set_posture(sim, "start", &error), &error);
  ffi_must(ff_sim_set_posture(other, "flat", &error), &error);
  const long before = ffi_test_alloc_count();
  ffi_must_run(sim, steps, NULL);
  ff_sim_get_state(sim, middle);
  ffi_must_run(sim, steps, NULL);
  ff_sim_get_state(sim, end);
  ffi_must_run(other, 7, NULL);
  ffi_must(ff_sim_set_state(other, middle, &error), &error);
  ffi_must_run(other, steps, NULL);
  ff_sim_get_state(other, again);
  if (ffi_test_alloc_works())
    assert_int_equal(ffi_test_alloc_count(), before);
  assert_memory_equal(end, again, size * sizeof *end);
  assert_true(ff_sim_get_totals(sim).touchdowns > 2);
  free(middle);
  ff_sim_destroy(sim);
  ff_sim_destroy(other);
}

static void every_option_is_a_function_of_the_state(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  int cases = 0;
  for (int law = 0; law < FF_LAW_COUNT; ++law)
    for (int anchor = 0; anchor < 2; ++anchor)
      for (int width = 0; width < 3; ++width)
        for (int fine = 0; fine < 2; ++fine) {
          ff_sim_def def = ess_def(fine ? 5e-4 : 4e-3);
          def.contact_law = (ff_contact_law)law;
          def.normal_anchor = (ff_normal_anchor)anchor;
          def.ess.epsilon = 1e-3 * pow(0.01, width);
          def.ess.relative_tolerance = fine ? 1e-8 : 1e-4;
          check_options(model, &def);
          ++cases;
        }
  print_message("             %d combinations\n", cases);
  ff_model_destroy(model);
}

// A mass that is met at 1 m/s is met in a straight line; one that comes down at 1 mm/s is in its band for 10 ms, and
// its root is located. Both touch down once.
static void info_tells_how_events_were_met(void **state)
{
  (void)state;
  const double mass = 2;
  ff_model *model = toy_mass(mass, &(ff_material){.stiffness = 2e4, .damping = 200, .friction = 0.5});
  for (int is_slow = 0; is_slow < 2; ++is_slow) {
    const ff_sim_def def = ess_def(2e-3);
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q = is_slow ? 5e-6 : 1e-3, v = is_slow ? -1e-3 : -1;
    ffi_must_reset(sim, &q, &v);
    ffi_must_run(sim, 1, NULL);
    const ff_step_info *info = ff_sim_info(sim);
    assert_int_equal(info->touchdowns, 1);
    assert_int_equal(info->projections, !is_slow);
    assert_int_equal(info->located, is_slow);
    assert_true(info->integrator_steps >= 2 && info->rejected >= 0 && info->converged);
    assert_int_equal(info->contacts, 1);
    ffi_must_run(sim, 9, NULL);
    assert_int_equal(ff_sim_get_totals(sim).touchdowns, 1);
    assert_true(ff_sim_get_totals(sim).integrator_steps >= 11);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Four corners of a cube at once: one straight line, four crossings.
static void events_of_one_moment_are_met_together(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&(ff_material){.stiffness = 2e4, .damping = 100, .friction = 0.5});
  const ff_sim_def def = ess_def(1e-2);
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 0.1025, 0, 0, 0, 1}, v[6] = {0, 0, -1, 0, 0, 0};
  ffi_must_reset(sim, q, v);
  ffi_must_run(sim, 1, NULL);
  const ff_step_info *info = ff_sim_info(sim);
  assert_int_equal(info->touchdowns, 4);
  assert_int_equal(info->projections, 4);
  assert_int_equal(info->contacts, 4);
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  assert_int_equal(count, 4);
  for (int k = 1; k < 4; ++k)
    ffi_check_near("impulse", c[k].mean_force[2], c[0].mean_force[2], 1e-9 * c[0].mean_force[2]);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void a_failed_step_leaves_the_last_good_state(void **state)
{
  (void)state;
  ff_model *model = toy_mass(1, &(ff_material){.stiffness = 1e9, .damping = 0, .friction = 0.5});
  ff_sim_def def = ess_def(0.1);
  def.ess.max_steps = 10; // a bounce alone has more
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q = 0.2, v = -1;
  double before[64], after[64];
  ff_error error = {.message = ""};
  ffi_must_reset(sim, &q, &v);
  ffi_must_run(sim, 1, NULL);
  assert_in_range(ff_sim_state_size(sim), 1, 64);
  ff_sim_get_state(sim, before);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_NUMERIC);
  print_message("             %s\n", error.message);
  assert_non_null(strstr(error.message, "more than 10 steps"));
  assert_non_null(strstr(error.message, "ess.max_steps"));
  assert_non_null(strstr(error.message, "link '")); // it names a body, whatever the cause
  assert_non_null(strstr(error.message, "at t = 0.1 s"));
  ff_sim_get_state(sim, after);
  assert_memory_equal(before, after, (size_t)ff_sim_state_size(sim) * sizeof *before);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// More corners than there may be contacts, met inside a step.
static void too_many_contacts_are_an_error(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  ff_sim_def def = ess_def(1e-2);
  def.max_contacts = 3;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 0.1025, 0, 0, 0, 1}, v[6] = {0, 0, -1, 0, 0, 0};
  ff_error error = {.message = ""};
  ffi_must_reset(sim, q, v);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "max_contacts"));
  assert_true(ff_sim_q(sim)[2] == q[2] && ff_sim_time(sim) == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Boxes on boxes, turned against each other: features come into being at a depth and vanish, on the way to them too.
// Nothing is asked of the motion but that it goes on.
static void features_that_come_and_go_are_survived(void **state)
{
  (void)state;
  ff_model *model;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/piles/stack.xml", NULL, &model, &error), &error);
  ff_sim_def def = ess_def(1e-2);
  def.ess.epsilon = 1e-3;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_run(sim, 25, NULL);
  assert_true(ff_sim_get_totals(sim).touchdowns > 100);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_option_is_a_function_of_the_state),
      cmocka_unit_test(info_tells_how_events_were_met),
      cmocka_unit_test(events_of_one_moment_are_met_together),
      cmocka_unit_test(a_failed_step_leaves_the_last_good_state),
      cmocka_unit_test(too_many_contacts_are_an_error),
      cmocka_unit_test(features_that_come_and_go_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
