/// hull_weights.h: how stiff each corner of a convex hull is on a plane, or on a face or triangle of the ground, so
/// that a face that is cut finely is as stiff as one with four corners.
///
/// Every corner stays a point of contact with its own gap. Its weight scales the stiffness and the damping of the
/// material there; corners without weight are no contacts. Weights are functions of the plane's normal alone, as the
/// hull sees it, twice continuously differentiable: while the hull stands on a flat face, at most eight of its corners
/// carry, with weights that add up to four; elsewhere each corner has its own weight, less where many are near each
/// other. docs/theory/detection.md, section 1
#ifndef FFI_GEOMETRY_PLANE_HULL_WEIGHTS_H
#define FFI_GEOMETRY_PLANE_HULL_WEIGHTS_H

#include "base/arena.h"
#include "base/block.h"

#include <footfall/status.h>

enum { FFI_HULL_WEIGHTS_BLOCK = 8 }; ///< corners are looked at in blocks of so many

/// A corner that carries while the hull stands on a face.
typedef struct ffi_hull_weights_corner {
  int vertex;
  double weight;
} ffi_hull_weights_corner;

/// A face that the hull can stand on.
typedef struct ffi_hull_weights_face {
  double normal[3]; ///< unit, outwards
  /// Squares of the sine of the tilt: up to `full` its corners carry alone, from `none` on none does because of it
  double full, none;
  int first, count; ///< its corners, in increasing order of vertices
} ffi_hull_weights_face;

typedef struct ffi_hull_weights {
  int count; ///< vertices
  const double *x, *y, *z,
      *own; ///< [whole blocks] of vertices, and their own weights; the last one, with 0, in the rest of a block
  int face_count;
  const ffi_hull_weights_face *faces;
  int corner_count;
  const ffi_hull_weights_corner *corners; ///< of all faces
  double size;                            ///< of the hull, from its middle to the farthest vertex [m]
  double mean[3], reach;                  ///< of the vertices, and from there to the farthest [m]
} ffi_hull_weights;

/// Finds the weights of points [count x 3], with all numbers in `arena`. *is_plain: all weights are always 1, or the
/// points have no volume: `out` is not needed. FF_ERROR_MEMORY without memory.
ff_status ffi_hull_weights_set(int count, const double *points, ffi_arena *arena, int *is_plain,
                               ffi_hull_weights *out);

/// A copy in a block of memory; run twice, counting and placing.
void ffi_hull_weights_copy(const ffi_hull_weights *from, ffi_block *block, ffi_hull_weights *out);

/// The face that the hull stands on, and its part in the weights.
typedef struct ffi_hull_weights_stand {
  const ffi_hull_weights_corner *corners; ///< [count]
  int count;
  double share;    ///< 1: these corners carry alone; 0: each vertex has its own weight
  double slope[3]; ///< rate of the share as the hull turns about the axes of its frame [1/rad]
} ffi_hull_weights_stand;

/// For a plane whose unit normal is `up` in the shape's frame.
ffi_hull_weights_stand ffi_hull_weights_find(const ffi_hull_weights *w, const double up[3]);

/// A weight below 1e-6 is none: what its spring adds or loses as it begins and ends is below any tolerance.
static inline int ffi_hull_weights_carries(double weight)
{
  return weight > 1e-6;
}

/// A vertex: its own weight, and how much more a share of 1 gives.
typedef struct ffi_hull_weights_parts {
  double own, more;
} ffi_hull_weights_parts;

/// The parts of a vertex's weight, own + share more. *next is the place among the stand's corners: 0 at first, then
/// call in increasing order.
static inline ffi_hull_weights_parts
ffi_hull_weights_of(const ffi_hull_weights *w, const ffi_hull_weights_stand *stand, int vertex, int *next)
{
  const double own = w->own[vertex];
  while (*next < stand->count && stand->corners[*next].vertex < vertex)
    ++*next;
  const int carries = *next < stand->count && stand->corners[*next].vertex == vertex;
  return (ffi_hull_weights_parts){own, (carries ? stand->corners[*next].weight : 0) - own};
}

#endif
