// Corners and edges of boxes under the caps of cylinders and disks.
#include "geometry/solids.h"

static const ff_shape_type ROUND[] = {FF_SHAPE_CYLINDER, FF_SHAPE_DISK};
static const double DEPTH = 1e-3, RADIUS = 0.1;

// A cylinder or a disk whose lower cap is horizontal, turned about its axis, its middle over (x, y), DEPTH below z = 0.
static void stand(rng *r, ff_shape_type type, double x, double y, body *out)
{
  const double spin[3] = {0, 0, random_in(r, -PI, PI)};
  make_body(type, RADIUS, 0.3, 0, out);
  turn(spin, out->R);
  ffi_v3_set(x, y, (type == FF_SHAPE_DISK ? 0 : 0.15) - DEPTH, out->p);
}

// A box with the edge along y up, at x = z = 0, y from -half to half; each of its two faces there falls away by an angle.
static void make_roof(double half, double lean, body *out)
{
  make_body(FF_SHAPE_BOX, 0.5, 2 * half, 0.5, out);
  const double w[3] = {0, PI / 4 + lean, 0}, corner[3] = {-0.25, 0, 0.25};
  turn(w, out->R);
  ffi_v3_set(0, 0, 0, out->p);
  double top[3];
  to_world(out, corner, top);
  ffi_v3_scale(-1, top, out->p);
}

static void straight_up(const ffi_touch *t, double depth)
{
  assert_near(t->gap, -depth, 1e-14);
  assert_near(t->normal[2], 1, 1e-14);
  assert_near(t->point[2], 0, 1e-14);
  assert_int_equal(t->owner, 1);
}

// The touches that the box owns, to the front of the list. Those of the cap are points of it that happen to be inside the ridge; none of them is in deep.
static int of_box(const body *a, const body *b, ffi_touch list[MOST])
{
  int count = 0;
  const int all = touches(a, b, 0, list);
  for (int i = 0; i < all; ++i) {
    assert_true(list[i].owner == 1 || (list[i].gap > -2 * DEPTH && fabs(list[i].point[0]) < 10 * DEPTH));
    if (list[i].owner == 1)
      list[count++] = list[i];
  }
  return count;
}

// The chord that the edge has under the cap, at a distance `off` from the middle, ends at +-sqrt(r^2 - off^2).
static void a_cap_on_an_edge_rests_on_the_ends_of_a_chord(void **state)
{
  (void)state;
  rng r = {1};
  for (int i = 0; i < 400; ++i) {
    body a, b;
    ffi_touch list[MOST];
    const double off = random_in(&r, -0.97, 0.97) * RADIUS;
    stand(&r, ROUND[i % 2], off, random_in(&r, -0.1, 0.1), &a);
    make_roof(0.5, random_in(&r, -0.6, 0.6), &b);
    assert_int_equal(of_box(&a, &b, list), 2);
    for (int k = 0; k < 2; ++k) {
      straight_up(&list[k], DEPTH);
      assert_near(list[k].point[0], 0, 1e-14);
      assert_near(fabs(list[k].point[1] - a.p[1]), sqrt(RADIUS * RADIUS - off * off), 1e-13);
      assert_int_equal(list[k].roll, FFI_ROLL_LINE);
    }
    assert_true((list[0].point[1] - a.p[1]) * (list[1].point[1] - a.p[1]) < 0); // one on each side
  }
}

// An edge shorter than the chord: its two corners.
static void a_cap_on_a_short_edge_rests_on_its_corners(void **state)
{
  (void)state;
  rng r = {2};
  for (int i = 0; i < 200; ++i) {
    body a, b;
    ffi_touch list[MOST];
    stand(&r, ROUND[i % 2], random_in(&r, -0.05, 0.05), random_in(&r, -0.03, 0.03), &a);
    make_roof(0.04, random_in(&r, -0.6, 0.6), &b);
    assert_int_equal(of_box(&a, &b, list), 2);
    for (int k = 0; k < 2; ++k) {
      straight_up(&list[k], DEPTH);
      assert_near(fabs(list[k].point[1]), 0.04, 1e-14);
      assert_int_equal(list[k].roll, FFI_ROLL_NONE);
    }
  }
}

// A corner that points up, anywhere under the cap but within a depth of its rim, where the side is nearer.
static void a_cap_on_a_corner_rests_on_it(void **state)
{
  (void)state;
  rng r = {3};
  for (int i = 0; i < 400; ++i) {
    body a, b;
    ffi_touch list[MOST];
    double T[9], S[9], top[3];
    const double rho = RADIUS * 0.97 * sqrt(random_in(&r, 0, 1)), phi = random_in(&r, -PI, PI);
    stand(&r, ROUND[i % 2], rho * cos(phi), rho * sin(phi), &a);
    make_body(FF_SHAPE_BOX, 0.4, 0.5, 0.3, &b);
    const double lean[3] = {random_in(&r, -0.2, 0.2), random_in(&r, -0.2, 0.2), 0},
                 axis[3] = {-1 / sqrt(2), 1 / sqrt(2), 0};
    double w[3];
    ffi_v3_scale(-acos(1 / sqrt(3)), axis, w); // (1, 1, 1) to (0, 0, 1)
    turn(w, S);
    turn(lean, T);
    ffi_m3_mul(T, S, b.R);
    to_world(&b, (const double[]){0.2, 0.25, 0.15}, top);
    ffi_v3_scale(-1, top, b.p);
    assert_int_equal(of_box(&a, &b, list), 1);
    straight_up(&list[0], DEPTH);
    assert_near(hypot(list[0].point[0], list[0].point[1]), 0, 1e-14);
    assert_int_equal(list[0].feature,
                     (ROUND[i % 2] == FF_SHAPE_DISK ? 11 : 23) + 7); // after the rims, corner + + +
  }
}

// A post narrower than the cap: its four corners and nothing else. Wholly on a face: the five witnesses of a cap, as on a plane.
static void posts_and_treads(void **state)
{
  (void)state;
  rng r = {4};
  for (int i = 0; i < 100; ++i) {
    body a, b;
    ffi_touch list[MOST];
    stand(&r, ROUND[i % 2], random_in(&r, -0.01, 0.01), random_in(&r, -0.01, 0.01), &a);
    make_body(FF_SHAPE_BOX, 0.1, 0.12, 0.5, &b);
    b.p[2] = -0.25;
    int count = touches(&a, &b, 0, list), on_box = 0;
    for (int k = 0; k < count; ++k) {
      assert_near(list[k].gap, -DEPTH, 1e-14);
      assert_near(list[k].normal[2], 1, 1e-14);
      on_box += list[k].owner;
    }
    assert_int_equal(on_box, 4);
    assert_int_equal(count, 5); // and the rolling one, in the middle of the cap
    make_body(FF_SHAPE_BOX, 0.3, 0.3, 0.5, &b);
    b.p[2] = -0.25;
    count = touches(&a, &b, 0.02, list);
    assert_int_equal(count, 5);
    for (int k = 0; k < 5; ++k)
      assert_true(list[k].owner == 0 && list[k].feature == (ROUND[i % 2] == FF_SHAPE_DISK ? 0 : 11) + k);
  }
}

// A cap is pushed over the corner of a tread, any way. While its middle is on the tread, what is under the cap never gets out of sight: the deepest touch
// is as deep as the cap, but for what is handed over, twice a hair of the radius.
static void nothing_slips_through_between_features(void **state)
{
  (void)state;
  rng r = {5};
  for (int i = 0; i < 200; ++i) {
    body a, b;
    ffi_touch list[MOST];
    const double way[2] = {random_in(&r, -0.15, 0.15), random_in(&r, -0.15, 0.15)};
    make_body(FF_SHAPE_BOX, 0.4, 0.4, 0.5, &b); // a corner at x = y = 0
    ffi_v3_set(-0.2, -0.2, -0.25, b.p);
    stand(&r, ROUND[i % 2], 0, 0, &a);
    for (int k = 0; k <= 1000; ++k) {
      a.p[0] = -0.03 + way[0] * k / 1000 - 0.01;
      a.p[1] = -0.03 + way[1] * k / 1000 - 0.01;
      if (a.p[0] > -2 * DEPTH || a.p[1] > -2 * DEPTH)
        continue;
      const int count = touches(&a, &b, 0, list);
      assert_near(least_gap(list, count), -DEPTH, 1e-14);
      int ends = 0; // each of the two edges under the cap carries at both its ends, the corner for both
      for (int t = 0; t < count; ++t)
        ends += list[t].owner == 1 && list[t].gap < -DEPTH + 2.1e-3 * RADIUS;
      if (hypot(a.p[0], a.p[1]) < 0.999 * RADIUS)
        assert_int_equal(ends, 3);
    }
  }
}

// Any pair, anywhere: what overlaps by up to 1 cm (and is as large as 10 cm or more). If they are apart no touch may say otherwise; none
// may be deeper than the overlap by more than half a centimetre and the overlap itself; and all but few overlaps must be seen.
static void overlaps_are_seen_for_what_they_are(void **state)
{
  (void)state;
  rng r = {6};
  int deep = 0, half = 0;
  double worst = 0;
  for (int i = 0; i < 6000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    double n[3];
    random_body(&r, ROUND[i % 2], &a);
    random_body(&r, FF_SHAPE_BOX, &b);
    a.solid.size[0] *= 0.4;
    a.solid.radius = ffi_solid_radius(&a.solid);
    random_rotation(&r, a.R);
    if (i % 3 == 0) { // nearly aligned
      random_unit(&r, 3, n);
      ffi_v3_scale(random_in(&r, 0, 0.2), n, n);
      turn(n, a.R);
    }
    random_vector(&r, 3, 0.5, a.p);
    const double before = overlap(&a, &b, n);
    ffi_v3_add_scaled(before - random_in(&r, -0.005, 0.01), n, a.p);
    const double there = overlap(&a, &b, n), least = least_gap(list, touches(&a, &b, 0.02, list));
    if (there < -1e-5 && !(least > 0))
      fail_msg("pair %d is %g apart and touches by %g", i, -there, least);
    if (!(-least <= 2 * fmax(there, 0) + 5e-3))
      fail_msg("pair %d overlaps by %g and touches by %g", i, there, -least);
    worst = fmax(worst, -least - fmax(there, 0));
    deep += there > 2e-3;
    half += there > 2e-3 && !(-least > 0.5 * there);
  }
  print_message("%d overlap by 2 to 10 mm; %d of them are seen to less than a half; the most too deep %g\n",
                deep, half, worst);
  assert_true(deep > 2500);
  assert_true(half <= deep / 30); // 2 %: the rim across an edge that is askew to it
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cap_on_an_edge_rests_on_the_ends_of_a_chord),
      cmocka_unit_test(a_cap_on_a_short_edge_rests_on_its_corners),
      cmocka_unit_test(a_cap_on_a_corner_rests_on_it),
      cmocka_unit_test(posts_and_treads),
      cmocka_unit_test(nothing_slips_through_between_features),
      cmocka_unit_test(overlaps_are_seen_for_what_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
