// Nothing comes near without a touch: for two solids that are some tenths of a millimetre apart the least gap is their
// distance, to the accuracy of each pair.
#include "geometry/solids.h"

#include "geometry/distance.h"

#include "support/samples.h"

enum { TYPES = FF_SHAPE_HEIGHTFIELD + 1, POSES = 800 };

static const ff_shape_type BODIES[] = {FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_CYLINDER,
                                       FF_SHAPE_DISK,   FF_SHAPE_HULL,    FF_SHAPE_BOX};

static int distance(const body *a, const body *b, ffi_distance *out)
{
  return ffi_distance_measure(&(ffi_solid_at){&a->solid, a->p, a->R}, &(ffi_solid_at){&b->solid, b->p, b->R},
                              NULL, out);
}

// Two bodies at a distance of up to a millimetre; returns it, or -1 if that did not succeed.
static double near_pair(rng *r, ff_shape_type ta, ff_shape_type tb, body *a, body *b)
{
  const double want = random_in(r, 0, 1e-3);
  ffi_distance d;
  double x[3];
  random_body(r, ta, a);
  random_body(r, tb, b);
  random_rotation(r, a->R);
  random_rotation(r, b->R);
  random_vector(r, 3, 3, b->p);
  random_vector(r, 3, 0.7, x);
  if (tb == FF_SHAPE_PLANE || tb == FF_SHAPE_HEIGHTFIELD)
    x[2] = random_in(r, 0, 0.8);
  to_world(b, x, a->p);
  for (int i = 0; i < 6 && distance(a, b, &d); ++i)
    ffi_v3_add_scaled(want - d.value, d.normal, a->p);
  return distance(a, b, &d) && d.value > 0 && d.value < 1e-3 ? d.value : -1;
}

// What a cap that lies nearly flat misses: the place between the witnesses that stand and the one that rolls.
static double cap_misses(const body *b)
{
  return b->solid.type == FF_SHAPE_CYLINDER || b->solid.type == FF_SHAPE_DISK ? 0.006 * b->solid.size[0] : 0;
}

static void what_is_near_has_a_touch(void **state)
{
  (void)state;
  rng r = {1};
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 6; ++k) {
      int poses = 0;
      if ((i < 2 && k < 2) || (i < 4 && k == 5)) // of boxes only hulls promise it
        continue;
      for (int n = 0; n < ffi_samples(POSES); ++n) {
        body a, b;
        ffi_touch list[MOST];
        const double d = near_pair(&r, BODIES[i], BODIES[k], &a, &b);
        if (d < 0)
          continue;
        ++poses;
        // a hair of the smaller one, and the caps' part
        const double misses = 1e-4 * fmin(a.solid.radius, b.solid.radius) + cap_misses(&a) + cap_misses(&b);
        const double least = least_gap(list, touches(&a, &b, d + misses, list));
        if (!(least > d - 1e-8 && least <= d + misses))
          fail_msg("%s and %s are %g apart, the least gap is %g", ff_shape_type_name(BODIES[i]),
                   ff_shape_type_name(BODIES[k]), d, least);
      }
      assert_true(poses > 0.9 * ffi_samples(POSES));
    }
}

// With ffi_collide_nearest() every pair there is has a touch, to the last digits.
static void what_is_nearest_is_never_missed(void **state)
{
  (void)state;
  rng r = {2};
  int added = 0;
  for (int ta = 0; ta < TYPES; ++ta)
    for (int tb = 0; tb < TYPES; ++tb)
      for (int n = 0; n < ffi_samples(POSES / 4); ++n) {
        body a, b;
        ffi_touch list[MOST];
        const double d = near_pair(&r, (ff_shape_type)ta, (ff_shape_type)tb, &a, &b);
        const int most = ffi_collide_most(&a.solid, &b.solid);
        if (most == 0 || d < 0)
          continue;
        const int before = touches(&a, &b, d + 1e-6, list);
        const int count =
            ffi_collide_nearest(&(ffi_solid_at){&a.solid, a.p, a.R}, &(ffi_solid_at){&b.solid, b.p, b.R},
                                d + 1e-6, 1e-6, list, before);
        assert_true(count >= 1 && count >= before && count <= before + 1 && count <= most);
        assert_true(least_gap(list, count) <= d + 1e-6);
        added += count > before;
        for (int i = 1; i < count; ++i)
          assert_true(list[i].feature > list[i - 1].feature);
        if (count > before) { // from the witness along the normal there is the other's surface
          assert_true(list[0].feature == 0 && list[0].gap == d);
          assert_near(ffi_v3_norm(list[0].normal), 1, 20 * EPS);
        }
        // one that is within the slack is not touched
        const ffi_touch kept = list[0];
        assert_int_equal(ffi_collide_nearest(&(ffi_solid_at){&a.solid, a.p, a.R},
                                             &(ffi_solid_at){&b.solid, b.p, b.R}, d + 1e-6, 1e-6, list,
                                             count),
                         count);
        assert_memory_equal(&kept, &list[0], sizeof kept);
      }
  assert_true(added > ffi_samples(500));
}

static void far_apart_nothing_is_added(void **state)
{
  (void)state;
  rng r = {3};
  body a, b;
  ffi_touch list[MOST];
  const double d = near_pair(&r, FF_SHAPE_HULL, FF_SHAPE_BOX, &a, &b);
  assert_true(d > 0);
  assert_int_equal(ffi_collide_nearest(&(ffi_solid_at){&a.solid, a.p, a.R},
                                       &(ffi_solid_at){&b.solid, b.p, b.R}, d / 2, 0, list, 0),
                   0);
  a.p[0] = (double)NAN;
  assert_int_equal(ffi_collide_nearest(&(ffi_solid_at){&a.solid, a.p, a.R},
                                       &(ffi_solid_at){&b.solid, b.p, b.R}, 1, 0, list, 0),
                   0);
}

// Under all that is new against a box, a hull's vertices are what they are by themselves.
static void vertices_on_a_box_are_points(void **state)
{
  (void)state;
  rng r = {4};
  int compared = 0;
  for (int n = 0; n < ffi_samples(POSES); ++n) {
    body a, b, point;
    ffi_touch list[MOST], one[MOST];
    if (near_pair(&r, FF_SHAPE_HULL, FF_SHAPE_BOX, &a, &b) < 0)
      continue;
    const int count = touches(&a, &b, 0.2, list);
    for (int i = 0; i < HULL_VERTICES; ++i) {
      make_body(FF_SHAPE_POINT, 0, 0, 0, &point);
      to_world(&a, a.vertices + 3 * i, point.p);
      const ffi_touch *got = find(list, count, i);
      if (touches(&point, &b, 0.2 - 1e-9, one) == 1) {
        assert_non_null(got);
        assert_near(got->gap, one[0].gap, 1e-14);
        ++compared;
      }
    }
  }
  assert_true(compared > ffi_samples(POSES));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_near_has_a_touch),
      cmocka_unit_test(what_is_nearest_is_never_missed),
      cmocka_unit_test(far_apart_nothing_is_added),
      cmocka_unit_test(vertices_on_a_box_are_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
