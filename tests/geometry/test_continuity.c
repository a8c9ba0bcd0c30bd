// slow: under sanitizers. Gaps change continuously. A gap cut off at the margin, and equal to the margin where its
// touch is not listed, must be a continuous function of the pose. Along random paths every step that seems too large is
// halved until it is either small or a jump.
#include "geometry/solids.h"

#include "geometry/distance.h"

#include "support/samples.h"

static const double MARGIN = 0.02;

// A gap that is being raised changes by up to 1e6 times its cause, which is known to about 1e-13: a smaller change is
// not a jump.
static const double LEAST_JUMP = 1e-5;

typedef struct path {
  body a, b;
  double from[3], along[3], w[3], R[9]; // a at from + t along, turned by t w from R
  int only_least;                       // of all gaps, instead of each
} path;

static void go_to(path *p, double t)
{
  double w[3], T[9];
  for (int k = 0; k < 3; ++k)
    p->a.p[k] = p->from[k] + t * p->along[k];
  ffi_v3_scale(t, p->w, w);
  turn(w, T);
  ffi_m3_mul(T, p->R, p->a.R);
}

static void cut_gaps(path *p, double t, double gaps[MOST])
{
  ffi_touch list[MOST];
  go_to(p, t);
  const int count = touches(&p->a, &p->b, MARGIN, list);
  for (int i = 0; i < MOST; ++i)
    gaps[i] = MARGIN;
  for (int i = 0; i < count; ++i) {
    double *gap = &gaps[p->only_least ? 0 : list[i].feature];
    *gap = fmin(*gap, list[i].gap);
  }
}

static double jump(const double x[MOST], const double y[MOST], int *feature)
{
  double most = 0;
  for (int i = 0; i < MOST; ++i)
    if (fabs(x[i] - y[i]) > most)
      most = fabs(x[i] - y[i]), *feature = i;
  return most;
}

// Is there a jump between t and u? Halved towards the larger part of the change.
static double largest_jump(path *p, double t, double u, int *feature)
{
  double x[MOST], y[MOST], z[MOST];
  cut_gaps(p, t, x);
  cut_gaps(p, u, y);
  double size = jump(x, y, feature);
  for (int i = 0; i < 45 && size > LEAST_JUMP; ++i) {
    const double mid = 0.5 * (t + u);
    int one = 0, two = 0;
    cut_gaps(p, mid, z);
    const double first = jump(x, z, &one), second = jump(z, y, &two);
    if (first >= second)
      u = mid, size = first, *feature = one, memcpy(y, z, sizeof z);
    else
      t = mid, size = second, *feature = two, memcpy(x, z, sizeof z);
  }
  return size;
}

// A path that begins where they touch and goes anywhere, one metre and one radian.
static void random_path(rng *r, ff_shape_type ta, ff_shape_type tb, path *p)
{
  random_body(r, ta, &p->a);
  random_body(r, tb, &p->b);
  p->a.solid.size[0] *= 0.5;
  random_rotation(r, p->R);
  random_unit(r, 3, p->along);
  random_unit(r, 3, p->w);
  ffi_v3_scale(0.5, p->along, p->along);
  random_vector(r, 3, 0.8, p->from);
  if (tb == FF_SHAPE_PLANE)
    ffi_v3_set(0, 0, random_in(r, 0, 0.5), p->from);
  go_to(p, 0);
}

static int is_patchy(const body *b)
{
  return b->solid.type == FF_SHAPE_CYLINDER || b->solid.type == FF_SHAPE_DISK ||
         b->solid.type == FF_SHAPE_HULL;
}

// Where A's core is outside of B, so that there is a nearest point.
static int is_apart(path *p, double t)
{
  ffi_touch list[MOST];
  go_to(p, t);
  if (p->b.solid.type == FF_SHAPE_PLANE)
    return 1;
  if (p->b.solid.type != FF_SHAPE_BOX && (is_patchy(&p->a) || is_patchy(&p->b))) {
    ffi_distance d;
    return ffi_distance_measure(&(ffi_solid_at){&p->a.solid, p->a.p, p->a.R},
                                &(ffi_solid_at){&p->b.solid, p->b.p, p->b.R}, NULL, &d) &&
           d.value > 1e-3;
  }
  if (p->a.solid.type == FF_SHAPE_CYLINDER || p->a.solid.type == FF_SHAPE_DISK)
    return least_gap(list, touches(&p->a, &p->b, 0, list)) > 0;
  return apart(&p->a, &p->b) > 1e-3;
}

// Fails if more than the allowed part of all steps has a jump.
static void check_some(ff_shape_type ta, ff_shape_type tb, int paths, int only_least, double allowed)
{
  rng r = {(uint64_t)(10 * ta + tb)};
  int steps = 0, jumps = 0;
  for (int i = 0; i < paths; ++i) {
    path p = {.only_least = only_least};
    random_path(&r, ta, tb, &p);
    for (int k = 0; k < 200; ++k) {
      int feature = 0;
      const double t = k / 200.0, u = (k + 1) / 200.0;
      double gaps[MOST], next[MOST];
      cut_gaps(&p, t, gaps);
      cut_gaps(&p, u, next);
      if (jump(gaps, next, &feature) == 0 || !is_apart(&p, t) || !is_apart(&p, u))
        continue;
      ++steps;
      const double size = largest_jump(&p, t, u, &feature);
      jumps += size > LEAST_JUMP;
      if (size > LEAST_JUMP && allowed == 0)
        fail_msg("%s and %s, path %d, t = %g: feature %d jumps by %g", ff_shape_type_name(ta),
                 ff_shape_type_name(tb), i, t, feature, size);
    }
  }
  if (steps < ffi_samples(100))
    fail_msg("%s and %s: only %d steps near", ff_shape_type_name(ta), ff_shape_type_name(tb), steps);
  if (jumps > allowed * steps)
    fail_msg("%s and %s: %d jumps in %d steps", ff_shape_type_name(ta), ff_shape_type_name(tb), jumps, steps);
}

static void check(ff_shape_type ta, ff_shape_type tb, int paths)
{
  check_some(ta, tb, ffi_samples(paths), 0, 0);
}

static void on_planes_nothing_jumps(void **state)
{
  (void)state;
  for (int type = FF_SHAPE_POINT; type <= FF_SHAPE_DISK; ++type)
    check((ff_shape_type)type, FF_SHAPE_PLANE, 40);
  check(FF_SHAPE_HULL, FF_SHAPE_PLANE, 20);
}

static void round_things_do_not_jump(void **state)
{
  (void)state;
  check(FF_SHAPE_SPHERE, FF_SHAPE_SPHERE, 100);
  check(FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, 100);
  check(FF_SHAPE_SPHERE, FF_SHAPE_BOX, 100);
  check(FF_SHAPE_CAPSULE, FF_SHAPE_CAPSULE, 100);
  check(FF_SHAPE_CAPSULE, FF_SHAPE_BOX, 100);
}

static void boxes_do_not_jump(void **state)
{
  (void)state;
  check(FF_SHAPE_POINT, FF_SHAPE_BOX, 1000);
  check(FF_SHAPE_BOX, FF_SHAPE_BOX, 100);
}

static void wheels_do_not_jump(void **state)
{
  (void)state;
  check(FF_SHAPE_CYLINDER, FF_SHAPE_BOX, 100);
  check(FF_SHAPE_DISK, FF_SHAPE_BOX, 100);
}

// The nearest gap never jumps. Another one may when a corner comes into an outline, or when a gap that is raised by
// millimetres follows a normal that is known to 1e-6 only: that of a rim.
static void patches_hardly_jump(void **state)
{
  (void)state;
  static const ff_shape_type types[] = {FF_SHAPE_CAPSULE, FF_SHAPE_CYLINDER, FF_SHAPE_DISK, FF_SHAPE_HULL};
  for (int i = 0; i < 4; ++i)
    for (int k = i == 0 ? 1 : i; k < 4; ++k)
      check_some(types[i], types[k], 50, 1, 0);
  check_some(FF_SHAPE_CYLINDER, FF_SHAPE_CYLINDER, 50, 0, 0.03);
  check_some(FF_SHAPE_DISK, FF_SHAPE_HULL, 50, 0, 0.03);
  check_some(FF_SHAPE_HULL, FF_SHAPE_HULL, 50, 0, 0.03);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_planes_nothing_jumps), cmocka_unit_test(round_things_do_not_jump),
      cmocka_unit_test(boxes_do_not_jump),       cmocka_unit_test(wheels_do_not_jump),
      cmocka_unit_test(patches_hardly_jump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
