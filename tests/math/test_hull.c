// Hulls of points whose solids are known: boxes, simplices, prisms, with points inside, on faces and
// repeated.
#include "math/hull_corners.h"

#include "math/near.h"
#include "support/alloc_counter.h"

enum { MAX_POINTS = 4000 };

static void add(double *points, int *count, double x, double y, double z)
{
  assert_true(*count < MAX_POINTS);
  points[3 * *count] = x;
  points[3 * *count + 1] = y;
  points[3 * *count + 2] = z;
  ++*count;
}

static void shuffle(rng *r, double *points, int count)
{
  for (int i = count - 1; i > 0; --i) {
    int j = random_below(r, i + 1);
    for (int k = 0; k < 3; ++k) {
      double t = points[3 * i + k];
      points[3 * i + k] = points[3 * j + k];
      points[3 * j + k] = t;
    }
  }
}

static void check_box(const double *points, int count, const double o[3], const double a[3], double tolerance)
{
  ffi_hull_integrals s;
  const double V = a[0] * a[1] * a[2];
  assert_int_equal(ffi_hull_solid(count, points, &s), FFI_HULL_OK);
  assert_near(s.volume, V, tolerance * V);
  for (int i = 0; i < 3; ++i)
    assert_near(s.centre[i], o[i], tolerance * (fabs(o[i]) + a[i]));
  const double m[6] = {V * a[0] * a[0] / 12, 0, 0, V * a[1] * a[1] / 12, 0, V * a[2] * a[2] / 12};
  for (int i = 0; i < 6; ++i)
    assert_near(s.moments[i], m[i], tolerance * V * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
}

static void a_box_of_a_grid_of_points(void **state)
{
  (void)state;
  rng r = {1};
  const double o[3] = {0.3, -2, 5}, a[3] = {1, 2, 0.25};
  for (int n = 2; n <= 9; ++n) { // n = 2: corners only; more: points on edges and faces and inside
    double points[3 * MAX_POINTS];
    int count = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          add(points, &count, o[0] + a[0] * (i / (n - 1.0) - 0.5), o[1] + a[1] * (j / (n - 1.0) - 0.5),
              o[2] + a[2] * (k / (n - 1.0) - 0.5));
    for (int i = 0; i < 20; ++i) // repeated ones
      add(points, &count, points[3 * i % 24], points[3 * i % 24 + 1], points[3 * i % 24 + 2]);
    for (int t = 0; t < 5; ++t) {
      shuffle(&r, points, count);
      check_box(points, count, o, a,
                1e-13); // tolerance of the hull, 16 eps of its size, times area over volume
    }
  }
}

static void a_simplex_has_its_moments(void **state)
{
  (void)state;
  rng r = {2};
  for (int t = 0; t < 200; ++t) {
    double points[12], d[9];
    long double moments[6] = {0};
    ffi_hull_integrals s;
    random_vector(&r, 12, 1, points);
    for (int i = 0; i < 9; ++i)
      d[i] = points[3 + i] - points[i % 3];
    double V = fabs(d[0] * (d[4] * d[8] - d[5] * d[7]) - d[1] * (d[3] * d[8] - d[5] * d[6]) +
                    d[2] * (d[3] * d[7] - d[4] * d[6])) /
               6;
    if (V < 0.01)
      continue;
    assert_int_equal(ffi_hull_solid(4, points, &s), FFI_HULL_OK);
    assert_near(s.volume, V, 64 * EPS);
    // A simplex has the second moments of four masses V / 20 at its corners (about the centre).
    double c[3];
    for (int i = 0; i < 3; ++i) {
      c[i] = (points[i] + points[3 + i] + points[6 + i] + points[9 + i]) / 4;
      assert_near(s.centre[i], c[i], 64 * EPS / V);
    }
    for (int p = 0; p < 4; ++p) {
      int k = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
          moments[k++] += V / 20 * (points[3 * p + i] - c[i]) * (points[3 * p + j] - c[j]);
    }
    for (int k = 0; k < 6; ++k)
      assert_near(s.moments[k], moments[k], 256 * EPS);
  }
}

// Tolerance: points within 16 eps (size + largest), 1.4e-14, of a face count as on it; times the area of 13.
static void a_prism_has_its_volume(void **state)
{
  (void)state;
  rng r = {3};
  for (int n = 3; n < 200; n += 7) {
    double points[3 * MAX_POINTS];
    int count = 0;
    ffi_hull_integrals s;
    for (int i = 0; i < n; ++i)
      for (int k = -1; k <= 1; ++k)
        add(points, &count, cos(2 * PI * i / n), sin(2 * PI * i / n), k);
    shuffle(&r, points, count);
    assert_int_equal(ffi_hull_solid(count, points, &s), FFI_HULL_OK);
    assert_near(s.volume, n * sin(2 * PI / n), 2e-13);
    // A regular polygon of area A: second moment A (2 + cos(2 pi / n)) / 12 about each axis through its
    // centre.
    assert_near(s.moments[0], n * sin(2 * PI / n) * (2 + cos(2 * PI / n)) / 12, 2e-13);
    assert_near(s.moments[5], n * sin(2 * PI / n) / 3, 2e-13);
  }
}

static void points_on_a_sphere_fill_it(void **state)
{
  enum { N = 2000 };
  static double points[3 * N];
  ffi_hull_integrals s;
  (void)state;
  rng r = {4};
  for (int i = 0; i < N; ++i)
    random_unit(&r, 3, points + 3 * i);
  assert_int_equal(ffi_hull_solid(N, points, &s), FFI_HULL_OK);
  // Less than the ball: random points miss a share of about 12 / N of it, and vary little around that.
  assert_true(s.volume < 4 * PI / 3);
  assert_near(s.volume, 4 * PI / 3 * (1 - 12.0 / N), 4 * PI / 3 * 1.0 / N);
}

static void flat_points_have_no_volume(void **state)
{
  (void)state;
  rng r = {5};
  double points[300], u[3], v[3];
  ffi_hull_integrals s;
  random_unit(&r, 3, u);
  random_unit(&r, 3, v);
  for (int kind = 0; kind < 3; ++kind) { // one place, a line, a plane
    for (int i = 0; i < 100; ++i) {
      double a = kind > 0 ? random_in(&r, -1, 1) : 0, b = kind > 1 ? random_in(&r, -1, 1) : 0;
      for (int k = 0; k < 3; ++k)
        points[3 * i + k] = 1 + a * u[k] + b * v[k];
    }
    assert_int_equal(ffi_hull_solid(100, points, &s), FFI_HULL_FLAT);
  }
}

// Of a grid the eight corners are enough.
static void a_box_needs_its_eight_corners(void **state)
{
  (void)state;
  rng r = {7};
  double points[3 * MAX_POINTS];
  int count = 0, corner[50];
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      for (int k = 0; k < 10; ++k)
        add(points, &count, i, 2 * j, 0.1 * k);
  for (int t = 0; t < 10; ++t) {
    shuffle(&r, points, count);
    ffi_hull_corners kept = {.corner = corner, .most = 50};
    assert_int_equal(ffi_hull_corners_find(count, points, 0, &kept, NULL), FFI_HULL_OK);
    assert_int_equal(kept.count, 8);
    assert_near(kept.left, 0, 1e-13);
    for (int i = 0; i < 8; ++i)
      for (int k = 0; k < 3; ++k) {
        const double far = k == 0 ? 9 : k == 1 ? 18 : 0.9, x = points[3 * corner[i] + k];
        assert_true(x == 0 || fabs(x - far) < 1e-14);
      }
  }
}

// How far a point is outside of the hull of some points, at least: by `directions` random ones.
static double outside(rng *r, const double *points, const int *corner, int corners, const double x[3],
                      int directions)
{
  double most = 0;
  for (int i = 0; i < directions; ++i) {
    double d[3], reach = -INFINITY;
    random_unit(r, 3, d);
    for (int k = 0; k < corners; ++k) {
      const double *p = points + 3 * corner[k];
      reach = fmax(reach, d[0] * p[0] + d[1] * p[1] + d[2] * p[2]);
    }
    most = fmax(most, d[0] * x[0] + d[1] * x[1] + d[2] * x[2] - reach);
  }
  return most;
}

// Few corners hold a ball but for a tolerance: no point sticks out by more than is reported, and the limit is kept.
static void few_corners_hold_a_ball_but_for_a_tolerance(void **state)
{
  (void)state;
  rng r = {8};
  static double points[3 * MAX_POINTS];
  int corner[300], before = 0;
  ffi_hull_corners kept = {.corner = corner, .most = 300};
  for (int i = 0; i < MAX_POINTS; ++i)
    random_unit(&r, 3, points + 3 * i);
  for (double tolerance = 0.3; tolerance > 0.005; tolerance /= 2) {
    assert_int_equal(ffi_hull_corners_find(MAX_POINTS, points, tolerance, &kept, NULL), FFI_HULL_OK);
    assert_true(kept.count > before && kept.count <= 300);
    assert_true(kept.left <= tolerance || kept.count == 300);
    for (int i = 0; i < MAX_POINTS; i += 40)
      assert_true(outside(&r, points, corner, kept.count, points + 3 * i, 200) <= kept.left * (1 + 1e-12));
    before = kept.count;
  }
  kept.most = 20;
  assert_int_equal(ffi_hull_corners_find(MAX_POINTS, points, 0, &kept, NULL), FFI_HULL_OK);
  assert_int_equal(kept.count, 20);
  assert_true(kept.left > 0.05);
  for (int i = 0; i < kept.count; ++i)
    for (int k = 0; k < i; ++k)
      assert_int_not_equal(corner[i], corner[k]);
}

static void every_failing_allocation_is_reported(void **state)
{
  double points[60];
  ffi_hull_integrals s;
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  rng r = {6};
  random_vector(&r, 60, 1, points);
  for (long n = 1;; ++n) {
    ffi_test_alloc_fail_at(n);
    ffi_hull_result result = ffi_hull_solid(20, points, &s);
    if (!ffi_test_alloc_failed()) {
      assert_int_equal(result, FFI_HULL_OK);
      assert_true(n > 3);
      break;
    }
    assert_int_equal(result, FFI_HULL_NO_MEMORY);
  }
  for (long n = 1;; ++n) {
    int corner[20];
    ffi_hull_corners kept = {.corner = corner, .most = 20};
    ffi_test_alloc_fail_at(n);
    ffi_hull_result result = ffi_hull_corners_find(20, points, 0, &kept, NULL);
    if (!ffi_test_alloc_failed()) {
      assert_int_equal(result, FFI_HULL_OK);
      assert_true(n > 3);
      break;
    }
    assert_int_equal(result, FFI_HULL_NO_MEMORY);
  }
}

// A grid's hull is found twice: with points in its faces, then without.
static void faces_report_every_failing_allocation(void **state)
{
  double points[3 * MAX_POINTS];
  int n = 0;
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  rng r = {9};
  for (int i = 0; i < 512; ++i)
    add(points, &n, i % 8, i / 8 % 8, i / 64);
  for (int t = 0; t < 5; ++t) {
    shuffle(&r, points, n);
    for (long k = 1;; ++k) {
      int *faces, count;
      ffi_test_alloc_fail_at(k);
      const ffi_hull_result result = ffi_hull_faces(n, points, &faces, &count, NULL);
      const int has_failed = ffi_test_alloc_failed();
      assert_int_equal(result, has_failed ? FFI_HULL_NO_MEMORY : FFI_HULL_OK);
      assert_int_equal(count, has_failed ? 0 : 12);
      free(faces);
      if (!has_failed)
        break;
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_of_a_grid_of_points),
      cmocka_unit_test(a_simplex_has_its_moments),
      cmocka_unit_test(a_prism_has_its_volume),
      cmocka_unit_test(points_on_a_sphere_fill_it),
      cmocka_unit_test(flat_points_have_no_volume),
      cmocka_unit_test(a_box_needs_its_eight_corners),
      cmocka_unit_test(few_corners_hold_a_ball_but_for_a_tolerance),
      cmocka_unit_test(every_failing_allocation_is_reported),
      cmocka_unit_test(faces_report_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
