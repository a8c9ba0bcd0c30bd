// A shank on a stair: the edge between the ends of a capsule.
#include "geometry/solids.h"

// Leaning on the edge of a stair from outside, at any angle: one touch, at the edge, normal to both.
static void a_leg_rests_on_the_edge_of_a_stair(void **state)
{
  (void)state;
  for (int i = 1; i < 30; ++i) {
    const double lean = i * PI / 60, radius = 0.04,
                 depth = 1e-3; // down and out, over the edge x = 1, z = 0.5
    body leg, stair;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_CAPSULE, radius, 0.4, 0, &leg);
    make_body(FF_SHAPE_BOX, 2, 3, 1, &stair);
    const double w[3] = {0, PI / 2 + lean, 0}, n[3] = {sin(lean), 0, cos(lean)};
    turn(w, leg.R); // z along (cos, 0, -sin)
    ffi_v3_set(1, 0.2, 0.5, leg.p);
    ffi_v3_add_scaled(radius - depth, n, leg.p);
    const int count = touches(&leg, &stair, 0, list);
    const ffi_touch *t = find(list, count, 2);
    assert_non_null(t);
    assert_near(t->gap, -depth, 1e-5);
    for (int k = 0; k < 3; ++k)
      assert_near(t->normal[k], n[k], 6e-3);
    if (lean > 0.35)
      assert_int_equal(count, 1);
  }
}

// Lying on the tread and sticking out: the end on the tread and the edge carry. With the outer end going up the edge's touch goes over
// to the inner end, within a tilt of half the pull, and is then that end's: it leaves by being raised, not at once.
static void overhanging_it_is_carried_by_the_edge(void **state)
{
  (void)state;
  const double radius = 0.05, margin = 0.01;
  double before = (double)INFINITY;
  for (int i = -50000; i <= 50000; ++i) {
    const double tilt = i < 0 ? -4.9e-3 + 4e-9 * i : 1e-7 * i; // closely where it leaves
    body leg, stair;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_CAPSULE, radius, 0.4, 0, &leg);
    make_body(FF_SHAPE_BOX, 2, 3, 1, &stair);
    const double w[3] = {0, PI / 2 + tilt, 0};
    turn(w, leg.R);
    ffi_v3_set(1.05, 0, 0.5 + radius - 1e-3, leg.p); // the middle is beyond the edge
    const int count = touches(&leg, &stair, margin, list);
    const ffi_touch *edge = find(list, count, 2), *end = find(list, count, 1);
    assert_non_null(end);
    assert_near(end->gap, leg.p[2] + 0.2 * sin(tilt) - 0.5 - radius, 1e-12);
    const double gap = edge ? edge->gap : margin, above = leg.p[2] + 0.05 * sin(tilt) - 0.5 - radius;
    if (tilt >= 0) // the axis above the edge; to its foot it is nearer by a part in tilt^2
      assert_near(gap, above, 0.05 * tilt * tilt + 1e-7); // and the pull: radius times its slope squared
    assert_true(tilt < -4.95e-3 || edge);
    assert_true(tilt > -5.01e-3 || !edge);
    if (i == 0)
      ; // another tilt
    else if (before < margin)
      assert_near(gap, before, 2e-3);
    else
      assert_true(gap > 0.7 * margin);
    before = gap;
  }
}

static void lying_on_a_face_it_has_two_supports(void **state)
{
  (void)state;
  rng r = {1};
  for (int i = 0; i < 300; ++i) {
    body leg, floor;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_CAPSULE, 0.05, 0.4, 0, &leg);
    make_body(FF_SHAPE_BOX, 4, 4, 1, &floor);
    const double w[3] = {0, PI / 2 + random_in(&r, -0.01, 0.01), 0};
    turn(w, leg.R);
    ffi_v3_set(random_in(&r, -1, 1), random_in(&r, -1, 1), 0.55 - 1e-3, leg.p);
    assert_int_equal(touches(&leg, &floor, 0.02, list), 2);
    assert_true(list[0].roll == FFI_ROLL_SPHERE && list[0].normal[2] == 1);
  }
}

// Right through: the way out is finite, unique, and the same for poses that differ by rounding.
static void pierced_it_has_a_way_out(void **state)
{
  (void)state;
  body leg, plate;
  ffi_touch list[MOST], again[MOST];
  make_body(FF_SHAPE_CAPSULE, 0.05, 1, 0, &leg);
  make_body(FF_SHAPE_BOX, 2, 2, 0.1, &plate);
  const int count = touches(&leg, &plate, 0, list);
  assert_int_equal(count, 1);
  assert_near(list[0].gap, -0.05 - 0.05, 1e-9);
  ffi_v3_set(1e-15, -1e-15, 1e-15, leg.p);
  assert_int_equal(touches(&leg, &plate, 0, again), count);
  assert_near(ffi_v3_dot(list[0].normal, again[0].normal), 1, 1e-12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_leg_rests_on_the_edge_of_a_stair),
      cmocka_unit_test(overhanging_it_is_carried_by_the_edge),
      cmocka_unit_test(lying_on_a_face_it_has_two_supports),
      cmocka_unit_test(pierced_it_has_a_way_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
