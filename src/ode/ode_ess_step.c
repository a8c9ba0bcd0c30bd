#include "ode/ode_ess.h"

#include "base/fail.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double lanes __attribute__((vector_size(8 * FFI_ODE_ESS_LANES), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(8 * FFI_ODE_ESS_LANES)));

// ---- Does anything happen in the step? ---------------------------------------------------------------------

// One pass over all guards, four at a time. A guard may exceed its limit if it does at the end of the step, or if it rises at the beginning, falls at the end, and the tangents at
// both ends do not keep it below: then it may have a peak above. A value that is no number is told, too.
static int may_exceed(const ff_ess *e, double dt)
{
  mask any = {0};
  for (int k = 0; k < e->padded; k += FFI_ODE_ESS_LANES) {
    const lanes limit = *(const lanes *)&e->limit[k];
    const lanes h0 = *(const lanes *)&e->h[k], h1 = *(const lanes *)&e->h_other[k];
    const lanes r0 = *(const lanes *)&e->rate[k], r1 = *(const lanes *)&e->rate_other[k];
    const lanes left = h0 + r0 * dt, right = h1 - r1 * dt;
    any |= (mask)(h1 > limit) | (mask)(h1 != h1);
    any |= (mask)(r0 > 0.0) & (mask)(r1 < 0.0) & (mask)(left > limit) & (mask)(right > limit);
  }
  return (any[0] | any[1] | any[2] | any[3]) != 0;
}

static inline mask is_above(lanes h, lanes a, lanes b)
{
  return (mask)(h + a > 0.0) | (mask)(h - a > 0.0) | (mask)(h + b > 0.0) | (mask)(h - b > 0.0);
}

// FF_ESS_LOCATE: is the step to be sampled? Not if no armed guard comes near zero: a cubic with these values and slopes at the ends of the step is off the line between them by 4/27 of its slopes'
// difference from that line's at most, so what is farther from zero than all of it has a margin of 6.75. Guards that have to be seen below first are near, and always looked at.
static int may_rise(const ff_ess *e, double dt)
{
  mask any = {0};
  for (int k = 0; k < e->padded; k += FFI_ODE_ESS_LANES) {
    const lanes limit = *(const lanes *)&e->limit[k];
    const lanes h0 = *(const lanes *)&e->h[k], h1 = *(const lanes *)&e->h_other[k];
    const lanes r0 = *(const lanes *)&e->rate[k], r1 = *(const lanes *)&e->rate_other[k];
    const lanes left = r0 * dt - (h1 - h0), right = r1 * dt - (h1 - h0);
    const lanes sum = left + right,
                gap = left - right; // |left| + |right| is the largest of these and their negatives
    any |= (mask)(limit <= 0.0) & (is_above(h0, sum, gap) | is_above(h1, sum, gap));
  }
  return e->near_count > 0 || (any[0] | any[1] | any[2] | any[3]) != 0;
}

// ---- Peaks and dips ---------------------------------------------------------------------------------------

// Where in (0, 1) the cubic with these values and slopes at 0 and 1 has its extremum. The slopes have opposite signs, so there is one. Of the two forms of the root of its
// derivative the one without cancellation is taken.
static double extremum(double h0, double h1, double slope0, double slope1)
{
  const double sign = slope0 < 0 ? 1 : -1; // a minimum of sign * h
  const double c1 = sign * slope0, c2 = sign * (3 * (h1 - h0) - 2 * slope0 - slope1),
               c3 = sign * (2 * (h0 - h1) + slope0 + slope1);
  const double root = sqrt(fmax(c2 * c2 - 3 * c1 * c3, 0));
  const double s = c2 >= 0 ? -c1 / (c2 + root) : (root - c2) / (3 * c3);
  return s > 0 && s < 1 ? s : 0.5;
}

static double extremum_time(const ff_ess *e, int k)
{
  const ffi_dopri5 *d = &e->ode;
  const double dt = d->to - d->from;
  return d->from + dt * extremum(e->h[k], e->h_other[k], e->rate[k] * dt, e->rate_other[k] * dt);
}

// The time until which the step is to be searched: its end, or an earlier peak above a limit. *exceeds: is there a guard above its limit at that time?
static double find_peak(ff_ess *e, int *exceeds)
{
  const ffi_dopri5 *d = &e->ode;
  double until = d->to;
  *exceeds = 0;
  for (int k = 0; k < e->system.guards; ++k)
    *exceeds |= e->h_other[k] > e->limit[k];
  for (int k = 0; k < e->system.guards; ++k) {
    if (!(e->limit[k] < HUGE_VAL && e->rate[k] > 0 && e->rate_other[k] < 0 && e->h_other[k] <= e->limit[k]))
      continue;
    const double peak = extremum_time(e, k);
    if (peak < until && ffi_ode_ess_locate_exceeds(e, peak)) {
      until = peak;
      *exceeds = 1;
    }
  }
  return until;
}

// Guards that were armed at zero while falling, and rise above zero again within the step, had a dip in it. Returns the guard whose bottom is first, and its time; -1 if there is none. A
// dip that does not reach zero counts if it began at zero, but for rounding or the error of a projection: *is_below is then 0.
static int find_dip(ff_ess *e, double *bottom, int *is_below)
{
  int guard = -1;
  *bottom = e->ode.to;
  for (int i = 0; i < e->near_count; ++i) {
    const int k = e->near[i];
    const double start = e->h[k];
    if (e->stage[k] != FFI_ODE_ESS_LEAVING || !(e->rate_other[k] > 0 && e->h_other[k] >= 0 && e->rate[k] < 0))
      continue;
    const double t = extremum_time(e, k);
    ffi_ode_ess_locate_exceeds(e, t);
    const int comes_back =
        ffi_ode_ess_band_is_zero(e, k, start) && e->h_other[k] > start && e->h_trial[k] < start;
    if ((e->h_trial[k] < 0 || comes_back) && t < *bottom) {
      guard = k;
      *bottom = t;
      *is_below = e->h_trial[k] < 0;
    }
  }
  return guard;
}

// ---- The step ---------------------------------------------------------------------------------------------

static void swap(double **a, double **b)
{
  double *c = *a;
  *a = *b;
  *b = c;
}

// The step ends at t instead, where guards are h_trial.
static ff_status cut(ff_ess *e, double t, ff_error *error)
{
  ffi_dopri5 *d = &e->ode;
  if (t < d->to)
    ffi_dopri5_cut(d, t);
  swap(&e->h_other, &e->h);
  swap(&e->rate_other, &e->rate);
  swap(&e->h, &e->h_trial);
  e->has_rate = 0;
  e->bend_time = t - d->from;
  const ff_status status = ffi_ode_ess_evaluate(e, error);
  if (status != FF_OK)
    return status;
  ffi_ode_ess_band_enter(e);
  return FF_OK;
}

// A guard without a value at t: the state is again that before the step.
static ff_status check_guards(ff_ess *e, double t, const double *h, ff_error *error)
{
  ffi_dopri5 *d = &e->ode;
  for (int k = 0; k < e->system.guards; ++k)
    if (isnan(h[k])) {
      ffi_dopri5_go_on(d, d->from, d->x_from);
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess", "guard %d is not a number at t = %g", k, t);
    }
  return FF_OK;
}

// From the bottom of a dip of guard k that did not reach zero to where it is back where it began: there it is crossed, and so are others that have done the same.
static ff_status search_dip(ff_ess *e, int guard, double bottom, ff_error *error)
{
  e->limit[guard] = e->h[guard];
  const double t = ffi_ode_ess_locate_excess(e, bottom, e->ode.to);
  e->limit[guard] = HUGE_VAL;
  const ff_status status = cut(e, t, error);
  for (int i = 0; i < e->near_count && status == FF_OK; ++i) {
    const int k = e->near[i];
    if (e->stage[k] == FFI_ODE_ESS_LEAVING && e->rate[k] > 0 && e->h[k] >= e->h_other[k] &&
        ffi_ode_ess_band_is_zero(e, k, e->h_other[k])) {
      e->stage[k] = FFI_ODE_ESS_TURNED;
      e->limit[k] = 0;
    }
  }
  return status;
}

// The first time until `until` at which a guard exceeds its limit, where h_trial is then that there; is it told already that one does at `until`? 0: there is none.
static int find_first(ff_ess *e, double until, int exceeds, double *t)
{
  if (e->def.method == FF_ESS_LOCATE)
    return ffi_ode_ess_locate_rise(e, until, t);
  if (exceeds)
    *t = ffi_ode_ess_locate_excess(e, e->ode.from, until);
  return exceeds;
}

// Something may happen in the step. It is searched up to its end, the first peak or the first dip, and cut where the first guard exceeds its limit, or at the bottom of the dip, from where on
// the guard in it can be crossed.
static ff_status search(ff_ess *e, int *is_cut, ff_error *error)
{
  double bottom, t;
  int is_below, exceeds;
  double until = find_peak(e, &exceeds);
  const int guard = find_dip(e, &bottom, &is_below), dips = guard >= 0 && (!exceeds || bottom < until);
  if (dips) {
    until = bottom;
    exceeds = ffi_ode_ess_locate_exceeds(e, bottom);
  }
  *is_cut = 1;
  if (find_first(e, until, exceeds, &t)) {
    const ff_status status = check_guards(e, t, e->h_trial, error);
    if (status != FF_OK)
      return status;
    ffi_ode_ess_band_take_risen(e);
    return cut(e, t, error);
  }
  if (dips)
    return is_below ? cut(e, bottom, error) : search_dip(e, guard, bottom, error);
  *is_cut = 0;
  return FF_OK;
}

// A dip is to be looked for even if no guard exceeds its limit.
static int may_dip(const ff_ess *e)
{
  for (int i = 0; i < e->near_count; ++i)
    if (e->stage[e->near[i]] == FFI_ODE_ESS_LEAVING)
      return 1;
  return 0;
}

// The guards at the end of the last step, and whether it is to be cut.
static ff_status watch(ff_ess *e, ff_error *error)
{
  ffi_dopri5 *d = &e->ode;
  const double dt = d->to - d->from;
  e->system.guard(d->x, e->h_other, e->system.user);
  ffi_ode_ess_evaluate_rates(e, d->x, d->slope[0], e->rate_other);
  int is_cut = 0;
  ff_status status = FF_OK;
  const int exceeds = may_exceed(e, dt);
  if (exceeds)
    status = check_guards(e, d->to, e->h_other, error);
  if (status == FF_OK && (exceeds || (e->def.method == FF_ESS_LOCATE ? may_rise(e, dt) : may_dip(e))))
    status = search(e, &is_cut, error);
  if (status != FF_OK || is_cut)
    return status;
  swap(&e->h_other, &e->h);
  swap(&e->rate_other, &e->rate);
  e->bend_time = dt;
  return e->def.band_time > 0 ? ffi_ode_ess_evaluate(e, error) : FF_OK;
}

ff_status ffi_ode_ess_step(ff_ess *e, double t_end, ff_error *error)
{
  ff_status status = ffi_dopri5_step(&e->ode, t_end, error);
  if (status == FF_OK && e->system.guards > 0)
    status = watch(e, error);
  if (status == FF_OK)
    status = ffi_ode_ess_band_arm_together(e, error);
  if (status == FF_OK && e->def.record)
    e->def.record(e->ode.t, e->ode.x, -1, e->system.user);
  return status;
}
