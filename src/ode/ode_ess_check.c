#include "ode/ode_ess.h"

#include "base/fail.h"

#include <math.h>

static ff_status refuse(ff_error *error, const char *field, const char *why)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "%s", why);
}

static ff_status check_system(const ff_ess_system *s, ff_error *error)
{
  const int most = 100000000; // so that sums of them are ints
  if (s->size < 1 || s->size > most)
    return refuse(error, "system.size", "must be at least 1, and at most 1e8");
  if (s->tangent < 0 || s->tangent > most)
    return refuse(error, "system.tangent", "must not be negative, nor above 1e8");
  if (s->tangent != 0 && s->tangent != s->size && !s->retract)
    return refuse(error, "system.retract", "is needed where tangent and size differ");
  if (s->pull && !s->retract)
    return refuse(error, "system.retract", "is needed where there is a pull");
  if (s->guards < 0 || s->guards > most)
    return refuse(error, "system.guards", "must not be negative, nor above 1e8");
  if (!s->field)
    return refuse(error, "system.field", "is missing");
  if (s->guards > 0 && !s->guard)
    return refuse(error, "system.guard", "is missing");
  if (s->reset_slope && !s->reset)
    return refuse(error, "system.reset", "is needed where there is a reset_slope");
  return FF_OK;
}

// Is it a finite number, and above zero, or zero too?
static int is_positive(double value)
{
  return value > 0 && value < HUGE_VAL;
}

static int is_positive_or_zero(double value)
{
  return value >= 0 && value < HUGE_VAL;
}

static ff_status check_bands(const ff_ess_def *def, ff_error *error)
{
  if (def->method != FF_ESS_PROJECT && def->method != FF_ESS_LOCATE)
    return refuse(error, "method", "is none that there is");
  if (!is_positive(def->epsilon))
    return refuse(error, "epsilon", "must be positive");
  for (int k = 0; def->epsilons && k < def->system.guards; ++k)
    if (!is_positive(def->epsilons[k]))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "epsilons", "number %d must be positive", k);
  if (!is_positive_or_zero(def->band_time))
    return refuse(error, "band_time", "must be positive, or 0");
  if (!is_positive_or_zero(def->liveness))
    return refuse(error, "liveness", "must not be negative");
  if (!is_positive_or_zero(def->chatter_time))
    return refuse(error, "chatter_time", "must not be negative");
  if (def->max_crossings < 0)
    return refuse(error, "max_crossings", "must not be negative");
  return FF_OK;
}

static ff_status check_arms(const ff_ess_def *def, ff_error *error)
{
  if (def->rearm_count < 0)
    return refuse(error, "rearm_count", "must not be negative");
  if (def->rearm_count > 0 && !def->rearm)
    return refuse(error, "rearm", "is missing");
  for (int i = 0; i < def->rearm_count; ++i) {
    const ff_ess_rearm *r = &def->rearm[i];
    if (r->crossed < 0 || r->crossed >= def->system.guards || r->armed < 0 || r->armed >= def->system.guards)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "rearm", "entry %d names a guard that there is not",
                      i);
  }
  return FF_OK;
}

static ff_status check_steps(const ff_ess_def *def, ff_error *error)
{
  if (!is_positive_or_zero(def->relative_tolerance))
    return refuse(error, "relative_tolerance", "must not be negative");
  if (!is_positive_or_zero(def->absolute_tolerance))
    return refuse(error, "absolute_tolerance", "must not be negative");
  if (!(def->relative_tolerance + def->absolute_tolerance > 0))
    return refuse(error, "absolute_tolerance", "must be positive where relative_tolerance is 0");
  if (!is_positive_or_zero(def->max_step))
    return refuse(error, "max_step", "must be positive, or 0");
  if (!is_positive_or_zero(def->fixed_step))
    return refuse(error, "fixed_step", "must be positive, or 0");
  if (def->max_steps < 1)
    return refuse(error, "max_steps", "must be at least 1");
  return FF_OK;
}

ff_status ffi_ode_ess_check(const ff_ess_def *def, ff_error *error)
{
  ff_status status = check_system(&def->system, error);
  if (status == FF_OK)
    status = check_bands(def, error);
  if (status == FF_OK)
    status = check_arms(def, error);
  if (status == FF_OK)
    status = check_steps(def, error);
  return status;
}
