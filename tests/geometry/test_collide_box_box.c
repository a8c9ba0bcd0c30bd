// Two boxes: their distance by another way, stairs under feet, boxes on boxes, edges across edges.
#include "geometry/solids.h"

static void apart_the_least_gap_is_the_distance(void **state)
{
  (void)state;
  rng r = {1};
  int edges = 0, tried = 0;
  for (int i = 0; i < 6000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    random_body(&r, FF_SHAPE_BOX, &a);
    random_body(&r, FF_SHAPE_BOX, &b);
    random_rotation(&r, a.R);
    random_rotation(&r, b.R);
    random_vector(&r, 3, 1.2, a.p);
    const double want = apart(&a, &b);
    if (want < 1e-6 || want > 0.3)
      continue;
    ++tried;
    const int count = touches(&a, &b, 0.4, list);
    const double got = least_gap(list, count);
    assert_true(got >= want - 1e-9);
    assert_near(got, want, 2e-3); // of edges of up to 1 m: pull and raise
    for (int k = 0; k < count; ++k)
      edges += list[k].feature >= 16 && list[k].gap == got;
  }
  assert_true(tried > 1000 && edges > 100);
}

// Dropped on a large floor from any side: the depth of the lowest corner, all normals up.
static void on_a_floor_the_corners_carry(void **state)
{
  (void)state;
  rng r = {2};
  for (int i = 0; i < 2000; ++i) {
    static const double origin[3] = {0}, up[3] = {0, 0, 1};
    body a, floor;
    ffi_touch list[MOST];
    random_body(&r, FF_SHAPE_BOX, &a);
    make_body(FF_SHAPE_BOX, 20, 20, 2, &floor);
    random_rotation(&r, a.R);
    ffi_v3_set(random_in(&r, -5, 5), random_in(&r, -5, 5), 1, a.p);
    a.p[2] -= lowest(&a, origin, up) - 1 + random_in(&r, 0, 0.05);
    const double depth = 1 - lowest(&a, origin, up);
    const int count = touches(&a, &floor, 0, list);
    assert_near(least_gap(list, count), -depth, 1e-12);
    for (int k = 0; k < count; ++k) {
      assert_true(list[k].feature < 8);
      assert_near(list[k].normal[2], 1, 0);
    }
  }
}

// How far the origin is inside the hull of the witnesses, seen from above.
static double supported(const ffi_touch *list, int count)
{
  double least = (double)INFINITY;
  for (int i = 0; i < 64; ++i) {
    double most = -(double)INFINITY;
    for (int k = 0; k < count; ++k)
      most = fmax(most, cos(i * PI / 32) * list[k].point[0] + sin(i * PI / 32) * list[k].point[1]);
    least = fmin(least, most);
  }
  return least;
}

static void boxes_of_one_size_stand_on_each_other(void **state)
{
  (void)state;
  rng r = {3};
  for (int i = 0; i < 1000; ++i) { // flush, or off by less than the depth
    body a, b;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_BOX, 0.3, 0.3, 0.3, &a);
    make_body(FF_SHAPE_BOX, 0.3, 0.3, 0.3, &b);
    const double off = i == 0 ? 0 : pow(10, random_in(&r, -16, -5));
    ffi_v3_set(random_in(&r, -off, off), random_in(&r, -off, off), 0.3 - 1e-4, a.p);
    const double w[3] = {0, 0, i % 3 ? 0 : random_in(&r, -off, off)};
    turn(w, a.R);
    const int count = touches(&a, &b, 0, list);
    int carriers = 0;
    for (int k = 0; k < count; ++k) {
      if (list[k].gap > -5e-5)
        continue; // more than a hair outside, or raised
      assert_true(list[k].gap >= -1e-4 - 1e-9);
      assert_near(list[k].normal[2], 1, 1e-12);
      list[carriers++] = list[k];
    }
    assert_true(supported(list, carriers) > 0.06);
  }
}

// Off by more than a hair and less than the depth, both ways: two corners carry, and two edges that are nearer to a side than to
// the top.
static void boxes_a_little_off_stand_on_each_other(void **state)
{
  (void)state;
  for (int i = 1; i <= 20; ++i) {
    body a, b;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_BOX, 0.3, 0.3, 0.3, &a);
    make_body(FF_SHAPE_BOX, 0.3, 0.3, 0.3, &b);
    const double off = 2e-4 + 4e-5 * i;
    ffi_v3_set(off, -0.9 * off, 0.3 - 1e-3, a.p);
    int count = touches(&a, &b, 0, list), carriers = 0;
    for (int k = 0; k < count; ++k) {
      if (list[k].gap > -5e-4)
        continue;
      assert_near(list[k].gap, -1e-3, 1e-12);
      assert_near(list[k].normal[2], 1, 0);
      list[carriers++] = list[k];
    }
    assert_int_equal(carriers, 4);
    assert_true(supported(list, carriers) > 0.06);
  }
}

static void pose_foot(double overhang, double tilt, double depth, body *foot, body *stair)
{
  const double w[3] = {0, tilt, 0};
  make_body(FF_SHAPE_BOX, 0.2, 0.1, 0.02, foot);
  make_body(FF_SHAPE_BOX, 1, 2, 0.3, stair); // the tread at z = 0.15, its edge at x = 0.5
  turn(w, foot->R);
  ffi_v3_set(0.4 + overhang, 0, 0.16 - depth, foot->p);
}

// A foot that stands over the edge of a stair: heel corners, and both sides of the sole where the edge crosses them.
static void a_stair_carries_a_flat_foot(void **state)
{
  (void)state;
  for (int i = 1; i < 20; ++i) {
    body foot, stair;
    ffi_touch list[MOST];
    const double overhang = 0.01 * i;
    pose_foot(overhang, 0, 1e-4, &foot, &stair);
    const int count = touches(&foot, &stair, 0, list);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; ++k) {
      assert_near(list[k].gap, -1e-4, 1e-12);
      assert_near(list[k].normal[2], 1, 1e-12);
      assert_near(fabs(list[k].point[1]), 0.05, 1e-12);
      const double x = list[k].point[0] - foot.p[0];
      if (k < 2)
        assert_near(x, -0.1, 1e-12);
      else // the middle of the sole, or the edge if that is nearer; the nearest face changes a depth before it
        assert_near(x, fmin(0, 0.1 - overhang), 2e-4);
    }
    assert_true(list[2].roll == FFI_ROLL_LINE && list[0].roll == FFI_ROLL_NONE);
  }
}

// Toes down, the sole rests on the edge alone.
static void toes_down_the_edge_carries(void **state)
{
  (void)state;
  for (int i = 1; i <= 10; ++i) {
    body foot, stair;
    ffi_touch list[MOST];
    const double tilt = 0.03 * i, down = 1e-3;
    pose_foot(0, tilt, 0, &foot, &stair);
    const double sole[3] = {0.04, 0, -0.01}, n[3] = {sin(tilt), 0, cos(tilt)};
    double x[3];
    ffi_m3_mulv(foot.R, sole, x);
    for (int k = 0; k < 3; ++k)
      foot.p[k] = (k == 0 ? 0.5 : k == 2 ? 0.15 : 0) - x[k] - down * n[k];
    const int count = touches(&foot, &stair, 0, list);
    assert_int_equal(count, 2);
    for (int k = 0; k < 2; ++k) {
      assert_true(list[k].feature >= 16);
      assert_near(list[k].gap, -down, 1e-9);
      for (int j = 0; j < 3; ++j)
        assert_near(list[k].normal[j], n[j], 1e-9);
    }
  }
}

// A corner of the ground under a large sole: owner 1, the normal into the sole.
static void a_post_under_a_plate_owns_the_touch(void **state)
{
  (void)state;
  body plate, post;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_BOX, 1, 1, 0.1, &plate);
  make_body(FF_SHAPE_BOX, 0.1, 0.1, 3, &post); // the larger by its radius
  plate.p[2] = 1.55 - 1e-3;
  assert_int_equal(touches(&plate, &post, 0, list), 4);
  for (int k = 0; k < 4; ++k) {
    assert_true(list[k].owner == 1 && list[k].feature >= 12 && list[k].feature < 16);
    assert_near(list[k].gap, -1e-3, 1e-12);
    assert_near(list[k].normal[2], 1, 1e-12);
    assert_near(list[k].point[2], 1.5, 1e-12);
  }
}

static void planks_lie_across_each_other(void **state)
{
  (void)state;
  body a, b;
  ffi_touch list[MOST];
  make_body(FF_SHAPE_BOX, 2, 0.2, 0.05, &a);
  make_body(FF_SHAPE_BOX, 0.2, 3, 0.05, &b);
  a.p[2] = 0.05 - 1e-4;
  const int count = touches(&a, &b, 0, list);
  assert_int_equal(count, 2); // one on each side
  for (int k = 0; k < 2; ++k) {
    assert_near(list[k].gap, -1e-4, 1e-12);
    assert_near(list[k].normal[2], 1, 1e-12);
    assert_near(list[k].point[1], k ? 0.1 : -0.1, 1e-12);
  }
  // Tipped, it goes to the edge on that side.
  const double w[3] = {0, 0.01, 0};
  turn(w, a.R);
  a.p[2] += 0.1 * sin(0.01);
  assert_int_equal(touches(&a, &b, 0, list), 2);
  assert_near(list[0].point[0], 0.1, 2e-3);
}

// Edge over edge, at any angle between: exactly one touch, along the common perpendicular.
static void edges_cross(void **state)
{
  (void)state;
  rng r = {4};
  for (int i = 0; i < 1000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_BOX, 0.5, 0.5, 0.5, &a);
    make_body(FF_SHAPE_BOX, 0.6, 0.6, 0.6, &b);
    const double edge[3] = {PI / 4, 0, 0}, yaw[3] = {0, 0, random_in(&r, 0.4, PI - 0.4)};
    double S[9], Y[9];
    turn(edge, b.R); // an edge along x on top
    turn(edge, S);
    turn(yaw, Y);
    ffi_m3_mul(Y, S, a.R);
    const double gap = random_in(&r, -0.02, 0.02);
    ffi_v3_set(random_in(&r, -0.05, 0.05), random_in(&r, -0.05, 0.05), 0.55 * sqrt(2) + gap, a.p);
    const int count = touches(&a, &b, fmax(gap, 0) + 1e-3, list);
    assert_int_equal(count, 1);
    assert_true(list[0].feature >= 16);
    assert_near(list[0].gap, gap, 1e-6);
    assert_near(list[0].normal[2], 1, 1e-4);
  }
}

// One inside the other, at any depth: finite touches, and the corners that are inside say so.
static void deep_inside_there_is_a_way_out(void **state)
{
  (void)state;
  rng r = {5};
  for (int i = 0; i < 2000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    make_body(FF_SHAPE_BOX, 0.2, 0.3, 0.4, &a);
    make_body(FF_SHAPE_BOX, 1, 1, 1, &b);
    random_rotation(&r, a.R);
    random_vector(&r, 3, 0.2, a.p);
    const int count = touches(&a, &b, 0, list);
    for (int k = 0; k < 8; ++k) {
      const ffi_touch *t = find(list, count, k);
      assert_true(t && t->gap < 0 && t->gap >= -1);
      double out = 0;
      for (int j = 0; j < 3; ++j)
        out = fmax(out, fabs(t->point[j] - t->gap * t->normal[j]));
      assert_near(out, 0.5, 1e-12);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(apart_the_least_gap_is_the_distance),
      cmocka_unit_test(on_a_floor_the_corners_carry),
      cmocka_unit_test(boxes_of_one_size_stand_on_each_other),
      cmocka_unit_test(boxes_a_little_off_stand_on_each_other),
      cmocka_unit_test(a_stair_carries_a_flat_foot),
      cmocka_unit_test(toes_down_the_edge_carries),
      cmocka_unit_test(a_post_under_a_plate_owns_the_touch),
      cmocka_unit_test(planks_lie_across_each_other),
      cmocka_unit_test(edges_cross),
      cmocka_unit_test(deep_inside_there_is_a_way_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
