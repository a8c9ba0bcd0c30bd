/// hull_flats.h: the faces of a convex hull that it can stand on, and the corners that stand for each.
#ifndef FFI_GEOMETRY_PLANE_HULL_FLATS_H
#define FFI_GEOMETRY_PLANE_HULL_FLATS_H

#include "geometry/plane/hull_rim.h"

#include <footfall/status.h>

/// A hull and its triangles, as ffi_hull_faces() has them; the caller's.
typedef struct ffi_hull_flats_hull {
  int count;
  const double *points; ///< [count x 3]
  int triangle_count;
  const int *triangles; ///< [triangle_count x 3], counter-clockwise from outside
  double size;          ///< from its middle to the farthest point [m]
} ffi_hull_flats_hull;

typedef struct ffi_hull_flat {
  double normal[3]; ///< unit, outwards
  double reach;     ///< tilt from which on the hull no longer stands on it [rad]
  ffi_hull_rim rim; ///< corners in increasing order
} ffi_hull_flat;

typedef struct ffi_hull_flats {
  ffi_hull_flat *items;
  int count, room;
} ffi_hull_flats;

/// Faces with more than four corners, and others in which an own weight [count] is below 1. Triangles that lie in a
/// plane but for the rounding of a mesh count as one face. Start with `out` zero; free it also after a failure.
ff_status ffi_hull_flats_find(const ffi_hull_flats_hull *hull, const double *own, ffi_hull_flats *out);

void ffi_hull_flats_free(ffi_hull_flats *flats);

#endif
