/// hull_patch.h: a convex hull on a plane in four points, however many corners it has.
///
/// The points are functions of the plane's normal alone, as seen by the hull. Each is where the gradient of its own
/// height is, so a spring at each is conservative wherever the hull tilts and rolls. While the hull stands on a face
/// they are material points of it: those that have the mean and the moments of inertia of that face's rim. For a
/// rectangle along the axes of the shape these are its corners. On an edge two are at each end, on a corner all four
/// are there. docs/theory/detection.md, section 1
#ifndef FFI_GEOMETRY_PLANE_HULL_PATCH_H
#define FFI_GEOMETRY_PLANE_HULL_PATCH_H

#include <footfall/status.h>

enum { FFI_HULL_PATCH_POINTS = 4, FFI_HULL_PATCH_BLOCK = 8 };

/// Corners of a hull and the share of its surface that each stands for. Shares add up to 1: half of each adjacent
/// edge's length times the angle between its faces. So corners that divide an edge divide its share, and corners in a
/// face or on an edge have none. Near ones follow each other, so that blocks can be passed over; the last block is
/// filled with corners without a share.
typedef struct ffi_hull_patch {
  int count;                       ///< a multiple of FFI_HULL_PATCH_BLOCK
  const double *x, *y, *z, *share; ///< [count], in the shape's frame
  double size; ///< of the hull, less if it is thin: what counts as near is a part of it [m]
} ffi_hull_patch;

/// How many numbers a patch of so many points needs at most.
int ffi_hull_shares_room(int count);

/// Fills the patch of points [count x 3] with numbers in `room` [ffi_hull_shares_room()], which must live as long.
/// FF_ERROR_MEMORY without memory to find the hull's faces. Points without volume have equal shares.
ff_status ffi_hull_shares_set(int count, const double *points, double *room, ffi_hull_patch *out);

/// A copy, with its numbers in `room` [4 x count].
void ffi_hull_shares_copy(const ffi_hull_patch *from, double *room, ffi_hull_patch *out);

/// One of the four, in the shape's frame.
typedef struct ffi_hull_patch_point {
  double at[3]; ///< the gradient of its height by the plane's normal
  double
      bend[6]; ///< the gradient of `at`, symmetric: xx xy xz yy yz zz [m]; zero while it is a material point
  int moves;   ///< bend is not zero
} ffi_hull_patch_point;

/// The four points for a plane whose unit normal is `up` in the shape's frame. The height of a point is up.at.
void ffi_hull_patch_find(const ffi_hull_patch *patch, const double up[3],
                         ffi_hull_patch_point out[FFI_HULL_PATCH_POINTS]);

#endif
