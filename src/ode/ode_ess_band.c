#include "ode/ode_ess.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

// ---- Stages -----------------------------------------------------------------------------------------------

static void set_stage(ff_ess *e, int k, ffi_ode_ess_stage stage)
{
  e->stage[k] = (unsigned char)stage;
  e->limit[k] = stage == FFI_ODE_ESS_OUT                                   ? -e->width[k]
                : stage == FFI_ODE_ESS_BAND || stage == FFI_ODE_ESS_TURNED ? 0
                                                                           : HUGE_VAL;
}

int ffi_ode_ess_band_is_zero(const ff_ess *e, int k, double h)
{
  const double fastest = fmax(fabs(e->rate[k]), e->info.fastest);
  return fabs(h) <= 0.5 * e->width[k] + e->def.chatter_time * fastest;
}

// Is a guard that a crossing arms at zero, but for errors, and rises? One whose own jump takes it below, be it by less than its band is wide, is not at zero: it is where it was, but for rounding, if the jump has
// left it alone.
static int is_at_zero_rising(const ff_ess *e, int k, ffi_ode_ess_armer armer)
{
  const double h = e->h[k], rate = e->rate[k];
  if (!(rate > 0) || armer == FFI_ODE_ESS_BY_START)
    return 0;
  if (armer == FFI_ODE_ESS_BY_ITSELF && e->has_jumped && h < 0)
    return -h <= 2 * fabs(e->h_before) + e->def.chatter_time * fmax(rate, e->info.fastest);
  return ffi_ode_ess_band_is_zero(e, k, h);
}

void ffi_ode_ess_band_arm(ff_ess *e, int k, ffi_ode_ess_armer armer)
{
  const double h = e->h[k], rate = e->rate[k];
  const int comes_from_zero = is_at_zero_rising(e, k, armer);
  if (h < -e->width[k] && !comes_from_zero) {
    set_stage(e, k, FFI_ODE_ESS_OUT);
    return;
  }
  e->near[e->near_count++] = k;
  if (comes_from_zero)
    set_stage(e, k, armer == FFI_ODE_ESS_BY_OTHER ? FFI_ODE_ESS_BAND : FFI_ODE_ESS_WAITING);
  else if (h < 0)
    set_stage(e, k, rate > e->def.liveness ? FFI_ODE_ESS_BAND : FFI_ODE_ESS_TURNED);
  else
    set_stage(e, k, rate <= 0 ? FFI_ODE_ESS_LEAVING : FFI_ODE_ESS_WAITING);
}

void ffi_ode_ess_band_wait(ff_ess *e, int k)
{
  if (e->side[k] > 0 || e->rate[k] <= 0)
    return;
  if (e->stage[k] == FFI_ODE_ESS_OUT)
    e->near[e->near_count++] = k;
  set_stage(e, k, FFI_ODE_ESS_WAITING);
}

void ffi_ode_ess_band_arm_all(ff_ess *e)
{
  e->near_count = e->armed = 0;
  for (int k = 0; k < e->system.guards; ++k)
    if (e->side[k] < 0) {
      ++e->armed;
      ffi_ode_ess_band_arm(e, k, FFI_ODE_ESS_BY_START);
    } else {
      set_stage(e, k, FFI_ODE_ESS_CROSSED);
    }
}

void ffi_ode_ess_band_enter(ff_ess *e)
{
  for (int k = 0; k < e->system.guards; ++k)
    if (e->h[k] > e->limit[k] && e->stage[k] == FFI_ODE_ESS_OUT) {
      set_stage(e, k, FFI_ODE_ESS_BAND);
      e->near[e->near_count++] = k;
    }
}

void ffi_ode_ess_band_take_risen(ff_ess *e)
{
  for (int k = ffi_roots_take(&e->roots); k >= 0; k = ffi_roots_take(&e->roots)) {
    if (e->stage[k] == FFI_ODE_ESS_OUT)
      e->near[e->near_count++] = k;
    set_stage(e, k, FFI_ODE_ESS_TURNED);
  }
}

ff_status ffi_ode_ess_band_arm_together(ff_ess *e, ff_error *error)
{
  if (!e->arms_together || e->armed > 0)
    return FF_OK;
  int count = 0;
  for (int k = 0; k < e->system.guards; ++k)
    if (e->rate[k] < 0 ? e->h[k] < 0 || ffi_ode_ess_band_is_zero(e, k, e->h[k])
                       : e->h[k] < 0 && !ffi_ode_ess_band_is_zero(e, k, e->h[k])) {
      e->side[k] = -1;
      ++count;
    }
  if (count == 0)
    return FF_OK;
  e->ode.has_slope = 0;
  const ff_status status = ffi_ode_ess_evaluate(e, error);
  if (status == FF_OK)
    ffi_ode_ess_band_arm_all(e);
  else // as it was
    memset(e->side, 1, (size_t)e->system.guards);
  return status;
}

// ---- The next one -----------------------------------------------------------------------------------------

// The stage of a guard that is near, by where it is now. 0: it is not near any more.
static int is_still_near(ff_ess *e, int k)
{
  const double h = e->h[k], rate = e->rate[k];
  if (e->stage[k] == FFI_ODE_ESS_WAITING && rate > 0 && ffi_ode_ess_band_is_zero(e, k, h))
    return 1;
  if (h < -e->width[k]) {
    set_stage(e, k, FFI_ODE_ESS_OUT);
    return 0;
  }
  if (h >= 0) {
    if (rate <= 0 && (e->stage[k] == FFI_ODE_ESS_BAND || e->stage[k] == FFI_ODE_ESS_TURNED))
      set_stage(e, k, FFI_ODE_ESS_LEAVING);
  } else if (e->stage[k] == FFI_ODE_ESS_BAND && rate <= e->def.liveness) {
    set_stage(e, k, FFI_ODE_ESS_TURNED);
    ++e->info.turned;
  } else if (e->stage[k] == FFI_ODE_ESS_LEAVING || e->stage[k] == FFI_ODE_ESS_WAITING) {
    set_stage(e, k, FFI_ODE_ESS_TURNED);
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
  if (e->stage[k] != FFI_ODE_ESS_BAND && e->stage[k] != FFI_ODE_ESS_TURNED)
    return 0;
  *dt = -e->h[k] / e->rate[k];
  return e->h[k] >= 0 || (e->stage[k] == FFI_ODE_ESS_BAND && bend(e, k, *dt) < 0.25);
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

static ff_status tell_grazing(ff_ess *e, int k, ff_error *error)
{
  if (isnan(e->rate[k])) {
    e->has_rate = 0;
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess", "guard %d has no rate at t = %g", k, e->ode.t);
  }
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

ff_status ffi_ode_ess_band_choose(ff_ess *e, int *guard, double *dt, ff_error *error)
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
