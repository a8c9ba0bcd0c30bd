// Comparisons: errors of a mass against its closed form, the frontier by sorting, what is refused, and that
// nothing leaks whatever fails. Orders of steppers and purity of measurements: test_local_error.c.
#include "support/alloc_counter.h"
#include "trials.h"

#include <footfall/scene_trial.h>

static ff_comparison *must_compare(const ff_trial *trial, const ff_comparison_def *def)
{
  ff_comparison *c;
  ff_error error;
  ffi_must(ff_comparison_run(trial, def, &c, &error), &error);
  return c;
}

// In contact all the time: 1 kg, 100 rad/s, a tenth of critical damping.
static void make_standing(mass_trial *m)
{
  const mass_trial_def mass = {
      .mass = 1, .stiffness = 1e4, .damping = 20, .z = -1.5e-3, .v = 0.02, .period = 4e-3, .periods = 40};
  mass_trial_make(m, &mass);
}

static ff_comparison_def quick(void)
{
  ff_comparison_def def = ff_comparison_def_default();
  def.finest = 1e-3 / 16;
  def.rounds = 1;
  return def;
}

// ---- Figures --------------------------------------------------------------------------------------------------------

// The common solution is the closed form's, and so the errors of explicit Euler, eq. 34 written out once
// more, are those against the closed form.
static void errors_are_those_against_the_closed_form(void **state)
{
  (void)state;
  mass_trial m;
  make_standing(&m);
  const ff_comparison_def def = quick();
  ff_comparison *c = must_compare(&m.trial, &def);
  const ff_solution *s = c->common_solution;
  int found = 0;
  for (int k = 0; k < s->periods; ++k) {
    double z = s->q[k], v = s->v[k];
    mass_exact(&m, s->tau[k], m.trial.period, &z, &v);
    assert_true(fabs(z - s->q[k + 1]) < 1e-9 && fabs(v - s->v[k + 1]) < 1e-9);
  }
  for (int i = 0; i < c->count; ++i) {
    const ff_local_error *l = &c->common[i];
    assert_true(fabs(l->dt * l->substeps - m.trial.period) < 1e-15);
    if (l->scheme.stepper != FF_STEPPER_EULER || l->substeps != 4)
      continue;
    double mean = 0;
    for (int k = 0; k < s->periods; ++k) {
      double z = s->q[k], v = s->v[k], exact_z = z, exact_v = v;
      mass_exact(&m, s->tau[k], m.trial.period, &exact_z, &exact_v);
      for (int n = 0; n < 4; ++n) {
        const double a = -9.81 + (s->tau[k] - m.stiffness * z - m.damping * v) / m.mass;
        z += l->dt * v + 0.5 * l->dt * l->dt * a;
        v += l->dt * a;
      }
      mean += fmax(fabs(z - exact_z), fabs(v - exact_v)) / s->periods;
    }
    assert_true(fabs(l->max_norm.mean - mean) < 1e-9 && mean > 1e-5);
    ++found;
  }
  assert_int_equal(found, 1);
  ff_comparison_destroy(c);
  mass_trial_free(&m);
}

// Steps of the reference solution that are n times shorter bring rk4's nearer to the closed form by n^4,
// until rounding.
static void the_reference_converges(void **state)
{
  (void)state;
  mass_trial m;
  make_standing(&m);
  double off[2] = {0};
  for (int i = 0; i < 2; ++i) {
    const ff_scheme rk4 = ff_scheme_of(FF_STEPPER_RK4);
    ff_solution *s = must_truth(&m.trial, &rk4, 8 << i);
    for (int k = 0; k < s->periods; ++k) {
      double z = s->q[k], v = s->v[k];
      mass_exact(&m, s->tau[k], m.trial.period, &z, &v);
      off[i] = fmax(off[i], fmax(fabs(z - s->q[k + 1]), fabs(v - s->v[k + 1])));
    }
    ff_solution_destroy(s);
  }
  const double order = log2(off[0] / off[1]);
  print_message("  off by %.2e and %.2e: order %.2f\n", off[0], off[1], order);
  assert_true(fabs(order - 4) < 0.15);
  mass_trial_free(&m);
}

// Sorted from the fastest on, the frontier is where the error is less than all before it.
static void the_frontier_by_sorting(void **state)
{
  (void)state;
  mass_trial m;
  make_standing(&m);
  const ff_comparison_def def = quick();
  ff_comparison *c = must_compare(&m.trial, &def);
  int done[512] = {0}, on = 0;
  double best = (double)INFINITY;
  assert_true(c->count < 512);
  for (int n = 0; n < c->count; ++n) {
    int next = -1;
    for (int i = 0; i < c->count; ++i)
      if (!done[i] && isfinite(c->common[i].speed) &&
          (next < 0 || c->common[i].speed > c->common[next].speed ||
           (c->common[i].speed == c->common[next].speed &&
            c->common[i].max_norm.mean < c->common[next].max_norm.mean)))
        next = i;
    if (next < 0)
      break;
    done[next] = 1;
    const int is_better = c->common[next].failures == 0 && c->common[next].max_norm.mean < best;
    assert_int_equal(c->on_frontier[next], is_better);
    if (is_better)
      best = c->common[next].max_norm.mean;
    on += is_better;
  }
  assert_true(on > 0);
  ff_comparison_destroy(c);
  mass_trial_free(&m);
}

// ---- What is asked for ----------------------------------------------------------------------------------------------

static void lists_are_as_asked(void **state)
{
  (void)state;
  static const int substeps[] = {1, 3, 10};
  mass_trial m;
  make_standing(&m);
  ff_comparison_def def = quick();
  ff_scheme schemes[2];
  assert_true(ff_scheme_find("expo:order-1", &schemes[0]) && ff_scheme_find("euler", &schemes[1]));
  def.schemes = schemes, def.scheme_count = 2;
  def.substeps = substeps, def.substeps_count = 3;
  def.has_common = 0;
  ff_comparison *c = must_compare(&m.trial, &def);
  assert_int_equal(c->count, 6);
  assert_null(c->common);
  assert_null(c->common_solution);
  for (int i = 0; i < 6; ++i) {
    assert_string_equal(c->own[i].scheme.name, schemes[i / 3].name);
    assert_int_equal(c->own[i].substeps, substeps[i % 3]);
    assert_ptr_equal(ff_comparison_timed(c, i), &c->own[i]);
    assert_ptr_equal(c->own[i].solution, c->own_of_stepper[schemes[i / 3].stepper].solution);
  }
  ff_comparison_destroy(c);
  mass_trial_free(&m);
}

// Explicit Euler, pushed out of a spring of 1e12 N/m within its first step, at once is faster than is
// allowed: its own solution fails, and that is told.
static void own_solutions_may_fail(void **state)
{
  (void)state;
  mass_trial m;
  const mass_trial_def mass = {
      .mass = 1, .stiffness = 1e12, .damping = 1, .z = -1e-4, .period = 4e-3, .periods = 4};
  mass_trial_make(&m, &mass);
  ff_comparison_def def = quick();
  const ff_scheme euler = ff_scheme_of(FF_STEPPER_EULER);
  def.schemes = &euler, def.scheme_count = 1;
  def.has_common = 0;
  m.sim.max_speed = 10;
  ff_comparison *c = must_compare(&m.trial, &def);
  assert_null(c->own_of_stepper[FF_STEPPER_EULER].solution);
  assert_true(c->own_of_stepper[FF_STEPPER_EULER].failure[0]);
  assert_true(isnan(c->own[0].max_norm.mean) && !c->on_frontier[0]);
  ff_comparison_destroy(c);
  mass_trial_free(&m);
}

static void refuses(const ff_trial *trial, const ff_comparison_def *def, const char *words)
{
  ff_comparison *c = (ff_comparison *)&words;
  ff_error error;
  assert_int_equal(ff_comparison_run(trial, def, &c, &error), FF_ERROR_ARGUMENT);
  assert_null(c);
  if (!strstr(error.message, words))
    fail_msg("'%s' is not in '%s'", words, error.message);
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  static const int none[] = {0};
  mass_trial m;
  make_standing(&m);
  ff_comparison_def def = ff_comparison_def_default();
  def.has_own = def.has_common = 0;
  refuses(&m.trial, &def, "set has_common, has_own or both");
  def = ff_comparison_def_default();
  def.finest = 0;
  refuses(&m.trial, &def, "finest");
  def = ff_comparison_def_default();
  def.substeps = none, def.substeps_count = 1;
  refuses(&m.trial, &def, "substeps");
  def = ff_comparison_def_default();
  const ff_scheme moreau = ff_scheme_of(FF_STEPPER_MOREAU);
  def.schemes = &moreau, def.scheme_count = 1;
  refuses(&m.trial, &def, "rigid");
  refuses(&m.trial, &(ff_comparison_def){.rounds = 1}, "begin with that");
  refuses(&(ff_trial){.model = m.model}, NULL, "begin with that");
  refuses(NULL, NULL, "is NULL");
  ff_trial trial = m.trial;
  trial.q = NULL;
  refuses(&trial, NULL, "model and q are needed");
  trial = m.trial;
  trial.period = (double)NAN;
  refuses(&trial, NULL, "both numbers must be above 0");
  mass_trial_free(&m);
}

typedef struct heard {
  int calls, stop_at;
  double last;
} heard;

static int hear(void *user, const char *what, double share)
{
  heard *h = user;
  assert_true(what && *what && share >= 0 && share <= 1);
  if (!(share >= h->last - 1e-12))
    fail_msg("%s: from %g back to %g", what, h->last, share);
  h->last = share;
  return ++h->calls == h->stop_at;
}

static void the_caller_hears_and_can_stop_it(void **state)
{
  (void)state;
  mass_trial m;
  make_standing(&m);
  heard h = {0};
  ff_comparison_def def = quick();
  def.progress = (ff_progress){hear, &h};
  ff_comparison_destroy(must_compare(&m.trial, &def));
  assert_true(h.last > 0.999);
  const int all = h.calls;
  for (int n = 1; n <= all; n += 1 + all / 20) {
    ff_comparison *c;
    ff_error error;
    h = (heard){.stop_at = n};
    assert_int_equal(ff_comparison_run(&m.trial, &def, &c, &error), FF_ERROR_STOPPED);
    assert_null(c);
    assert_int_equal(h.calls, n);
  }
  mass_trial_free(&m);
}

// ---- Scenes ---------------------------------------------------------------------------------------------------------

static void a_scene_is_a_trial(void **state)
{
  (void)state;
  const ff_scene_override shorter = {"duration", "0.4", NULL}, none = {"duration", "0", NULL};
  ff_scene *scene;
  ff_trial *trial;
  ff_error error;
  ffi_must(ff_scene_load(FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml", &shorter, 1, &scene, &error), &error);
  ffi_must(ff_scene_trial_create(scene, &trial, &error), &error);
  assert_string_equal(trial->name, "solo-squat");
  assert_true(fabs(trial->period * trial->periods - 0.4) < 1e-12);
  const ff_scheme expo = ff_scheme_of(ff_scene_sim_def(scene).stepper);
  ff_solution *s = must_truth(trial, &expo, (int)lround(trial->period / ff_scene_sim_def(scene).dt));
  for (int k = 0; k < trial->periods; ++k) { // the very run of the scene, at every control instant
    assert_memory_equal(s->q + k * s->nq, ff_scene_now_q(scene), (size_t)s->nq * sizeof *s->q);
    for (int i = 0; i < s->substeps; ++i)
      ffi_must(ff_scene_step(scene, &error), &error);
  }
  ff_solution_destroy(s);
  ff_scene_trial_destroy(trial);
  ff_scene_destroy(scene);
  ffi_must(ff_scene_load(FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml", &none, 1, &scene, &error), &error);
  assert_int_equal(ff_scene_trial_create(scene, &trial, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "a duration of 0 s is shorter than the control period"));
  ff_scene_destroy(scene);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

static void every_allocation_may_fail(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  mass_trial m;
  const mass_trial_def mass = {
      .mass = 1, .stiffness = 1e4, .damping = 20, .z = -1.5e-3, .v = 0.02, .period = 4e-3, .periods = 2};
  mass_trial_make(&m, &mass);
  const ff_comparison_def def = quick();
  long n = 1;
  for (;; ++n) {
    ff_comparison *c = NULL;
    ff_error error = {0};
    const long taken = ffi_test_alloc_count(), given = ffi_test_free_count();
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_comparison_run(&m.trial, &def, &c, &error);
    const int has_failed = ffi_test_alloc_failed();
    if (has_failed && (status != FF_ERROR_MEMORY || c))
      fail_msg("allocation %ld failed: %s, %s", n, ff_status_name(status), error.message);
    ff_comparison_destroy(c);
    assert_int_equal(ffi_test_alloc_count() - taken - has_failed, ffi_test_free_count() - given);
    if (!has_failed)
      break;
  }
  assert_true(n > 50);
  mass_trial_free(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_those_against_the_closed_form),
      cmocka_unit_test(the_reference_converges),
      cmocka_unit_test(the_frontier_by_sorting),
      cmocka_unit_test(lists_are_as_asked),
      cmocka_unit_test(own_solutions_may_fail),
      cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(the_caller_hears_and_can_stop_it),
      cmocka_unit_test(a_scene_is_a_trial),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests_name("study/compare", tests, NULL, NULL);
}
