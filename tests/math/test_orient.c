// On which side of a plane a point is: against a determinant in long numbers, on planes that rounding cannot tell.
// soak: hull
#include "math/orient.h"

#include "math/exact_sign.h"
#include "math/near.h"
#include "support/samples.h"

static double snap(double x)
{
  return ffi_orient_snap(x);
}

// Four points, the last about in the plane of the others: on it, or off by rounding or by one place.
static void draw_points(rng *r, double p[4][3])
{
  const int kind = random_below(r, 6);
  const double i = random_in(r, -1, 1), j = random_in(r, -1, 1);
  for (int k = 0; k < 3; ++k) {
    const double scale = kind == 2 ? ldexp(1, -random_below(r, 150)) : 0.25;
    for (int n = 0; n < 3; ++n) {
      p[n][k] = random_in(r, -scale, scale);
      if (kind == 1 || kind == 2) // whole numbers, each axis with a scale of its own
        p[n][k] = scale * random_below(r, 1000);
      if (kind == 4) // each number
        p[n][k] = ldexp(p[n][k], -random_below(r, 130));
    }
    p[3][k] = p[0][k] + i * (p[1][k] - p[0][k]) + j * (p[2][k] - p[0][k]);
    if (kind == 1 || kind == 2)
      p[3][k] = p[1][k] + p[2][k] - p[0][k]; // exact
    if (kind == 3)
      p[3][k] = p[random_below(r, 3)][k];
  }
  if (kind == 5 && random_below(r, 2)) // mirrored: in one plane with its mirror image and another pair
    for (int k = 0; k < 3; ++k) {
      p[1][k] = k == 0 ? -p[0][k] : p[0][k];
      p[3][k] = k == 0 ? -p[2][k] : p[2][k];
    }
  if (random_below(r, 3) == 0) {
    double *x = &p[random_below(r, 4)][random_below(r, 3)];
    *x = nextafter(*x, random_below(r, 2) ? 1 : -1);
  }
  for (int n = 0; n < 4; ++n)
    for (int k = 0; k < 3; ++k)
      p[n][k] = fmax(-1, fmin(1, snap(p[n][k])));
}

static void signs_are_those_of_long_numbers(void **state)
{
  (void)state;
  const int cases = ffi_samples(20000);
  int seen[3] = {0};
  for (int t = 0; t < cases; ++t) {
    rng r = {(uint64_t)t * 977 + ffi_samples_seed()};
    double p[4][3];
    draw_points(&r, p);
    const int expected = ffi_exact_sign(p[0], p[1], p[2], p[3]);
    assert_int_equal(ffi_orient_sign(p[0], p[1], p[2], p[3]), expected);
    assert_int_equal(ffi_orient_sign(p[1], p[0], p[2], p[3]), -expected);
    assert_int_equal(ffi_orient_sign(p[3], p[1], p[2], p[0]), -expected);
    ++seen[expected + 1];
  }
  if (ffi_samples_are_usual())
    for (int i = 0; i < 3; ++i)
      assert_true(seen[i] > cases / 10);
  ffi_samples_tried(cases, "planes");
}

static void the_side_is_the_right_one(void **state)
{
  (void)state;
  const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0}, above[3] = {0.3, 0.3, 1};
  const double in[3] = {-0.5, 0.7, 0}, barely[3] = {0.3, 0.3, 0x1p-188}, below[3] = {1, 1, -0x1p-188};
  assert_int_equal(ffi_orient_sign(a, b, c, above), 1);
  assert_int_equal(ffi_orient_sign(a, b, c, barely), 1);
  assert_int_equal(ffi_orient_sign(a, b, c, in), 0);
  assert_int_equal(ffi_orient_sign(a, b, c, below), -1);
  assert_int_equal(ffi_orient_sign(a, b, b, above), 0);
}

static void points_are_moved_to_the_grid(void **state)
{
  (void)state;
  rng r = {3};
  for (int t = 0; t < 10000; ++t) {
    const double x = ldexp(random_in(&r, -1, 1), -random_below(&r, 260)), y = ffi_orient_snap(x);
    const double places = ldexp(y, FFI_ORIENT_BITS);
    assert_true(fabs(x - y) <= 0x1p-189);
    assert_true(places == floor(places));
    assert_true(fabs(x) < 0x1p-136 || x == y);
  }
  assert_true(ffi_orient_snap(1) == 1 && ffi_orient_snap(0) == 0 && ffi_orient_snap(-0x1p-1074) == 0);
}

// Triangles with an edge along an axis: the normal is at right angles to it and to the part of another edge across it,
// exactly, however thin they are. Tolerance: as the header says.
static void normals_of_needles_are_exact(void **state)
{
  (void)state;
  rng r = {4};
  for (int t = 0; t < 3000; ++t) {
    const int k = random_below(&r, 3), i = (k + 1) % 3, j = (k + 2) % 3;
    const double thin = ldexp(1, -random_below(&r, 80)), o = ldexp(random_below(&r, 1 << 20), -21);
    double a[3], b[3], c[3], n[3];
    for (int axis = 0; axis < 3; ++axis)
      a[axis] = b[axis] = c[axis] = 0;
    a[k] = o, b[k] = o + 0.25, c[k] = random_in(&r, -1, 1);
    const double y = c[i] = thin * random_in(&r, -1, 1), z = c[j] = thin * random_in(&r, -1, 1);
    ffi_orient_normal(a, b, c, n);
    const long double size = sqrtl((long double)y * y + (long double)z * z);
    assert_near(n[k], 0, 0);
    assert_near(n[i], -z / size, 8 * EPS / 2);
    assert_near(n[j], y / size, 8 * EPS / 2);
  }
  const double a[3] = {0, 0, 0}, b[3] = {0.1, 0.2, 0.3}, c[3] = {0.2, 0.4, 0.6};
  double n[3] = {1, 1, 1};
  ffi_orient_normal(a, b, c, n);
  assert_true(n[0] == 0 && n[1] == 0 && n[2] == 0);
}

// Any triangle, in any place: the normal is at right angles to its edges, but for its rounding and that of the test.
static void normals_are_at_right_angles(void **state)
{
  (void)state;
  for (int t = 0; t < ffi_samples(3000); ++t) {
    rng r = {(uint64_t)t + 31 + ffi_samples_seed()};
    double p[4][3], n[3];
    draw_points(&r, p);
    ffi_orient_normal(p[0], p[1], p[2], n);
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    assert_true(size == 0 || fabs(size - 1) <= 8 * EPS);
    for (int i = 1; i < 3; ++i) {
      long double dot = 0, length = 0;
      for (int k = 0; k < 3; ++k) {
        const long double d = (long double)p[i][k] - (long double)p[0][k];
        dot += n[k] * d;
        length += d * d;
      }
      assert_near(dot, 0, 8 * EPS * (double)sqrtl(length));
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signs_are_those_of_long_numbers), cmocka_unit_test(the_side_is_the_right_one),
      cmocka_unit_test(points_are_moved_to_the_grid),    cmocka_unit_test(normals_of_needles_are_exact),
      cmocka_unit_test(normals_are_at_right_angles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
