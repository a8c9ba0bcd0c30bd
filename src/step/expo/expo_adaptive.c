#include "step/expo/expo_adaptive.h"

#include "math/larger.h"
#include "math/vec3.h"
#include "ode/step_control.h"

#include <math.h>

// No step is shorter than this share of dt: it is taken whatever its error, and counted. An impact that no step resolves, as one that is absorbed, must not take for ever.
static const double shortest_share = 1.0 / 16384;

// The prediction's error goes with h^2.
static const ffi_step_control control = {.inverse_order = 0.5, .beta = 0.1};

// What may be left of a correction: expo.c shortens pieces until none is more than this share of what it corrects, and what is left goes with its square.
static const double left_of_correction = 0.1;

double ffi_expo_adaptive_error(const ffi_expo *e, int was_absorbed)
{
  if (e->correction >= 0 && !was_absorbed && !e->frozen.was_projected)
    return left_of_correction * e->correction;
  double change = 0;
  for (int k = 0; k < e->frozen.n; ++k)
    change = ffi_larger(change, fabs(e->frozen.delta_v[k]));
  return change;
}

// The length of the next trial: what is left in equal steps of no more than the wish, so that the last one is no crumb.
static double next_length(double wish, double least, double left)
{
  double steps = ceil(left / wish * (1 - 1e-12));
  if (left < steps * least)
    steps = floor(left / least);
  return steps <= 1 ? left : left / steps;
}

// What a step that was taken adds to the user's step.
static void tell_of_step(const ff_step_info *of, double h, ff_step_info *all)
{
  all->slipping = of->slipping;
  all->penetration = of->penetration;
  all->pieces += of->pieces;
  all->touchdowns += of->touchdowns;
  all->liftoffs += of->liftoffs;
  all->slips += of->slips;
  all->sticks += of->sticks;
  all->events_capped |= of->events_capped;
  all->factorisations += of->factorisations;
  all->substeps = of->substeps > all->substeps ? of->substeps : all->substeps;
  all->capped |= of->capped;
  all->force_error = ffi_larger(all->force_error, of->force_error);
  all->shortest = all->integrator_steps ? fmin(all->shortest, h) : h;
  all->longest = ffi_larger(all->longest, h);
  ++all->integrator_steps;
}

// Its time counts, whether it was taken or not.
static void tell_time(const ff_step_info *of, ff_step_info *all)
{
  for (int k = 0; k < FF_PHASE_COUNT; ++k)
    all->seconds[k] += of->seconds[k];
}

// Mean forces of a step of h become impulses since the user's step began; `before` has those until then.
static void add_impulses(const ffi_state *before, double h, ffi_state *x)
{
  int t = 0;
  for (int i = 0; i < x->touching_count; ++i) {
    double *impulse = x->touching[i].mean_force;
    ffi_v3_scale(h, impulse, impulse);
    while (t < before->touching_count && before->touching[t].id < x->touching[i].id)
      ++t;
    if (t < before->touching_count && before->touching[t].id == x->touching[i].id)
      ffi_v3_add(impulse, before->touching[t].mean_force, impulse);
  }
}

static void scale_forces(double scale, ffi_state *x)
{
  for (int i = 0; i < x->touching_count; ++i)
    ffi_v3_scale(scale, x->touching[i].mean_force, x->touching[i].mean_force);
}

// One step from e->at to `to`, the longest of no more than `left` that meets the accuracy. *length: how long it is. at->next_length, log_error: for the one after it.
static ff_status take_step(ffi_system *s, ffi_expo *e, double dt, double left, ffi_state *to, double *length,
                           ff_step_info *all, ff_error *error)
{
  const double least = shortest_share * dt;
  ffi_state *at = e->at;
  for (int rejected = 0;; ++rejected) {
    const double h = next_length(at->next_length, least, left);
    const int is_shortest = at->next_length <= least || h <= least;
    *s->info = (ff_step_info){.converged = 1};
    const ff_status status = ffi_expo_step(s, at, h, to, error);
    tell_time(s->info, all);
    const int is_lost = status == FF_ERROR_NUMERIC || (status == FF_OK && !(e->error < HUGE_VAL));
    if (status != FF_OK && (!is_lost || is_shortest))
      return status;
    const double log_error = is_lost ? HUGE_VAL : log(fmax(e->error / s->def->accuracy, 1e-12));
    if (log_error > 0 && !is_shortest) {
      ++all->rejected;
      at->next_length = fmax(least, h * ffi_step_control_factor_rejected(&control, log_error));
      continue;
    }
    const double change = ffi_step_control_factor(&control, at->log_error, log_error);
    to->next_length = fmax(least, fmin(dt, h * (rejected ? fmin(change, 1) : change)));
    to->log_error = fmin(0, fmax(log_error, ffi_step_control_first_log_error));
    all->inaccurate += log_error > 0;
    *length = h;
    tell_of_step(s->info, h, all);
    return FF_OK;
  }
}

ff_status ffi_expo_adaptive_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to,
                                 ff_error *error)
{
  ffi_expo *e = s->memory;
  ff_step_info all = {.converged = 1};
  ffi_state_copy(s, from, e->at);
  scale_forces(0, e->at);
  if (!(from->next_length > 0))
    e->at->log_error = ffi_step_control_first_log_error;
  e->at->next_length = from->next_length > 0 ? fmin(dt, fmax(from->next_length, shortest_share * dt)) : dt;
  double left = dt;
  while (left > 0) {
    double h;
    const ff_status status = take_step(s, e, dt, left, to, &h, &all, error);
    if (status != FF_OK)
      return status;
    add_impulses(e->at, h, to);
    ffi_state_copy(s, to, e->at);
    left = h < left ? left - h : 0;
  }
  ffi_state_advance(s, from, dt, to); // exactly
  to->next_length = e->at->next_length;
  to->log_error = e->at->log_error;
  scale_forces(1 / dt, to);
  *s->info = all;
  return FF_OK;
}
