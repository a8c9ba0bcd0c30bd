// Whatever the start, a step ends soon: the work of one is bounded, by design and as counted, for `ca` and `c2a`; all
// steppers are timed against a calm step of the same bodies. docs/performance.md, worst-case work per step
// soak: work
#include "base/clock.h"
#include "properties/violent/violent.h"
#include "support/must.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STARTS = 5, STEPS = 2, FALLING = 100, CALM_STEPS = 40 };
static const double dt = 2e-3;

// Of `ess`: its steps follow every bounce of every point on its spring, so the usual bound takes minutes to reach.
enum { MAX_STEPS = 500 };

// What was counted over many starts.
typedef struct tally {
  int steps, failed;
  int work, looks, iterations, integrator_steps, factorisations; // the most in a step
  double multiple;                                               // the longest step over a calm one
  uint64_t seed;                                                 // its start
  double sum;                                                    // of the multiples
} tally;

static void raise(int value, int *most)
{
  *most = value > *most ? value : *most;
}

static double seconds_of_step(ff_sim *sim, ff_status *status, ff_error *error)
{
  const double start = ffi_clock_thread_seconds();
  *status = ff_sim_step(sim, NULL, error);
  return ffi_clock_thread_seconds() - start;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The median of steps of the same bodies, at rest and apart [s].
static double calm_seconds(const ffi_violent *start, ff_stepper stepper)
{
  double seconds[CALM_STEPS];
  const ff_sim_def def = ffi_violent_def(start, stepper, dt);
  ff_sim *sim = ffi_violent_sim(start, &def);
  ffi_violent_calm(start, sim);
  for (int k = 0; k < FALLING; ++k)
    ff_sim_step(sim, NULL, NULL);
  for (int k = 0; k < CALM_STEPS; ++k) {
    ff_status status;
    ff_error error;
    seconds[k] = seconds_of_step(sim, &status, &error);
  }
  ff_sim_destroy(sim);
  qsort(seconds, CALM_STEPS, sizeof *seconds, by_size);
  return seconds[CALM_STEPS / 2];
}

// The bound, and what may follow before it is read again: an impact map of twelve solves, each of 2 max_iterations
// Newton steps, 12 before them and 1,475 sweeps; a correction of positions, 700; three searches of 1,000 looks each.
// docs/theory/c2a.md, section 4
static double most_work(const ff_sim_def *def)
{
  return def->c2a_max_work + 12 * (2 * def->c2a.impact.max_iterations + 12 + 1475) + 700 + 3100;
}

static void check_bound(const ffi_violent *start, const ff_sim_def *def, const ff_step_info *info,
                        uint64_t seed)
{
  const ff_stepper stepper = def->stepper;
  if (!(info->work <= most_work(def)))
    fail_msg("%s, %s, start %d: work of %d in a step", ff_stepper_name(stepper),
             ffi_violent_name(start->kind), (int)seed, info->work);
  if (!isfinite(info->residual))
    fail_msg("%s, start %d: residual %g", ff_stepper_name(stepper), (int)seed, info->residual);
}

// Every failure names a body, and says what to try.
static void check_words(ff_stepper stepper, uint64_t seed, const ff_error *error)
{
  if (!strstr(error->message, "link '") || !(strstr(error->message, "contact")) ||
      !(strstr(error->message, "ry ") || strstr(error->message, "raise")))
    fail_msg("%s, start %d: no body, no contact or nothing to try in: %s", ff_stepper_name(stepper),
             (int)seed, error->message);
}

static void run_start(uint64_t seed, ff_stepper stepper, tally *t)
{
  ffi_violent start;
  ffi_violent_make(seed, &start);
  ff_sim_def def = ffi_violent_def(&start, stepper, dt);
  def.ess.max_steps = MAX_STEPS;
  ff_sim *sim = ffi_violent_sim(&start, &def);
  const double calm = calm_seconds(&start, stepper);
  for (int k = 0; k < STEPS; ++k) {
    ff_error error;
    ff_status status;
    const double multiple = seconds_of_step(sim, &status, &error) / calm;
    const ff_step_info *info = ff_sim_info(sim);
    check_bound(&start, &def, info, seed);
    ++t->steps;
    raise(info->work, &t->work);
    raise(info->looks, &t->looks);
    raise(info->iterations, &t->iterations);
    raise(info->integrator_steps + info->rejected, &t->integrator_steps);
    raise(info->factorisations, &t->factorisations);
    t->sum += multiple;
    if (multiple > t->multiple) {
      t->multiple = multiple;
      t->seed = seed;
    }
    if (status != FF_OK) {
      check_words(stepper, seed, &error);
      ++t->failed;
      break;
    }
  }
  ff_sim_destroy(sim);
  ffi_violent_free(&start);
}

static void every_step_ends_soon(void **state)
{
  (void)state;
  const int starts = ffi_samples(STARTS);
  print_message("stepper      steps failed   work  looks   iterations  integrator steps  factorisations  "
                "times a calm step: mean, most (start)\n");
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    tally t = {0};
    for (int k = 0; k < starts; ++k) {
      run_start((uint64_t)k, (ff_stepper)i, &t);
      // Start 4 alone took 260,000 iterations of `ca` in a step before corrections in vain were put off.
      if (k < STARTS && ffi_samples_seed() == 0 && !(t.work <= 200000)) // 110,000 where it was counted
        fail_msg("%s, start %d: work of %d in a step", ff_stepper_name((ff_stepper)i), k, t.work);
    }
    print_message("%-12s %5d %6d %6d %6d %12d %17d %15d  %8.1f %8.0f (%d)\n", ff_stepper_name((ff_stepper)i),
                  t.steps, t.failed, t.work, t.looks, t.iterations, t.integrator_steps, t.factorisations,
                  t.sum / t.steps, t.multiple, (int)t.seed);
  }
  ffi_samples_tried(starts, "violent starts");
}

// Steps until one fails; `before` is the state that it started from.
static ff_status run_to_failure(ff_sim *sim, double *before, ff_error *error)
{
  ff_status status = FF_OK;
  for (int k = 0; k < 20 && status == FF_OK; ++k) {
    ff_sim_get_state(sim, before);
    status = ff_sim_step(sim, NULL, error);
  }
  return status;
}

// A step that reaches the bound fails, says so, and leaves the state; with a larger one it goes on. 1 if one did.
static int reaches_bound(uint64_t seed, ff_stepper stepper)
{
  ffi_violent start;
  ffi_violent_make(seed, &start);
  ff_sim_def def = ffi_violent_def(&start, stepper, dt);
  def.c2a_max_work = 100;
  ff_sim *sim = ffi_violent_sim(&start, &def);
  const size_t bytes = (size_t)ff_sim_state_size(sim) * sizeof(double);
  double *before = malloc(bytes), *after = malloc(bytes);
  assert_true(before && after);
  ff_error error = {.message = ""};
  const int is_reached = run_to_failure(sim, before, &error) != FF_OK &&
                         strstr(error.message, "c2a.max_work = 100"); // else it ran away, or is easy
  if (is_reached) {
    assert_int_equal(error.status, FF_ERROR_NUMERIC);
    ff_sim_get_state(sim, after);
    assert_memory_equal(before, after, bytes);
    check_words(stepper, seed, &error);
    assert_true(ff_sim_info(sim)->work > 100);
  }
  ff_sim_destroy(sim);
  def.c2a_max_work = 1e9;
  sim = ffi_violent_sim(&start, &def);
  ffi_must(ff_sim_set_state(sim, before, &error), &error);
  if (is_reached)
    ffi_must_step(sim, NULL);
  ff_sim_destroy(sim);
  free(before), free(after);
  ffi_violent_free(&start);
  return is_reached;
}

static void the_bound_is_kept(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_CA, FF_STEPPER_C2A};
  for (int i = 0; i < 2; ++i) {
    int reached = 0;
    for (uint64_t heap = 0; heap < 10 && !reached; ++heap)
      reached = reaches_bound(FFI_VIOLENT_KINDS * heap, steppers[i]);
    assert_true(reached);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_step_ends_soon),
      cmocka_unit_test(the_bound_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
