#include "ode/ode_ess.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ff_ess_def ff_ess_def_default(void)
{
  const ff_ode_def ode = ff_ode_def_default();
  return (ff_ess_def){
      .method = FF_ESS_PROJECT,
      .epsilon = 1e-3,
      .liveness = 1e-9,
      .chatter_time = 1e-9,
      .relative_tolerance = ode.relative_tolerance,
      .absolute_tolerance = ode.absolute_tolerance,
      .max_steps = 10000000,
  };
}

// ---- Life -------------------------------------------------------------------------------------------------

// What the steps see: the field on the present sides, and the user's pointer behind ours.
static int rate_on_sides(double t, const double *x, double *dx, void *user)
{
  const ff_ess *e = user;
  return e->system.field(t, x, e->side, dx, e->system.user);
}

static void retract(const double *x, const double *d, double *out, void *user)
{
  const ff_ess *e = user;
  e->system.retract(x, d, out, e->system.user);
}

static void pull(const double *x, const double *d, const double *velocity, double *rate, void *user)
{
  const ff_ess *e = user;
  e->system.pull(x, d, velocity, rate, e->system.user);
}

static void guards_at(double t, double *h, void *user)
{
  ff_ess *e = user;
  ffi_dopri5_at(&e->ode, t, e->x_trial);
  e->system.guard(e->x_trial, h, e->system.user);
}

static void place(ff_ess *e, ffi_block *block)
{
  const size_t m = (size_t)e->system.guards, padded = (size_t)e->padded;
  const size_t tangent = (size_t)e->system.tangent;
  ffi_dopri5_layout(&e->ode, block);
  e->side = ffi_block_take(block, m, sizeof *e->side);
  e->stage = ffi_block_take(block, m, sizeof *e->stage);
  e->limit = ffi_block_take(block, padded, sizeof *e->limit);
  e->width = ffi_block_take(block, m, sizeof *e->width);
  e->least_width = ffi_block_take(block, m, sizeof *e->least_width);
  e->near = ffi_block_take(block, m, sizeof *e->near);
  e->arms_from = ffi_block_take(block, m + 1, sizeof *e->arms_from);
  e->arms = ffi_block_take(block, (size_t)e->def.rearm_count, sizeof *e->arms);
  e->h = ffi_block_take(block, padded, sizeof *e->h);
  e->rate = ffi_block_take(block, padded, sizeof *e->rate);
  e->h_other = ffi_block_take(block, padded, sizeof *e->h_other);
  e->rate_other = ffi_block_take(block, padded, sizeof *e->rate_other);
  e->h_trial = ffi_block_take(block, padded, sizeof *e->h_trial);
  const int needs_slopes = !e->system.guard_rate && e->system.guard_slope;
  e->Dh = ffi_block_take(block, needs_slopes ? m * tangent : 0, sizeof *e->Dh);
  e->x_trial = ffi_block_take(block, (size_t)e->system.size, sizeof *e->x_trial);
  e->d_trial = ffi_block_take(block, tangent, sizeof *e->d_trial);
  ffi_roots_layout(&e->roots, block);
  e->direction = ffi_block_take(block, (size_t)e->roots.guards, sizeof *e->direction);
}

static void fill(ff_ess *e)
{
  ff_ess_def *def = &e->def;
  const int m = e->system.guards;
  for (int k = 0; k < m; ++k) {
    const double epsilon = def->epsilons ? def->epsilons[k] : def->epsilon;
    e->least_width[k] = def->method == FF_ESS_LOCATE || def->band_time > 0 ? 0 : epsilon;
  }
  for (int k = 0; k < e->padded; ++k)
    e->limit[k] = HUGE_VAL;
  for (int i = 0; i < def->rearm_count; ++i) // sorted by the guard that arms
    ++e->arms_from[def->rearm[i].crossed + 1];
  for (int k = 0; k < m; ++k)
    e->arms_from[k + 1] += e->arms_from[k];
  for (int i = def->rearm_count - 1; i >= 0;
       --i) // from behind: arms_from is moved to its final place meanwhile
    e->arms[--e->arms_from[def->rearm[i].crossed + 1]] = def->rearm[i].armed;
  for (int k = 0; k < m; ++k)
    e->arms_from[k] = e->arms_from[k + 1];
  e->arms_from[m] = def->rearm_count;
  if (def->max_crossings == 0)
    def->max_crossings = 100 + 10 * m;
  e->arms_together = !def->rearm;
  def->rearm = NULL; // the user's
  def->epsilons = NULL;
}

ff_status ff_ess_create(const ff_ess_def *def, ff_ess **out, ff_error *error)
{
  if (!def || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ess_create", "an argument is NULL");
  *out = NULL;
  const ff_status status = ffi_ode_ess_check(def, error);
  if (status != FF_OK)
    return status;
  ff_ess e = {.system = def->system, .def = *def};
  if (e.system.tangent == 0)
    e.system.tangent = e.system.size;
  e.padded = (e.system.guards + FFI_ODE_ESS_LANES - 1) / FFI_ODE_ESS_LANES * FFI_ODE_ESS_LANES;
  e.ode = (ffi_dopri5){
      .size = e.system.size,
      .tangent = e.system.tangent,
      .rate = rate_on_sides,
      .retract = e.system.retract ? retract : NULL,
      .pull = e.system.pull ? pull : NULL,
      .relative_tolerance = def->relative_tolerance,
      .absolute_tolerance = def->absolute_tolerance,
      .max_step = def->max_step,
      .fixed_step = def->fixed_step,
  };
  e.roots = (ffi_roots){.guards = def->method == FF_ESS_LOCATE ? e.system.guards : 0, .at = guards_at};
  ffi_block measure = {0};
  ffi_block_take(&measure, 1, sizeof e);
  place(&e, &measure);
  ffi_block block = {.base = calloc(1, measure.used)};
  if (!block.base)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ess", "no memory for %d guards", e.system.guards);
  ff_ess *self = ffi_block_take(&block, 1, sizeof e);
  place(&e, &block);
  e.ode.user = e.roots.user = self;
  e.roots.direction = e.direction;
  *self = e;
  fill(self);
  *out = self;
  return FF_OK;
}

void ff_ess_destroy(ff_ess *ess)
{
  free(ess);
}

// ---- Motion -----------------------------------------------------------------------------------------------

static ff_status check_start(const ff_ess *e, double t, const double *x, const signed char *side,
                             ff_error *error)
{
  if (!e || !x)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ess_start", "an argument is NULL");
  if (!(fabs(t) < HUGE_VAL))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "t", "must be finite");
  for (int i = 0; i < e->system.size; ++i)
    if (!(fabs(x[i]) < HUGE_VAL))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "x", "number %d must be finite", i);
  for (int k = 0; side && k < e->system.guards; ++k)
    if (side[k] != -1 && side[k] != 1)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "side", "that of guard %d must be -1 or +1", k);
  return FF_OK;
}

ff_status ffi_ode_ess_begin(ff_ess *ess, double t, const double *x, const signed char *side, ff_error *error)
{
  ff_status status = check_start(ess, t, x, side, error);
  if (status != FF_OK)
    return status;
  const int m = ess->system.guards;
  ess->is_started = 0;
  ffi_dopri5_begin(&ess->ode, t, x);
  ess->info = (ff_ess_info){.slowest = INFINITY};
  ess->own_evaluations = 0;
  ess->chatter_from = t;
  ess->last_crossing = t;
  ess->last_interval = 0;
  ess->chatter_count = ess->faster = 0;
  ess->bend_time = 0;
  ess->unfinished = -1;
  ess->near_count = ess->armed = 0;
  ess->has_h = ess->has_rate = 0;
  if (m > 0)
    ess->system.guard(ess->ode.x, ess->h, ess->system.user);
  for (int k = 0; k < m; ++k) {
    if (isnan(ess->h[k]))
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess", "guard %d is not a number at t = %g", k, t);
    ess->side[k] = side ? side[k] : ess->h[k] < 0 ? -1 : 1;
    ess->width[k] = ess->least_width[k];
    ess->stage[k] = FFI_ODE_ESS_CROSSED;
  }
  status = ffi_ode_ess_evaluate(ess, error);
  if (status != FF_OK)
    return status;
  ffi_ode_ess_band_arm_all(ess);
  ess->is_started = 1;
  return FF_OK;
}

ff_status ff_ess_start(ff_ess *ess, double t, const double *x, const signed char *side, ff_error *error)
{
  const ff_status status = ffi_ode_ess_begin(ess, t, x, side, error);
  if (status == FF_OK && ess->def.record)
    ess->def.record(t, ess->ode.x, -1, ess->system.user);
  return status;
}

static ff_status go(ff_ess *ess, double t_end, int is_one, int *guard, ff_error *error)
{
  if (!ess || !ess->is_started)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ess", "has not been started");
  if (!(t_end >= ess->ode.t) || !(t_end < HUGE_VAL))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "t_end",
                    "must be finite and not before the present time, %g", ess->ode.t);
  return ffi_ode_ess_advance(ess, t_end, is_one, guard, error);
}

ff_status ff_ess_advance(ff_ess *ess, double t_end, ff_error *error)
{
  int guard;
  return go(ess, t_end, 0, &guard, error);
}

ff_status ff_ess_next(ff_ess *ess, double t_end, int *guard, ff_error *error)
{
  if (!guard)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "guard", "is NULL");
  *guard = -1;
  return go(ess, t_end, 1, guard, error);
}

// ---- Inquiries --------------------------------------------------------------------------------------------

double ff_ess_time(const ff_ess *ess)
{
  return ess->ode.t;
}

const double *ff_ess_state(const ff_ess *ess)
{
  return ess->ode.x;
}

const signed char *ff_ess_side(const ff_ess *ess)
{
  return ess->side;
}

ff_ess_info ff_ess_get_info(const ff_ess *ess)
{
  ff_ess_info info = ess->info;
  info.steps = ess->ode.info.steps;
  info.rejected = ess->ode.info.rejected;
  info.evaluations = ess->ode.info.evaluations + ess->own_evaluations;
  return info;
}
