// Evaluates a state: the field, the guards, their rates, the widths of their bands.
#include "ode/ode_ess.h"

#include "base/fail.h"

#include <math.h>

int ffi_ode_ess_evaluate_move(ff_ess *e, const double *x, const double *dx, double s)
{
  const ff_ess_system *system = &e->system;
  double *out = system->retract ? e->d_trial : e->x_trial;
  for (int i = 0; i < system->tangent; ++i)
    out[i] = (system->retract ? 0 : x[i]) + s * dx[i];
  if (system->retract)
    system->retract(x, e->d_trial, e->x_trial, system->user);
  return ffi_dopri5_all_finite(system->size, e->x_trial);
}

// Rates by differences along dx, both ways. Their length makes errors of rounding and truncation alike for numbers of
// size 1.
static void rates_by_differences(ff_ess *e, const double *x, const double *dx, double *rate)
{
  double size = 1, speed = 0;
  for (int i = 0; i < e->system.size; ++i)
    size = fmax(size, fabs(x[i]));
  for (int i = 0; i < e->system.tangent; ++i)
    speed = fmax(speed, fabs(dx[i]));
  const double s = speed > 0 ? 6e-6 * size / speed : 1;
  ffi_ode_ess_evaluate_move(e, x, dx, -s);
  e->system.guard(e->x_trial, e->h_trial, e->system.user);
  ffi_ode_ess_evaluate_move(e, x, dx, s);
  e->system.guard(e->x_trial, rate, e->system.user);
  for (int k = 0; k < e->system.guards; ++k)
    rate[k] = (rate[k] - e->h_trial[k]) / (2 * s);
}

void ffi_ode_ess_evaluate_rates(ff_ess *e, const double *x, const double *dx, double *rate)
{
  const ff_ess_system *system = &e->system;
  const int n = system->tangent;
  if (system->guard_rate) {
    system->guard_rate(x, dx, rate, system->user);
    return;
  }
  if (!system->guard_slope) {
    rates_by_differences(e, x, dx, rate);
    return;
  }
  system->guard_slope(x, e->Dh, system->user);
  for (int k = 0; k < system->guards; ++k) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += e->Dh[(size_t)k * (size_t)n + (size_t)i] * dx[i];
    rate[k] = sum;
  }
}

// Widths follow the fastest approach so far: h_k := epsilon / mu_k h_k in section 2.2 of the ESS paper, with the
// width scaled instead of the guard.
static void widen(ff_ess *e)
{
  for (int k = 0; k < e->system.guards; ++k) {
    const double width = e->rate[k] * e->def.band_time;
    if (e->side[k] > 0 || !(width > e->width[k]))
      continue;
    e->width[k] = width;
    if (e->stage[k] == FFI_ODE_ESS_OUT)
      e->limit[k] = -width;
  }
}

ff_status ffi_ode_ess_evaluate(ff_ess *e, ff_error *error)
{
  const ff_ess_system *system = &e->system;
  ffi_dopri5 *d = &e->ode;
  if (!d->has_slope) {
    ++e->own_evaluations;
    if (system->field(d->t, d->x, e->side, d->slope[0], system->user) != 0 ||
        !ffi_dopri5_all_finite(system->tangent, d->slope[0]))
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                      "at t = %g the field cannot be computed, or is not finite", d->t);
    d->has_slope = 1;
    e->has_rate = 0;
  }
  if (system->guards == 0)
    return FF_OK;
  if (!e->has_h)
    system->guard(d->x, e->h, system->user);
  e->has_h = 1;
  if (!e->has_rate)
    ffi_ode_ess_evaluate_rates(e, d->x, d->slope[0], e->rate);
  e->has_rate = 1;
  if (e->def.band_time > 0 && e->def.method == FF_ESS_PROJECT) {
    widen(e);
    ffi_ode_ess_band_enter(e);
  }
  return FF_OK;
}
