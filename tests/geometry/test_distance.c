// slow: under sanitizers. Signed distances of all pairs. The result proves itself: a plane across the normal has all of
// A on its upper side and all of B below, `value` apart (so nothing is nearer, or the move is enough to separate them),
// and two points lie in A and in B (so nothing is farther). The extents of solids come from formulas of their own
// (solids.h).
#include "geometry/distance.h"
#include "geometry/solids.h"

static const ff_shape_type types[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE,
                                      FF_SHAPE_BOX,   FF_SHAPE_CYLINDER, FF_SHAPE_DISK,
                                      FF_SHAPE_HULL,  FF_SHAPE_ELLIPSOID};
enum { TYPES = sizeof types / sizeof types[0] };

static void place(rng *r, double reach, body *b)
{
  random_rotation(r, b->R);
  for (int k = 0; k < 3; ++k)
    b->p[k] = random_in(r, -reach, reach);
}

static int measure(const body *a, const body *b, ffi_distance *out)
{
  return ffi_distance_measure(&(ffi_solid_at){&a->solid, a->p, a->R}, &(ffi_solid_at){&b->solid, b->p, b->R},
                              NULL, out);
}

static int is_curved(const body *a)
{
  return a->solid.type == FF_SHAPE_CYLINDER || a->solid.type == FF_SHAPE_DISK ||
         a->solid.type == FF_SHAPE_ELLIPSOID;
}

// Of the distance. Rims are approached by simplices and faces that become ever thinner, until rounding ends it.
static double tolerance(const body *a, const body *b)
{
  return is_curved(a) || is_curved(b) ? 1e-6 : 1e-9;
}

// Tolerance of the nearest points. On a rim of radius r an error e of the place changes the distance by e^2 / 2 r only.
static double place_tolerance(const body *a, const body *b)
{
  return is_curved(a) || is_curved(b) ? sqrt(tolerance(a, b)) : tolerance(a, b);
}

static void check_planes(const body *a, const body *b, const ffi_distance *d)
{
  const double back[3] = {-d->normal[0], -d->normal[1], -d->normal[2]}, tol = tolerance(a, b);
  assert_true(fabs(ffi_v3_norm(d->normal) - 1) <= 10 * EPS);
  assert_true(fabs(lowest(a, d->on_b, d->normal) - d->value) <= tol);
  assert_true(fabs(lowest(b, d->on_a, back) - d->value) <= tol);
  for (int k = 0; k < 3; ++k)
    assert_true(fabs(d->on_a[k] - d->on_b[k] - d->value * d->normal[k]) <= place_tolerance(a, b));
}

// Is x inside, by as many directions?
static int is_inside(rng *r, const body *a, const double x[3], int directions, double tol)
{
  for (int i = 0; i < directions; ++i) {
    double d[3];
    random_unit(r, 3, d);
    if (lowest(a, x, d) > tol)
      return 0;
  }
  return 1;
}

static void every_distance_proves_itself(void **state)
{
  (void)state;
  rng r = {11};
  int apart_count = 0, overlap_count = 0;
  for (int i = 0; i < 1000000; ++i) {
    body a, b;
    ffi_distance d;
    random_body(&r, types[i % TYPES], &a);
    random_body(&r, types[i / TYPES % TYPES], &b);
    place(&r, i % 3 == 0 ? 0.4 : 1.2, &a);
    place(&r, i % 3 == 0 ? 0.4 : 1.2, &b);
    assert_true(measure(&a, &b, &d));
    check_planes(&a, &b, &d);
    const int is_sample = i % 200 == 0;
    if (is_sample) {
      assert_true(is_inside(&r, &a, d.on_a, 300, 1e-9));
      assert_true(is_inside(&r, &b, d.on_b, 300, 1e-9));
    }
    apart_count += d.value > 0;
    overlap_count += d.value < 0;
  }
  assert_true(apart_count > 200000 && overlap_count > 200000);
}

static void no_way_out_is_shorter(void **state)
{
  (void)state;
  rng r = {12};
  for (int i = 0; i < 1500; ++i) {
    body a, b;
    ffi_distance d;
    double way[3];
    random_body(&r, types[i % TYPES], &a);
    random_body(&r, types[i / TYPES % TYPES], &b);
    place(&r, 0.3, &a);
    place(&r, 0.3, &b);
    assert_true(measure(&a, &b, &d));
    if (d.value < 0)
      assert_true(-d.value <= overlap(&a, &b, way) + tolerance(&a, &b));
  }
}

static void exchanging_the_two_changes_the_sign_of_the_normal_alone(void **state)
{
  (void)state;
  rng r = {13};
  for (int i = 0; i < 20000; ++i) {
    body a, b;
    ffi_distance d, e;
    random_body(&r, types[i % TYPES], &a);
    random_body(&r, types[i / TYPES % TYPES], &b);
    place(&r, 0.8, &a);
    place(&r, 0.8, &b);
    assert_true(measure(&a, &b, &d) && measure(&b, &a, &e));
    assert_true(fabs(d.value - e.value) <= tolerance(&a, &b));
    if (d.value > 1e-3)
      assert_true(fabs(ffi_v3_dot(d.normal, e.normal) + 1) <= 1e-9);
  }
}

// A distance changes by no more than the way gone.
static void distances_are_continuous(void **state)
{
  (void)state;
  rng r = {14};
  for (int i = 0; i < 2000; ++i) {
    body a, b;
    ffi_distance d, last;
    double way[3];
    random_body(&r, types[i % TYPES], &a);
    random_body(&r, types[i / TYPES % TYPES], &b);
    place(&r, 0, &a);
    place(&r, 0, &b);
    random_unit(&r, 3, way);
    for (int k = 0; k < 100; ++k) { // in from afar, through the middle
      ffi_v3_scale(2 - 0.02 * k, way, a.p);
      assert_true(measure(&a, &b, &d));
      if (k > 0)
        assert_true(fabs(d.value - last.value) <= 0.02 + 2 * tolerance(&a, &b));
      last = d;
    }
  }
}

static void it_agrees_with_quadratic_programs(void **state)
{
  (void)state;
  rng r = {15};
  for (int i = 0; i < 20000; ++i) {
    body a, b;
    ffi_distance d;
    random_body(&r, types[i % 4], &a);
    random_body(&r, types[i / 4 % 4], &b);
    place(&r, 1.5, &a);
    place(&r, 1.5, &b);
    assert_true(measure(&a, &b, &d));
    const double gap = apart(&a, &b) - rounding(&a) - rounding(&b);
    if (d.value > 0)
      assert_true(fabs(d.value - gap) <= 1e-10);
    else
      assert_true(gap <= 1e-10);
  }
}

static void a_good_guess_changes_nothing(void **state)
{
  (void)state;
  rng r = {16};
  for (int i = 0; i < 5000; ++i) {
    body a, b;
    ffi_distance d, e;
    ffi_distance_memory memory = {{0}};
    random_body(&r, types[i % TYPES], &a);
    random_body(&r, types[i / TYPES % TYPES], &b);
    place(&r, 1, &a);
    place(&r, 1, &b);
    for (int k = 0; k < 5; ++k) {
      a.p[k % 3] += 0.02;
      assert_true(ffi_distance_measure(&(ffi_solid_at){&a.solid, a.p, a.R},
                                       &(ffi_solid_at){&b.solid, b.p, b.R}, &memory, &d));
      assert_true(measure(&a, &b, &e));
      assert_true(fabs(d.value - e.value) <= tolerance(&a, &b));
    }
  }
}

static void planes_are_measured_by_the_lowest_point(void **state)
{
  (void)state;
  rng r = {17};
  for (int i = 0; i < 5000; ++i) {
    body a, b;
    ffi_distance d, e;
    random_body(&r, types[i % TYPES], &a);
    make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
    place(&r, 1, &a);
    place(&r, 1, &b);
    const double n[3] = {b.R[2], b.R[5], b.R[8]};
    assert_true(measure(&a, &b, &d) && measure(&b, &a, &e));
    assert_true(fabs(d.value - lowest(&a, b.p, n)) <= 1e-12 && d.value == e.value);
    const double square = ffi_v3_dot(n, n); // 1, by the rounding of a random rotation
    assert_true(fabs(ffi_v3_dot(d.normal, n) - square) <= 10 * EPS);
    assert_true(fabs(ffi_v3_dot(e.normal, n) + square) <= 10 * EPS);
  }
}

// Against samples of the surface: no sample is nearer, and on a fine grid of samples one is nearly as near.
static void height_fields_are_measured_to_the_nearest_triangle(void **state)
{
  (void)state;
  rng r = {18};
  for (int i = 0; i < 300; ++i) {
    body a, b;
    ffi_distance d;
    random_body(&r, FF_SHAPE_SPHERE, &a);
    random_body(&r, FF_SHAPE_HEIGHTFIELD, &b);
    place(&r, 0, &b);
    const double local[3] = {random_in(&r, -1.5, 1.5), random_in(&r, -1.5, 1.5), random_in(&r, 0.25, 1.25)};
    to_world(&b, local, a.p);
    assert_true(measure(&a, &b, &d));
    double least = INFINITY;
    const ffi_height_field *f = &b.field;
    for (int row = 0; row < f->rows - 1; ++row)
      for (int column = 0; column < f->columns - 1; ++column)
        for (int s = 0; s <= 20; ++s)
          for (int t = 0; t <= 20; ++t) {
            const double u = s / 20.0, v = t / 20.0, *z = f->heights + row * f->columns + column;
            const double z00 = z[0], z10 = z[1], z01 = z[f->columns], z11 = z[f->columns + 1];
            const double x[3] = {((column + u) / (f->columns - 1) - 0.5) * f->size[0],
                                 ((row + v) / (f->rows - 1) - 0.5) * f->size[1],
                                 u >= v ? z00 + u * (z10 - z00) + v * (z11 - z10)
                                        : z00 + v * (z01 - z00) + u * (z11 - z01)};
            double w[3];
            ffi_v3_sub(x, local, w);
            least = fmin(least, ffi_v3_norm(w));
          }
    least -= a.solid.size[0];
    if (d.value > 0) {
      assert_true(d.value <= least + 1e-12);
      assert_true(d.value >= least - 0.03); // half a diagonal of the samples' grid
    } else {
      assert_true(least < 0.03);
    }
  }
}

static void what_touches_exactly_has_no_distance(void **state)
{
  (void)state;
  body a, b;
  ffi_distance d;
  make_body(FF_SHAPE_BOX, 1, 1, 1, &a);
  make_body(FF_SHAPE_BOX, 1, 1, 1, &b);
  a.p[2] = 1;
  assert_true(measure(&a, &b, &d) && fabs(d.value) <= 1e-12);
  a.p[2] = 0; // one in the other
  assert_true(measure(&a, &b, &d) && fabs(d.value + 1) <= 1e-12);
  make_body(FF_SHAPE_SPHERE, 0.5, 0, 0, &a);
  make_body(FF_SHAPE_SPHERE, 0.25, 0, 0, &b);
  assert_true(measure(&a, &b, &d) && fabs(d.value + 0.75) <= 1e-12);
  make_body(FF_SHAPE_CAPSULE, 0.1, 1, 0, &a); // axes that cross
  make_body(FF_SHAPE_CAPSULE, 0.2, 1, 0, &b);
  turn((const double[]){1.5707963267948966, 0, 0}, b.R);
  assert_true(measure(&a, &b, &d) && fabs(d.value + 0.3) <= 1e-12 && fabs(fabs(d.normal[0]) - 1) <= 1e-12);
  make_body(FF_SHAPE_DISK, 1, 0, 0, &a); // flat on flat
  make_body(FF_SHAPE_DISK, 1, 0, 0, &b);
  assert_true(measure(&a, &b, &d) && fabs(d.value) <= 1e-12 && fabs(fabs(d.normal[2]) - 1) <= 1e-12);
}

static void what_has_no_distance_says_so(void **state)
{
  (void)state;
  body a, b;
  ffi_distance d = {.value = 77};
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &a);
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &b);
  assert_true(!measure(&a, &b, &d) && d.value == 77);
  make_body(FF_SHAPE_BOX, 1, 1, 1, &b);
  b.p[1] = NAN;
  assert_true(!measure(&a, &b, &d) && d.value == 77);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_distance_proves_itself),
      cmocka_unit_test(no_way_out_is_shorter),
      cmocka_unit_test(exchanging_the_two_changes_the_sign_of_the_normal_alone),
      cmocka_unit_test(distances_are_continuous),
      cmocka_unit_test(it_agrees_with_quadratic_programs),
      cmocka_unit_test(a_good_guess_changes_nothing),
      cmocka_unit_test(planes_are_measured_by_the_lowest_point),
      cmocka_unit_test(height_fields_are_measured_to_the_nearest_triangle),
      cmocka_unit_test(what_touches_exactly_has_no_distance),
      cmocka_unit_test(what_has_no_distance_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
