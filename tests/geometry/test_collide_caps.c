// Cylinders and disks: standing, lying, rolling, and over the edge of a stair.
#include "geometry/solids.h"

#include "support/samples.h"

static const ff_shape_type ROUND[] = {FF_SHAPE_CYLINDER, FF_SHAPE_DISK};

// From a tilt of 0.02 on the lowest witness is the lowest point. Below, the rim between two fixed witnesses may be
// lower, by 1 - cos 45 of the radius times the tilt.
static void the_least_gap_is_the_lowest_point(void **state)
{
  (void)state;
  rng r = {1};
  for (int i = 0; i < 5000; ++i) {
    static const double origin[3] = {0}, up[3] = {0, 0, 1};
    body a, b;
    ffi_touch list[MOST];
    random_body(&r, ROUND[i % 2], &a);
    make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
    random_rotation(&r, a.R);
    if (i % 3 == 0) { // nearly standing, turned about its axis
      double S[9], T[9];
      const double spin[3] = {0, 0, random_in(&r, 0, PI)}, tilt[3] = {pow(10, random_in(&r, -10, -1)), 0, 0};
      turn(spin, S);
      turn(tilt, T);
      ffi_m3_mul(T, S, a.R);
    }
    random_vector(&r, 3, 1, a.p);
    const int count = touches(&a, &b, 100, list);
    assert_int_equal(count, ROUND[i % 2] == FF_SHAPE_DISK ? 5 : 10);
    const double got = least_gap(list, count), want = lowest(&a, origin, up);
    const double tilt = hypot(a.R[6], a.R[7]), radius = a.solid.size[0];
    assert_true(got >= want - 1e-13);
    assert_near(got, want, tilt >= 0.02 ? 1e-13 : 0.3 * radius * tilt + 1e-13);
    for (int k = 0; k < count; ++k) { // near the cap: at most a third of the radius past its rim
      double x[3];
      ffi_v3_sub(list[k].point, a.p, x);
      ffi_m3_tmulv(a.R, x, x);
      if (ROUND[i % 2] == FF_SHAPE_CYLINDER)
        x[2] += k < 5 ? -0.5 * a.solid.size[1] : 0.5 * a.solid.size[1];
      assert_true(ffi_v3_norm(x) <= radius * (4. / 3 + 1e-12));
      assert_near(list[k].point[2], list[k].gap, 1e-12);
    }
  }
}

static void standing_it_has_four_corners_and_lying_two(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_CYLINDER, 0.1, 0.5, 0, &a);
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
  a.p[2] = 0.25 - 1e-4;
  assert_int_equal(touches(&a, &b, 0, list), 5);
  for (int k = 0; k < 5; ++k) {
    assert_near(list[k].gap, -1e-4, 1e-15);
    assert_near(hypot(list[k].point[0], list[k].point[1]), k ? 0.1 : 0,
                1e-15); // the rolling one is in the middle
    assert_int_equal(list[k].roll, FFI_ROLL_BENT);
  }
  const double w[3] = {PI / 2, 0, 0};
  turn(w, a.R);
  a.p[2] = 0.1 - 1e-4;
  for (int i = 0; i < 360; ++i) { // rolling on the plane: the same two, always
    const double spin[3] = {0, i * PI / 180, 0};
    double S[9], R[9];
    turn(spin, S);
    turn(w, R);
    ffi_m3_mul(S, R, a.R);
    assert_int_equal(touches(&a, &b, 0.01, list), 2);
    assert_true(list[0].feature == 0 && list[1].feature == 5);
    for (int k = 0; k < 2; ++k) {
      assert_near(list[k].gap, -1e-4, 1e-12);
      assert_near(list[k].point[0], 0, 1e-12);
      assert_near(fabs(list[k].point[1]), 0.25, 1e-12);
      assert_near(list[k].point[2], -1e-4, 1e-12);
    }
  }
}

// From standing to lying: no witness jumps at any tilt, and the fixed ones hardly move while they can carry load.
static void tilting_moves_the_witnesses_evenly(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST], before[MOST];
  make_body(FF_SHAPE_DISK, 1, 0, 0, &a);
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
  for (int i = 0; i <= 15000; ++i) {
    const double w[3] = {1e-4 * i * 0.6, 1e-4 * i * 0.8, 0};
    turn(w, a.R);
    assert_int_equal(touches(&a, &b, 10, list), 5);
    for (int k = 0; i > 0 && k < 5; ++k) {
      double step[3];
      ffi_v3_sub(list[k].point, before[k].point, step);
      assert_true(ffi_v3_norm(step) <
                  (k ? 4e-4 : 2.1e-2)); // the rolling one comes from the middle within 0.02
      assert_near(list[k].gap, before[k].gap, 3e-4);
    }
    memcpy(before, list, sizeof list);
  }
}

// A cap turned by w, |w| small, about its middle: how gaps and points change, to the second order.
static void look(const body *a, const double w[3], ffi_touch out[MOST])
{
  body b, turned = *a;
  double T[9];
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
  turn(w, T);
  ffi_m3_mul(T, a->R, turned.R);
  assert_int_equal(touches(&turned, &b, 100, out), 5);
}

// By central differences: a gap changes as the height of the material that is at its point, so that springs there have
// a potential; and the point moves over the cap by bend (n x w).
static void points_are_where_the_gaps_gradients_are(void **state)
{
  (void)state;
  rng r = {7};
  const double h = 1e-6;
  for (int i = 0; i < ffi_samples(2000); ++i) {
    body a;
    ffi_touch plus[MOST], minus[MOST], here[MOST];
    make_body(FF_SHAPE_DISK, 1, 0, 0, &a);
    double first[3], w[3], back[3], S[9], T[9];
    random_unit(&r, 2, first);
    first[2] = 0;
    ffi_v3_scale(i % 3 ? pow(10, random_in(&r, -4, 0.4)) : random_in(&r, 0, PI), first, first);
    const double spin[3] = {0, 0, random_in(&r, 0, PI)};
    turn(spin, S);
    turn(first, T);
    ffi_m3_mul(T, S, a.R);
    const double x = hypot(a.R[6], a.R[7]) / 0.02;
    if (fabs(x - 1) < 1e-3) // its second derivative jumps there
      continue;
    random_unit(&r, 3, w);
    ffi_v3_scale(h, w, w);
    ffi_v3_scale(-1, w, back);
    look(&a, w, plus);
    look(&a, back, minus);
    look(&a, (double[]){0, 0, 0}, here);
    for (int k = 0; k < 5; ++k) {
      double lift[3], sideways[3], bent[3], moved[3];
      ffi_v3_cross(w, here[k].point, lift);
      assert_near((plus[k].gap - minus[k].gap) / (2 * h), lift[2] / h, 1e-6);
      ffi_v3_cross((double[]){0, 0, 1}, w, sideways);
      ffi_sym3_times(here[k].bend, sideways, bent);
      for (int j = 0; j < 3; ++j)
        moved[j] = 0.5 * (plus[k].point[j] - minus[k].point[j]) - lift[j];
      for (int j = 0; j < 3; ++j)
        assert_near(moved[j] / h, bent[j] / h, 1e-3); // up to 200, differences of second order
    }
  }
}

// A wheel before a step: the rim nearest to its edge.
static void a_wheel_meets_the_edge_of_a_step(void **state)
{
  (void)state;
  for (int i = 0; i < 40; ++i) {
    body wheel, step;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_CYLINDER, 0.2, 0.1, 0, &wheel);
    make_body(FF_SHAPE_BOX, 1, 1, 0.2, &step); // its edge at x = 0.5, z = 0.1
    const double w[3] = {PI / 2, 0, 0}, angle = PI / 2 * (i + 0.5) / 40;
    turn(w, wheel.R);
    ffi_v3_set(0.5 + 0.199 * cos(angle), 0, 0.1 + 0.199 * sin(angle), wheel.p);
    const int count = touches(&wheel, &step, 0, list);
    const ffi_touch *t[2] = {find(list, count, 0), find(list, count, 11)};
    for (int k = 0; k < 2; ++k) {
      assert_non_null(t[k]);
      assert_near(t[k]->gap, -1e-3, 1e-12);
      assert_near(t[k]->normal[0], cos(angle), 1e-12);
      assert_near(t[k]->normal[2], sin(angle), 1e-12);
      assert_near(hypot(t[k]->point[0] - wheel.p[0], t[k]->point[2] - wheel.p[2]), 0.2, 1e-12);
    }
  }
}

// A leg across the edge of a stair, neither of its caps near.
static void a_leg_rests_on_the_edge_of_a_stair(void **state)
{
  (void)state;
  body leg, stair;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_CYLINDER, 0.04, 0.6, 0, &leg);
  make_body(FF_SHAPE_BOX, 2, 3, 1, &stair);
  const double lean = 0.7, w[3] = {0, PI / 2 + lean, 0};
  turn(w, leg.R);
  ffi_v3_set(1 + 0.039 * sin(lean), 0.3, 0.5 + 0.039 * cos(lean), leg.p);
  assert_int_equal(touches(&leg, &stair, 0, list), 1);
  assert_int_equal(list[0].feature, 22);
  assert_near(list[0].gap, -1e-3, 1e-6);
  assert_near(list[0].normal[0], sin(lean), 6e-3);
}

// A disk that stands over the edge and tips: the edge touches it along a chord, which carries at its two ends.
static void a_tipping_disk_rests_on_the_edge(void **state)
{
  (void)state;
  body disk, stair;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_DISK, 0.1, 0, 0, &disk);
  make_body(FF_SHAPE_BOX, 2, 3, 1, &stair);
  const double tilt = 0.1, w[3] = {0, tilt, 0};
  turn(w, disk.R); // down towards +x
  ffi_v3_set(0.95, 0, 0.5 + 0.05 * tan(tilt) - 1e-3, disk.p);
  const int count = touches(&disk, &stair, 0, list);
  const double out = 0.05 / cos(tilt) - 1e-3 * sin(tilt),
               half = sqrt(0.01 - out * out); // of the chord, in the disk's plane
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; ++i) {
    assert_near(list[i].gap, -1e-3 * cos(tilt), 1e-15);
    assert_near(list[i].point[0], 1, 1e-15);
    assert_near(fabs(list[i].point[1]), half, 1e-12);
    assert_near(list[i].normal[0], sin(tilt), 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_gap_is_the_lowest_point),
      cmocka_unit_test(standing_it_has_four_corners_and_lying_two),
      cmocka_unit_test(tilting_moves_the_witnesses_evenly),
      cmocka_unit_test(points_are_where_the_gaps_gradients_are),
      cmocka_unit_test(a_wheel_meets_the_edge_of_a_step),
      cmocka_unit_test(a_leg_rests_on_the_edge_of_a_stair),
      cmocka_unit_test(a_tipping_disk_rests_on_the_edge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
