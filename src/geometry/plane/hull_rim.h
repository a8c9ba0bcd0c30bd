/// hull_rim.h: few corners that stand for the rim of a flat face.
#ifndef FFI_GEOMETRY_PLANE_HULL_RIM_H
#define FFI_GEOMETRY_PLANE_HULL_RIM_H

#include <footfall/status.h>

enum { FFI_HULL_RIM_MOST = 8 };

/// Corners around a face, counter-clockwise seen from outside until they are sorted.
typedef struct ffi_hull_rim {
  int count;
  int corner[FFI_HULL_RIM_MOST]; ///< numbers of points
  double weight
      [FFI_HULL_RIM_MOST]; ///< up to four corners: 1 each; more: the part of the rim nearest to each, sum 4
} ffi_hull_rim;

/// Of points, numbers `members` [count] of them in a plane across `normal`: at most eight corners whose polygon is as
/// large as they can make it; less where more add nothing. None where the points span no area.
ff_status ffi_hull_rim_find(const double *points, const double normal[3], int count, const int *members,
                            ffi_hull_rim *out);

/// How far outside of the corners' polygon x lies along the plane, or less; negative inside.
double ffi_hull_rim_distance(const ffi_hull_rim *rim, const double *points, const double normal[3],
                             const double x[3]);

/// Into increasing order of corners.
void ffi_hull_rim_sort(ffi_hull_rim *rim);

#endif
