// Radii of balls that hold a solid: about its origin, about any point, and of its core alone.
#include "geometry/solid.h"

#include "geometry/convex.h"
#include "geometry/ellipsoid/ellipsoid.h"
#include "math/vec3.h"

#include <math.h>

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
  case FF_SHAPE_ELLIPSOID: return fmax(size[0], fmax(size[1], size[2]));
  case FF_SHAPE_CYLINDER: return hypot(size[0], 0.5 * size[1]);
  case FF_SHAPE_HULL: return farthest(solid->vertices, solid->vertex_count);
  case FF_SHAPE_PLANE:
  case FF_SHAPE_HEIGHTFIELD:
  case FF_SHAPE_MESH: return (double)INFINITY; // a mesh is not read
  }
  return (double)INFINITY;
}

static double farthest_from(const double *vertices, int count, const double x[3])
{
  double most = 0;
  for (int i = 0; i < count; ++i) {
    double arm[3];
    ffi_v3_sub(vertices + 3 * i, x, arm);
    most = fmax(most, ffi_v3_norm(arm));
  }
  return most;
}

double ffi_solid_radius_of_core(const ffi_solid *solid, const double x[3])
{
  const double *size = solid->size, beside = hypot(x[0], x[1]);
  switch ((ff_shape_type)solid->type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_SPHERE: return ffi_v3_norm(x);
  case FF_SHAPE_CAPSULE: return hypot(beside, fabs(x[2]) + 0.5 * size[1]);
  case FF_SHAPE_DISK: return hypot(beside + size[0], x[2]);
  case FF_SHAPE_CYLINDER: return hypot(beside + size[0], fabs(x[2]) + 0.5 * size[1]);
  case FF_SHAPE_BOX: {
    const double corner[3] = {fabs(x[0]) + 0.5 * size[0], fabs(x[1]) + 0.5 * size[1],
                              fabs(x[2]) + 0.5 * size[2]};
    return ffi_v3_norm(corner);
  }
  case FF_SHAPE_ELLIPSOID: return ffi_ellipsoid_farthest(size, x) - ffi_ellipsoid_inner_radius(size);
  case FF_SHAPE_HULL: return farthest_from(solid->vertices, solid->vertex_count, x);
  case FF_SHAPE_PLANE:
  case FF_SHAPE_HEIGHTFIELD:
  case FF_SHAPE_MESH: return (double)INFINITY;
  }
  return (double)INFINITY;
}

double ffi_solid_radius_about(const ffi_solid *solid, const double x[3])
{
  return ffi_solid_radius_of_core(solid, x) + ffi_convex_swept_radius(solid);
}
