// Many steps of a scene in one call.
#include "glue.h"

ff_status ffp_scene_run(ff_scene *scene, long long steps, ff_error *error)
{
  for (long long k = 0; k < steps; ++k) {
    const ff_status status = ff_scene_step(scene, error);
    if (status != FF_OK)
      return status;
    ff_scene_watch(scene);
  }
  return FF_OK;
}
