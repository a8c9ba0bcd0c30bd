// slow: some ten seconds. `expo` with an accuracy on solo12 that lands: its error goes with what was asked for, and
// takes fewer steps than fixed ones with the same error. See landings.h, error_tolerance.h.
#include "properties/order/error_tolerance.h"
#include "properties/order/landing_reference.h"
#include "properties/order/landings.h"
#include "support/must.h"

#include <footfall/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ffi_error_tolerance_found measure(const ffi_landings *l)
{
  ffi_landings_robot robot;
  ffi_error_tolerance a = {.longest = l->coarsest};
  double truth[2 * FFI_ORDER_MOST];
  ffi_landings_begin(l, &robot);
  for (int i = 0; i < l->count; ++i) {
    ffi_landings_draw(l, &robot);
    ffi_landing_reference_run(&robot.scene, l->truth, truth);
    ffi_error_tolerance_add(&a, &robot.scene, truth);
  }
  ffi_landings_end(&robot);
  return ffi_error_tolerance_conclude(&a);
}

static void landings_to_an_accuracy(void **state)
{
  (void)state;
  const ffi_landings l = {.robot = "solo12", .count = 12, .friction = 1, .coarsest = 4, .truth = 8192};
  const ffi_error_tolerance_found found = measure(&l);
  assert_true(found.slope > 0.7 && found.slope < 1.3);
  assert_true(found.largest < 1);
}

// ---- The trot -----------------------------------------------------------------------------------------------------

enum {
  TROT_PERIODS = 1500,
  NEXT_LENGTH = 7,
  LASTING = 2
}; // where a state vector has what lasts of the control of lengths

typedef struct trot {
  ff_scene *scene;
  double period;
  int nv, size;          // of a state
  double *states, *taus; // [TROT_PERIODS + 1][size], [TROT_PERIODS][nv] of the truth
} trot;

typedef struct trot_errors {
  double mean, median, steps, pieces; // rejected steps too
} trot_errors;

static ff_sim *sim_of(const trot *t, int cuts, double accuracy)
{
  ff_sim_def def = ff_scene_sim_def(t->scene);
  ff_sim *sim;
  ff_error error;
  def.dt = t->period / cuts;
  def.accuracy = accuracy;
  ffi_must(ff_scene_create_sim(t->scene, &def, &sim, &error), &error);
  return sim;
}

// In steps of 1/64 ms, the controller in the loop.
static void find_truth(trot *t)
{
  enum { CUTS = 128 };
  ff_sim *sim = sim_of(t, CUTS, 0);
  ff_error error;
  t->size = ff_sim_state_size(sim);
  t->states = malloc((TROT_PERIODS + 1) * (size_t)t->size * sizeof *t->states);
  t->taus = malloc(TROT_PERIODS * (size_t)t->nv * sizeof *t->taus);
  ff_sim_get_state(sim, t->states);
  for (int k = 0; k < TROT_PERIODS; ++k) {
    double *tau = t->taus + (size_t)k * (size_t)t->nv;
    ffi_must(ff_scene_control(t->scene, k * t->period, ff_sim_q(sim), ff_sim_v(sim), tau, &error), &error);
    for (int i = 0; i < CUTS; ++i)
      ffi_must(ff_sim_step(sim, tau, &error), &error);
    ff_sim_get_state(sim, t->states + (size_t)(k + 1) * (size_t)t->size);
  }
  ff_sim_destroy(sim);
}

static void give_motion(const ff_sim *sim, double *out)
{
  const ff_model_size size = ff_model_get_size(ff_sim_model(sim));
  memcpy(out, ff_sim_q(sim), (size_t)size.nq * sizeof *out);
  memcpy(out + size.nq, ff_sim_v(sim), (size_t)size.nv * sizeof *out);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Local errors, as `footfall compare` has them: each period from the truth's state with the truth's torques, and how
// far its end is from the truth's. The control of lengths goes on from period to period as in a run of its own.
static trot_errors measure_trot(const trot *t, int cuts, double accuracy)
{
  static double errors[TROT_PERIODS];
  ff_sim *sim = sim_of(t, cuts, accuracy), *truth = sim_of(t, 1, 0);
  const ffi_order_scene scene = {.model = ff_scene_model(t->scene)};
  double *now = malloc((size_t)t->size * sizeof *now), lasting[LASTING] = {0};
  trot_errors out = {0};
  ff_error error;
  for (int k = 0; k < TROT_PERIODS; ++k) {
    const double *from = t->states + (size_t)k * (size_t)t->size;
    double ends[2][2 * FFI_ORDER_MOST];
    memcpy(now, from, (size_t)t->size * sizeof *now);
    memcpy(now + NEXT_LENGTH, lasting, sizeof lasting);
    ffi_must(ff_sim_set_state(sim, now, &error), &error);
    for (int i = 0; i < cuts; ++i)
      ffi_must(ff_sim_step(sim, t->taus + (size_t)k * (size_t)t->nv, &error), &error);
    ff_sim_get_state(sim, now);
    memcpy(lasting, now + NEXT_LENGTH, sizeof lasting);
    ffi_must(ff_sim_set_state(truth, from + t->size, &error), &error);
    give_motion(sim, ends[0]), give_motion(truth, ends[1]);
    errors[k] = ffi_order_distance(&scene, ends[0], ends[1]);
    out.mean += errors[k] / TROT_PERIODS;
  }
  const ff_sim_totals totals = ff_sim_get_totals(sim);
  qsort(errors, TROT_PERIODS, sizeof *errors, ascending);
  out.median = errors[TROT_PERIODS / 2];
  out.steps = accuracy > 0 ? (double)(totals.integrator_steps + totals.rejected) : (double)totals.steps;
  out.pieces = (double)totals.pieces;
  print_message("  %.0f steps in %.0f pieces: error %.2e in the mean, median %.2e%s\n", out.steps, out.pieces,
                out.mean, out.median, accuracy > 0 ? ", accuracy 1e-4" : "");
  free(now);
  ff_sim_destroy(sim), ff_sim_destroy(truth);
  return out;
}

// How many fixed steps have this error, on straight lines through the logarithms of a table of [count] whose errors
// fall.
static double steps_with(int count, const double *error, const double *steps, double wanted)
{
  int k = 1;
  while (k < count - 1 && error[k] > wanted)
    ++k;
  const double part = log(error[k - 1] / wanted) / log(error[k - 1] / error[k]);
  return steps[k - 1] * pow(steps[k] / steps[k - 1], part);
}

// Than fixed ones with the same error: in the mean, and in the median.
static void a_trot_in_fewer_steps(void **state)
{
  enum { FIXED = 6 };
  (void)state;
  trot t = {0};
  ff_error error;
  ffi_must(ff_scene_load(FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml", NULL, 0, &t.scene, &error), &error);
  t.nv = ff_model_get_size(ff_scene_model(t.scene)).nv;
  t.period = ff_scene_period(t.scene);
  find_truth(&t);
  const trot_errors ours = measure_trot(&t, 1, 1e-4);
  assert_true(ours.mean < 1e-4);
  double mean[FIXED], median[FIXED], steps[FIXED];
  for (int k = 0; k < FIXED; ++k) {
    const trot_errors fixed = measure_trot(&t, k + 1, 0);
    mean[k] = fixed.mean, median[k] = fixed.median, steps[k] = fixed.steps;
  }
  const double as_mean = steps_with(FIXED, mean, steps, ours.mean),
               as_median = steps_with(FIXED, median, steps, ours.median);
  print_message("  fixed steps of the same mean error: %.0f, of the same median: %.0f\n", as_mean, as_median);
  assert_true(as_mean > 1.1 * ours.steps && as_median > 1.1 * ours.steps);
  ff_scene_destroy(t.scene);
  free(t.states), free(t.taus);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landings_to_an_accuracy),
      cmocka_unit_test(a_trot_in_fewer_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
