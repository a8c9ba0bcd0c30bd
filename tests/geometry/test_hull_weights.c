// The weights of a hull's corners on planes: on faces against the geometry of regular prisms and against all polygons
// of so many corners, elsewhere against a count of corners of its own; between them their slopes, by differences; and
// that nothing depends on how faces are cut into triangles, on rounding or on the axes.
#include "geometry/plane/hull_weights.h"
#include "geometry/solids.h"
#include "support/near.h"
#include "support/samples.h"

enum { MOST_POINTS = 700 };

typedef struct made {
  double points[3 * MOST_POINTS];
  int count, is_plain;
  ffi_arena arena;
  ffi_hull_weights w;
} made;

static void finish(made *m)
{
  m->arena = (ffi_arena){0};
  assert_int_equal(ffi_hull_weights_set(m->count, m->points, &m->arena, &m->is_plain, &m->w), FF_OK);
}

static void add(made *m, double x, double y, double z)
{
  assert_true(m->count < MOST_POINTS);
  ffi_v3_set(x, y, z, m->points + 3 * m->count++);
}

static void add_prism(int n, double r, double height, made *m)
{
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      add(m, r * cos(2 * PI * i / n), r * sin(2 * PI * i / n), k ? 0.5 * height : -0.5 * height);
}

static void make_prism(int n, double r, double height, made *m)
{
  m->count = 0;
  add_prism(n, r, height, m);
  finish(m);
}

static void weights_at(const made *m, const double up[3], double *out)
{
  const ffi_hull_weights_stand stand = ffi_hull_weights_find(&m->w, up);
  for (int i = 0, next = 0; i < m->count; ++i) {
    const ffi_hull_weights_parts parts = ffi_hull_weights_of(&m->w, &stand, i, &next);
    out[i] = parts.own + stand.share * parts.more;
  }
}

static void lean(double tilt, double towards, double up[3])
{
  ffi_v3_set(sin(tilt) * cos(towards), sin(tilt) * sin(towards), cos(tilt), up);
}

// Bodies with up to four corners per face and none close to another are as they were.
static void simple_hulls_have_no_weights(void **state)
{
  (void)state;
  made m = {.count = 0};
  for (int i = 0; i < 8; ++i)
    add(&m, i & 1 ? 0.1 : -0.1, i & 2 ? 0.2 : -0.2, i & 4 ? 0.05 : -0.05);
  finish(&m);
  assert_true(m.is_plain);
  ffi_arena_free(&m.arena);
  for (int n = 3; n <= 5; ++n) {
    make_prism(n, 0.05, 0.03, &m);
    assert_int_equal(m.is_plain, n <= 4);
    ffi_arena_free(&m.arena);
  }
}

// The caps of a regular prism: up to eight corners with the sum 4, evenly where that can be; the same two caps if the
// points are turned and rounded to single precision, and if there are points in the caps too.
static void caps_carry_four_points(void **state)
{
  (void)state;
  static const int corners[] = {5, 6, 7, 8, 13, 16, 30, 64, 200};
  rng r = {5};
  for (size_t c = 0; c < sizeof corners / sizeof corners[0]; ++c)
    for (int variant = 0; variant < 3; ++variant) {
      const int n = corners[c];
      double R[9], weights[MOST_POINTS], up[3], mean[3] = {0}, sum = 0;
      made m = {.count = 0};
      ffi_m3_identity(R);
      add_prism(n, 0.05, 0.03, &m);
      for (int i = 0; variant == 2 && i < 20; ++i)
        add(&m, random_in(&r, -0.02, 0.02), random_in(&r, -0.02, 0.02), 0.015);
      if (variant == 1)
        random_rotation(&r, R);
      for (int i = 0; variant == 1 && i < m.count; ++i) {
        ffi_m3_mulv(R, m.points + 3 * i, m.points + 3 * i);
        for (int k = 0; k < 3; ++k)
          m.points[3 * i + k] = (float)m.points[3 * i + k];
      }
      finish(&m);
      assert_int_equal(m.w.face_count, 2);
      for (int side = 0; side < 2; ++side) {
        ffi_v3_set(0, 0, side ? 1 : -1, up);
        ffi_m3_mulv(R, up, up);
        weights_at(&m, up, weights);
        ffi_v3_set(sum = 0, 0, 0, mean);
        int carrying = 0;
        for (int i = 0; i < m.count; ++i) {
          carrying += weights[i] > 0;
          sum += weights[i];
          ffi_v3_add_scaled(weights[i] / 4, m.points + 3 * i, mean);
        }
        assert_int_equal(carrying, n < 8 ? n : 8);
        assert_near(sum, 4, 8 * 0x1p-17 * 1.01);
        double lower[3];
        ffi_v3_scale(-0.015, up, lower);
        ffi_v3_sub(mean, lower, mean);
        // evenly: rounding of weights and points; else the polygon is off by at most half of an edge at one corner
        const double off = n <= 8 || n % 8 == 0 ? 0.05 * 1e-4 : 0.05 * PI / n * 0.25;
        if (!(ffi_v3_norm(mean) < off))
          fail_msg("%d corners, variant %d: the middle is off by %g", n, variant, ffi_v3_norm(mean));
      }
      ffi_arena_free(&m.arena);
    }
}

static double area_of(double (*x)[2], const int *chosen, int count)
{
  double twice = 0;
  for (int k = 0; k < count; ++k) {
    const double *a = x[chosen[k]], *b = x[chosen[(k + 1) % count]];
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return 0.5 * twice;
}

// The largest area of `left` more corners of n from `from` on.
static double largest(double (*x)[2], int n, int *chosen, int count, int from)
{
  if (count == 8)
    return area_of(x, chosen, 8);
  double best = 0;
  for (int i = from; i <= n - (8 - count); ++i) {
    chosen[count] = i;
    best = fmax(best, largest(x, n, chosen, count + 1, i + 1));
  }
  return best;
}

// On outlines with 9 to 13 corners at random angles on ellipses.
static void corners_span_nearly_as_much_as_any_eight(void **state)
{
  (void)state;
  rng r = {7};
  ffi_margin lost = {.what = "area of the chosen corners", .tolerance = 0.02}; // a greedy choice, improved
  for (int trial = 0; trial < ffi_samples(60); ++trial) {
    const int n = 9 + trial % 5;
    double x[16][2], angle = 0;
    made m = {.count = 0};
    for (int i = 0; i < n; ++i) {
      angle += 2 * PI / n * random_in(&r, 0.3, 1);
      x[i][0] = 0.1 * cos(angle), x[i][1] = 0.06 * sin(angle);
      add(&m, x[i][0], x[i][1], 0);
      add(&m, x[i][0], x[i][1], 0.05);
    }
    finish(&m);
    const ffi_hull_weights_stand stand = ffi_hull_weights_find(&m.w, (const double[]){0, 0, 1});
    int chosen[8], any[8];
    assert_true(stand.share == 1 && stand.count <= 8);
    for (int k = 0; k < stand.count; ++k) // bottom corners are even, and in order around the rim
      chosen[k] = stand.corners[k].vertex / 2;
    ffi_margin_add(&lost, 1 - area_of(x, chosen, stand.count) / largest(x, n, any, 0, 0), trial);
    ffi_arena_free(&m.arena);
  }
  ffi_margin_check(&lost);
}

// Each corner stands for the part of the rim nearest to it. A rectangle with cut corners, a by b, cuts of length c.
static void weights_are_parts_of_the_rim(void **state)
{
  (void)state;
  const double a = 0.2, b = 0.1, c = 0.01;
  made m = {.count = 0};
  double weights[16];
  for (int i = 0; i < 16; ++i) {
    const double x = i & 8 ? 0.5 * a : 0.5 * a - c, y = i & 8 ? 0.5 * b - c : 0.5 * b;
    add(&m, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? 0.05 : -0.05);
  }
  finish(&m);
  const double cut = sqrt(2) * c, rim = 2 * (a + b - 4 * c) + 4 * cut;
  weights_at(&m, (const double[]){0, 0, 1}, weights);
  for (int i = 0; i < 16; ++i) {
    const double side = (i & 8 ? b : a) - 2 * c;
    assert_near(weights[i], i & 4 ? 0 : 4 * 0.5 * (side + cut) / rim, 0x1p-17 * 1.01);
  }
  ffi_arena_free(&m.arena);
}

// Own weights of a prism. The mean normal at its corners, by angles: the cap's inner angle up, two right angles aside.
// A corner at the angle phi along the rim is r sin b (1 - cos phi) above the lowest one's supporting plane.
static void on_its_rim_a_prism_has_four_points_within_the_strip(void **state)
{
  (void)state;
  const double r = 0.05, h = 0.03;
  for (int n = 8; n <= 256; n += 8) {
    made m;
    double weights[MOST_POINTS], up[3];
    make_prism(n, r, h, &m);
    const double aside = PI * cos(PI / n), along = PI - 2 * PI / n, sine = aside / hypot(aside, along);
    const double phi = acos(1 - 0.005 * hypot(r, h / 2) / (r * sine)), spacing = 2 * PI / n;
    if (fabs(phi / spacing - round(phi / spacing)) > 1e-6) {
      const int near = 1 + 2 * (int)floor(phi / spacing);
      lean(0.7, 1, up);
      weights_at(&m, up, weights);
      for (int i = 0; i < m.count; ++i)
        assert_near(weights[i], near > 4 ? 4. / near : 1, 1e-15);
    }
    ffi_arena_free(&m.arena);
  }
}

// A face carries alone up to half of the largest tilt, and no longer from that on: 0.03 where nothing else is near.
static void a_face_fades_with_the_tilt(void **state)
{
  (void)state;
  made m;
  double up[3];
  make_prism(40, 0.05, 0.03, &m);
  for (int k = 0; k < 10; ++k) {
    lean(0.0149, k, up);
    assert_true(ffi_hull_weights_find(&m.w, up).share == 1);
    lean(0.0301, k, up);
    assert_true(ffi_hull_weights_find(&m.w, up).share == 0);
    lean(asin(sqrt(0.625) * sin(0.03)), k, up); // half way between the squares
    assert_near(ffi_hull_weights_find(&m.w, up).share, 0.5, 1e-9);
  }
  ffi_arena_free(&m.arena);
}

// A sole whose front is raised by one degree: standing on either part, the other part's corners have no share in it.
static void a_slightly_bent_sole_has_two_faces(void **state)
{
  (void)state;
  const double bend = PI / 180;
  made m = {.count = 0};
  for (int side = -1; side <= 1; side += 2) {
    for (int k = 0; k < 6; ++k) // the heel is rounded
      add(&m, -0.1 - 0.02 * sin(PI / 2 * k / 5), side * (0.03 + 0.02 * cos(PI / 2 * k / 5)), 0);
    add(&m, 0, 0.05 * side, 0);
    add(&m, 0.1 * cos(bend), 0.05 * side, 0.1 * sin(bend));
    add(&m, -0.1, 0.05 * side, 0.05);
    add(&m, 0.1, 0.05 * side, 0.05);
  }
  finish(&m);
  double weights[MOST_POINTS], up[3] = {-sin(bend), 0, cos(bend)};
  weights_at(&m, up, weights);
  for (int i = 0; i < m.count; ++i) // on its front: as a plain box would
    assert_near(weights[i], m.w.own[i], 1e-15);
  weights_at(&m, (const double[]){0, 0, 1}, weights);
  double sum = 0;
  for (int i = 0; i < m.count; ++i) {
    sum += weights[i];
    assert_true(weights[i] == 0 || m.points[3 * i + 2] == 0);
  }
  assert_near(sum, 4, 1e-4);
  ffi_arena_free(&m.arena);
}

static double slope_error(const made *m, const double up[3], const double turning[3], double h)
{
  double plus[MOST_POINTS], minus[MOST_POINTS], a[3], b[3], worst = 0, across[3];
  ffi_v3_cross(up, turning, across); // up as the hull sees it, when the hull turns
  for (int k = 0; k < 3; ++k)
    a[k] = up[k] * cos(h) + across[k] * sin(h), b[k] = up[k] * cos(h) - across[k] * sin(h);
  weights_at(m, a, plus);
  weights_at(m, b, minus);
  const ffi_hull_weights_stand stand = ffi_hull_weights_find(&m->w, up);
  for (int i = 0, next = 0; i < m->count; ++i) {
    const double more = ffi_hull_weights_of(&m->w, &stand, i, &next).more;
    const double got = more * ffi_v3_dot(stand.slope, turning);
    worst = fmax(worst, fabs(got - (plus[i] - minus[i]) / (2 * h)));
  }
  return worst;
}

// By central differences, whose error falls with h^2, at random tilts around the range where faces fade.
static void slopes_are_those_of_the_weights(void **state)
{
  (void)state;
  rng r = {9};
  int moving = 0;
  for (int trial = 0; trial < ffi_samples(400); ++trial) {
    made m;
    double up[3], t[3], x[3];
    make_prism(5 + trial % 60, 0.05, 0.03, &m);
    lean(random_in(&r, 0, 0.04), random_in(&r, 0, 2 * PI), up);
    random_unit(&r, 3, x);
    ffi_v3_cross(up, x, t);
    ffi_v3_scale(1 / ffi_v3_norm(t), t, t);
    const double share = ffi_hull_weights_find(&m.w, up).share;
    moving += share > 0 && share < 1;
    // third derivatives of the share are some 60 / (0.015)^3; h^2/6 of that, twice
    const double coarse = slope_error(&m, up, t, 1e-4), fine = slope_error(&m, up, t, 1e-5);
    if (!(fine < 0.01 && coarse < 1))
      fail_msg("trial %d: slopes are off by %g, %g with steps ten times as long", trial, fine, coarse);
    ffi_arena_free(&m.arena);
  }
  assert_true(moving > ffi_samples(400) / 4);
}

// Of random stones: finite, from 0 to 2, continuous along great circles; the lowest corner always carries.
static void weights_change_evenly(void **state)
{
  (void)state;
  rng r = {12};
  for (int n = 0; n < ffi_samples(40); ++n) {
    made m = {.count = 0};
    double from[3], x[3], t[3], last[MOST_POINTS], now[MOST_POINTS];
    if (n % 2)
      add_prism(5 + n, 0.05, 0.03, &m);
    for (int i = 0; i < 8 + 3 * n && !(n % 2); ++i) {
      random_unit(&r, 3, x);
      add(&m, 0.05 * x[0], 0.08 * x[1], fmax(-0.02, 0.06 * x[2])); // with a flat face below
    }
    finish(&m);
    random_unit(&r, 3, from);
    random_unit(&r, 3, x);
    ffi_v3_cross(from, x, t);
    ffi_v3_scale(1 / ffi_v3_norm(t), t, t);
    for (int i = 0; i < 20000; ++i) {
      double up[3], low = INFINITY;
      int lowest_corner = 0;
      for (int k = 0; k < 3; ++k)
        up[k] = cos(i * 3e-4) * from[k] + sin(i * 3e-4) * t[k];
      weights_at(&m, up, now);
      for (int j = 0; j < m.count; ++j) {
        assert_true(now[j] >= 0 && now[j] <= 2);
        // a face of the least reach, 0.005, fades within 0.0025 at 1.9 times the mean rate
        if (i > 0 && !(fabs(now[j] - last[j]) < 2 * 2.4 / 0.0025 * 3e-4))
          fail_msg("body %d, step %d: a weight goes from %g to %g", n, i, last[j], now[j]);
        last[j] = now[j];
        const double height = ffi_v3_dot(up, m.points + 3 * j);
        if (height < low)
          low = height, lowest_corner = j;
      }
      double carried = INFINITY; // the lowest corner that carries is hardly higher than the lowest of all
      for (int j = 0; j < m.count; ++j)
        if (now[j] > 0)
          carried = fmin(carried, ffi_v3_dot(up, m.points + 3 * j));
      if (!(carried - low < 2e-3 * m.w.size))
        fail_msg("body %d, step %d: corner %d is %g below those that carry", n, i, lowest_corner,
                 carried - low);
    }
    ffi_arena_free(&m.arena);
  }
}

// The touches of a prism on a plane: true gaps of its corners, and 1 - lack their weights.
static void touches_are_corners_with_their_weights(void **state)
{
  (void)state;
  made m;
  make_prism(20, 0.05, 0.03, &m);
  ffi_solid solid = {.type = FF_SHAPE_HULL, .vertices = m.points, .vertex_count = m.count, .weights = &m.w};
  ffi_solid ground = {.type = FF_SHAPE_PLANE, .radius = INFINITY};
  solid.radius = ffi_solid_radius(&solid);
  const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0};
  for (int k = 0; k < 40; ++k) {
    const double tilt = 0.001 * k, w[3] = {0.6 * tilt, 0.8 * tilt, 0}, p[3] = {0.3, -0.2, 0.014};
    double R[9], up[3], weights[MOST_POINTS];
    ffi_touch list[MOST_POINTS];
    turn(w, R);
    ffi_m3_tmulv(R, (const double[]){0, 0, 1}, up);
    weights_at(&m, up, weights);
    const int count =
        ffi_collide(&(ffi_solid_at){&solid, p, R}, &(ffi_solid_at){&ground, origin, level}, 0.005, list);
    int expected = 0;
    for (int i = 0; i < m.count; ++i) {
      const double gap = p[2] + ffi_v3_dot(up, m.points + 3 * i);
      if (weights[i] < 1e-6 || gap > 0.005)
        continue;
      assert_int_equal(list[expected].feature, i);
      assert_near(list[expected].gap, gap, 1e-15);
      assert_near(1 - list[expected].lack, weights[i], 1e-15);
      ++expected;
    }
    assert_int_equal(count, expected);
    assert_true(count >= 8 || tilt > 0.01);
  }
  ffi_arena_free(&m.arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simple_hulls_have_no_weights),
      cmocka_unit_test(caps_carry_four_points),
      cmocka_unit_test(corners_span_nearly_as_much_as_any_eight),
      cmocka_unit_test(weights_are_parts_of_the_rim),
      cmocka_unit_test(on_its_rim_a_prism_has_four_points_within_the_strip),
      cmocka_unit_test(a_face_fades_with_the_tilt),
      cmocka_unit_test(a_slightly_bent_sole_has_two_faces),
      cmocka_unit_test(slopes_are_those_of_the_weights),
      cmocka_unit_test(weights_change_evenly),
      cmocka_unit_test(touches_are_corners_with_their_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
