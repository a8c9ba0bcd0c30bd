// The lowest point of the links that hang on a robot's base.
#include "model/shape/shape_lowest.h"
#include "scene/scene.h"

#include <math.h>

double ffi_scene_height_lowest(const ff_scene *scene)
{
  const ffi_scene_watch *w = &scene->watch;
  ff_shape_info shape;
  double at[3], R[9], own[9], up[3], lowest = NAN;
  for (int i = 0; ff_model_shape(scene->model, i, &shape) == FF_OK; ++i) {
    const double *place = shape.def.pose.position;
    if (shape.link < 0 || w->feet[shape.link].tree != w->base || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    ff_dynamics_frame_pose(w->dynamics, shape.frame, at, R);
    ff_pose_rotation(&shape.def.pose, own);
    for (int k = 0; k < 3; ++k) // the last row of R own
      up[k] = R[6] * own[k] + R[7] * own[3 + k] + R[8] * own[6 + k];
    const double origin = at[2] + R[6] * place[0] + R[7] * place[1] + R[8] * place[2];
    lowest = fmin(lowest, origin + ffi_shape_lowest(&shape.def, up)); // fmin ignores NAN
  }
  return lowest;
}
