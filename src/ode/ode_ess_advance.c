// The loop of an event-selected system: cross a guard that is near, else take an ordinary step.
#include "ode/ode_ess.h"

#include "base/fail.h"

// After a failure the evaluation of the present state may be incomplete.
static ff_status prepare(ff_ess *e, ff_error *error)
{
  if (e->ode.has_slope && (e->system.guards == 0 || (e->has_h && e->has_rate)))
    return FF_OK;
  return ffi_ode_ess_cross_finish(e, error);
}

// Listing 1 of the ESS paper: project while a guard is near, else step.
ff_status ffi_ode_ess_advance(ff_ess *e, double t_end, int is_one, int *guard, ff_error *error)
{
  *guard = -1;
  ff_status status = prepare(e, error);
  for (int rounds = 0; status == FF_OK; ++rounds) {
    int next;
    double dt;
    if ((status = ffi_ode_ess_band_choose(e, &next, &dt, error)) != FF_OK)
      break;
    if (next >= 0 && e->ode.t + dt <= t_end) {
      status = ffi_ode_ess_cross(e, next, dt, error);
      if (status != FF_OK || !is_one)
        continue;
      *guard = next;
      break;
    }
    if (e->ode.t >= t_end)
      break;
    if (rounds >= e->def.max_steps)
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                      "at t = %g the limit of steps is reached (max_steps = %d)", e->ode.t, e->def.max_steps);
    status = ffi_ode_ess_step(e, t_end, error);
  }
  return status;
}
