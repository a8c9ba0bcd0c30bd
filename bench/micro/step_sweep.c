// Creates the sim of a case and variant, lets it settle and steps it.
#include "micro/step_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 32 };                      // in a sweep, or as many as fit into:
static const double longest_sweep = 5e-3; // [s]

// Each stepper has its own equilibrium: let it settle before it is measured. The stance that falls gets less time.
static const double warm_up = 0.05, short_warm_up = 0.01; // [s]

// A motion is measured whole, but for steppers that need twenty times the steps: of these, 0.3 s of it.
enum { MOST_STEPS = 3000 };
static const double late = 1; // [s]

static int take_steps(bench_step_sweep *s, int steps)
{
  for (int k = 0; k < steps; ++k) {
    if (!s->variant->holds_inside)
      bench_step_case_control(s->c, ff_sim_q(s->sim), ff_sim_v(s->sim), s->tau);
    if (ff_sim_step(s->sim, s->variant->holds_inside ? NULL : s->tau, NULL) != FF_OK)
      return 0;
  }
  return 1;
}

// One step is not measured: the evaluation with which a step ends serves the next one, and a state that was set has
// none.
static void prepare(void *context)
{
  bench_step_sweep *s = context;
  ff_sim_set_state(s->sim, s->motion.state ? s->motion.state : s->state, NULL);
  if (!s->motion.state)
    s->has_failed |= !take_steps(s, 1);
}

// Step k of a sweep of a robot in motion.
static void follow(bench_step_sweep *s, int k)
{
  s->has_failed |= ff_sim_step(s->sim, s->motion.tau + (size_t)k * (size_t)s->motion.nv, NULL) != FF_OK;
}

static void sweep(void *context)
{
  bench_step_sweep *s = context;
  if (!s->motion.state)
    s->has_failed |= !take_steps(s, s->steps);
  else
    for (int k = 0; k < s->steps; ++k)
      follow(s, k);
}

// The same with timing of the phases.
static void sweep_phases(void *context)
{
  bench_step_sweep *s = context;
  memset(s->seconds, 0, sizeof s->seconds);
  for (int k = 0; k < s->steps; ++k) {
    if (s->motion.state)
      follow(s, k);
    else
      s->has_failed |= !take_steps(s, 1);
    for (int p = 0; p < FF_PHASE_COUNT; ++p)
      s->seconds[p] += ff_sim_info(s->sim)->seconds[p];
  }
}

static ff_status make_sim(bench_step_sweep *s, ff_isa isa, int has_timing, ff_error *error)
{
  ff_sim_def def = s->c->scene ? ff_scene_sim_def(s->c->scene) : ff_sim_def_default();
  ff_element_def *elements = calloc((size_t)ff_model_get_size(s->c->model).joints, sizeof *elements);
  if (!elements)
    return FF_ERROR_MEMORY;
  def.stepper = s->variant->stepper;
  def.dt = s->variant->dt;
  def.isa = isa;
  def.timing = has_timing;
  def.expo.exponential = s->variant->exponential;
  def.expo.order = s->variant->order;
  def.expo.events = s->variant->events;
  if (s->variant->holds_inside) {
    def.elements = elements;
    def.element_count = bench_step_case_motors(s->c, elements);
  }
  const ff_status status = s->c->scene ? ff_scene_create_sim(s->c->scene, &def, &s->sim, error)
                                       : ff_sim_create(s->c->model, &def, &s->sim, error);
  free(elements);
  return status;
}

// From the case's state to the one that sweeps start from.
static ff_status warm(bench_step_sweep *s, ff_error *error)
{
  const ff_status status = ff_sim_reset(s->sim, s->c->q, s->c->v, error);
  const double time = s->c->is_steady ? warm_up : short_warm_up;
  if (status != FF_OK)
    return status;
  if (!take_steps(s, (int)lround(time / s->variant->dt))) {
    snprintf(error->message, sizeof error->message, "it does not stay at rest");
    return error->status = FF_ERROR_NUMERIC;
  }
  ff_sim_get_state(s->sim, s->state);
  return FF_OK;
}

// Choose the number of steps of a sweep, and check that the robot still stands after them.
static void try_sweep(bench_step_sweep *s)
{
  s->steps = 1;
  const double start = bench_timer_seconds();
  s->has_failed |= !take_steps(s, 1);
  const double once = bench_timer_seconds() - start;
  s->steps = once * STEPS > longest_sweep ? (int)fmax(1, longest_sweep / once) : STEPS;
  prepare(s);
  sweep(s);
  s->contacts = ff_sim_info(s->sim)->contacts;
  if (s->has_failed)
    snprintf(s->why, sizeof s->why, "it does not stay at rest");
  else if ((int)s->contacts != s->c->contacts)
    snprintf(s->why, sizeof s->why, "it stands on %d contacts, not on %d", (int)s->contacts, s->c->contacts);
}

static ff_status open_standing(bench_step_sweep *s, ff_error *error)
{
  s->state = calloc((size_t)ff_sim_state_size(s->sim), sizeof *s->state);
  s->tau = calloc((size_t)ff_model_get_size(s->c->model).nv, sizeof *s->tau);
  const ff_status status = s->state && s->tau ? warm(s, error) : FF_ERROR_MEMORY;
  if (status == FF_OK)
    try_sweep(s);
  return status;
}

static ff_status open_moving(bench_step_sweep *s, ff_error *error)
{
  const double duration = (double)ff_scene_steps(s->c->scene) * ff_scene_sim_def(s->c->scene).dt;
  const int all = (int)lround(duration / s->variant->dt);
  const bench_motion_def def = {.skip = all > MOST_STEPS ? (int)lround(late / s->variant->dt) : 0,
                                .steps = all > MOST_STEPS ? MOST_STEPS : all};
  const ff_status status = bench_motion_record_scene(s->c->scene, s->sim, &def, &s->motion, error);
  s->steps = def.steps;
  s->contacts = s->motion.contacts;
  return status;
}

void bench_step_sweep_open(const bench_step_case *c, const bench_step_variant *variant, ff_isa isa,
                           int has_timing, bench_step_sweep *s)
{
  ff_error error = {0};
  memset(s, 0, sizeof *s);
  s->c = c;
  s->variant = variant;
  s->has_timing = has_timing;
  ff_status status = make_sim(s, isa, has_timing, &error);
  if (status == FF_OK)
    status = c->scene ? open_moving(s, &error) : open_standing(s, &error);
  if (status != FF_OK)
    snprintf(s->why, sizeof s->why, "%.250s", error.message[0] ? error.message : "no memory");
  if (s->why[0]) {
    ff_sim_destroy(s->sim);
    s->sim = NULL;
  }
}

void bench_step_sweep_close(bench_step_sweep *s)
{
  ff_sim_destroy(s->sim);
  bench_motion_free(&s->motion);
  free(s->state);
  free(s->tau);
  memset(s, 0, sizeof *s);
}

bench_timer_task bench_step_sweep_task(bench_step_sweep *s)
{
  return (bench_timer_task){
      .prepare = prepare, .sweep = s->has_timing ? sweep_phases : sweep, .context = s, .calls = s->steps};
}
