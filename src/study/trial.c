// Trials: motions on which steppers are compared, and the schemes that step through them.
#include "study/study.h"

#include "base/def.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ff_trial defaults = {.size = sizeof defaults, .name = "", .period = 0.01, .periods = 100};
static const ffi_def_kind kind = {"ff_trial", sizeof defaults, &defaults};

void ff_trial_init(ff_trial *trial, size_t size)
{
  ffi_def_init(trial, size, &kind);
}

ff_status ffi_trial_no_memory(ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "there is not enough memory");
}

ff_status ffi_trial_progress(const ff_progress *progress, const char *what, double share, ff_error *error)
{
  if (!progress || !progress->call || progress->call(progress->user, what, share) == 0)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_STOPPED, NULL, 0, NULL, "stopped: %s", what);
}

ff_status ffi_trial_take(const ff_trial *trial, ff_trial *out, ff_error *error)
{
  if (!trial)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trial", "is NULL");
  const ff_status status = ffi_def_take(trial, &kind, out, error);
  if (status != FF_OK)
    return status;
  if (!out->model || !out->q)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trial", "model and q are needed");
  if (!(out->period > 0) || !isfinite(out->period) || out->periods < 1)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trial",
                    "%d periods of %g s: both numbers must be above 0", out->periods, out->period);
  return FF_OK;
}

ff_scheme ff_scheme_of(ff_stepper stepper)
{
  const ff_sim_def def = ff_sim_def_default();
  ff_scheme s = {.stepper = stepper, .expo = def.expo, .implicit = def.implicit, .c2a = def.c2a};
  snprintf(s.name, sizeof s.name, "%s", ff_stepper_name(stepper));
  return s;
}

int ff_scheme_find(const char *name, ff_scheme *out)
{
  char front[32];
  const char *colon = strchr(name, ':');
  const size_t length = colon ? (size_t)(colon - name) : strlen(name);
  ff_stepper stepper;
  if (length >= sizeof front || strlen(name) >= sizeof out->name)
    return 0;
  memcpy(front, name, length);
  front[length] = '\0';
  if (!ff_stepper_find(front, &stepper))
    return 0;
  *out = ff_scheme_of(stepper);
  snprintf(out->name, sizeof out->name, "%s", name);
  if (!colon)
    return 1;
  if (stepper == FF_STEPPER_EXPO && strcmp(colon, ":order-1") == 0) {
    out->expo.order = 1;
    return 1;
  }
  return stepper == FF_STEPPER_EXPO_PAPER && ff_exponential_find(colon + 1, &out->expo.exponential);
}

ff_status ff_trial_sim(const ff_trial *user_trial, const ff_scheme *scheme, int substeps, ff_sim **out,
                       ff_error *error)
{
  ff_trial trial = {0};
  if (out)
    *out = NULL;
  if (!scheme || !out || substeps < 1)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trial_sim",
                    "an argument is NULL, or there are no steps");
  ff_status status = ffi_trial_take(user_trial, &trial, error);
  if (status != FF_OK)
    return status;
  const ff_sim_def usual = ff_sim_def_default();
  ff_sim_def def;
  status = ffi_def_take(trial.sim, &(ffi_def_kind){"ff_sim_def", sizeof usual, &usual}, &def, error);
  if (status != FF_OK)
    return status;
  def.stepper = scheme->stepper;
  def.dt = trial.period / substeps;
  def.expo = scheme->expo;
  def.implicit = scheme->implicit;
  def.accuracy = scheme->accuracy;
  if (scheme->has_c2a)
    def.c2a = scheme->c2a;
  if (def.c2a.h_min <= 0)
    def.c2a.h_min = def.c2a.h_min < 0 ? -def.c2a.h_min * def.dt : def.dt;
  return trial.create ? trial.create(&def, out, trial.user, error)
                      : ff_sim_create(trial.model, &def, out, error);
}

int ff_trial_substeps(const ff_trial *trial, double dt)
{
  int substeps = 1;
  while (substeps < 1 << 30 &&
         2.0 * substeps * dt <=
             trial->period * (1 + 1e-12)) // a period of 64 ms has 64 steps of 1 ms, whatever their last bits
    substeps *= 2;
  return substeps;
}

int ff_trial_next(const ff_trial *trial, int k)
{
  return k + (trial->every > 1 ? trial->every : 1);
}

void ff_trial_spread(ff_trial *trial, int count)
{
  trial->every = (trial->periods + count - 1) / count;
  trial->every += trial->every % 5 == 0;
}
