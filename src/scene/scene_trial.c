// A scene as a trial: it gives the torques at the start of each period, and creates the sims.
#include "base/fail.h"

#include <footfall/scene_trial.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene_trial {
  ff_trial trial; // first: the user's pointer is this one's
  ff_sim_def sim;
  char name[64];
} scene_trial;

static ff_status control(double time, const double *q, const double *v, double *tau, void *user,
                         ff_error *error)
{
  return ff_scene_control(user, time, q, v, tau, error);
}

static ff_status create(const ff_sim_def *def, ff_sim **out, void *user, ff_error *error)
{
  return ff_scene_create_sim(user, def, out, error);
}

static void name_after(const char *path, char *name, size_t size)
{
  const char *slash = path ? strrchr(path, '/') : NULL;
  snprintf(name, size, "%s", slash ? slash + 1 : path ? path : "scene");
  char *dot = strrchr(name, '.');
  if (dot && dot != name)
    *dot = '\0';
}

static ff_status check(const ff_scene *scene, double duration, double period, ff_error *error)
{
  if (duration / period > FF_TRIAL_PERIODS_MOST)
    return ffi_fail(error, FF_ERROR_LIMIT, ff_scene_file(scene), 0, "duration",
                    "%g s are more than %d control periods of %g s", duration, (int)FF_TRIAL_PERIODS_MOST,
                    period);
  if (duration < period * (1 - 1e-9))
    return ffi_fail(
        error, FF_ERROR_ARGUMENT, ff_scene_file(scene), 0, "duration",
        "a duration of %g s is shorter than the control period, %g s, so there is nothing to compare",
        duration, period);
  return FF_OK;
}

ff_status ff_scene_trial_create(ff_scene *scene, ff_trial **out, ff_error *error)
{
  if (!scene || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_trial_create", "an argument is NULL");
  *out = NULL;
  const double period = ff_scene_period(scene), duration = ff_scene_get_def(scene)->duration;
  const ff_status status = check(scene, duration, period, error);
  if (status != FF_OK)
    return status;
  scene_trial *t = calloc(1, sizeof *t);
  if (!t)
    return ffi_fail(error, FF_ERROR_MEMORY, ff_scene_file(scene), 0, NULL, "there is not enough memory");
  name_after(ff_scene_file(scene), t->name, sizeof t->name);
  t->sim = ff_scene_sim_def(scene);
  t->trial = ff_trial_default();
  t->trial.name = t->name;
  t->trial.model = ff_scene_model(scene);
  t->trial.sim = &t->sim;
  t->trial.q = ff_scene_q(scene);
  t->trial.v = ff_scene_v(scene);
  t->trial.period = period;
  t->trial.periods = (int)round(duration / period);
  t->trial.control = control;
  t->trial.create = create;
  t->trial.user = scene;
  *out = &t->trial;
  return FF_OK;
}

void ff_scene_trial_destroy(ff_trial *trial)
{
  free(trial); // the first member of what was made
}
