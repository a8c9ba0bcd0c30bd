#include "ode/ode_ess.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

int ffi_ode_ess_cross_turn_sides(const ff_ess *e, int guard, signed char *side)
{
  int more = side[guard] < 0 ? -1 : 0;
  side[guard] = 1;
  for (int i = e->arms_from[guard]; i < e->arms_from[guard + 1]; ++i) {
    more += side[e->arms[i]] > 0;
    side[e->arms[i]] = -1;
  }
  return more;
}

// Too many crossings in no time?
static ff_status count_crossing(ff_ess *e, int guard, double t, ff_error *error)
{
  if (t - e->chatter_from > e->def.chatter_time) {
    e->chatter_from = t;
    e->chatter_count = 0;
  }
  if (e->chatter_count >= e->def.max_crossings)
    return ffi_fail(
        error, FF_ERROR_NUMERIC, NULL, 0, "ess",
        "guard %d is crossed at t = %g, and %d crossings before it took %g s: it chatters, or the "
        "times between crossings tend to zero (Zeno)",
        guard, t, e->chatter_count, t - e->chatter_from);
  ++e->chatter_count;
  const double interval = t - e->last_crossing;
  e->faster = interval < e->last_interval ? e->faster + 1 : 0;
  e->last_interval = interval;
  e->last_crossing = t;
  return FF_OK;
}

// Straight on for dt; guards on the way into their bands are near from then on.
static ff_status go_straight(ff_ess *e, int guard, double dt, ff_error *error)
{
  const ff_ess_system *system = &e->system;
  ffi_dopri5 *d = &e->ode;
  if (!ffi_ode_ess_evaluate_move(e, d->x, d->slope[0], dt))
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                    "at t = %g the way to guard %d leads to a state that is not finite", d->t, guard);
  const double before = e->h[guard];
  const double bent =
      e->bend_time > 0 ? 0.5 * fabs(e->rate[guard] - e->rate_other[guard]) * dt / e->bend_time : 0;
  ffi_dopri5_go_on(d, d->t + dt, e->x_trial);
  system->guard(d->x, e->h, system->user);
  e->bend_time = 0;
  if (fabs(e->h[guard]) > 0.1 * fabs(before) || bent > 0.1 * e->rate[guard])
    ++e->info.wide;
  ffi_ode_ess_band_enter(e);
  return FF_OK;
}

static void forget_near(ff_ess *e, int guard)
{
  for (int i = 0; i < e->near_count; ++i)
    if (e->near[i] == guard) {
      e->near[i] = e->near[--e->near_count];
      return;
    }
}

// The jump of the state. Guards that were out and are beyond their limit now did not get there by crossing.
static ff_status jump(ff_ess *e, int guard, ff_error *error)
{
  const ff_ess_system *system = &e->system;
  ffi_dopri5 *d = &e->ode;
  e->has_jumped = 0;
  e->h_before = e->h[guard];
  if (!system->reset)
    return FF_OK;
  if (system->reset(guard, d->t, d->x, e->side, e->x_trial, system->user) != 0 ||
      !ffi_ode_ess_evaluate_is_finite(system->size, e->x_trial))
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                    "at t = %g the reset of guard %d has no value, or none that is finite", d->t, guard);
  if (memcmp(d->x, e->x_trial, (size_t)system->size * sizeof *d->x) == 0)
    return FF_OK;
  e->has_jumped = 1;
  ffi_dopri5_go_on(d, d->t, e->x_trial);
  e->has_h = 0;
  return FF_OK;
}

// Stages after a crossing: of those that it arms, and, after a jump, of those that were out. A guard that arms itself has just been crossed and is not again.
static void arm_after(ff_ess *e, int guard)
{
  for (int i = e->arms_from[guard]; i < e->arms_from[guard + 1]; ++i)
    if (e->stage[e->arms[i]] == FFI_ODE_ESS_CROSSED)
      ffi_ode_ess_band_arm(e, e->arms[i], e->arms[i] == guard ? FFI_ODE_ESS_BY_ITSELF : FFI_ODE_ESS_BY_OTHER);
  if (!e->has_jumped)
    return;
  for (int k = 0; k < e->system.guards; ++k)
    if (e->stage[k] == FFI_ODE_ESS_OUT && e->h[k] > e->limit[k])
      ffi_ode_ess_band_arm(e, k, FFI_ODE_ESS_BY_START);
}

ff_status ffi_ode_ess_cross_finish(ff_ess *e, ff_error *error)
{
  const ff_status status = ffi_ode_ess_evaluate(e, error);
  if (status != FF_OK)
    return status;
  if (e->unfinished >= 0)
    arm_after(e, e->unfinished);
  else
    ffi_ode_ess_band_enter(e);
  e->unfinished = -1;
  return ffi_ode_ess_band_arm_together(e, error);
}

ff_status ffi_ode_ess_cross(ff_ess *e, int guard, double dt, ff_error *error)
{
  ff_status status = count_crossing(e, guard, e->ode.t + dt, error);
  if (status != FF_OK)
    return status;
  const double rate = e->rate[guard];
  const int is_projection = e->def.method == FF_ESS_PROJECT && e->stage[guard] != FFI_ODE_ESS_TURNED;
  if (dt > 0 && (status = go_straight(e, guard, dt, error)) != FF_OK)
    return status;
  if ((status = jump(e, guard, error)) != FF_OK)
    return status;
  ++e->info.crossings;
  ++*(is_projection ? &e->info.projections : &e->info.located);
  const double unit_of_time = e->def.band_time > 0 ? e->def.band_time : 1; // section 2.2: |Dh f| <= epsilon
  e->info.hasty += is_projection && rate * unit_of_time > e->width[guard];
  e->info.slowest = fmin(e->info.slowest, rate);
  e->info.fastest = fmax(e->info.fastest, rate);
  forget_near(e, guard);
  e->stage[guard] = FFI_ODE_ESS_CROSSED;
  e->limit[guard] = HUGE_VAL;
  e->armed += ffi_ode_ess_cross_turn_sides(e, guard, e->side);
  e->bend_time = 0;
  e->ode.has_slope = 0;
  if (e->def.record)
    e->def.record(e->ode.t, e->ode.x, guard, e->system.user);
  e->unfinished = guard;
  return ffi_ode_ess_cross_finish(e, error);
}
