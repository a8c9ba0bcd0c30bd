// Everything against a plane: the lowest point by a formula of its own, the witnesses by where they are.
#include "geometry/collide_plane.h"
#include "geometry/solids.h"

static const ff_shape_type EXACT[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_BOX,
                                      FF_SHAPE_HULL};

static void random_plane(rng *r, body *b)
{
  make_body(FF_SHAPE_PLANE, 0, 0, 0, b);
  random_rotation(r, b->R);
  random_vector(r, 3, 2, b->p);
}

static void normal_of(const body *plane, double n[3])
{
  ffi_v3_set(plane->R[2], plane->R[5], plane->R[8], n);
}

static void the_least_gap_is_the_lowest_point(void **state)
{
  (void)state;
  rng r = {1};
  for (int i = 0; i < 5000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    double n[3];
    random_body(&r, EXACT[i % 5], &a);
    random_rotation(&r, a.R);
    random_vector(&r, 3, 1, a.p);
    random_plane(&r, &b);
    normal_of(&b, n);
    const int count = touches(&a, &b, 100, list);
    assert_int_equal(count, ffi_collide_most(&a.solid, &b.solid));
    assert_near(least_gap(list, count), lowest(&a, b.p, n), 50 * EPS);
    for (int k = 0; k < count; ++k) { // each witness is where its gap says, and the normal is the plane's
      double foot[3];
      ffi_v3_sub(list[k].point, b.p, foot);
      assert_near(ffi_v3_dot(foot, n), list[k].gap, 50 * EPS);
      assert_near(ffi_v3_dot(n, list[k].normal), 1, 10 * EPS);
      assert_int_equal(list[k].owner, 0);
      assert_int_equal(list[k].feature, k);
    }
    assert_near(ffi_collide_plane_gap(b.p, n, a.p) - lowest(&a, b.p, n), lowest(&a, a.p, n) * -1, 50 * EPS);
  }
}

// Witnesses that do not roll stay at the same place of the body, and the middles of those that do.
static void features_stay_with_the_material(void **state)
{
  (void)state;
  rng r = {2};
  for (int i = 0; i < 500; ++i) {
    body a, b;
    ffi_touch list[MOST], later[MOST];
    random_body(&r, EXACT[i % 5], &a);
    random_rotation(&r, a.R);
    random_plane(&r, &b);
    const int count = touches(&a, &b, 100, list);
    body moved = a;
    random_rotation(&r, moved.R);
    random_vector(&r, 3, 1, moved.p);
    assert_int_equal(touches(&moved, &b, 100, later), count);
    for (int k = 0; k < count; ++k) {
      double before[3], after[3];
      ffi_v3_sub(list[k].centre, a.p, before);
      ffi_m3_tmulv(a.R, before, before);
      ffi_v3_sub(later[k].centre, moved.p, after);
      ffi_m3_tmulv(moved.R, after, after);
      for (int j = 0; j < 3; ++j)
        assert_near(after[j], before[j], 50 * EPS);
    }
  }
}

static void corners_are_numbered_by_their_signs(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_BOX, 2, 4, 6, &a);
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
  assert_int_equal(touches(&a, &b, 100, list), 8);
  for (int i = 0; i < 8; ++i) {
    const double want[3] = {i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3};
    for (int k = 0; k < 3; ++k)
      assert_near(list[i].point[k], want[k], 0);
    assert_near(list[i].gap, want[2], 0);
  }
}

static void the_margin_is_inclusive(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_SPHERE, 1, 0, 0, &a);
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
  a.p[2] = 1.5;
  assert_int_equal(touches(&a, &b, 0.5, list), 1);
  assert_int_equal(touches(&a, &b, nextafter(0.5, 0), list), 0);
  assert_int_equal(touches(&a, &b, -0.1, list), 0); // a negative margin: only what overlaps by as much
  a.p[2] = 0.5;
  assert_int_equal(touches(&a, &b, -0.5, list), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_gap_is_the_lowest_point),
      cmocka_unit_test(features_stay_with_the_material),
      cmocka_unit_test(corners_are_numbered_by_their_signs),
      cmocka_unit_test(the_margin_is_inclusive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
