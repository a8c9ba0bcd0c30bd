// Nearest points of two segments, by sampling and by closed forms.
#include "geometry/segment.h"
#include "geometry/solids.h"

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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_place_is_the_nearest),
      cmocka_unit_test(places_move_no_faster_than_they_should),
      cmocka_unit_test(places_on_one_line_and_of_no_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
