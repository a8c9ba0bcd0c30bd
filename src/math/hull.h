/// hull.h: the convex hull of points: its volume, its moments and its faces. math/hull_corners.h has few corners that
/// span nearly all of it.
///
/// The hull is found without rounding, by the surface of math/hull_surface.h: it ends for all finite points, near
/// coplanar or equal ones too. Time grows as n log n for points as they come from meshes and scans, memory as n. A
/// coordinate below 2^-136 (1e-41) of the largest is rounded to 2^-188 of it.
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
  FFI_HULL_FLAT, ///< the points lie in a plane, on a line or in one place, but for 64 eps (size + largest coordinate)
  FFI_HULL_NO_MEMORY,
} ffi_hull_result;

/// What it took.
typedef struct ffi_hull_work {
  long long faces_made;
  long long tests; ///< questions which face sees which point
  long long whole; ///< those among them that took whole numbers of many digits
  int most_faces;  ///< that there was room for at once
} ffi_hull_work;

/// The integrals over the hull of points [count x 3], finite.
ffi_hull_result ffi_hull_solid(int count, const double *points, ffi_hull_integrals *out);

/// Its triangles, numbers of points [*face_count x 3] counter-clockwise seen from outside; free them. Their corners are
/// the extreme points, and no others: of points on an edge or in a face none, of equal points one. `work` may be NULL.
ffi_hull_result ffi_hull_faces(int count, const double *points, int **faces, int *face_count,
                               ffi_hull_work *work);

#endif
