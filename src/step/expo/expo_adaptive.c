// Step-size control of `expo`. See expo_adaptive.h for the error.
#include "step/expo/expo_adaptive.h"

#include "math/larger.h"
#include "math/vec3.h"
#include "ode/step_control.h"

#include <limits.h>
#include <math.h>

// The shortest step, as a share of dt: it is taken whatever its error, and counted. So an impact that no step resolves,
// such as an absorbed one, ends.
static const double shortest_share = 1.0 / 16384;

// The most steps in a user's step, rejected ones included; after three quarters of them its rest is shared evenly.
// Landings at the finest tolerance of the tests take 300. The same with the most work of a user's step, in units of
// ffi_evaluation_at(): some tenths of a second, whatever touches.
enum { MAX_STEPS = 1024, MAX_WORK = 60000 };

// The prediction's error is of order h^2.
static const ffi_step_control control = {.inverse_order = 0.5, .beta = 0.1};

// The share of a correction that it may leave: expo.c shortens substeps until no correction is more than this share of
// what it corrects, and the remainder is proportional to its square.
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

// The length of the next trial: the remaining time in equal steps of no more than the wish, so that the last one is not
// tiny.
static double next_length(double wish, double least, double left)
{
  double steps = ceil(left / wish * (1 - 1e-12));
  if (left < steps * least)
    steps = floor(left / least);
  return steps <= 1 ? left : left / steps;
}

// Add an accepted step to the info of the user's step.
static void add_step(const ff_step_info *of, double h, ff_step_info *all)
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

// Its computing time counts whether it was accepted or not.
static void add_time(const ff_step_info *of, ff_step_info *all)
{
  for (int k = 0; k < FF_PHASE_COUNT; ++k)
    all->seconds[k] += of->seconds[k];
}

// Turn the mean forces of a step of h into impulses since the user's step began; `before` has those until then.
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

// The user's step while it is taken.
typedef struct user_step {
  double dt, left; // its length, and the time left of it [s]
  double work;     // of its steps until now
  ff_step_info all;
} user_step;

// The shortest step from here on. The most steps that there may be follow from the mean work of those until now.
static double least_length(const user_step *u)
{
  const int tried = u->all.integrator_steps + u->all.rejected;
  const double most = u->work > 0 ? fmin(MAX_STEPS, MAX_WORK * tried / u->work) : MAX_STEPS;
  const double share = 4 * tried < 3 * most ? 0 : u->left / fmax(1, most - tried);
  return fmax(shortest_share * u->dt, share);
}

// One step from e->step_start to `to`, the longest within the time left that meets the error tolerance. *length: its
// length. next_length and log_error of `to`: for the step after it.
static ff_status take_step(ffi_system *s, ffi_expo *e, user_step *u, ffi_state *to, double *length,
                           ff_error *error)
{
  const double dt = u->dt;
  ffi_state *at = e->step_start;
  for (int rejected = 0;; ++rejected) {
    const double least = least_length(u);
    const double h = next_length(at->next_length, least, u->left);
    const int is_shortest = at->next_length <= least || h <= least;
    *s->info = (ff_step_info){.converged = 1};
    const ff_status status = ffi_expo_step(s, at, h, to, error);
    add_time(s->info, &u->all);
    u->work += *s->work;
    const int is_lost = status == FF_ERROR_NUMERIC || (status == FF_OK && !(e->error < HUGE_VAL));
    if (status != FF_OK && (!is_lost || is_shortest))
      return status;
    const double log_error = is_lost ? HUGE_VAL : log(fmax(e->error / s->def->accuracy, 1e-12));
    if (log_error > 0 && !is_shortest) {
      ++u->all.rejected;
      at->next_length = fmax(least, h * ffi_step_control_factor_rejected(&control, log_error));
      continue;
    }
    const double change = ffi_step_control_factor(&control, at->log_error, log_error);
    to->next_length = fmax(least, fmin(dt, h * (rejected ? fmin(change, 1) : change)));
    to->log_error = fmin(0, fmax(log_error, ffi_step_control_first_log_error));
    u->all.inaccurate += log_error > 0;
    *length = h;
    add_step(s->info, h, &u->all);
    return FF_OK;
  }
}

ff_status ffi_expo_adaptive_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to,
                                 ff_error *error)
{
  ffi_expo *e = s->memory;
  user_step u = {.dt = dt, .left = dt, .all = {.converged = 1}};
  ffi_state_copy(s, from, e->step_start);
  scale_forces(0, e->step_start);
  if (!(from->next_length > 0))
    e->step_start->log_error = ffi_step_control_first_log_error;
  e->step_start->next_length =
      from->next_length > 0 ? fmin(dt, fmax(from->next_length, shortest_share * dt)) : dt;
  while (u.left > 0) {
    double h;
    const ff_status status = take_step(s, e, &u, to, &h, error);
    if (status != FF_OK)
      return status;
    add_impulses(e->step_start, h, to);
    ffi_state_copy(s, to, e->step_start);
    u.left = h < u.left ? u.left - h : 0;
  }
  ffi_state_advance(s, from, dt, to); // exactly, without the rounding of a sum of steps
  ffi_state_copy_friction(s, e->step_start, to);
  to->next_length = e->step_start->next_length;
  to->log_error = e->step_start->log_error;
  scale_forces(1 / dt, to);
  u.all.work = (int)fmin(ceil(u.work), INT_MAX);
  *s->info = u.all;
  return FF_OK;
}
