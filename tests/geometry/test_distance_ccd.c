// Depths of overlaps against libccd's, an independent search on support functions given here by formulas of this file.
// Its result is a direction; the length of the way out along it is measured by the formulas of solids.h. Ours is the
// shortest way: never longer. (libccd does not always find the shortest: in nine of ten cases.)
#include "geometry/distance.h"
#include "geometry/solids.h"

#include <ccd/ccd.h>

static const ff_shape_type types[] = {FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_BOX, FF_SHAPE_CYLINDER,
                                      FF_SHAPE_HULL};
enum { TYPES = sizeof types / sizeof types[0] };

// The farthest point of a solid along d, in its own frame.
static void local_reach(const ffi_solid *s, const double d[3], double out[3])
{
  const double length = ffi_v3_norm(d), across = hypot(d[0], d[1]);
  ffi_v3_set(0, 0, 0, out);
  if (s->type == FF_SHAPE_SPHERE || s->type == FF_SHAPE_CAPSULE) {
    ffi_v3_scale(s->size[0] / length, d, out);
    out[2] += s->type == FF_SHAPE_CAPSULE ? copysign(s->size[1] / 2, d[2]) : 0;
  } else if (s->type == FF_SHAPE_BOX) {
    for (int k = 0; k < 3; ++k)
      out[k] = copysign(s->size[k] / 2, d[k]);
  } else if (s->type == FF_SHAPE_CYLINDER) {
    out[0] = across > 0 ? s->size[0] * d[0] / across : 0;
    out[1] = across > 0 ? s->size[0] * d[1] / across : 0;
    out[2] = copysign(s->size[1] / 2, d[2]);
  } else {
    double most = -INFINITY;
    for (int i = 0; i < s->vertex_count; ++i) {
      const double *v = s->vertices + 3 * i, far = ffi_v3_dot(v, d);
      if (far > most)
        ffi_v3_copy(v, out);
      most = fmax(most, far);
    }
  }
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
  const body *b = object;
  const double *R = b->R, *d = direction->v;
  const double local[3] = {R[0] * d[0] + R[3] * d[1] + R[6] * d[2], R[1] * d[0] + R[4] * d[1] + R[7] * d[2],
                           R[2] * d[0] + R[5] * d[1] + R[8] * d[2]};
  double x[3], world[3];
  local_reach(&b->solid, local, x);
  to_world(b, x, world);
  ccdVec3Set(out, world[0], world[1], world[2]);
}

static void depths_are_never_longer_than_theirs(void **state)
{
  (void)state;
  rng r = {21};
  int compared = 0, same = 0;
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.max_iterations = 1000;
  ccd.epa_tolerance = 1e-9;
  for (int i = 0; i < 20000; ++i) {
    body a, b;
    ffi_distance d;
    ccd_real_t depth;
    ccd_vec3_t way, place;
    random_body(&r, types[i % TYPES], &a);
    random_body(&r, types[i / TYPES % TYPES], &b);
    for (int k = 0; k < 3; ++k) {
      a.p[k] = random_in(&r, -0.4, 0.4);
      b.p[k] = random_in(&r, -0.4, 0.4);
    }
    random_rotation(&r, a.R);
    random_rotation(&r, b.R);
    assert_true(ffi_distance_measure(&(ffi_solid_at){&a.solid, a.p, a.R}, &(ffi_solid_at){&b.solid, b.p, b.R},
                                     NULL, &d));
    const int they_overlap = ccdGJKPenetration(&a, &b, &ccd, &depth, &way, &place) == 0;
    if (fabs(d.value) > 1e-6)
      assert_int_equal(they_overlap, d.value < 0);
    if (!they_overlap || d.value >= 0)
      continue;
    const double back[3] = {-way.v[0], -way.v[1], -way.v[2]}, origin[3] = {0, 0, 0};
    const double length = -lowest(&a, origin, back) - lowest(&b, origin, way.v);
    ++compared;
    same += fabs(length + d.value) <= 1e-4;
    if (!(-d.value <= length + 1e-6))
      fail_msg("%d: %s in %s: %.9g here, %.9g there", i, ff_shape_type_name(types[i % TYPES]),
               ff_shape_type_name(types[i / TYPES % TYPES]), -d.value, length);
  }
  printf("%d overlaps, %d depths the same to 1e-4\n", compared, same);
  assert_true(compared > 5000 && same > compared / 2); // or nothing was compared
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(depths_are_never_longer_than_theirs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
