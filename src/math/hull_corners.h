/// hull_corners.h: few corners whose hull holds nearly all of the points.
#ifndef FFI_MATH_HULL_CORNERS_H
#define FFI_MATH_HULL_CORNERS_H

#include "math/hull.h"

/// Corners that are kept of a hull.
typedef struct ffi_hull_corners {
  int *corner; ///< [most] numbers of points, out; the array is the caller's
  int most;    ///< room in it, >= 4
  int count;   ///< out
  double left; ///< out: how far other points stick out at most [m]
} ffi_hull_corners;

/// Corners whose hull holds all other points but for `tolerance` [m], or the `most` farthest out if these are not
/// enough. Points that stick out by less than rounding, 16 eps (size + largest coordinate), are held. Corners found
/// early that turn out to be in a face or on an edge, but for rounding or a hundredth of the tolerance, are left out.
/// In the order in which they were found: four that span a volume, then always the one that is farthest outside of
/// those before, of several the first. Time grows as points times corners, memory as points. `work` may be NULL.
ffi_hull_result ffi_hull_corners_find(int count, const double *points, double tolerance,
                                      ffi_hull_corners *out, ffi_hull_work *work);

#endif
