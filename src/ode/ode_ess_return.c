// The return map to a section and its derivative. ess.md, return maps
#include "ode/ode_ess_tangent.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The vectors to the section, wherever their own motions cross it, and through its jump: DR (I - f Dh / (Dh f)), and
// the change of the jump with time.                                                                          ess.md,
// return maps
static ff_status to_section(ffi_ode_ess_tangent *c, double *D, ff_error *error)
{
  const ff_ess_system *system = &c->base->system;
  const int n = system->tangent, section = c->section;
  const double t = c->joint->ode.t;
  const ffi_ode_ess_tangent_event at = {section, t, c->section_x, c->section_side};
  double *f = c->corner_f;
  if (system->field(t, c->section_x, c->section_side, f, system->user) != 0)
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess", "at t = %g the field cannot be computed", t);
  ffi_ode_ess_evaluate_rates(c->base, c->section_x, f, c->rate_of_f);
  const double speed = c->rate_of_f[section];
  for (int k = 0; k < c->count; ++k) {
    double *y = ffi_ode_ess_tangent_vector(c, k);
    ffi_ode_ess_evaluate_rates(c->base, c->section_x, y, c->rate_of_y);
    const double later = -c->rate_of_y[section] / speed;
    for (int i = 0; i < n; ++i)
      y[i] += later * f[i];
    const ff_status status = ffi_ode_ess_corner_jump(c, &at, y, later, y, error);
    if (status != FF_OK)
      return status;
    for (int i = 0; i < n; ++i)
      D[(size_t)i * (size_t)n + (size_t)k] = y[i];
  }
  return FF_OK;
}

// A motion that begins on the section has just crossed it: it has to leave before it comes back. Sides that are not
// given are those after that crossing.
static ff_status leave_section(ffi_ode_ess_tangent *c, int has_sides, ff_error *error)
{
  ff_ess *e = c->joint;
  const int k = c->section;
  if (!ffi_ode_ess_band_is_zero(e, k, e->h[k]))
    return FF_OK;
  if (!has_sides) {
    ffi_ode_ess_cross_turn_sides(e, k, e->side);
    e->ode.has_slope = 0;
    const ff_status status = ffi_ode_ess_evaluate(e, error);
    if (status != FF_OK)
      return status;
  }
  ffi_ode_ess_band_arm_all(e);
  ffi_ode_ess_band_wait(e, k);
  return FF_OK;
}

static ff_status check_call(const ff_ess *ess, int section, double max_time, ff_error *error)
{
  if (section < 0 || section >= ess->system.guards)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "section", "there is no guard %d", section);
  if (!(max_time > 0 && max_time < HUGE_VAL))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "max_time", "must be positive");
  return FF_OK;
}

// The motion to the section; D may be NULL, and there are no vectors then.
static ff_status go_to_section(ffi_ode_ess_tangent *c, double t0, double max_time, int has_sides, double *D,
                               ff_error *error)
{
  int is_there;
  ff_status status = leave_section(c, has_sides, error);
  if (status == FF_OK)
    status = ffi_ode_ess_tangent_advance(c, t0 + max_time, c->base->def.chatter_time, &is_there, error);
  if (status == FF_OK && !is_there)
    status = ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                      "guard %d is not crossed from t = %g to t = %g", c->section, t0, t0 + max_time);
  if (status == FF_OK && D)
    status = to_section(c, D, error);
  return status == FF_OK ? ffi_ode_ess_tangent_hand_over(c, error) : status;
}

ff_status ff_ess_return_map(ff_ess *ess, double t0, const double *x0, const signed char *side0, int section,
                            double max_time, double *x1, double *period, double *D, ff_error *error)
{
  ff_status status = check_call(ess, section, max_time, error);
  if (status != FF_OK)
    return status;
  const size_t n = (size_t)ess->system.tangent;
  double *unit = D ? calloc(n * n, sizeof *unit) : NULL;
  if (D && !unit)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ess", "no memory for a matrix");
  for (size_t i = 0; unit && i < n; ++i)
    unit[i * n + i] = 1;
  ffi_ode_ess_tangent c;
  status = ffi_ode_ess_tangent_begin(&c, ess, &(ffi_ode_ess_tangent_start){t0, x0, side0, section},
                                     D ? (int)n : 0, unit, error);
  if (status == FF_OK)
    status = go_to_section(&c, t0, max_time, side0 != NULL, D, error);
  if (status == FF_OK && x1)
    memcpy(x1, ess->ode.x, (size_t)ess->system.size * sizeof *x1);
  if (status == FF_OK && period)
    *period = ess->ode.t - t0;
  ffi_ode_ess_tangent_end(&c);
  free(unit);
  return status;
}
