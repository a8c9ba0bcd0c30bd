// A step ends early on request and when its time is over: every stepper, from this thread and from a signal handler.
// The state stays, and the next step is as if nothing had been. tests/sim/test_threads.c asks from another thread.
#include "base/clock.h"
#include "sim/sim.h"
#include "sim/toys.h"
#include "support/robots.h"

#include <signal.h>
#include <sys/time.h>

static ff_sim_def def_of(int stepper)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = (ff_stepper)stepper;
  def.dt = 5e-4;
  return def;
}

// At the start, and a few steps later, where things touch.
static ff_sim *begin(const ff_model *model, const ff_sim_def *def, int steps)
{
  ff_sim *sim = ffi_must_sim(model, def);
  ffi_must_reset(sim, ffi_robot_posture(model, "start"), NULL);
  ffi_must_run(sim, steps, NULL);
  return sim;
}

static void assert_same_state(const ff_sim *a, const ff_sim *b)
{
  const size_t size = (size_t)ff_sim_state_size(a);
  double *x = calloc(2 * size, sizeof *x);
  assert_non_null(x);
  ff_sim_get_state(a, x);
  ff_sim_get_state(b, x + size);
  assert_memory_equal(x, x + size, size * sizeof *x);
  free(x);
}

static void a_request_ends_one_step(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    const ff_sim_def def = def_of(stepper);
    ff_sim *sim = begin(model, &def, 20), *twin = begin(model, &def, 20);
    ff_error error;
    int done = -1;
    ff_sim_interrupt(sim);
    ff_sim_interrupt(sim); // one request, asked for twice
    assert_int_equal(ff_sim_run(sim, 10, NULL, NULL, &done, &error), FF_ERROR_INTERRUPTED);
    assert_int_equal(done, 0);
    assert_non_null(strstr(error.message, "interrupted at t = "));
    assert_same_state(sim, twin);
    ffi_must_run(sim, 10, NULL);
    ffi_must_run(twin, 10, NULL);
    assert_same_state(sim, twin);
    ff_sim_destroy(sim);
    ff_sim_destroy(twin);
  }
  ff_sim_interrupt(NULL);
  ff_model_destroy(model);
}

// The request comes when the step has begun: from inside, without a clock.
static void steppers_look_while_they_step(void **state)
{
  (void)state;
  static const int looks[FF_STEPPER_COUNT] = {
      [FF_STEPPER_EXPO] = 1,   [FF_STEPPER_IMPLICIT] = 1, [FF_STEPPER_ESS] = 1,
      [FF_STEPPER_MOREAU] = 1, [FF_STEPPER_CA] = 1,       [FF_STEPPER_C2A] = 1};
  ff_model *model = toy_fair();
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    const ff_sim_def def = def_of(stepper);
    ff_sim *sim = begin(model, &def, 20);
    ff_error error;
    ffi_early_stop_begin(&sim->interrupt, 0);
    ff_sim_interrupt(sim);
    (void)sim->world->stepper->step(sim->system, sim->state, def.dt, sim->workspace->next, &error);
    if (looks[stepper] != (sim->interrupt.cause == FFI_EARLY_STOP_ASKED))
      fail_msg("%s: cause %d", ff_stepper_name(def.stepper), (int)sim->interrupt.cause);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Steps that take milliseconds (ca, on a fast machine) to hours.
static int make_long(ff_sim_def *def)
{
  def->dt = 1;
  def->accuracy = def->stepper == FF_STEPPER_EXPO ? 1e-12 : 0;
  def->ess.relative_tolerance = 0;
  def->ess.absolute_tolerance = 1e-14;
  def->ess.max_steps = 100000000;
  def->c2a.h_min = 1e-9;
  def->c2a.relative_error = 0;
  def->c2a.absolute_error = 0;
  def->moreau.solver = FF_HARD_JOR;
  def->moreau.alpha = 1e-3;
  def->moreau.relative_tolerance = 0;
  def->moreau.absolute_tolerance = 1e-300;
  def->moreau.max_iterations = 100000;
  return def->stepper == FF_STEPPER_EXPO || def->stepper == FF_STEPPER_ESS ||
         def->stepper == FF_STEPPER_MOREAU || def->stepper == FF_STEPPER_CA || def->stepper == FF_STEPPER_C2A;
}

// In the middle of it: after 20 short steps, in which things touch.
static ff_sim *begin_long(const ff_model *model, const ff_sim_def *def)
{
  const ff_sim_def brief = def_of((int)def->stepper);
  ff_sim *before = begin(model, &brief, 20), *sim = ffi_must_sim(model, def);
  double *x = calloc((size_t)ff_sim_state_size(sim), sizeof *x);
  ff_error error;
  assert_non_null(x);
  ff_sim_get_state(before, x);
  ffi_must(ff_sim_set_state(sim, x, &error), &error);
  free(x);
  ff_sim_destroy(before);
  return sim;
}

static void a_long_step_ends_at_its_limit(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_sim_def def = def_of(stepper);
    def.time_limit = 1e-5;
    if (!make_long(&def))
      continue;
    ff_sim *sim = begin_long(model, &def), *twin = begin_long(model, &def);
    ff_error error;
    const double start = ffi_clock_thread_seconds();
    const ff_status status = ff_sim_step(sim, NULL, &error);
    const double seconds = ffi_clock_thread_seconds() - start;
    // One round of any loop takes far less than a second, sanitizers and emulation included.
    if (status != FF_ERROR_INTERRUPTED || !strstr(error.message, "time_limit") || seconds > 1)
      fail_msg("%s: status %d after %g s", ff_stepper_name(def.stepper), (int)status, seconds);
    assert_same_state(sim, twin);
    ff_sim_destroy(sim);
    ff_sim_destroy(twin);
  }
  ff_model_destroy(model);
}

static void a_limit_changes_no_bits(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_sim_def def = def_of(stepper);
    ff_sim *sim = begin(model, &def, 40);
    def.time_limit = 1e6;
    ff_sim *limited = begin(model, &def, 40);
    assert_same_state(sim, limited);
    ff_sim_destroy(sim);
    ff_sim_destroy(limited);
  }
  ff_model_destroy(model);
}

static ff_sim *of_signal;

static void on_alarm(int number)
{
  (void)number;
  ff_sim_interrupt(of_signal);
}

static void a_signal_ends_a_long_step(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_sim_def def = def_of(FF_STEPPER_C2A);
  make_long(&def);
  of_signal = begin_long(model, &def);
  const struct itimerval soon = {.it_value.tv_usec = 5000};
  ff_error error;
  signal(SIGALRM, on_alarm);
  assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
  assert_int_equal(ff_sim_step(of_signal, NULL, &error), FF_ERROR_INTERRUPTED);
  signal(SIGALRM, SIG_DFL);
  ff_sim_destroy(of_signal);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_request_ends_one_step),       cmocka_unit_test(steppers_look_while_they_step),
      cmocka_unit_test(a_long_step_ends_at_its_limit), cmocka_unit_test(a_limit_changes_no_bits),
      cmocka_unit_test(a_signal_ends_a_long_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
