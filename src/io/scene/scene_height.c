// How high a robot stands: the lowest point of what hangs on its base.
#include "io/scene/scene_object.h"

#include <math.h>

// Height of a shape's lowest point above its frame's origin, for the vertical in its frame: up . x at least. NAN: not known.
static double least_height(const ff_shape_def *s, const double up[3])
{
  const double across = sqrt(fmax(0, 1 - up[2] * up[2])), along = fabs(up[2]);
  double least = INFINITY;
  switch (s->type) {
  case FF_SHAPE_POINT: return 0;
  case FF_SHAPE_SPHERE: return -s->size[0];
  case FF_SHAPE_CAPSULE: return -s->size[0] - 0.5 * s->size[1] * along;
  case FF_SHAPE_BOX: return -0.5 * (fabs(up[0]) * s->size[0] + fabs(up[1]) * s->size[1] + along * s->size[2]);
  case FF_SHAPE_CYLINDER: return -s->size[0] * across - 0.5 * s->size[1] * along;
  case FF_SHAPE_DISK: return -s->size[0] * across;
  case FF_SHAPE_HULL:
    for (int i = 0; i < s->vertex_count; ++i)
      least = fmin(least, up[0] * s->vertices[3 * i] + up[1] * s->vertices[3 * i + 1] +
                              up[2] * s->vertices[3 * i + 2]);
    return least;
  case FF_SHAPE_PLANE:
  case FF_SHAPE_MESH:
  case FF_SHAPE_HEIGHTFIELD: return NAN;
  }
  return NAN;
}

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
    lowest = fmin(lowest, origin + least_height(&shape.def, up)); // fmin ignores NAN
  }
  return lowest;
}
