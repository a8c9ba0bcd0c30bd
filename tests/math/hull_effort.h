/// hull_effort.h: what hulls may take: faces made, questions asked, bytes, for every set of points in hull_points.h.
#ifndef FFI_TESTS_MATH_HULL_EFFORT_H
#define FFI_TESTS_MATH_HULL_EFFORT_H

#include "math/hull_corners.h"
#include "math/hull_points.h"
#include "math/near.h"
#include "support/alloc_counter.h"

#include <time.h>

/// Seconds of this process's own time.
static inline double ffi_hull_effort_clock(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

/// Both functions on one set of about n points. The limits: a hull of V corners has 2 V - 4 faces. To make them, points
/// taken in random order make 6 of them each at most on average; here the most is 7.6. A point looks at some 8 faces
/// for each halving of the points around it; here the most is 8 log2 n. A face takes 128 bytes or less, a point 40, and
/// lists double when they grow, while the old one is still there. Returns the seconds it took.
static inline double ffi_hull_effort_check(const ffi_hull_points *set, int n, double *points)
{
  int corner[200], *faces, count;
  ffi_hull_corners c = {.corner = corner, .most = 200};
  ffi_hull_work work, few;
  n = set->make(1, n, points);
  const double start = ffi_hull_effort_clock(), halvings = log2(n);
  (void)ffi_test_alloc_most_bytes();
  assert_int_equal(ffi_hull_faces(n, points, &faces, &count, &work), FFI_HULL_OK);
  const long bytes = ffi_test_alloc_most_bytes();
  free(faces);
  (void)ffi_test_alloc_most_bytes();
  assert_int_equal(ffi_hull_corners_find(n, points, 0, &c, &few), FFI_HULL_OK);
  const long few_bytes = ffi_test_alloc_most_bytes();
  const double seconds = ffi_hull_effort_clock() - start;
  if (work.most_faces > 2 * n || work.faces_made > 12LL * n || (double)work.tests > 20 * halvings * n ||
      few.faces_made > 20 * 200 || few_bytes > 100L * n + 1000000 || bytes > 1000L * n + 10000)
    fail_msg("%s, %d points: %d faces at once, %lld and %lld made, %.3g tests, %ld and %ld bytes", set->name,
             n, work.most_faces, work.faces_made, few.faces_made, (double)work.tests, bytes, few_bytes);
  printf("%-16s %7d points: %.3f s, %.2f faces made and %.1f log2 n tests a point, %ld bytes a point\n",
         set->name, n, seconds, (double)work.faces_made / n, (double)work.tests / n / halvings, bytes / n);
  return seconds;
}

#endif
