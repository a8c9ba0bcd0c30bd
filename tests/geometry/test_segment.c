// Segments against segments and boxes, by sampling and by closed forms.
#include "geometry/segment.h"
#include "geometry/solids.h"
#include "geometry/surface.h"

// ---- Segment and segment ----------------------------------------------------------------------------------

static void random_segment(rng *r, ffi_segment *s)
{
  random_vector(r, 3, 1, s->middle);
  random_unit(r, 3, s->axis);
  s->half = random_in(r, 0.05, 1);
}

static double between(const ffi_segment *a, double s, const ffi_segment *b, double t)
{
  double x[3], y[3];
  ffi_segment_point(a, s, x);
  ffi_segment_point(b, t, y);
  ffi_v3_sub(x, y, x);
  return ffi_v3_norm(x);
}

static double true_distance(const ffi_segment *a, const ffi_segment *b)
{
  body x, y;
  make_body(FF_SHAPE_CAPSULE, 1, 2 * a->half, 0, &x);
  make_body(FF_SHAPE_CAPSULE, 1, 2 * b->half, 0, &y);
  ffi_v3_copy(a->middle, x.p);
  ffi_v3_copy(b->middle, y.p);
  for (int k = 0; k < 3; ++k) { // only the third column is looked at
    x.R[3 * k + 2] = a->axis[k];
    y.R[3 * k + 2] = b->axis[k];
  }
  return apart(&x, &y);
}

// The pull towards the middles, 1e-4, moves the place by its part of the length where the angle is large, which then is
// put right; where it is small it moves along both, and the distance changes with the square of the angle.
static void the_place_is_the_nearest(void **state)
{
  (void)state;
  rng r = {1};
  for (int i = 0; i < 20000; ++i) {
    ffi_segment a, b;
    double s, t, w[3], R[9];
    random_segment(&r, &a);
    random_segment(&r, &b);
    if (i % 2) { // nearly parallel
      random_vector(&r, 3, pow(10, random_in(&r, -8, -0.5)), w);
      turn(w, R);
      ffi_m3_mulv(R, a.axis, b.axis);
    }
    ffi_segment_segment(&a, &b, &s, &t);
    assert_true(fabs(s) <= a.half && fabs(t) <= b.half);
    const double got = between(&a, s, &b, t), want = true_distance(&a, &b);
    assert_true(got >= want - 1e-12);
    assert_near(got, want, i % 2 ? 0.02 : 2e-3);
  }
}

// Where the old code of such things jumps: parallel ones, turned through.
static void places_move_no_faster_than_they_should(void **state)
{
  (void)state;
  double before = 0;
  for (int i = -1000; i <= 1000; ++i) {
    const double angle = 1e-4 * i;
    const ffi_segment a = {.middle = {0, 0, 0.1}, .axis = {1, 0, 0}, .half = 1};
    const ffi_segment b = {.middle = {0.3, 0, 0}, .axis = {cos(angle), sin(angle), 0}, .half = 1};
    double s, t;
    ffi_segment_segment(&a, &b, &s, &t);
    if (i > -1000)
      assert_true(fabs(s - before) <
                  0.02); // 200 per radian; without the pull it goes from one end to the other at once
    before = s;
    if (i == 0)
      assert_near(s, 0.15, 1e-4 * 0.15); // between the two middles, to the pull
  }
  assert_near(before, 0.3, 0.02);
}

static void places_on_one_line_and_of_no_length(void **state)
{
  (void)state;
  double s, t;
  const ffi_segment a = {.axis = {1, 0, 0}, .half = 1}, same = a;
  const ffi_segment far = {.middle = {5, 0, 0}, .axis = {-1, 0, 0}, .half = 1},
                    point = {.middle = {0.5, 1, 0}, .axis = {0, 1, 0}};
  ffi_segment_segment(&a, &same, &s, &t);
  assert_true(fabs(s) < 1e-12 && fabs(t) < 1e-12);
  ffi_segment_segment(&a, &far, &s, &t);
  assert_true(s == 1 && t == 1);
  ffi_segment_segment(&a, &point, &s, &t);
  assert_true(t == 0 && fabs(s - 0.5) < 1e-3);
}

// ---- Segment and box --------------------------------------------------------------------------------------

// An axis, whose ends have the distances that they have.
static int crosses(const double half[3], const double from[3], const double to[3], double most,
                   ffi_crossing *out)
{
  double n[3];
  const ffi_edge_crossing_edge axis = {
      from, to, {ffi_box_distance(half, from, NULL, n), ffi_box_distance(half, to, NULL, n)}, NULL};
  return ffi_edge_crossing_find(half, &axis, most, out);
}

static double least_sampled(const double half[3], const double from[3], const double to[3], double *at)
{
  double best = (double)INFINITY, n[3];
  for (int i = 0; i <= 2000; ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k)
      x[k] = from[k] + i / 2000.0 * (to[k] - from[k]);
    const double d = ffi_box_distance(half, x, NULL, n);
    if (d < best)
      best = d, *at = i / 2000.0;
  }
  return best;
}

// Outside, a crossing has the least distance of the segment, but for the pull, 1/800 of the length, and the
// raise, less than 1e-4.
static void outside_a_crossing_is_the_nearest_place(void **state)
{
  (void)state;
  rng r = {2};
  int found = 0;
  for (int i = 0; i < 3000; ++i) {
    double half[3], from[3], to[3], at, n[3];
    ffi_crossing c;
    for (int k = 0; k < 3; ++k)
      half[k] = random_in(&r, 0.1, 0.5);
    random_vector(&r, 3, 1.2, from);
    random_vector(&r, 3, 1.2, to);
    const double ends = fmin(ffi_box_distance(half, from, NULL, n), ffi_box_distance(half, to, NULL, n));
    const double want = least_sampled(half, from, to, &at);
    if (want < 0.01)
      continue;
    double axis[3];
    ffi_v3_sub(to, from, axis);
    const double length = ffi_v3_norm(axis);
    const int is_found = crosses(half, from, to, 100, &c);
    found += is_found;
    assert_near(fmin(ends, is_found ? c.gap : ends), want, 1.4e-3 * length);
    if (want < ends - 0.02 * length) { // needed: not raised, and its normal across the segment
      assert_true(is_found);
      assert_near(c.gap, want, length / 800 + 1e-6); // the pull, and the sampling
      assert_near(ffi_v3_dot(c.normal, axis) / length, 0, 5e-3);
      assert_near(ffi_box_distance(half, c.point, NULL, n), c.gap, 1e-12);
    }
    if (is_found && c.gap > -1)
      assert_false(crosses(half, from, to, c.gap - 1e-9, &c));
  }
  assert_true(found > 500);
}

// Cutting through an edge of the box: the normal and the depth are those of two crossing edges, which the nearest faces are not.
static void through_an_edge_the_normal_is_across_both(void **state)
{
  (void)state;
  rng r = {3};
  for (int i = 0; i < 2000; ++i) {
    const double half[3] = {1, 1, 1}, depth = random_in(&r, -0.02, 0.02);
    const double lean = random_in(&r, 0.2, 1.3), skew = random_in(&r, -0.8, 0.8),
                 along = random_in(&r, -0.6, 0.6);
    double from[3], to[3], n[3], d[3];
    ffi_v3_set(cos(lean), sin(skew), -sin(lean),
               d); // down and out over the edge x = z = 1, which runs along y
    ffi_v3_scale(1 / ffi_v3_norm(d), d, d);
    const double edge[3] = {0, 1, 0};
    ffi_v3_cross(edge, d, n);
    ffi_v3_scale((n[2] > 0 ? 1 : -1) / ffi_v3_norm(n), n, n);
    ffi_v3_set(1, along, 1, from);
    ffi_v3_add_scaled(-depth, n, from);
    ffi_v3_copy(from, to);
    ffi_v3_add_scaled(-0.4, d, from);
    ffi_v3_add_scaled(0.5, d, to);
    ffi_crossing c;
    assert_true(crosses(half, from, to, 1, &c));
    assert_near(c.gap, -depth, 1e-4); // the pull, outside
    for (int k = 0; k < 3; ++k)
      assert_near(c.normal[k], n[k], depth < 0 ? 6e-3 : 1e-9);
  }
}

static void nothing_where_the_ends_tell_all(void **state)
{
  (void)state;
  const double half[3] = {1, 1, 1};
  ffi_crossing c;
  const double flat[2][3] = {{-0.5, 0, 1.1}, {0.5, 0.2, 1.1}},
               sloped[2][3] = {{-0.5, 0, 0.9}, {0.5, 0.2, 1.2}};
  const double away[2][3] = {{0, 0, 1.1}, {0, 0, 2}}, none[2][3] = {{0, 0, 1.1}, {0, 0, 1.1}};
  const double over[2][3] = {{-0.5, 0, 1}, {1.5, 0, 1}};
  assert_false(crosses(half, flat[0], flat[1], 100, &c));
  assert_false(crosses(half, sloped[0], sloped[1], 100, &c));
  assert_false(crosses(half, away[0], away[1], 100, &c));
  assert_false(crosses(half, none[0], none[1], 100, &c));
  assert_true(crosses(half, over[0], over[1], 100, &c)); // lies on the top and sticks out
  assert_near(c.gap, 0, 1e-12);
  assert_true(c.normal[2] == 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_place_is_the_nearest),
      cmocka_unit_test(places_move_no_faster_than_they_should),
      cmocka_unit_test(places_on_one_line_and_of_no_length),
      cmocka_unit_test(outside_a_crossing_is_the_nearest_place),
      cmocka_unit_test(through_an_edge_the_normal_is_across_both),
      cmocka_unit_test(nothing_where_the_ends_tell_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
