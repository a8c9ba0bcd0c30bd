// Height fields: planes made of triangles, distances to all triangles by brute force, valleys, ridges, and the rim.
#include "geometry/height_field.h"
#include "geometry/solids.h"
#include "geometry/surface.h"

// A field of rows x columns over 3 x 3.
static void make_field(int rows, int columns, body *b)
{
  make_body(FF_SHAPE_HEIGHTFIELD, 3, 3, 0, b);
  assert_true(rows * columns <= FIELD_LINES * FIELD_LINES);
  b->field =
      (ffi_height_field){.rows = rows, .columns = columns, .size = {3, 3}, .high = 10, .heights = b->heights};
  b->solid.field = &b->field;
}

static void node(const ffi_height_field *f, int column, int row, double out[3])
{
  out[0] = -0.5 * f->size[0] + column * (f->size[0] / (f->columns - 1));
  out[1] = -0.5 * f->size[1] + row * (f->size[1] / (f->rows - 1));
  out[2] = f->heights[row * f->columns + column];
}

static const double *set_plane(body *b, double gx, double gy)
{
  static double normal[3];
  for (int r = 0; r < b->field.rows; ++r)
    for (int c = 0; c < b->field.columns; ++c) {
      double x[3];
      node(&b->field, c, r, x);
      b->heights[r * b->field.columns + c] = gx * x[0] + gy * x[1];
    }
  ffi_v3_set(-gx, -gy, 1, normal);
  ffi_v3_scale(1 / ffi_v3_norm(normal), normal, normal);
  return normal;
}

// All that touches a plane touches a field that is one, alike.
static void a_sloped_field_is_a_plane(void **state)
{
  (void)state;
  static const ff_shape_type types[] = {FF_SHAPE_POINT,    FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_BOX,
                                        FF_SHAPE_CYLINDER, FF_SHAPE_DISK,   FF_SHAPE_HULL};
  rng r = {1};
  for (int i = 0; i < 3500; ++i) {
    static const double origin[3] = {0};
    body a, b;
    ffi_touch list[MOST];
    make_field(5, 8, &b);
    const double *n = set_plane(&b, random_in(&r, -1, 1), random_in(&r, -1, 1));
    random_body(&r, types[i % 7], &a);
    for (int k = 0; k < 3; ++k)
      a.solid.size[k] *= 0.5; // stays over the field
    random_rotation(&r, a.R);
    random_vector(&r, 2, 0.5, a.p);
    a.p[2] = random_in(&r, -1, 1);
    ffi_v3_add_scaled(random_in(&r, -0.05, 0.2) - lowest(&a, origin, n), n, a.p);
    const int count = touches(&a, &b, 10, list);
    const double want = lowest(&a, origin, n);
    double up[3];
    ffi_m3_tmulv(a.R, n, up);
    const int is_standing = (i % 7 == 4 || i % 7 == 5) && hypot(up[0], up[1]) < 0.02;
    assert_true(count > 0);
    assert_near(least_gap(list, count), want, is_standing ? 0.006 * a.solid.size[0] : 1e-13);
    for (int k = 0; k < count; ++k)
      assert_near(ffi_v3_dot(list[k].normal, n), 1, 1e-13);
  }
}

// The nearest point of a triangle, by trying its inside, its sides and its corners.
static double to_triangle(double t[3][3], const double x[3])
{
  double best = (double)INFINITY, e[2][3], r[3], n[3];
  ffi_v3_sub(t[1], t[0], e[0]);
  ffi_v3_sub(t[2], t[0], e[1]);
  ffi_v3_sub(x, t[0], r);
  ffi_v3_cross(e[0], e[1], n);
  const double nn = ffi_v3_dot(n, n);
  double c[3];
  ffi_v3_cross(r, e[1], c);
  const double u = ffi_v3_dot(c, n) / nn;
  ffi_v3_cross(e[0], r, c);
  const double v = ffi_v3_dot(c, n) / nn;
  if (u >= 0 && v >= 0 && u + v <= 1)
    best = fabs(ffi_v3_dot(r, n)) / sqrt(nn);
  for (int i = 0; i < 3; ++i) {
    double d[3], s[3];
    ffi_v3_sub(t[(i + 1) % 3], t[i], d);
    ffi_v3_sub(x, t[i], s);
    const double at = fmin(fmax(ffi_v3_dot(s, d) / ffi_v3_dot(d, d), 0), 1);
    ffi_v3_add_scaled(-at, d, s);
    best = fmin(best, ffi_v3_norm(s));
  }
  return best;
}

static double to_all_triangles(const ffi_height_field *f, const double x[3])
{
  double best = (double)INFINITY;
  for (int r = 0; r + 1 < f->rows; ++r)
    for (int c = 0; c + 1 < f->columns; ++c)
      for (int upper = 0; upper < 2; ++upper) {
        double t[3][3];
        node(f, c, r, t[0]);
        node(f, c + 1, r + 1, t[1]);
        node(f, c + !upper, r + upper, t[2]);
        best = fmin(best, to_triangle(t, x));
      }
  return best;
}

static void the_nearest_touch_of_a_ball_is_the_nearest_triangle(void **state)
{
  (void)state;
  rng r = {2};
  int tried = 0, several = 0;
  for (int i = 0; i < 4000; ++i) {
    body a, b;
    ffi_touch list[MOST];
    make_field(9, 7, &b);
    random_vector(&r, 63, pow(10, random_in(&r, -3, -0.3)), b.heights);
    make_body(FF_SHAPE_SPHERE, random_in(&r, 0.05, 0.6), 0, 0, &a);
    random_vector(&r, 3, 1.2, a.p);
    double n[3], above;
    assert_true(ffi_height_field_distance(&b.field, a.p, n, &above));
    if (above < 0)
      continue;
    ++tried;
    const int count = touches(&a, &b, 2, list);
    assert_near(least_gap(list, count), to_all_triangles(&b.field, a.p) - a.solid.size[0], 1e-12);
    several += count > 1;
    for (int k = 0; k < count;
         ++k) { // the quadrant is the normal's, and the witness's place on the field is at the gap
      double q[3];
      assert_int_equal(list[k].feature, (list[k].normal[0] < 0) + 2 * (list[k].normal[1] < 0));
      ffi_v3_copy(list[k].point, q);
      ffi_v3_add_scaled(-list[k].gap, list[k].normal, q);
      assert_near(to_all_triangles(&b.field, q), 0, 1e-12);
    }
  }
  assert_true(tried > 1000 && several > 300);
}

// Heights between the points: on the lines linear, and continuous from triangle to triangle.
static void the_surface_is_continuous(void **state)
{
  (void)state;
  rng r = {3};
  body b;
  make_field(6, 4, &b);
  random_vector(&r, 24, 1, b.heights);
  for (int i = 0; i < 2000; ++i) {
    double x[3] = {random_in(&r, -1.5, 1.5), random_in(&r, -1.5, 1.5), 0}, d[2], n[3], to[2];
    const double w[2] = {random_in(&r, -1e-9, 1e-9), random_in(&r, -1e-9, 1e-9)};
    for (int k = 0; k < 2; ++k) { // on a line, most often
      const double step = 3.0 / (k ? 5 : 3);
      if (i % 3 != k)
        x[k] = -1.5 + step * round((x[k] + 1.5) / step);
    }
    assert_true(ffi_height_field_distance(&b.field, x, n, &d[0]));
    const double here = -d[0] / n[2];
    for (int k = 0; k < 2; ++k)
      to[k] = fmin(fmax(x[k] + w[k], -1.5), 1.5);
    const double y[3] = {to[0], to[1], 0};
    assert_true(ffi_height_field_distance(&b.field, y, n, &d[1]));
    assert_near(-d[1] / n[2], here, 2e-8);
    assert_near(to_all_triangles(&b.field, (const double[]){x[0], x[1], here}), 0, 1e-14);
  }
}

static void beyond_the_grid_there_is_nothing(void **state)
{
  (void)state;
  static const ff_shape_type types[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_DISK};
  body a, b;
  ffi_touch list[MOST];
  make_field(4, 4, &b);
  for (int i = 0; i < 16; ++i) {
    make_body(types[i / 4], 0.1, 0.1, 0.1, &a);
    ffi_v3_set(i % 2 ? 1.51 : 0, i % 2 ? 0 : 1.51, 0.05, a.p);
    ffi_v3_scale(i % 4 < 2 ? 1 : -1, a.p, a.p);
    assert_int_equal(touches(&a, &b, 10, list), 0);
  }
  make_body(FF_SHAPE_POINT, 0, 0, 0, &a);
  for (int i = 0; i < 9; ++i) { // on its rim there is
    ffi_v3_set(1.5 * (i % 3 - 1), 1.5 * (i / 3 % 3 - 1), -0.25, a.p);
    assert_int_equal(touches(&a, &b, 0, list), 1);
    assert_near(list[0].gap, -0.25, 1e-15);
  }
}

// Two slopes that meet: a ball in between touches both and keeps both features however it is shaken.
static void a_ball_rests_in_a_valley(void **state)
{
  (void)state;
  rng r = {4};
  body a, b;
  ffi_touch list[MOST];
  make_field(5, 5, &b);
  for (int k = 0; k < 25; ++k)
    b.heights[k] = fabs(k % 5 - 2.0) * 0.75; // 45 degrees on both sides of x = 0
  make_body(FF_SHAPE_SPHERE, 0.2, 0, 0, &a);
  for (int i = 0; i < 1000; ++i) {
    random_vector(&r, 3, 1e-4, a.p);
    a.p[1] += 0.1;
    a.p[2] += 0.2 * sqrt(2) - 1e-3;
    assert_int_equal(touches(&a, &b, 0, list), 2);
    assert_true(list[0].feature == 0 && list[1].feature == 1);
    for (int k = 0; k < 2; ++k)
      assert_near(list[k].normal[0], k ? -sqrt(0.5) : sqrt(0.5), 1e-12);
  }
  for (int k = 0; k < 25; ++k)
    b.heights[k] *= -1; // a ridge: one place, whose normal turns with the ball
  for (int i = -50; i <= 50; ++i) {
    const double angle = 0.7 * i / 50;
    ffi_v3_set(0.199 * sin(angle), 0.1, 0.199 * cos(angle), a.p);
    assert_int_equal(touches(&a, &b, 0, list), 1);
    assert_near(list[0].gap, -1e-3, 1e-12);
    assert_near(list[0].normal[0], sin(angle), 1e-12);
  }
}

static void on_even_ground_there_is_one_feature(void **state)
{
  (void)state;
  rng r = {5};
  body a, b;
  ffi_touch list[MOST];
  make_field(9, 9, &b);
  make_body(FF_SHAPE_SPHERE, 0.3, 0, 0, &a);
  for (int i = 0; i < 2000; ++i) {
    random_vector(&r, 2, 1.4, a.p);
    if (i % 4 == 0) // right above a line or a point of the grid
      a.p[i / 4 % 2] = -1.5 + 0.375 * random_below(&r, 9);
    a.p[2] = 0.3 - 1e-3;
    assert_int_equal(touches(&a, &b, 0.1, list), 1);
    assert_int_equal(list[0].feature, 0);
    assert_near(list[0].gap, -1e-3, 1e-14);
  }
  a.p[2] = -2; // fallen through: straight up
  assert_int_equal(touches(&a, &b, 0.1, list), 1);
  assert_near(list[0].gap, -2.3, 1e-14);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sloped_field_is_a_plane),
      cmocka_unit_test(the_nearest_touch_of_a_ball_is_the_nearest_triangle),
      cmocka_unit_test(the_surface_is_continuous),
      cmocka_unit_test(beyond_the_grid_there_is_nothing),
      cmocka_unit_test(a_ball_rests_in_a_valley),
      cmocka_unit_test(on_even_ground_there_is_one_feature),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
