// Bounding radii: every corner and every point of the surface is within, and one of them is on it.
#include "geometry/solids.h"

// The farthest of a thing in direction d, by lowest() in the opposite one.
static double reach(const body *a, const double d[3])
{
  static const double origin[3] = {0};
  const double down[3] = {-d[0], -d[1], -d[2]};
  return -lowest(a, origin, down);
}

static void nothing_sticks_out_and_something_reaches(void **state)
{
  (void)state;
  static const ff_shape_type types[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE,
                                        FF_SHAPE_BOX,   FF_SHAPE_CYLINDER, FF_SHAPE_DISK,
                                        FF_SHAPE_HULL,  FF_SHAPE_ELLIPSOID};
  rng r = {1};
  for (int i = 0; i < 160; ++i) {
    body a;
    random_body(&r, types[i % 8], &a);
    double most = 0;
    for (int k = 0; k < 20000; ++k) {
      double d[3];
      random_unit(&r, 3, d);
      most = fmax(most, reach(&a, d));
      assert_true(reach(&a, d) <= a.solid.radius * (1 + 10 * EPS));
    }
    // 20000 directions come within 0.03 of any; the reach falls by half the square of that
    assert_true(most >= a.solid.radius * (1 - 5e-4));
  }
}

// About any point: the farthest of all directions from it; about the origin the radius itself.
static void about_any_point_too(void **state)
{
  (void)state;
  static const ff_shape_type types[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE,
                                        FF_SHAPE_BOX,   FF_SHAPE_CYLINDER, FF_SHAPE_DISK,
                                        FF_SHAPE_HULL,  FF_SHAPE_ELLIPSOID};
  rng r = {3};
  for (int i = 0; i < 160; ++i) {
    static const double origin[3] = {0};
    body a;
    random_body(&r, types[i % 8], &a);
    double x[3], at[3], most = 0;
    random_unit(&r, 3, x);
    const double far = i % 3 == 0 ? 0.01 : 2 * a.solid.radius + 0.1;
    for (int k = 0; k < 3; ++k)
      x[k] *= far;
    ffi_m3_mulv(a.R, x, at); // the thing of solids.h is placed; the point is in its frame
    ffi_v3_add(at, a.p, at);
    const double radius = ffi_solid_radius_about(&a.solid, x);
    for (int k = 0; k < 20000; ++k) {
      double d[3];
      random_unit(&r, 3, d);
      const double out = -lowest(&a, at, (const double[3]){-d[0], -d[1], -d[2]});
      most = fmax(most, out);
      assert_true(out <= radius * (1 + 10 * EPS));
    }
    assert_true(most >= radius * (1 - 5e-4));
    assert_true(fabs(ffi_solid_radius_about(&a.solid, origin) - a.solid.radius) <= 10 * EPS * a.solid.radius);
  }
}

static void what_has_no_end_has_no_radius(void **state)
{
  (void)state;
  rng r = {2};
  body a;
  random_body(&r, FF_SHAPE_HEIGHTFIELD, &a);
  assert_true(isinf(a.solid.radius));
  assert_true(a.solid.field == &a.field && a.field.rows == 9 && a.field.columns == 7);
  for (int i = 0; i < 63; ++i)
    assert_true(a.heights[i] <= a.field.high);
  random_body(&r, FF_SHAPE_PLANE, &a);
  assert_true(isinf(a.solid.radius));
  a.solid.type = FF_SHAPE_MESH;
  assert_true(isinf(ffi_solid_radius(&a.solid)));
  a.solid.type = 77;
  assert_true(isinf(ffi_solid_radius(&a.solid)));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_sticks_out_and_something_reaches),
      cmocka_unit_test(about_any_point_too),
      cmocka_unit_test(what_has_no_end_has_no_radius),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
