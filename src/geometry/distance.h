/// distance.h: how far two solids are apart, or overlap, and where.
///
/// The signed distance of two solids is the least length by which one has to be moved for the two to touch: apart it is the length of the shortest line between
/// them, overlapping minus that of the shortest way out. Touches (collide.h) are places where forces act, several for a pair; a distance is one number, true for
/// any pair of solids at any separation, which is what is needed to know how long nothing can touch.
///
/// All pairs of points, spheres, capsules, boxes, cylinders, disks and hulls, and each of these against planes and height fields. Two of those last, which reach to infinity, have
/// none, and neither has a mesh that was not read. A height field is the union of what lies below its triangles, down to `floor` below its lowest point; against it the distance
/// of things that overlap is how far they are below the triangles that they meet, along their normals.
#ifndef FFI_GEOMETRY_DISTANCE_H
#define FFI_GEOMETRY_DISTANCE_H

#include "geometry/collide.h"

typedef struct ffi_distance {
  double value;            ///< [m], negative: overlap
  double normal[3];        ///< unit, world, from B to A: the way out of A
  double on_a[3], on_b[3]; ///< nearest points, world; on_a - on_b = value normal
} ffi_distance;

/// Where the search of the last time ended, so that the next one is short. Zeroed: none. It changes no result by more than the searches' tolerance, 1e-12 of the sizes.
typedef struct ffi_distance_memory {
  double direction[3];
} ffi_distance_memory;

int ffi_distance_is_known(const ffi_solid *a, const ffi_solid *b);

/// `memory` may be NULL. Returns 0, and sets nothing, where ffi_distance_is_known() says no, poses are no numbers, or a height field has nothing within its extent below or near A.
int ffi_distance_measure(const ffi_solid *a, const double pa[3], const double Ra[9], const ffi_solid *b,
                         const double pb[3], const double Rb[9], ffi_distance_memory *memory,
                         ffi_distance *out);

#endif
