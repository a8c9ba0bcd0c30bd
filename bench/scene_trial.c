#include "scene_trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
  const char *slash = strrchr(path, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot && dot != name)
    *dot = '\0';
}

ff_status bench_scene_trial_load(const char *path, const ff_scene_override *overrides, int override_count,
                                 bench_scene_trial *out, ff_error *error)
{
  *out = (bench_scene_trial){0};
  const ff_status status = ff_scene_load(path, overrides, override_count, &out->scene, error);
  if (status != FF_OK)
    return status;
  const double period = ff_scene_period(out->scene), duration = ff_scene_get_def(out->scene)->duration;
  if (duration / period > BENCH_PERIODS_MOST) {
    snprintf(error->message, sizeof error->message,
             "%s: duration: %g s are more than %d control periods of %g s", path, duration,
             (int)BENCH_PERIODS_MOST, period);
    return error->status = FF_ERROR_LIMIT;
  }
  if (duration < period * (1 - 1e-9)) {
    snprintf(error->message, sizeof error->message,
             "%s: duration: %g s are less than a control period of %g s, so there is nothing to judge", path,
             duration, period);
    return error->status = FF_ERROR_ARGUMENT;
  }
  name_after(path, out->name, sizeof out->name);
  out->trial = (bench_trial){.name = out->name,
                             .model = ff_scene_model(out->scene),
                             .def = ff_scene_sim_def(out->scene),
                             .q = ff_scene_q(out->scene),
                             .v = ff_scene_v(out->scene),
                             .period = period,
                             .periods = (int)round(duration / period),
                             .control = control,
                             .create = create,
                             .user = out->scene};
  return FF_OK;
}

void bench_scene_trial_free(bench_scene_trial *t)
{
  ff_scene_destroy(t->scene);
  t->scene = NULL;
}
