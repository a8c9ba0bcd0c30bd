/// hull.h: the convex hull of points: its volume and moments, and few points that span nearly all of it.
#ifndef FFI_MATH_HULL_H
#define FFI_MATH_HULL_H

/// Integrals over a solid.
typedef struct ffi_solid {
  double volume;     ///< [m^3]
  double centre[3];  ///< centre of volume [m]
  double moments[6]; ///< integral of r r' about the centre, xx xy xz yy yz zz [m^5]
} ffi_solid;

typedef enum ffi_hull_result {
  FFI_HULL_OK,
  FFI_HULL_FLAT, ///< the points lie in a plane, on a line or in one place
  FFI_HULL_NO_MEMORY,
} ffi_hull_result;

/// The hull of points [count x 3], finite. Time grows as points times faces.
ffi_hull_result ffi_hull_solid(int count, const double *points, ffi_solid *out);

/// Points of which the hull holds all others but for `tolerance`, or the `most` (>= 4) farthest out if these are not enough: their numbers in corner [most],
/// *corner_count of them. *left is how far others stick out at most.
ffi_hull_result ffi_hull_corners(int count, const double *points, double tolerance, int most, int *corner,
                                 int *corner_count, double *left);

/// Its triangles, numbers of points [*face_count x 3] counter-clockwise seen from outside; free them.
ffi_hull_result ffi_hull_faces(int count, const double *points, int **faces, int *face_count);

#endif
