/// hull_points.h: sets of points as meshes, scans and programs of construction have them, and worse ones: near
/// coplanar, repeated, cospherical, thin, in line. Hulls of many of them did not end once.
#ifndef FFI_TESTS_MATH_HULL_POINTS_H
#define FFI_TESTS_MATH_HULL_POINTS_H

#include <stdint.h>

typedef struct ffi_hull_points {
  const char *name;
  /// About n points, at most n; returns how many.
  int (*make)(uint64_t seed, int n, double *points);
} ffi_hull_points;

extern const ffi_hull_points ffi_hull_points_all[];
extern const int ffi_hull_points_count;

/// Turn points about a random axis and move them: coplanar points are that but for rounding then.
void ffi_hull_points_turn(uint64_t seed, int n, double *points);

#endif
