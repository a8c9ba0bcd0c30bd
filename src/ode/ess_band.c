#include "ode/ess_parts.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

// ---- What is known at a state -----------------------------------------------------------------------------

int ffi_ess_is_finite(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += 0 * x[i];
  return sum == 0;
}

int ffi_ess_move(ff_ess *e, const double *x, const double *dx, double s)
{
  const ff_ess_system *system = &e->system;
  double *out = system->retract ? e->d_trial : e->x_trial;
  for (int i = 0; i < system->tangent; ++i)
    out[i] = (system->retract ? 0 : x[i]) + s * dx[i];
  if (system->retract)
    system->retract(x, e->d_trial, e->x_trial, system->user);
  return ffi_ess_is_finite(system->size, e->x_trial);
}

// Differences along dx, both ways. The length is the one whose errors of rounding and of truncation are alike for numbers of size 1.
static void rates_by_differences(ff_ess *e, const double *x, const double *dx, double *rate)
{
  double size = 1, speed = 0;
  for (int i = 0; i < e->system.size; ++i)
    size = fmax(size, fabs(x[i]));
  for (int i = 0; i < e->system.tangent; ++i)
    speed = fmax(speed, fabs(dx[i]));
  const double s = speed > 0 ? 6e-6 * size / speed : 1;
  ffi_ess_move(e, x, dx, -s);
  e->system.guard(e->x_trial, e->h_trial, e->system.user);
  ffi_ess_move(e, x, dx, s);
  e->system.guard(e->x_trial, rate, e->system.user);
  for (int k = 0; k < e->system.guards; ++k)
    rate[k] = (rate[k] - e->h_trial[k]) / (2 * s);
}

void ffi_ess_rates(ff_ess *e, const double *x, const double *dx, double *rate)
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

// Widths follow the fastest approach so far: h_k := epsilon / mu_k h_k in section 2.2 of the paper, said the other way round.
static void widen(ff_ess *e)
{
  for (int k = 0; k < e->system.guards; ++k) {
    const double width = e->rate[k] * e->def.band_time;
    if (e->side[k] > 0 || !(width > e->width[k]))
      continue;
    e->width[k] = width;
    if (e->stage[k] == FFI_ESS_OUT)
      e->limit[k] = -width;
  }
}

ff_status ffi_ess_look(ff_ess *e, ff_error *error)
{
  const ff_ess_system *system = &e->system;
  ffi_dopri5 *d = &e->ode;
  if (!d->has_slope) {
    ++e->own_evaluations;
    if (system->field(d->t, d->x, e->side, d->slope[0], system->user) != 0 ||
        !ffi_ess_is_finite(system->tangent, d->slope[0]))
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                      "at t = %g there is no field, or it is not finite", d->t);
    d->has_slope = 1;
    e->has_rate = 0;
  }
  if (system->guards == 0)
    return FF_OK;
  if (!e->has_h)
    system->guard(d->x, e->h, system->user);
  e->has_h = 1;
  if (!e->has_rate)
    ffi_ess_rates(e, d->x, d->slope[0], e->rate);
  e->has_rate = 1;
  if (e->def.band_time > 0 && e->def.method == FF_ESS_PROJECT) {
    widen(e);
    ffi_ess_enter(e);
  }
  return FF_OK;
}

// ---- Stages -----------------------------------------------------------------------------------------------

static void set_stage(ff_ess *e, int k, ffi_ess_stage stage)
{
  e->stage[k] = (unsigned char)stage;
  e->limit[k] = stage == FFI_ESS_OUT                               ? -e->width[k]
                : stage == FFI_ESS_BAND || stage == FFI_ESS_TURNED ? 0
                                                                   : HUGE_VAL;
}

int ffi_ess_is_zero(const ff_ess *e, int k, double h)
{
  const double fastest = fmax(fabs(e->rate[k]), e->info.fastest);
  return fabs(h) <= 0.5 * e->width[k] + e->def.chatter_time * fastest;
}

void ffi_ess_arm(ff_ess *e, int k, ffi_ess_armer armer)
{
  const double h = e->h[k], rate = e->rate[k];
  const int comes_from_zero = rate > 0 && armer != FFI_ESS_BY_START && ffi_ess_is_zero(e, k, h);
  if (h < -e->width[k] && !comes_from_zero) {
    set_stage(e, k, FFI_ESS_OUT);
    return;
  }
  e->near[e->near_count++] = k;
  if (comes_from_zero)
    set_stage(e, k, armer == FFI_ESS_BY_OTHER ? FFI_ESS_BAND : FFI_ESS_WAITING);
  else if (h < 0)
    set_stage(e, k, rate > e->def.liveness ? FFI_ESS_BAND : FFI_ESS_TURNED);
  else
    set_stage(e, k, rate <= 0 ? FFI_ESS_LEAVING : FFI_ESS_WAITING);
}

void ffi_ess_wait(ff_ess *e, int k)
{
  if (e->side[k] > 0 || e->rate[k] <= 0)
    return;
  if (e->stage[k] == FFI_ESS_OUT)
    e->near[e->near_count++] = k;
  set_stage(e, k, FFI_ESS_WAITING);
}

void ffi_ess_arm_all(ff_ess *e)
{
  e->near_count = e->armed = 0;
  for (int k = 0; k < e->system.guards; ++k)
    if (e->side[k] < 0) {
      ++e->armed;
      ffi_ess_arm(e, k, FFI_ESS_BY_START);
    } else {
      set_stage(e, k, FFI_ESS_CROSSED);
    }
}

void ffi_ess_enter(ff_ess *e)
{
  for (int k = 0; k < e->system.guards; ++k)
    if (e->h[k] > e->limit[k] && e->stage[k] == FFI_ESS_OUT) {
      set_stage(e, k, FFI_ESS_BAND);
      e->near[e->near_count++] = k;
    }
}

ff_status ffi_ess_arm_together(ff_ess *e, ff_error *error)
{
  if (!e->arms_together || e->armed > 0)
    return FF_OK;
  int count = 0;
  for (int k = 0; k < e->system.guards; ++k)
    if (e->rate[k] < 0 ? e->h[k] < 0 || ffi_ess_is_zero(e, k, e->h[k])
                       : e->h[k] < 0 && !ffi_ess_is_zero(e, k, e->h[k])) {
      e->side[k] = -1;
      ++count;
    }
  if (count == 0)
    return FF_OK;
  e->ode.has_slope = 0;
  const ff_status status = ffi_ess_look(e, error);
  if (status == FF_OK)
    ffi_ess_arm_all(e);
  return status;
}

// ---- The next one -----------------------------------------------------------------------------------------

// The stage of a guard that is near, by where it is now. 0: it is not near any more.
static int is_still_near(ff_ess *e, int k)
{
  const double h = e->h[k], rate = e->rate[k];
  if (e->stage[k] == FFI_ESS_WAITING && rate > 0 && ffi_ess_is_zero(e, k, h))
    return 1;
  if (h < -e->width[k]) {
    set_stage(e, k, FFI_ESS_OUT);
    return 0;
  }
  if (h >= 0) {
    if (rate <= 0 && (e->stage[k] == FFI_ESS_BAND || e->stage[k] == FFI_ESS_TURNED))
      set_stage(e, k, FFI_ESS_LEAVING);
  } else if (e->stage[k] == FFI_ESS_BAND && rate <= e->def.liveness) {
    set_stage(e, k, FFI_ESS_TURNED);
    ++e->info.turned;
  } else if (e->stage[k] == FFI_ESS_LEAVING || e->stage[k] == FFI_ESS_WAITING) {
    set_stage(e, k, FFI_ESS_TURNED);
  }
  return 1;
}

// By how much the speed of guard k changes, in parts of it, until a straight line reaches zero after dt; from the last ordinary step.
static double bend(const ff_ess *e, int k, double dt)
{
  if (!(e->bend_time > 0))
    return 0;
  return fabs(e->rate[k] - e->rate_other[k]) * dt / (e->bend_time * e->rate[k]);
}

// Is guard k to be crossed, and after which time along a straight line? A turned one is only where it is above zero already, and one whose way bends too much, too:
// it is followed by ordinary steps until a straight line will do, or it turns, or its root is found.
static int is_candidate(ff_ess *e, int k, double *dt)
{
  if (e->stage[k] != FFI_ESS_BAND && e->stage[k] != FFI_ESS_TURNED)
    return 0;
  *dt = -e->h[k] / e->rate[k];
  return e->h[k] >= 0 || (e->stage[k] == FFI_ESS_BAND && bend(e, k, *dt) < 0.25);
}

// A guard that is not in its band yet may be faster than the one that is: it is then crossed on the way to it.
static void look_beyond(const ff_ess *e, int *guard, double *dt)
{
  for (int k = 0; k < e->system.guards; ++k)
    if (e->limit[k] < 0 && e->h[k] + e->rate[k] * *dt > 0) {
      *guard = k;
      *dt = -e->h[k] / e->rate[k];
    }
}

static ff_status tell_grazing(const ff_ess *e, int k, ff_error *error)
{
  if (e->faster >= 10)
    return ffi_fail(
        error, FF_ERROR_NUMERIC, NULL, 0, "ess",
        "guard %d is crossed at t = %g with %g per second only, after %d crossings that came faster "
        "and faster (Zeno)",
        k, e->ode.t, e->rate[k], e->faster);
  return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                  "guard %d grazes zero at t = %g: it rises by %g per second, and liveness is %g", k,
                  e->ode.t, e->rate[k], e->def.liveness);
}

ff_status ffi_ess_choose(ff_ess *e, int *guard, double *dt, ff_error *error)
{
  *guard = -1;
  *dt = HUGE_VAL;
  for (int i = 0; i < e->near_count;) {
    const int k = e->near[i];
    if (!is_still_near(e, k)) {
      e->near[i] = e->near[--e->near_count];
      continue;
    }
    ++i;
    double after;
    if (!is_candidate(e, k, &after))
      continue;
    if (!(e->rate[k] > e->def.liveness))
      return tell_grazing(e, k, error);
    if (after < *dt || (after == *dt && k < *guard)) {
      *guard = k;
      *dt = after;
    }
  }
  if (*guard >= 0 && *dt > 0)
    look_beyond(e, guard, dt);
  if (*dt < 0)
    *dt = 0;
  return FF_OK;
}
