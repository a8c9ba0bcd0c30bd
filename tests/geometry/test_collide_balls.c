// Spheres and capsules against each other and against boxes: distances by another way, what lies on what, and the
// cases in which there is no direction.
#include "geometry/solids.h"

static const ff_shape_type ROUND[] = {FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE};
static const ff_shape_type ANY[] = {FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_BOX};

static double length_of(const body *b)
{
  return b->solid.type == FF_SHAPE_CAPSULE ? b->solid.size[1] : 0;
}

// Radii let them overlap while their cores do not: gaps of both signs. Spheres are exact; a capsule's crossing is off by the pull
// and the raise, less than 0.2 % of the length.
static void the_least_gap_is_the_distance(void **state)
{
  (void)state;
  rng r = {1};
  int overlaps = 0, crossings = 0;
  for (int i = 0; i < 6000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    random_body(&r, ROUND[i % 2], &a);
    random_body(&r, ANY[i / 2 % 3], &b);
    a.solid.size[0] *= 0.3;
    random_rotation(&r, a.R);
    random_rotation(&r, b.R);
    random_vector(&r, 3, 1, a.p);
    const double core = apart(&a, &b);
    if (core < 1e-3)
      continue;
    const double want = core - rounding(&a) - rounding(&b);
    const int count = touches(&a, &b, 100, list);
    const double got = least_gap(list, count), length = fmax(length_of(&a), length_of(&b));
    assert_true(got >= want - 1e-10);
    assert_near(got, want, 2e-3 * length + 1e-12);
    overlaps += want < 0;
    crossings += find(list, count, b.solid.type == FF_SHAPE_BOX ? 2 : 4) != NULL;
  }
  assert_true(overlaps > 500 && crossings > 300);
}

// Two spheres, a sphere and a capsule: pushed by their gap along the normal they just touch, and the witness is on both.
static void pushed_by_the_gap_they_just_touch(void **state)
{
  (void)state;
  rng r = {2};
  for (int i = 0; i < 3000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    random_body(&r, FF_SHAPE_SPHERE, &a);
    random_body(&r, ANY[i % 3], &b);
    random_rotation(&r, b.R);
    random_vector(&r, 3, 1, a.p);
    const double core = apart(&a, &b);
    if (core < 1e-3)
      continue;
    assert_int_equal(touches(&a, &b, 100, list), 1);
    const double gap = list[0].gap;
    ffi_v3_add_scaled(-gap, list[0].normal, a.p);
    touches(&a, &b, 100, list);
    assert_near(list[0].gap, 0, 1e-13);
    body witness;
    make_body(FF_SHAPE_POINT, 0, 0, 0, &witness);
    ffi_v3_copy(list[0].point, witness.p);
    assert_near(apart(&witness, &b), rounding(&b), 1e-12);
    assert_near(apart(&witness, &a), rounding(&a), 1e-12);
  }
}

// Two parallel capsules, one on the other: supported at both ends of the overlap, and nowhere twice.
static void parallel_capsules_have_two_supports(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_CAPSULE, 0.1, 0.6, 0, &a);
  make_body(FF_SHAPE_CAPSULE, 0.1, 1, 0, &b);
  a.p[0] = 0.2 - 1e-3;
  assert_int_equal(touches(&a, &b, 0.01, list), 2); // both ends of the shorter
  assert_true(list[0].feature == 0 && list[1].feature == 1);
  assert_near(list[0].gap, -1e-3, 1e-15);
  assert_near(list[0].centre[2], 0.3, 1e-15);
  a.p[2] = 0.5; // shifted: one end of each, and the middle between them is a third
  const int count = touches(&a, &b, 1e-4, list);
  assert_int_equal(count, 3);
  assert_true(list[0].feature == 1 && list[1].feature == 2 && list[2].feature == 4);
  assert_true(list[1].owner == 1 && list[0].owner == 0);
  for (int i = 0; i < count; ++i)
    assert_near(list[i].gap, -1e-3, 1e-6);
  a.p[2] = 0.8 + 1e-3; // tip beside tip: one place
  assert_int_equal(touches(&a, &b, 1e-4, list), 1);
}

static void crossed_capsules_touch_once(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST];
  const double quarter[3] = {PI / 2, 0, 0};
  make_body(FF_SHAPE_CAPSULE, 0.1, 1, 0, &a);
  make_body(FF_SHAPE_CAPSULE, 0.2, 1, 0, &b);
  turn(quarter, a.R); // along y; b along z
  ffi_v3_set(0.3 - 1e-3, 0.2, -0.1, a.p);
  assert_int_equal(touches(&a, &b, 0.05, list), 1);
  assert_int_equal(list[0].feature, 4);
  assert_near(list[0].gap, -1e-3, 1e-12);
  assert_near(list[0].normal[0], 1, 1e-12);
  assert_near(list[0].centre[1], 0, 1e-12);
  assert_near(list[0].centre[2], -0.1, 1e-12);
  assert_int_equal(list[0].roll, FFI_ROLL_LINE);
}

// Axes that meet have no direction between them; one is chosen that is normal to both.
static void meeting_axes_have_a_normal(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST];
  for (int i = 0; i < 4; ++i) {
    const double w[3] = {0.5 * PI * (i % 2), 0, 0};
    make_body(FF_SHAPE_CAPSULE, 0.1, 1, 0, &a);
    make_body(FF_SHAPE_CAPSULE, 0.2, 1, 0, &b);
    turn(w, a.R);
    a.p[2] = i / 2 * 0.25;
    const int count = touches(&a, &b, 0, list);
    assert_true(count > 0);
    assert_near(least_gap(list, count), -0.3, 1e-12);
    for (int k = 0; k < count; ++k)
      if (list[k].gap < -0.29) // the others are ends beside ends
        assert_near(list[k].normal[2], 0, 1e-12);
  }
  make_body(FF_SHAPE_SPHERE, 0.1, 0, 0, &a);
  assert_int_equal(touches(&a, &b, 0, list), 1);
  assert_near(list[0].gap, -0.3, 1e-15);
  make_body(FF_SHAPE_SPHERE, 0.2, 0, 0, &b);
  assert_int_equal(touches(&a, &b, 0, list), 1);
  assert_near(list[0].gap, -0.3, 1e-15);
  ffi_v3_set(1e-200, 1e-200, 0, a.p); // a direction, even here
  touches(&a, &b, 0, list);
  assert_near(list[0].normal[0], sqrt(0.5), 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_gap_is_the_distance),
      cmocka_unit_test(pushed_by_the_gap_they_just_touch),
      cmocka_unit_test(parallel_capsules_have_two_supports),
      cmocka_unit_test(crossed_capsules_touch_once),
      cmocka_unit_test(meeting_axes_have_a_normal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
