// Hulls against those of Qhull, which decides by tolerances: volumes of all kinds of points, and the corners where none
// is so close to a face that tolerances matter.
#include "math/hull.h"

#include "math/hull_points.h"
#include "math/near.h"
#include "support/samples.h"

#include <libqhull_r/qhull_ra.h>

enum { MOST = 3000 };

typedef struct peer {
  double volume, area, thickness; // of the layer in which it lets its faces be
  int corners;
  char is_corner[MOST];
} peer;

// 0 if Qhull finds the points flat.
static int ask_qhull(int n, double *points, peer *out)
{
  qhT qh_qh, *qh = &qh_qh;
  char command[] = "qhull Pp FA";
  FILE *quiet = fopen("/dev/null", "w");
  assert_non_null(quiet);
  memset(out, 0, sizeof *out);
  qh_zero(qh, quiet);
  const int error = qh_new_qhull(qh, 3, n, points, 0, command, quiet, quiet);
  if (!error) {
    vertexT *vertex;
    qh_getarea(qh, qh->facet_list);
    out->volume = qh->totvol;
    out->area = qh->totarea;
    out->thickness = fmax(qh->max_outside, 0) - fmin(qh->min_vertex, 0);
    FORALLvertices
    {
      out->is_corner[qh_pointid(qh, vertex->point)] = 1;
      ++out->corners;
    }
  }
  int rest, total;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &rest, &total);
  fclose(quiet);
  return !error;
}

// Tolerance: what Qhull says itself, on both sides of its faces; and rounding of both. Times the area.
static void volumes_are_those_of_qhull(void **state)
{
  static double points[3 * MOST];
  static peer theirs;
  (void)state;
  const int rounds = ffi_samples(2);
  int compared = 0;
  for (int t = 0; t < rounds; ++t)
    for (int g = 0; g < ffi_hull_points_count; ++g) {
      ffi_hull_integrals ours;
      double largest = 0;
      const int n = ffi_hull_points_all[g].make((uint64_t)t + ffi_samples_seed(), t % 2 ? MOST : 300, points);
      for (int i = 0; i < 3 * n; ++i)
        largest = fmax(largest, fabs(points[i]));
      if (ffi_hull_solid(n, points, &ours) != FFI_HULL_OK || !ask_qhull(n, points, &theirs))
        continue;
      ++compared;
      if (!(fabs(ours.volume - theirs.volume) <= (2 * theirs.thickness + 64 * EPS * largest) * theirs.area))
        fail_msg("%s: volume %.17g, Qhull's %.17g", ffi_hull_points_all[g].name, ours.volume, theirs.volume);
    }
  assert_true(compared >= rounds * (ffi_hull_points_count - 4)); // foils are flat to Qhull
}

static void corners_are_those_of_qhull(void **state)
{
  static const char *const clear[] = {"sphere", "scan", "noisy ball"};
  static double points[3 * MOST];
  static peer theirs;
  (void)state;
  for (int t = 0; t < ffi_samples(30); ++t) {
    rng r = {(uint64_t)t + ffi_samples_seed()};
    const char *name = clear[t % 3];
    int n = 100 + random_below(&r, MOST - 100), *faces, count;
    char is_corner[MOST] = {0};
    for (int i = 0; i < 3 * n; ++i)
      points[i] = random_in(&r, -1, 1);
    for (int g = 0; g < ffi_hull_points_count; ++g)
      if (strcmp(ffi_hull_points_all[g].name, name) == 0)
        n = ffi_hull_points_all[g].make(random_bits(&r), n, points);
    assert_int_equal(ffi_hull_faces(n, points, &faces, &count, NULL), FFI_HULL_OK);
    assert_true(ask_qhull(n, points, &theirs));
    for (int i = 0; i < 3 * count; ++i)
      is_corner[faces[i]] = 1;
    assert_int_equal(count, 2 * theirs.corners - 4);
    assert_memory_equal(is_corner, theirs.is_corner, (size_t)n);
    free(faces);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(volumes_are_those_of_qhull),
      cmocka_unit_test(corners_are_those_of_qhull),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
