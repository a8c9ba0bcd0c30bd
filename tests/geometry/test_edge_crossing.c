// Crossings of a segment and a box, by sampling and by closed forms.
#include "geometry/edge_crossing.h"
#include "geometry/solids.h"
#include "geometry/surface.h"

// An axis, whose ends have the distances that they have.
static int crosses(const double half[3], const double from[3], const double to[3], double most,
                   ffi_edge_crossing *out)
{
  double n[3];
  const ffi_edge_crossing_segment axis = {
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
    ffi_edge_crossing c;
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

// A segment through an edge of the box: the normal and the depth are those of two crossing edges, not those of the
// nearest faces.
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
    ffi_edge_crossing c;
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
  ffi_edge_crossing c;
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
      cmocka_unit_test(outside_a_crossing_is_the_nearest_place),
      cmocka_unit_test(through_an_edge_the_normal_is_across_both),
      cmocka_unit_test(nothing_where_the_ends_tell_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
