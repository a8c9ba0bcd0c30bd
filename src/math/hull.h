/// hull.h: the convex hull of points: its volume, its moments, its faces, and few corners that span nearly all of it.
#ifndef FFI_MATH_HULL_H
#define FFI_MATH_HULL_H

/// Integrals over a solid.
typedef struct ffi_hull_integrals {
  double volume;     ///< [m^3]
  double centre[3];  ///< centre of volume [m]
  double moments[6]; ///< integral of r r' about the centre, xx xy xz yy yz zz [m^5]
} ffi_hull_integrals;

typedef enum ffi_hull_result {
  FFI_HULL_OK,
  FFI_HULL_FLAT, ///< the points lie in a plane, on a line or in one place
  FFI_HULL_NO_MEMORY,
} ffi_hull_result;

/// The hull of points [count x 3], finite. Time grows as points times faces.
ffi_hull_result ffi_hull_solid(int count, const double *points, ffi_hull_integrals *out);

/// Corners that are kept of a hull.
typedef struct ffi_hull_corners {
  int *corner; ///< [most] numbers of points, out; the array is the caller's
  int most;    ///< room in it, >= 4
  int count;   ///< out
  double left; ///< out: how far other points stick out at most [m]
} ffi_hull_corners;

/// Corners whose hull holds all other points but for `tolerance` [m], or the `most` farthest out if these are not
/// enough.
ffi_hull_result ffi_hull_find_corners(int count, const double *points, double tolerance,
                                      ffi_hull_corners *out);

/// Its triangles, numbers of points [*face_count x 3] counter-clockwise seen from outside; free them.
ffi_hull_result ffi_hull_faces(int count, const double *points, int **faces, int *face_count);

#endif
