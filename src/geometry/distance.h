/// distance.h: the signed distance of two solids, and where it is.
///
/// The signed distance is the least length by which one solid has to be moved for the two to touch. Apart it is the
/// length of the shortest line between them; overlapping it is minus the penetration depth. Touches (collide.h) are
/// places where forces act, several for a pair; the distance is one number, valid at any separation, which conservative
/// advancement needs.
///
/// Known for all pairs of points, spheres, capsules, boxes, cylinders, disks and hulls, and for each of these against
/// planes and height fields. Two planes or height fields have no distance, and a mesh that was not read has none. A
/// height field is the union of the prisms below its triangles; the distance of a solid that overlaps it is the depth
/// below the triangles that it meets, along their normals.
#ifndef FFI_GEOMETRY_DISTANCE_H
#define FFI_GEOMETRY_DISTANCE_H

#include "geometry/solid.h"

typedef struct ffi_distance {
  double value;            ///< [m], negative: overlap
  double normal[3];        ///< unit, world, from B to A
  double on_a[3], on_b[3]; ///< nearest points, world; on_a - on_b = value normal
} ffi_distance;

/// Where the last search ended, so that the next one is short. Zeroed: no memory. It changes no result by more than the
/// tolerance of the searches, 1e-12 of the sizes.
typedef struct ffi_distance_memory {
  double direction[3];
} ffi_distance_memory;

int ffi_distance_is_known(const ffi_solid *a, const ffi_solid *b);

/// `memory` may be NULL. Returns 0, and sets nothing, where ffi_distance_is_known() is 0, a pose is not finite, or no
/// part of a height field is below or near A.
int ffi_distance_measure(const ffi_solid_at *a, const ffi_solid_at *b, ffi_distance_memory *memory,
                         ffi_distance *out);

#endif
