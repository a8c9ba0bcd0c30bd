// Closed forms of the lowest point for each type of shape.
#include "model/shape/shape_lowest.h"

#include <math.h>

double ffi_shape_lowest(const ff_shape_def *s, const double n[3])
{
  const double across = sqrt(fmax(0, 1 - n[2] * n[2])), along = fabs(n[2]);
  double least = (double)INFINITY;
  switch (s->type) {
  case FF_SHAPE_POINT: return 0;
  case FF_SHAPE_SPHERE: return -s->size[0];
  case FF_SHAPE_CAPSULE: return -s->size[0] - 0.5 * s->size[1] * along;
  case FF_SHAPE_BOX: return -0.5 * (fabs(n[0]) * s->size[0] + fabs(n[1]) * s->size[1] + along * s->size[2]);
  case FF_SHAPE_CYLINDER: return -s->size[0] * across - 0.5 * s->size[1] * along;
  case FF_SHAPE_DISK: return -s->size[0] * across;
  case FF_SHAPE_ELLIPSOID:
    return -sqrt(n[0] * s->size[0] * n[0] * s->size[0] + n[1] * s->size[1] * n[1] * s->size[1] +
                 n[2] * s->size[2] * n[2] * s->size[2]);
  case FF_SHAPE_HULL:
    for (int i = 0; i < s->vertex_count; ++i)
      least = fmin(least,
                   n[0] * s->vertices[3 * i] + n[1] * s->vertices[3 * i + 1] + n[2] * s->vertices[3 * i + 2]);
    return least;
  case FF_SHAPE_PLANE:
  case FF_SHAPE_MESH:
  case FF_SHAPE_HEIGHTFIELD: return (double)NAN;
  }
  return (double)NAN;
}
