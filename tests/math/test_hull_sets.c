// Hulls of all kinds of sets of points, held to the definition of a hull in exact arithmetic: no point is outside, each
// corner is extreme, the surface is closed.
// soak: hull
#include "math/hull_corners.h"

#include "math/exact_sign.h"
#include "math/hull_points.h"
#include "math/near.h"
#include "math/orient.h"
#include "support/samples.h"

enum { MOST = 600 };

static const double *at(const double *points, int i)
{
  return points + 3 * (ptrdiff_t)i;
}

// Each edge is there once in each direction; as many corners as Euler asks for. Mark the corners.
static int check_closed(int n, const int *faces, int count, char *is_corner)
{
  static char edge[MOST][MOST];
  int corners = 0;
  memset(is_corner, 0, (size_t)n);
  memset(edge, 0, sizeof edge);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      const int a = faces[3 * i + k], b = faces[3 * i + (k + 1) % 3];
      assert_in_range(a, 0, n - 1);
      assert_int_equal(edge[a][b]++, 0);
      corners += !is_corner[a];
      is_corner[a] = 1;
    }
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      assert_int_equal(edge[a][b], edge[b][a]);
  assert_int_equal(count, 2 * corners - 4);
  return corners;
}

static int is_above_any(const double *points, const int *faces, int count, const double x[3])
{
  for (int i = 0; i < count; ++i)
    if (ffi_exact_sign(at(points, faces[3 * i]), at(points, faces[3 * i + 1]), at(points, faces[3 * i + 2]),
                       x) > 0)
      return 1;
  return 0;
}

static int is_same(const double a[3], const double b[3])
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// A corner is outside of the hull of all that are not in its place. Without it the others may be flat.
static void check_extreme(int n, const double *points, int corner)
{
  double others[3 * MOST];
  int m = 0, *faces, count;
  for (int i = 0; i < n; ++i)
    if (!is_same(at(points, i), at(points, corner)))
      memcpy(others + 3 * m++, at(points, i), 3 * sizeof *points);
  if (ffi_hull_faces(m, others, &faces, &count, NULL) == FFI_HULL_OK)
    assert_true(is_above_any(others, faces, count, at(points, corner)));
  free(faces);
}

// All of a hull. Returns how many corners it has.
static int check_faces(rng *r, int n, const double *points)
{
  int *faces, count;
  char is_corner[MOST];
  const ffi_hull_result result = ffi_hull_faces(n, points, &faces, &count, NULL);
  if (result == FFI_HULL_FLAT)
    return 0;
  assert_int_equal(result, FFI_HULL_OK);
  const int corners = check_closed(n, faces, count, is_corner);
  for (int i = 0; i < n; ++i)
    assert_false(is_above_any(points, faces, count, at(points, i)));
  for (int i = random_below(r, 31); i < n; i += 31)
    if (is_corner[i])
      check_extreme(n, points, i);
  free(faces);
  return corners;
}

static void swap_points(rng *r, int n, double *points)
{
  for (int i = n - 1; i > 0; --i) {
    const int j = random_below(r, i + 1);
    for (int k = 0; k < 3; ++k) {
      const double x = points[3 * i + k];
      points[3 * i + k] = points[3 * j + k];
      points[3 * j + k] = x;
    }
  }
}

// Points scaled to [-1, 1], as math/orient.h asks for; returns the scale.
static double shrink(int n, const double *points, double *out)
{
  double largest = 0;
  int exponent;
  for (int i = 0; i < 3 * n; ++i)
    largest = fmax(largest, fabs(points[i]));
  (void)frexp(largest, &exponent);
  for (int i = 0; i < 3 * n; ++i)
    out[i] = ffi_orient_snap(ldexp(points[i], -exponent));
  return ldexp(1, exponent);
}

// Corners hold all points but for what is left and for rounding: the header's, 16 eps (size + largest), for points that
// count as held, as much for corners that are left out since they are in a face, and the test's own. Or a hundredth of
// the tolerance for corners that are left out, three of them in a row.
static void check_corners(int n, const double *points, double tolerance)
{
  int corner[MOST], *faces, count;
  double kept[3 * MOST], small[3 * MOST];
  ffi_hull_corners c = {.corner = corner, .most = n < 4 ? 4 : n};
  if (ffi_hull_corners_find(n, points, tolerance, &c, NULL) == FFI_HULL_FLAT)
    return;
  assert_in_range(c.count, 4, n);
  assert_true(c.left <= tolerance);
  const double scale = shrink(n, points, small);
  for (int i = 0; i < c.count; ++i)
    memcpy(kept + 3 * i, at(small, corner[i]), 3 * sizeof *kept);
  if (ffi_hull_faces(c.count, kept, &faces, &count, NULL) != FFI_HULL_OK) {
    fail_msg("%d corners are flat", c.count);
    return;
  }
  double most = 0;
  for (int i = 0; i < count; ++i) {
    const double *a = at(kept, faces[3 * i]);
    double normal[3];
    ffi_orient_normal(a, at(kept, faces[3 * i + 1]), at(kept, faces[3 * i + 2]), normal);
    for (int k = 0; k < n; ++k) {
      const double *x = at(small, k);
      const double above = normal[0] * (x[0] - a[0]) + normal[1] * (x[1] - a[1]) + normal[2] * (x[2] - a[2]);
      most = fmax(most, above);
    }
  }
  // sizes are 2 sqrt(3) at most
  assert_near(most, c.left / scale, 3 * 16 * EPS * (1 + 2 * sqrt(3)) + 0.03 * tolerance / scale);
  free(faces);
}

static void hulls_keep_their_definition(void **state)
{
  (void)state;
  const int rounds = ffi_samples(6);
  double points[3 * MOST];
  for (int t = 0; t < rounds; ++t)
    for (int g = 0; g < ffi_hull_points_count; ++g) {
      rng r = {(uint64_t)t * 1000 + (uint64_t)g + ffi_samples_seed()};
      const int most =
          t % 3 == 0 ? 4 + random_below(&r, 30) : 50 + random_below(&r, t % 5 == 4 ? MOST - 50 : 150);
      const int n = ffi_hull_points_all[g].make(random_bits(&r), most, points);
      (void)shrink(n, points, points);
      const int corners = check_faces(&r, n, points);
      swap_points(&r, n, points);
      assert_int_equal(check_faces(&r, n, points), corners); // whatever the order is
      check_corners(n, points, 0);
      check_corners(n, points, 1e-3);
    }
  ffi_samples_tried((long long)rounds * ffi_hull_points_count, "sets of points");
}

// A disc of a few hundred points, with a rim that is flat but for rounding, did not end in a third of all tries.
static void a_chamfered_disc_ends(void **state)
{
  (void)state;
  int disc = 0;
  while (strcmp(ffi_hull_points_all[disc].name, "chamfered disc") != 0)
    ++disc;
  for (int t = 0; t < 100; ++t) {
    rng r = {(uint64_t)t + ffi_samples_seed()};
    double points[900];
    int corner[200];
    ffi_hull_corners c = {.corner = corner, .most = 200};
    ffi_hull_work work;
    const int n = ffi_hull_points_all[disc].make((uint64_t)t, 150 + random_below(&r, 150), points);
    assert_int_equal(ffi_hull_corners_find(n, points, 0, &c, &work), FFI_HULL_OK);
    assert_int_equal(c.count, n < 200 ? n : 200); // all are corners
    assert_true(work.faces_made < 12 * 200);
  }
}

// Powers of two change nothing, down to and up to the smallest and the largest numbers.
static void hulls_of_all_sizes_are_alike(void **state)
{
  (void)state;
  double points[3 * MOST], scaled[3 * MOST];
  for (int g = 0; g < ffi_hull_points_count; ++g) {
    const int n = ffi_hull_points_all[g].make(5, 200, points);
    int *faces, count;
    const ffi_hull_result expected = ffi_hull_faces(n, points, &faces, &count, NULL);
    for (int e = -900; e <= 900; e += 300) {
      int *others, other_count;
      for (int i = 0; i < 3 * n; ++i)
        scaled[i] = ldexp(points[i], e);
      if (strcmp(ffi_hull_points_all[g].name, "many scales") == 0 && e < -600)
        continue; // digits are lost
      assert_int_equal(ffi_hull_faces(n, scaled, &others, &other_count, NULL), expected);
      assert_int_equal(other_count, count);
      assert_memory_equal(others, faces, 3 * (size_t)count * sizeof *faces);
      free(others);
    }
    free(faces);
  }
}

static void few_points_are_flat(void **state)
{
  (void)state;
  const double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  int *faces, count, corner[4];
  ffi_hull_corners c = {.corner = corner, .most = 4};
  ffi_hull_integrals solid;
  for (int n = 0; n < 4; ++n) {
    assert_int_equal(ffi_hull_faces(n, points, &faces, &count, NULL), FFI_HULL_FLAT);
    assert_null(faces);
    assert_int_equal(ffi_hull_corners_find(n, points, 0, &c, NULL), FFI_HULL_FLAT);
    assert_int_equal(ffi_hull_solid(n, points, &solid), FFI_HULL_FLAT);
  }
  assert_int_equal(ffi_hull_faces(4, points, &faces, &count, NULL), FFI_HULL_OK);
  assert_int_equal(count, 4);
  free(faces);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hulls_keep_their_definition),
      cmocka_unit_test(a_chamfered_disc_ends),
      cmocka_unit_test(hulls_of_all_sizes_are_alike),
      cmocka_unit_test(few_points_are_flat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
