// The four points of a hull on a plane: their places where the hull stands, on an edge and on a corner; that each is
// the gradient of its height, by differences; that nothing depends on how finely a rim is cut.
#include "geometry/solids.h"

#include "geometry/plane/hull_patch.h"

#include "support/samples.h"

enum { MOST_CORNERS = 600 };

typedef struct made {
  double points[3 * MOST_CORNERS], room[4 * MOST_CORNERS + 32];
  int count;
  ffi_hull_patch patch;
} made;

static void finish(made *m)
{
  assert_int_equal(ffi_hull_shares_set(m->count, m->points, m->room, &m->patch), FF_OK);
}

// An upright prism of radius r; `dense`: of its corners two thirds are in the first third of the circle.
static void make_prism(int n, double r, double height, int dense, made *m)
{
  m->count = 2 * n;
  for (int i = 0; i < n; ++i) {
    double part = (double)i / n;
    if (dense)
      part = part < 2. / 3 ? 0.5 * part : 2 * part - 1;
    for (int k = 0; k < 2; ++k)
      ffi_v3_set(r * cos(2 * PI * part), r * sin(2 * PI * part), k ? 0.5 * height : -0.5 * height,
                 m->points + 3 * (2 * i + k));
  }
  finish(m);
}

static void make_box(double x, double y, double z, made *m)
{
  m->count = 8;
  for (int i = 0; i < 8; ++i)
    ffi_v3_set(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z, m->points + 3 * i);
  finish(m);
}

static void make_stone(rng *r, int count, made *m)
{
  m->count = count;
  for (int i = 0; i < count; ++i) {
    random_unit(r, 3, m->points + 3 * i);
    for (int k = 0; k < 3; ++k)
      m->points[3 * i + k] *= 0.05 * (k + 1);
  }
  finish(m);
}

static double lowest_of(const made *m, const double up[3])
{
  double low = (double)INFINITY;
  for (int i = 0; i < m->count; ++i)
    low = fmin(low, ffi_v3_dot(up, m->points + 3 * i));
  return low;
}

// The normal that leans by `tilt` towards `azimuth`, from z.
static void lean(double tilt, double azimuth, double up[3])
{
  ffi_v3_set(sin(tilt) * cos(azimuth), sin(tilt) * sin(azimuth), cos(tilt), up);
}

static void a_box_stands_on_its_corners(void **state)
{
  (void)state;
  made m;
  make_box(0.1, 0.05, 0.02, &m);
  for (int axis = 0; axis < 3; ++axis)
    for (int sign = -1; sign <= 1; sign += 2) {
      double up[3] = {0};
      ffi_hull_patch_point p[4];
      int seen = 0;
      up[axis] = sign;
      ffi_hull_patch_find(&m.patch, up, p);
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 8; ++k) {
          double apart[3];
          ffi_v3_sub(p[i].at, m.points + 3 * k, apart);
          assert_false(p[i].moves);
          if (ffi_v3_norm(apart) < 1e-11)
            seen |= 1 << k;
        }
      int corners = 0;
      for (int k = 0; k < 8; ++k)
        corners += (seen >> k & 1) && ffi_v3_dot(up, m.points + 3 * k) < 0;
      assert_int_equal(corners, 4);
    }
}

static void on_an_edge_two_are_at_each_end_on_a_corner_all(void **state)
{
  (void)state;
  made m;
  ffi_hull_patch_point p[4];
  make_box(0.1, 0.05, 0.02, &m);
  ffi_hull_patch_find(&m.patch, (double[]){0, 0.6, 0.8}, p);
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    assert_near(fabs(p[i].at[0]), 0.1, 1e-6); // of the size, as the patch's area is not below 1e-6
    assert_near(p[i].at[1], -0.05, 1e-12);
    assert_near(p[i].at[2], -0.02, 1e-12);
    sum += p[i].at[0];
  }
  assert_near(sum, 0, 1e-12);
  ffi_hull_patch_find(&m.patch, (double[]){0.48, -0.6, 0.64}, p);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k)
      assert_near(p[i].at[k], ((double[]){-0.1, 0.05, -0.02})[k], 1e-12);
}

// Mean and moments of a rim are those of its circle: mean 0, r^2/2 about each diameter.
static void a_prism_stands_as_its_rim_however_many_corners(void **state)
{
  (void)state;
  static const int corners[] = {3, 4, 5, 7, 16, 30, 64, 200};
  for (size_t i = 0; i < sizeof corners / sizeof corners[0]; ++i) {
    made m;
    ffi_hull_patch_point p[4];
    make_prism(corners[i], 0.05, 0.02, 0, &m);
    ffi_hull_patch_find(&m.patch, (double[]){0, 0, 1}, p);
    double mean[2] = {0}, C[3] = {0};
    for (int k = 0; k < 4; ++k) {
      assert_near(p[k].at[2], -0.01, 1e-15);
      mean[0] += 0.25 * p[k].at[0], mean[1] += 0.25 * p[k].at[1];
      C[0] += 0.25 * p[k].at[0] * p[k].at[0], C[1] += 0.25 * p[k].at[0] * p[k].at[1];
      C[2] += 0.25 * p[k].at[1] * p[k].at[1];
    }
    assert_near(mean[0], 0, 1e-14);
    assert_near(mean[1], 0, 1e-14);
    assert_near(C[0], 0.00125, 1e-14);
    assert_near(C[1], 0, 1e-14);
    assert_near(C[2], 0.00125, 1e-14);
  }
}

// Two thirds of the corners on a third of the rim: the mean moves by what chords lack of their arcs, r / n^2 or so.
static void a_rim_that_is_dense_on_one_side_is_no_heavier_there(void **state)
{
  (void)state;
  static const int corners[] = {12, 48, 192};
  for (size_t i = 0; i < sizeof corners / sizeof corners[0]; ++i) {
    made m;
    ffi_hull_patch_point p[4];
    make_prism(corners[i], 0.05, 0.02, 1, &m);
    ffi_hull_patch_find(&m.patch, (double[]){0, 0, 1}, p);
    const double coarse = 2. * corners[i] / 4; // corners around the circle at the wider spacing
    for (int j = 0; j < 2; ++j) {
      const double mean = 0.25 * (p[0].at[j] + p[1].at[j] + p[2].at[j] + p[3].at[j]);
      assert_near(mean, 0, 0.05 * 2 * PI * PI / (coarse * coarse));
    }
  }
}

typedef struct seen {
  double height[4];
  ffi_hull_patch_point p[4];
} seen;

static void look(const made *m, const double up[3], seen *out)
{
  ffi_hull_patch_find(&m->patch, up, out->p);
  for (int i = 0; i < 4; ++i)
    out->height[i] = ffi_v3_dot(up, out->p[i].at);
}

static void turn_towards(const double up[3], const double across[3], double angle, double out[3])
{
  for (int k = 0; k < 3; ++k)
    out[k] = cos(angle) * up[k] + sin(angle) * across[k];
}

// By central differences of step h with errors of order h^2: Q.t against the rate of the height, and bend t against
// that of Q. Returns the larger error; `moves` counts normals with points that move.
static double worst_error(const made *m, const double up[3], const double t[3], double h, int *moves)
{
  double plus[3], minus[3], worst = 0;
  seen a, b, here;
  turn_towards(up, t, h, plus);
  turn_towards(up, t, -h, minus);
  look(m, plus, &a);
  look(m, minus, &b);
  look(m, up, &here);
  for (int i = 0; i < 4; ++i) {
    const double rate = (a.height[i] - b.height[i]) / (2 * h);
    double bent[3];
    ffi_sym3_times(here.p[i].bend, t, bent);
    worst = fmax(worst, fabs(rate - ffi_v3_dot(here.p[i].at, t)));
    for (int k = 0; k < 3; ++k)
      worst = fmax(worst, fabs((a.p[i].at[k] - b.p[i].at[k]) / (2 * h) - bent[k]) * h);
  }
  *moves += here.p[0].moves;
  return worst;
}

static void each_is_the_gradient_of_its_height(void **state)
{
  (void)state;
  rng r = {11};
  int moves = 0, kept = 0, tried = 0;
  for (int n = 0; n < ffi_samples(3000); ++n) {
    made m;
    double up[3], x[3], t[3];
    if (n % 3 == 0)
      make_prism(3 + n % 40, 0.05, 0.03, n % 2, &m);
    else if (n % 3 == 1)
      make_box(0.05, 0.03, 0.04, &m);
    else
      make_stone(&r, 8 + n % 60, &m);
    if (n % 3 == 2)
      random_unit(&r, 3, up);
    else // near a face, where the points change most
      lean(pow(10, random_in(&r, -5, -0.5)), random_in(&r, 0, 2 * PI), up);
    random_unit(&r, 3, x);
    ffi_v3_cross(up, x, t);
    ffi_v3_scale(1 / ffi_v3_norm(t), t, t);
    const double coarse = worst_error(&m, up, t, 4e-5, &moves), fine = worst_error(&m, up, t, 1e-5, &moves);
    ++tried;
    // differences of the second order, or rounding, some eps / 1e-6 of the size over 2h; a few meet where a corner
    // begins to carry
    kept += fine < fmax(coarse / 8, 2e-9);
    if (!(fine < coarse / 3 + 1.2e-5))
      fail_msg("normal %d: error %g, and %g with a quarter of the step", n, coarse, fine);
  }
  assert_true(moves > tried / 4);
  if (!(kept > 0.95 * tried))
    fail_msg("only %d of %d are of the second order", kept, tried);
}

// Along random great circles heights are continuous, with slopes that are no longer than a few sizes, and near the
// hull: while corners fade a point may be higher than the lowest, and lower below a face of three, whose rim is not
// round.
static void heights_change_evenly(void **state)
{
  (void)state;
  rng r = {12};
  for (int n = 0; n < ffi_samples(60); ++n) {
    made m;
    double from[3], x[3], t[3], up[3];
    if (n % 2)
      make_prism(3 + n % 60, 0.05, 0.03, 0, &m);
    else
      make_stone(&r, 8 + n, &m);
    random_unit(&r, 3, from);
    random_unit(&r, 3, x);
    ffi_v3_cross(from, x, t);
    ffi_v3_scale(1 / ffi_v3_norm(t), t, t);
    seen last, now;
    look(&m, from, &last);
    const double step = 2e-5;
    for (int i = 1; i < 20000; ++i) {
      turn_towards(from, t, i * step, up);
      look(&m, up, &now);
      const double low = lowest_of(&m, up);
      for (int k = 0; k < 4; ++k) {
        if (!(fabs(now.height[k] - last.height[k]) < 12 * m.patch.size * step))
          fail_msg("body %d, step %d: a height goes from %g to %g", n, i, last.height[k], now.height[k]);
        if (!(now.height[k] > low - 0.04 * m.patch.size && now.height[k] < low + 0.06 * m.patch.size))
          fail_msg("body %d, step %d: a height %g above the lowest", n, i, now.height[k] - low);
      }
      last = now;
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_stands_on_its_corners),
      cmocka_unit_test(on_an_edge_two_are_at_each_end_on_a_corner_all),
      cmocka_unit_test(a_prism_stands_as_its_rim_however_many_corners),
      cmocka_unit_test(a_rim_that_is_dense_on_one_side_is_no_heavier_there),
      cmocka_unit_test(each_is_the_gradient_of_its_height),
      cmocka_unit_test(heights_change_evenly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
