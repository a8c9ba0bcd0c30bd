// The distance from a box: against all sides tried, and the way out of it against walking there.
#include "geometry/solids.h"
#include "geometry/surface.h"

static void outside_it_is_the_nearest_point(void **state)
{
  (void)state;
  rng r = {1};
  int tried = 0;
  for (int i = 0; i < 3000; ++i) {
    body point, box;
    double half[3], n[3];
    make_body(FF_SHAPE_POINT, 0, 0, 0, &point);
    random_body(&r, FF_SHAPE_BOX, &box);
    random_vector(&r, 3, 1, point.p);
    ffi_v3_scale(0.5, box.solid.size, half);
    const double want = apart(&point, &box), got = ffi_box_distance(half, point.p, NULL, n);
    if (want < 1e-12) // inside, to the rounding of that way
      continue;
    ++tried;
    assert_near(got, want, 1e-13);
    double foot[3]; // one step of -distance along the normal is on the box
    ffi_v3_copy(point.p, foot);
    ffi_v3_add_scaled(-got, n, foot);
    double most = -1;
    for (int k = 0; k < 3; ++k)
      most = fmax(most, fabs(foot[k]) - half[k]);
    assert_near(most, 0, 1e-14);
  }
  assert_true(tried > 1000);
}

// Walking along the normal by the depth leads out, and along no other of the six directions sooner.
static void inside_it_is_the_shortest_way_out(void **state)
{
  (void)state;
  rng r = {2};
  for (int i = 0; i < 3000; ++i) {
    double half[3], x[3], n[3], least = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
      half[k] = random_in(&r, 0.1, 1);
      x[k] = random_in(&r, -half[k], half[k]);
      least = fmin(least, fmin(half[k] - x[k], half[k] + x[k]));
    }
    assert_near(ffi_box_distance(half, x, NULL, n), -least, 4 * EPS);
    double out = 0;
    for (int k = 0; k < 3; ++k)
      out = fmax(out, fabs(x[k] + n[k] * (least + 1e-12)) - half[k]);
    assert_true(out > 0 && out < 2e-12);
  }
}

static void equal_ways_out_are_taken_in_order(void **state)
{
  (void)state;
  const double half[3] = {1, 1, 1}, middle[3] = {0}, edge[3] = {1, 0, -1}, corner[3] = {-1, 1, 1},
               xy[3] = {-1, 1, 0};
  double n[3];
  assert_near(ffi_box_distance(half, middle, NULL, n), -1, 0);
  assert_true(n[0] == 0 && n[1] == 0 && n[2] == 1);
  assert_near(ffi_box_distance(half, edge, NULL, n), 0, 0);
  assert_true(n[0] == 0 && n[1] == 0 && n[2] == -1);
  assert_near(ffi_box_distance(half, corner, NULL, n), 0, 0);
  assert_true(n[0] == 0 && n[1] == 0 && n[2] == 1);
  assert_near(ffi_box_distance(half, xy, NULL, n), 0, 0);
  assert_true(n[0] == -1 && n[1] == 0 && n[2] == 0);
}

// A corner on the side of the box, or a little inside it, whose body lies above: up is the way out, not sideways.
static void the_body_says_which_way_is_out(void **state)
{
  (void)state;
  const double half[3] = {1, 1, 1}, above[3] = {0.5, 0, 1.5}, beside[3] = {1.5, 0, 0.9};
  double n[3];
  for (int i = 0; i < 100; ++i) {
    const double x[3] = {1 - 1e-5 * i, 0.3, 1 - 1e-3};
    assert_near(ffi_box_distance(half, x, above, n), -1e-3, 4 * EPS);
    assert_true(n[2] == 1);
    const double y[3] = {1 - 1e-3, 0.3, 1 - 1e-5 * i - 1e-3};
    ffi_box_distance(half, y, beside, n);
    assert_true(n[0] == 1);
  }
}

// The same corner a hair outside: it stays with the top, rises without a jump, and is gone at a thousandth of the body.
static void a_hair_outside_it_still_rests(void **state)
{
  (void)state;
  const double half[3] = {1, 1, 1}, above[3] = {0.5, 0.3, 1.5};
  double n[3], before = -1e-3;
  for (int i = -100; i <= 1000; ++i) {
    const double x[3] = {1 + 1e-6 * i, 0.3, 1 - 1e-3}; // 0.5 from the middle: a hair is 5e-4
    const double d = ffi_box_distance(half, x, above, n);
    if (i <= 0)
      assert_near(d, -1e-3, 4 * EPS);
    assert_true(i > 250 || n[2] == 1);
    assert_true(i < 501 || (n[0] == 1 && fabs(d - 1e-6 * i) < 1e-15));
    assert_near(d, before, 2e-5);
    before = d;
  }
  const double below[3] = {0.5, 0.3, -1},
               x[3] = {1 + 1e-6, 0.3, 1 - 1e-3}; // a body that comes from elsewhere
  assert_near(ffi_box_distance(half, x, below, n), 1e-6, 1e-15);
}

static void no_number_has_no_distance(void **state)
{
  (void)state;
  const double half[3] = {1, 1, 1};
  double n[3];
  for (int i = 0; i < 8; ++i) {
    const double bad = i & 1 ? (double)NAN : (double)INFINITY;
    const double x[3] = {i / 2 == 0 ? bad : 0.5, i / 2 == 1 ? bad : 3, i / 2 == 2 ? bad : 0.5};
    if (i / 2 < 3)
      assert_true(!isfinite(ffi_box_distance(half, x, i % 2 ? x : NULL, n)));
  }
  const double tiny[3] = {1 + EPS, 0, 0};
  assert_near(ffi_box_distance(half, tiny, NULL, n), EPS, 0);
  assert_true(n[0] == 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outside_it_is_the_nearest_point),
      cmocka_unit_test(inside_it_is_the_shortest_way_out),
      cmocka_unit_test(equal_ways_out_are_taken_in_order),
      cmocka_unit_test(the_body_says_which_way_is_out),
      cmocka_unit_test(a_hair_outside_it_still_rests),
      cmocka_unit_test(no_number_has_no_distance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
