// How far a solid reaches from its frame's origin.
#include "geometry/meeting.h"

static double farthest(const double *vertices, int count)
{
  double most = 0;
  for (int i = 0; i < count; ++i)
    most = fmax(most, ffi_v3_norm(vertices + 3 * i));
  return most;
}

double ffi_solid_radius(const ffi_solid *solid)
{
  const double *size = solid->size;
  switch ((ff_shape_type)solid->type) {
  case FF_SHAPE_POINT: return 0;
  case FF_SHAPE_SPHERE:
  case FF_SHAPE_DISK: return size[0];
  case FF_SHAPE_CAPSULE: return size[0] + 0.5 * size[1];
  case FF_SHAPE_BOX: return 0.5 * ffi_v3_norm(size);
  case FF_SHAPE_CYLINDER: return hypot(size[0], 0.5 * size[1]);
  case FF_SHAPE_HULL: return farthest(solid->vertices, solid->vertex_count);
  case FF_SHAPE_PLANE:
  case FF_SHAPE_HEIGHTFIELD:
  case FF_SHAPE_MESH: return (double)INFINITY; // a mesh is not read: it might be anything
  }
  return (double)INFINITY;
}
