// Loads a scene and makes a trial from it.
#include "common/scene_trial.h"

ff_status bench_scene_trial_load(const char *path, const ff_scene_override *overrides, int override_count,
                                 bench_scene_trial *out, ff_error *error)
{
  *out = (bench_scene_trial){0};
  ff_status status = ff_scene_load(path, overrides, override_count, &out->scene, error);
  if (status == FF_OK)
    status = ff_scene_trial_create(out->scene, &out->made, error);
  if (status == FF_OK)
    out->trial = *out->made;
  return status;
}

void bench_scene_trial_free(bench_scene_trial *t)
{
  ff_scene_trial_destroy(t->made);
  ff_scene_destroy(t->scene);
  *t = (bench_scene_trial){0};
}
