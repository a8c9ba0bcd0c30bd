// Stepping: nothing is allocated, callbacks control, and a step that fails leaves the state before it and explains
// why.
#include "sim/toys.h"
#include "support/alloc_counter.h"

#include <math.h>

static void steps_allocate_nothing(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = toy_fair();
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)i;
    def.dt = 1e-4;
    ff_sim *sim = ffi_must_sim(model, &def);
    ff_error error;
    assert_int_equal(ff_sim_set_posture(sim, "start", &error), FF_OK);
    const long allocations = ffi_test_alloc_count(), frees = ffi_test_free_count();
    int contacts = 0, count;
    for (int k = 0; k < 2000; ++k) {
      if (ff_sim_step(sim, NULL, &error) != FF_OK)
        fail_msg("%s: %s", ff_stepper_name(def.stepper), error.message);
      if (k % 100 == 0) {
        ff_sim_contacts(sim, &count);
        contacts += count;
        ff_sim_energy(sim);
      }
    }
    assert_true(contacts > 0);
    assert_int_equal(ff_sim_reset(sim, NULL, NULL, NULL), FF_OK);
    if (ffi_test_alloc_count() != allocations || ffi_test_free_count() != frees)
      fail_msg("%s: %ld allocations", ff_stepper_name(def.stepper), ffi_test_alloc_count() - allocations);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

typedef struct push {
  int calls, stop_at;
  double force;
} push;

static int push_up(ff_sim *sim, double *tau, void *user)
{
  push *p = user;
  assert_true(tau[0] == 0); // as promised, though the last call left a force there
  ffi_check_near("time", ff_sim_time(sim), p->calls * ff_sim_dt(sim), 1e-12);
  tau[0] = p->force;
  return p->calls++ != p->stop_at;
}

static void a_callback_steers_and_stops(void **state)
{
  (void)state;
  ff_model *model = toy_mass(2, NULL);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_EULER; // exact for a constant force
  const double q = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  int done = -1;
  push p = {.stop_at = -1, .force = 2 * (toy_gravity + 3)};
  assert_int_equal(ff_sim_reset(sim, &q, NULL, &error), FF_OK);
  assert_int_equal(ff_sim_run(sim, 500, push_up, &p, &done, &error), FF_OK);
  assert_int_equal(done, 500);
  assert_int_equal(p.calls, 500);
  ffi_check_near("speed", ff_sim_v(sim)[0], 3 * 0.5, 1e-12);
  ffi_check_near("height", ff_sim_q(sim)[0], 1 + 0.5 * 3 * 0.25, 1e-12);
  ffi_check_near("work of the force", ff_sim_energy(sim).control_work, p.force * 0.5 * 3 * 0.25, 1e-11);
  ffi_check_near("power of the force", ff_sim_energy(sim).control_power, p.force * 1.5, 1e-11);

  p = (push){.stop_at = 7, .force = 0};
  assert_int_equal(ff_sim_reset(sim, &q, NULL, &error), FF_OK);
  assert_int_equal(ff_sim_run(sim, 500, push_up, &p, &done, &error), FF_OK); // that is no failure
  assert_int_equal(done, 7);
  assert_int_equal(ff_sim_run(sim, 3, NULL, NULL, NULL, &error), FF_OK);
  assert_int_equal(ff_sim_get_totals(sim).steps, 10);
  assert_int_equal(ff_sim_run(NULL, 3, NULL, NULL, &done, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(done, 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Work of a wrench on a loose body is that of the wrench in the body's axes: a force along its own z while it spins
// about z and flies up.
static void time_does_not_run_backwards(void **state)
{
  (void)state;
  ff_model *model = toy_mass(1, NULL);
  ff_sim *sim = ffi_must_sim(model, NULL);
  ff_error error = {.message = ""};
  int done = 7;
  assert_int_equal(ff_sim_run(sim, -1, NULL, NULL, &done, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "steps is -1"));
  assert_int_equal(done, 0);
  assert_int_equal(ff_sim_run(sim, 0, NULL, NULL, &done, &error), FF_OK);
  assert_true(ff_sim_time(sim) == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void work_on_a_loose_body(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_RK4;
  def.ground_count = 0;
  def.dt = 1e-3;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double v[6] = {0, 0, 1, 0, 0, 3}, tau[6] = {0, 0, 30, 0, 0, 0.2};
  assert_int_equal(ff_sim_reset(sim, NULL, v, NULL), FF_OK);
  const ff_energy before = ff_sim_energy(sim);
  ffi_must_run(sim, 400, tau);
  const ff_energy after = ff_sim_energy(sim);
  assert_true(after.control_work > 5);
  ffi_check_near("energy gained", after.total - before.total, after.control_work,
                 1e-9); // rk4 is exact to 1e-12 here
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void a_tau_that_is_no_number_is_refused(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_sim *sim = ffi_must_sim(model, NULL);
  double tau[14] = {0};
  tau[12] = (double)NAN;
  ff_error error;
  assert_int_equal(ff_sim_step(sim, tau, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "tau[12], on joint 'shoulder'"));
  assert_true(ff_sim_time(sim) == 0);
  assert_int_equal(ff_sim_step(NULL, tau, &error), FF_ERROR_ARGUMENT);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// An explicit stepper on stiff ground with a step far too long.
static void a_failed_step_leaves_the_last_good_state(void **state)
{
  (void)state;
  static double before[4096], after[4096];
  const ff_material stiff = {.stiffness = 1e7, .damping = 500, .friction = 0.5};
  ff_model *model = toy_cube(&stiff);
  static const ff_stepper steppers[] = {FF_STEPPER_EULER, FF_STEPPER_SYMPLECTIC, FF_STEPPER_RK4};
  for (int i = 0; i < 3; ++i) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = steppers[i];
    def.dt = 0.01;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[7] = {0, 0, 0.12, 0.1, 0.05, 0.02, 0.99};
    ff_error error = {.status = FF_OK};
    assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
    ff_status status = FF_OK;
    int taken = 0;
    for (; status == FF_OK && taken < 1000; taken += status == FF_OK) {
      ff_sim_get_state(sim, before);
      status = ff_sim_step(sim, NULL, &error);
    }
    assert_int_equal(status, FF_ERROR_NUMERIC);
    assert_int_equal(error.status, FF_ERROR_NUMERIC);
    ff_sim_get_state(sim, after);
    assert_memory_equal(after, before, (size_t)ff_sim_state_size(sim) * sizeof *after);
    assert_int_equal(ff_sim_get_totals(sim).steps, taken);
    for (int k = 0; k < 6; ++k)
      assert_true(fabs(ff_sim_v(sim)[k]) <= def.max_speed);

    char time[64];
    snprintf(time, sizeof time, "at t = %.9g s a step of 10 ms with '%s'", ff_sim_time(sim),
             ff_stepper_name(def.stepper));
    const char *const words[] = {
        time, "link 'cube'", "joint 'cube_free'", "link 'cube' on the ground", " N", "Try dt = ", "'expo'"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k)
      if (!strstr(error.message, words[k]))
        fail_msg("'%s' does not say '%s'", error.message, words[k]);
    int done;
    assert_int_equal(ff_sim_run(sim, 5, NULL, NULL, &done, NULL), FF_ERROR_NUMERIC); // and again
    assert_int_equal(done, 0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// The step that the message advises is one that works, and ten times as long does not.
static void the_advised_step_is_stable(void **state)
{
  (void)state;
  const ff_material material = {.stiffness = 1e6, .damping = 300, .friction = 1};
  ff_model *model = toy_cube(&material);
  static const ff_stepper steppers[] = {FF_STEPPER_EULER, FF_STEPPER_SYMPLECTIC, FF_STEPPER_RK4};
  const double q[7] = {0, 0, 0.1, 0, 0, 0, 1};
  for (int i = 0; i < 3; ++i) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = steppers[i];
    def.dt = 0.01;
    def.max_speed = 100;
    double advised = 0;
    for (int round = 0; round < 3; ++round) {
      if (round > 0)
        def.dt = round == 1 ? advised : 10 * advised;
      ff_sim *sim = ffi_must_sim(model, &def);
      ff_error error;
      assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
      const ff_status status = ff_sim_run(sim, 3000, NULL, NULL, NULL, &error);
      const int is_at_rest = status == FF_OK && fabs(ff_sim_v(sim)[2]) < 1e-3;
      if (round == 0) {
        assert_int_equal(status, FF_ERROR_NUMERIC);
        const char *at = strstr(error.message, "Try dt = ");
        assert_non_null(at);
        advised = 1e-3 * strtod(at + 9, NULL);
      } else if (is_at_rest != (round == 1)) {
        fail_msg("%s: %g s was advised; with %g s the cube %s", ff_stepper_name(def.stepper), advised, def.dt,
                 is_at_rest ? "is at rest" : "is not at rest");
      }
      ff_sim_destroy(sim);
    }
    print_message("             %s: %g s\n", ff_stepper_name(def.stepper), advised);
  }
  ff_model_destroy(model);
}

static void a_runaway_is_what_max_speed_says(void **state)
{
  (void)state;
  ff_model *model = toy_mass(1, NULL);
  ff_sim_def def = ff_sim_def_default();
  def.ground_count = 0;
  def.max_speed = 5;
  def.stepper = FF_STEPPER_EULER;
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  int done;
  assert_int_equal(ff_sim_run(sim, 1000, NULL, NULL, &done, &error), FF_ERROR_NUMERIC);
  assert_int_equal(done, (int)(5 / toy_gravity / def.dt)); // v = g t
  assert_non_null(strstr(error.message, "joint 'slide' move at 5 m/s (max_speed is 5)"));
  assert_non_null(strstr(error.message, "Nothing was in contact before it."));
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// The stepper's reason names no body, and nothing touches: the message still says what moves.
static void a_failure_in_the_air_names_a_joint(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(0.01, 0);
  ff_element_def spring = ff_element_def_default();
  ff_sim_def def = ff_sim_def_default();
  spring.joint = 0;
  spring.stiffness = 400; // swings of 31 ms: one integrator step is not enough for a second
  def.elements = &spring;
  def.element_count = 1;
  def.stepper = FF_STEPPER_ESS;
  def.dt = 1;
  def.ess.max_steps = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double v = -3;
  ff_error error;
  ffi_must_reset(sim, NULL, &v);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_NUMERIC);
  assert_non_null(strstr(error.message, "ess.max_steps"));
  assert_non_null(strstr(error.message, "Fastest before it: joint 'hinge', 3 rad/s."));
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void more_contacts_than_there_is_room_for(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_EULER;
  def.max_contacts = 3;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 0.0999, 0, 0, 0, 1};
  ff_error error;
  assert_int_equal(ff_sim_reset(sim, q, NULL, &error), FF_OK);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "at t = 0 s"));
  assert_non_null(strstr(error.message, "max_contacts"));
  int count = -1;
  ff_sim_contacts(sim, &count); // asking is no failure
  assert_int_equal(count, 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void info_and_timing(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  for (int timing = 0; timing < 2; ++timing)
    for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
      ff_sim_def def = ff_sim_def_default();
      def.stepper = (ff_stepper)i;
      def.dt = 1e-4;
      def.timing = timing;
      ff_sim *sim = ffi_must_sim(model, &def);
      const double q[7] = {0, 0, 0.0999, 0, 0, 0, 1};
      assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
      ffi_must_run(sim, 20, NULL);
      const ff_step_info *info = ff_sim_info(sim);
      assert_int_equal(info->contacts, 4);
      assert_int_equal(info->slipping, 0);
      assert_true(info->converged);
      double seconds = 0;
      for (int k = 0; k < FF_PHASE_COUNT; ++k)
        seconds += info->seconds[k];
      if (timing ? !(seconds > 0 && seconds < 0.1) : seconds != 0)
        fail_msg("%s: %g s", ff_stepper_name(def.stepper), seconds);
      const double update = info->seconds[FF_PHASE_UPDATE]; // of which it judges the energy
      if (timing ? !(info->judging > 0 && info->judging < update) : info->judging != 0)
        fail_msg("%s: judged for %g s of %g s", ff_stepper_name(def.stepper), info->judging, update);
      ffi_check_near("worst penetration", ff_sim_get_totals(sim).worst_penetration, 1e-4, 1e-5);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_allocate_nothing),
      cmocka_unit_test(a_callback_steers_and_stops),
      cmocka_unit_test(time_does_not_run_backwards),
      cmocka_unit_test(work_on_a_loose_body),
      cmocka_unit_test(a_tau_that_is_no_number_is_refused),
      cmocka_unit_test(a_failed_step_leaves_the_last_good_state),
      cmocka_unit_test(the_advised_step_is_stable),
      cmocka_unit_test(a_runaway_is_what_max_speed_says),
      cmocka_unit_test(a_failure_in_the_air_names_a_joint),
      cmocka_unit_test(more_contacts_than_there_is_room_for),
      cmocka_unit_test(info_and_timing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
