// Contact candidates: by hand on planes, and in random cases against every pair collided alone at the poses that the
// dynamics give.
#include "contact/collider_cases.h"

#include "math/mat3.h"
#include "model/model.h"
#include "support/alloc_counter.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNTURNED                                                                                             \
  {                                                                                                          \
    1, 0, 0, 0, 1, 0, 0, 0, 1                                                                                \
  }

// ---- By hand ----------------------------------------------------------------------------------------------

// A free body with a point at its origin, and a sphere of 0.5 m, 2 m along x.
static ff_model *point_and_sphere(void)
{
  ff_builder *b = collider_case_builder();
  int body = collider_case_link(b, "body", FF_WORLD, FF_JOINT_FREE);
  collider_case_shape(b, body, &(collider_case_solid){.type = FF_SHAPE_POINT});
  collider_case_shape(b, body,
                      &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.5}, .at = {2, 0, 0}});
  return collider_case_finish(b);
}

static void assert_vector(const double got[3], double x, double y, double z)
{
  const double want[3] = {x, y, z};
  if (!(ffi_gap(3, got, want) <= 1e-15))
    fail_msg("got (%.17g, %.17g, %.17g), want (%g, %g, %g)", got[0], got[1], got[2], x, y, z);
}

static void a_point_and_a_sphere_on_the_floor(void **state)
{
  (void)state;
  ff_model *model = point_and_sphere();
  ff_sim_def def = collider_case_def(NULL, -1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  collider_room room = collider_case_room_create(&colliders);
  const ffi_pose poses[2] = {{.R = UNTURNED}, {.R = UNTURNED, .p = {1, 2, 0.25}}};
  ffi_detect_candidate near[2];
  assert_int_equal(colliders.max_candidates, 2);
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 0.3, near), 2);
  assert_true(near[0].id == 0 && near[0].pair == 0 && near[0].a == 1 && near[0].b == 0 && !near[0].flipped);
  assert_true(near[0].gap == 0.25 && near[0].roll == FFI_ROLL_NONE);
  assert_vector(near[0].point, 1, 2, 0.25);
  assert_vector(near[0].normal, 0, 0, 1);
  assert_vector(near[0].centre, 1, 2, 0.25);
  assert_true(near[1].id == 1 && near[1].gap == -0.25 && near[1].roll == FFI_ROLL_SPHERE);
  assert_vector(near[1].point, 3, 2, -0.25);
  assert_vector(near[1].centre, 3, 2, 0.25);
  assert_vector(near[1].axis, 0, 0, 0);

  assert_int_equal(collider_case_detect(&colliders, &room, poses, 0.25, near), 2); // gap = margin counts
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 0.2, near), 1);
  assert_int_equal(near[0].id, 1);
  assert_int_equal(collider_case_detect(&colliders, &room, poses, -0.3, near), 0);
  collider_case_room_free(&room);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

// A ramp whose normal, z of its pose, is (0.6, 0, 0.8), through (0, 0, 1); then it moves.
static void ground_is_where_its_place_is(void **state)
{
  (void)state;
  ff_model *model = point_and_sphere();
  ff_ground_def ramp = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE, .at = {0, 0, 1}});
  ramp.shape.pose.quaternion[1] = sqrt(0.1); // half of the angle with cosine 0.8
  ramp.shape.pose.quaternion[3] = sqrt(0.9);
  ff_sim_def def = collider_case_def(&ramp, 1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  collider_room room = collider_case_room_create(&colliders);
  const ffi_pose poses[2] = {{.R = UNTURNED}, {.R = UNTURNED, .p = {0, 7, 2}}};
  ffi_detect_candidate near[2];
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 10, near), 2);
  assert_true(fabs(near[0].gap - 0.8) < 1e-14); // (0, 7, 1) . n
  assert_vector(near[0].normal, 0.6, 0, 0.8);
  assert_true(fabs(near[1].gap - (2 * 0.6 + 0.8 - 0.5)) < 1e-14);
  assert_vector(near[1].point, 2 - 0.3, 7, 2 - 0.4);

  room.ground[0] = (ffi_pose){.R = UNTURNED, .p = {100, 100, 1.75}};
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 10, near), 2);
  assert_true(near[0].gap == 0.25 && near[1].gap == -0.25);
  assert_vector(near[0].normal, 0, 0, 1);
  collider_case_room_free(&room);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

// Heights of 5 m all over, a field of 4 m by 2 m: as a plane, and nothing beyond its edges.
static void a_flat_field(void **state)
{
  (void)state;
  ff_model *model = point_and_sphere();
  const double heights[4] = {5, 5, 5, 5};
  ff_ground_def field =
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_HEIGHTFIELD, .size = {4, 2}});
  field.shape.heights = heights;
  field.shape.rows = field.shape.columns = 2;
  ff_sim_def def = collider_case_def(&field, 1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  collider_room room = collider_case_room_create(&colliders);
  ffi_pose poses[2] = {{.R = UNTURNED}, {.R = UNTURNED, .p = {1.5, 0.5, 5.25}}};
  ffi_detect_candidate near[8];
  assert_int_equal(colliders.max_candidates, 5);
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 0.26, near),
                   1); // the sphere is beyond, at 3.5 m
  assert_true(near[0].id == 0 && fabs(near[0].gap - 0.25) < 1e-14);
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 0.24, near), 0);
  poses[1].p[0] = -0.5;
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 0.24, near),
                   1); // the sphere at 1.5 m, inside
  assert_true(near[0].id == 1 && fabs(near[0].gap + 0.25) < 1e-14);
  collider_case_room_free(&room);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

static void what_is_not_a_number_is_not_near(void **state)
{
  (void)state;
  ff_model *model = point_and_sphere();
  const collider_case_solid box = {.type = FF_SHAPE_BOX, .size = {9, 9, 9}};
  const ff_ground_def grounds[2] = {ff_ground_def_default(), collider_case_ground(&box)};
  ff_sim_def def = collider_case_def(grounds, 2, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  collider_room room = collider_case_room_create(&colliders);
  ffi_detect_candidate near[8];
  for (int i = 0; i < 12; ++i) {
    ffi_pose poses[2] = {{.R = UNTURNED}, {.R = UNTURNED}};
    (i < 9 ? poses[1].R : poses[1].p - 9)[i] = (double)NAN;
    int count = collider_case_detect(&colliders, &room, poses, 0.1, near);
    assert_true(count <= colliders.max_candidates);
    for (int k = 0; k < count; ++k)
      assert_true(ffi_all_finite(near[k].point, 3) && ffi_all_finite(near[k].normal, 3) &&
                  isfinite(near[k].gap));
    if (i >= 9)
      assert_int_equal(count, 0);
  }
  collider_case_room_free(&room);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

// ---- Random scenes ----------------------------------------------------------------------------------------

enum { SCENES = 1000, POSTURES = 10, EDGE = 4 };

typedef struct tally {
  ffi_margin place, gap, point, normal;
  int touches, flipped, skipped;
} tally;

// The pose of a pair's shape, from the pair itself; it must agree with the frames of the dynamics. The touches are then
// computed at this pose: edges that cross at a small angle would magnify a difference by rounding.
static ffi_pose place_of(const collider_case_places *at, int body, const ffi_pose *in, int shape, int seed,
                         tally *t)
{
  ffi_pose out;
  const ffi_pose *pose = &at->body[body];
  ffi_m3_mul(pose->R, in->R, out.R);
  ffi_m3_mulv(pose->R, in->p, out.p);
  ffi_v3_add(pose->p, out.p, out.p);
  ffi_margin_add(&t->place, ffi_gap(3, out.p, at->shape[shape].p) + ffi_gap(9, out.R, at->shape[shape].R),
                 seed);
  return out;
}

// One touch of a pair against what was found for it.
static void compare(const ffi_collider_pair *pair, const ffi_touch *want, const ffi_detect_candidate *got,
                    int seed, tally *t)
{
  const int flipped = want->owner;
  double normal[3];
  ffi_v3_scale(flipped ? -1 : 1, want->normal, normal);
  assert_int_equal(got->flipped, flipped);
  assert_int_equal(got->a, flipped ? pair->body_b : pair->body_a);
  assert_int_equal(got->b, flipped ? pair->body_a : pair->body_b);
  assert_int_equal(got->roll, want->roll);
  ffi_margin_add(&t->gap, fabs(got->gap - want->gap), seed);
  ffi_margin_add(&t->point, ffi_gap(3, got->point, want->point) + ffi_gap(3, got->centre, want->centre),
                 seed);
  ffi_margin_add(&t->normal, ffi_gap(3, got->normal, normal) + ffi_gap(3, got->axis, want->axis), seed);
  t->flipped += flipped;
  ++t->touches;
}

// The candidates of one detection and what they were found from.
typedef struct detection {
  const ffi_colliders *colliders;
  const collider_room *room;
  const collider_case_places *at;
  double margin;
  const ffi_detect_candidate *near; // [count]
  int count;
} detection;

// Every pair by itself. A touch whose gap is the margin to rounding may be on either list.
static void check_against_each_pair(const detection *d, int seed, tally *t)
{
  const ffi_colliders *colliders = d->colliders;
  const ffi_detect_candidate *near = d->near;
  const double margin = d->margin, tie = 1e-11;
  ffi_touch *touches = malloc((size_t)(colliders->max_candidates + 1) * sizeof *touches);
  int k = 0;
  for (int i = 0; i < colliders->pair_count; ++i) {
    const ffi_collider_pair *pair = &colliders->pairs[i];
    const ffi_pose a = place_of(d->at, pair->body_a, &pair->a->in, pair->shape_a, seed, t);
    const ffi_pose b = pair->ground >= 0
                           ? d->room->ground[pair->ground]
                           : place_of(d->at, pair->body_b, &pair->b->in, pair->shape_b, seed, t);
    int want = ffi_collide(&(ffi_solid_at){&pair->a->solid, a.p, a.R},
                           &(ffi_solid_at){&pair->b->solid, b.p, b.R}, margin + tie, touches);
    for (int j = 0; j < want; ++j) {
      const int id = pair->first_id + touches[j].feature;
      if (k < d->count && near[k].id == id) {
        assert_int_equal(near[k].pair, i);
        compare(pair, &touches[j], &near[k++], seed, t);
      } else if (touches[j].gap > margin - tie) {
        ++t->skipped;
      } else {
        fail_msg("seed %d: pair %d (%s, %s) touches at feature %d with gap %g, but that is not listed", seed,
                 i, ff_shape_type_name((ff_shape_type)pair->a->solid.type),
                 ff_shape_type_name((ff_shape_type)pair->b->solid.type), touches[j].feature, touches[j].gap);
      }
    }
  }
  if (k != d->count)
    fail_msg("seed %d: id %d is listed, its pair does not give it", seed, near[k].id);
  free(touches);
}

// Inside its room, finite, in order, the same again, and no more for a smaller margin.
static void check_list(const ffi_colliders *colliders, const collider_room *room, const ffi_pose *poses,
                       double margin, const ffi_detect_candidate *near, int count)
{
  assert_in_range(count, 0, colliders->max_candidates);
  for (int i = 0; i < count; ++i) {
    assert_true(near[i].gap <= margin);
    assert_true(fabs(ffi_v3_norm(near[i].normal) - 1) < 1e-14);
    assert_in_range(near[i].id, 0, colliders->id_count - 1);
    assert_true(i == 0 || near[i].id > near[i - 1].id);
  }
  ffi_detect_candidate *again = calloc((size_t)(colliders->max_candidates + EDGE), sizeof *again);
  const long before = ffi_test_alloc_count();
  const int fewer = collider_case_detect(colliders, room, poses, margin / 2, again);
  int k = 0;
  for (int i = 0; i < count; ++i)
    k += k < fewer && again[k].id == near[i].id;
  assert_int_equal(k, fewer);
  assert_int_equal(collider_case_detect(colliders, room, poses, margin, again), count);
  assert_int_equal(ffi_test_alloc_count(), before);
  for (int i = 0; i < count; ++i)
    assert_true(again[i].id == near[i].id &&
                memcmp(again[i].point, near[i].point, sizeof near[i].point) == 0 &&
                memcmp(&again[i].gap, &near[i].gap, sizeof near[i].gap) == 0);
  free(again);
}

static void random_cases_against_each_pair_by_itself(void **state)
{
  (void)state;
  // Poses are computed in two ways that differ by some roundings, over a chain of links within some metres; touches at
  // the same pose differ by the order of summation at most.
  tally t = {.place = {.what = "place of a shape", .tolerance = 1e-13},
             .gap = {.what = "gap", .tolerance = 1e-13},
             .point = {.what = "witness and centre", .tolerance = 1e-13},
             .normal = {.what = "normal and axis", .tolerance = 1e-13}};
  for (int seed = 0; seed < SCENES; ++seed) {
    collider_case c;
    collider_case_random((uint64_t)seed, &c);
    ffi_random r = ffi_random_seed((uint64_t)seed + 1000000);
    ffi_colliders colliders = collider_case_create(c.model, &c.def);
    collider_room room = collider_case_room_create(&colliders);
    const size_t most = (size_t)colliders.max_candidates + EDGE;
    ffi_detect_candidate *near = malloc(most * sizeof *near);
    double *q = malloc(((size_t)c.model->size.nq + 1) * sizeof *q);
    for (int k = 0; k < POSTURES; ++k) {
      collider_case_places at;
      ffi_random_q(&r, c.model, q);
      collider_case_place(c.model, q, &at);
      for (int g = 0; g < colliders.ground_count; ++g) // moved about
        ffi_random_vector(&r, 3, 0.5, room.ground[g].p);
      const double margin = k == 0 ? 100 : k == 1 ? 0 : ffi_random_between(&r, 0, 0.5);
      memset(near, 0x5a, most * sizeof *near);
      const int count = collider_case_detect(&colliders, &room, at.body, margin, near);
      for (size_t byte = (size_t)colliders.max_candidates * sizeof *near; byte < most * sizeof *near; ++byte)
        assert_int_equal(((unsigned char *)near)[byte], 0x5a);
      check_list(&colliders, &room, at.body, margin, near, count);
      const detection found = {&colliders, &room, &at, margin, near, count};
      check_against_each_pair(&found, seed, &t);
    }
    free(q);
    free(near);
    collider_case_room_free(&room);
    ffi_colliders_free(&colliders);
    ff_model_destroy(c.model);
  }
  ffi_margin_check(&t.place);
  ffi_margin_check(&t.gap);
  ffi_margin_check(&t.point);
  ffi_margin_check(&t.normal);
  assert_true(t.touches > 10000 && t.flipped > 100);
  assert_true(t.skipped < 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_and_a_sphere_on_the_floor),
      cmocka_unit_test(ground_is_where_its_place_is),
      cmocka_unit_test(a_flat_field),
      cmocka_unit_test(what_is_not_a_number_is_not_near),
      cmocka_unit_test(random_cases_against_each_pair_by_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
