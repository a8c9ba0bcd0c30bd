// The tree of balls finds the same pairs as visiting every pair, bit for bit; and the pairs that may touch include all
// that distances find.
#include "contact/collider_cases.h"
#include "contact/detect/broad_phase.h"

#include "geometry/distance.h"
#include "math/mat3.h"
#include "model/model.h"
#include "support/alloc_counter.h"
#include "support/samples.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A colliders, poses of its bodies, and room for two lists.
typedef struct heap {
  collider_case c;
  ffi_colliders colliders;
  collider_room room;
  ffi_pose *poses;
  double *grow;
  ffi_detect_candidate *one, *two;
  int *close, *again;
} heap;

static void make(heap *h)
{
  h->colliders = collider_case_create(h->c.model, &h->c.def);
  h->room = collider_case_room_create(&h->colliders);
  const size_t near = (size_t)h->colliders.max_candidates + 1, pairs = (size_t)h->colliders.pair_count + 1;
  h->poses = calloc((size_t)h->c.model->body_count, sizeof *h->poses);
  h->grow = calloc((size_t)h->colliders.count + 1, sizeof *h->grow);
  h->one = calloc(near, sizeof *h->one);
  h->two = calloc(near, sizeof *h->two);
  h->close = calloc(pairs, sizeof *h->close);
  h->again = calloc(pairs, sizeof *h->again);
}

static void drop(heap *h)
{
  free(h->poses);
  free(h->grow);
  free(h->one);
  free(h->two);
  free(h->close);
  free(h->again);
  collider_case_room_free(&h->room);
  ffi_colliders_free(&h->colliders);
  ff_model_destroy(h->c.model);
}

static void scatter(ffi_random *r, heap *h, double width)
{
  ffi_m3_identity(h->poses[0].R);
  for (int i = 1; i < h->c.model->body_count; ++i) {
    double q[4];
    ffi_random_quaternion(r, q);
    ff_pose pose = ff_pose_identity();
    memcpy(pose.quaternion, q, sizeof q);
    ff_pose_rotation(&pose, h->poses[i].R);
    ffi_random_vector(r, 3, width, h->poses[i].p);
  }
}

static int detect(heap *h, int tree_from, double margin, ffi_detect_candidate *out)
{
  ffi_broad_phase *sweep = h->colliders.memory;
  sweep->tree_from = tree_from;
  memset(out, 0, (size_t)h->colliders.max_candidates * sizeof *out);
  const long before = ffi_test_alloc_count();
  const int count = collider_case_detect(&h->colliders, &h->room, h->poses, margin, out);
  assert_int_equal(ffi_test_alloc_count(), before);
  return count;
}

static int same_touches(heap *h, double margin)
{
  const int count = detect(h, INT_MAX, margin, h->one);
  assert_int_equal(detect(h, 0, margin, h->two), count);
  assert_memory_equal(h->one, h->two, (size_t)count * sizeof *h->one + 1);
  return count;
}

static int same_close(heap *h)
{
  ffi_broad_phase *sweep = h->colliders.memory;
  const ffi_poses at = {.body = h->poses, .ground = h->room.ground};
  sweep->tree_from = INT_MAX;
  const int count = ffi_detect_close_pairs(&h->colliders, h->room.detection, &at, h->grow, h->close);
  sweep->tree_from = 0;
  assert_int_equal(ffi_detect_close_pairs(&h->colliders, h->room.detection, &at, h->grow, h->again), count);
  assert_memory_equal(h->close, h->again, (size_t)count * sizeof *h->close + 1);
  for (int i = 1; i < count; ++i)
    assert_true(h->close[i] > h->close[i - 1]);
  return count;
}

// ---- Scenes -----------------------------------------------------------------------------------------------

// Bodies of all kinds, from a tenth to ten times the usual size, some with two shapes and an arm; shapes in the world
// and ground.
static ff_model *random_heap(ffi_random *r, int bodies)
{
  static const ff_shape_type types[] = {FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE, FF_SHAPE_BOX,
                                        FF_SHAPE_CYLINDER, FF_SHAPE_DISK,    FF_SHAPE_POINT};
  ff_builder *b = collider_case_builder();
  for (int i = 0; i < bodies; ++i) {
    char name[16];
    snprintf(name, sizeof name, "b%04d", (i * 7919) % 10007);
    const int is_arm = i > 0 && ffi_random_chance(r, 0.2);
    const int link =
        collider_case_link(b, name, is_arm ? i - 1 : FF_WORLD, is_arm ? FF_JOINT_REVOLUTE : FF_JOINT_FREE);
    for (int k = ffi_random_below(r, 3); k < 3; ++k) {
      const double s = 0.1 * pow(10, ffi_random_between(r, -1, ffi_random_chance(r, 0.1) ? 1 : 0.3));
      const double x = ffi_random_between(r, -s, s), side = s * ffi_random_between(r, 0.5, 2);
      const ff_shape_type type = types[ffi_random_below(r, 6)];
      collider_case_shape(b, ffi_random_chance(r, 0.03) ? FF_WORLD : link,
                          &(collider_case_solid){.type = type, .size = {s, side, s}, .at = {x, 0, s}});
    }
  }
  collider_case_shape(b, FF_WORLD, &(collider_case_solid){.type = FF_SHAPE_PLANE, .at = {0, 0, -1}});
  return collider_case_finish(b);
}

static void heap_random(uint64_t seed, heap *out)
{
  ffi_random r = ffi_random_seed(seed);
  memset(out, 0, sizeof *out);
  if (seed % 4) {
    collider_case_random(seed, &out->c);
  } else {
    out->c.model = random_heap(&r, 5 + ffi_random_below(&r, 60));
    out->c.grounds[0] = collider_case_ground(
        &(collider_case_solid){.type = FF_SHAPE_BOX, .size = {3, 0.5, 0.3}, .at = {0, 0, -0.5}});
    out->c.grounds[1] =
        collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE, .at = {0, 0, -0.8}});
    out->c.def = collider_case_def(out->c.grounds, 2, ffi_random_below(&r, 2));
  }
  make(out);
}

static void the_tree_finds_what_all_pairs_find(void **state)
{
  (void)state;
  long touches = 0, close = 0;
  for (uint64_t seed = 0; seed < (uint64_t)ffi_samples(240); ++seed) {
    ffi_random r = ffi_random_seed(seed + 5000);
    heap h;
    heap_random(seed, &h);
    for (int k = 0; k < 8; ++k) {
      static const double margins[8] = {0, 0.01, 0.3, -0.05, 1e5, (double)INFINITY, 1e-9, 0.1};
      scatter(&r, &h, k < 6 ? 1.5 : 1e4);
      touches += same_touches(&h, margins[k]);
      for (int i = 0; i < h.colliders.count; ++i)
        h.grow[i] = ffi_random_chance(&r, 0.1) ? ffi_random_between(&r, 0, 1) : 0.02 * k;
      if (k == 5)
        h.grow[0] = (double)INFINITY;
      close += same_close(&h);
    }
    drop(&h);
  }
  assert_true(touches > ffi_samples(300000) && close > ffi_samples(30000));
}

// Balls in rows and columns have many equal coordinates; some touch exactly, as far as rounding goes.
static void rows_and_columns(void **state)
{
  (void)state;
  ff_builder *b = collider_case_builder();
  for (int i = 0; i < 125; ++i) {
    char name[16];
    snprintf(name, sizeof name, "b%03d", i);
    collider_case_shape(b, collider_case_link(b, name, FF_WORLD, FF_JOINT_FREE),
                        &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.1}});
  }
  heap h = {.c = {.model = collider_case_finish(b)}};
  h.c.def = collider_case_def(NULL, -1, 0);
  make(&h);
  ffi_random r = ffi_random_seed(1);
  scatter(&r, &h, 1);
  for (int i = 0; i < 125; ++i)
    ffi_v3_set(0.2 * (i % 5), 0.2 * (i / 5 % 5), 0.1 + 0.2 * (i / 25), h.poses[i + 1].p);
  assert_true(same_touches(&h, 0) > 25);
  assert_int_equal(same_touches(&h, 1e-12), 3 * 4 * 25 + 25);
  for (int i = 1; i <= 125; ++i)
    ffi_v3_set(0, 0, 3, h.poses[i].p);
  assert_int_equal(same_touches(&h, 0.01), 125 * 124 / 2); // all in one place
  drop(&h);
}

static void no_place_no_touch(void **state)
{
  (void)state;
  static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, 1e160};
  for (uint64_t seed = 0; seed < 40; seed += 4) {
    ffi_random r = ffi_random_seed(seed);
    heap h;
    heap_random(seed, &h);
    for (int k = 0; k < 5; ++k) {
      scatter(&r, &h, 1);
      for (int i = 0; i < 4; ++i)
        h.poses[1 + ffi_random_below(&r, h.c.model->body_count - 1)].p[ffi_random_below(&r, 3)] = bad[k];
      same_touches(&h, 0.1);
    }
    scatter(&r, &h, 1); // and all is well again
    assert_true(same_touches(&h, 0.1) > 0);
    drop(&h);
  }
}

// ---- Which may touch ------------------------------------------------------------------------------------

static ffi_pose place_of(const heap *h, const ffi_collider *collider)
{
  if (collider->ground >= 0)
    return h->room.ground[collider->ground];
  const ffi_pose *pose = &h->poses[collider->body];
  ffi_pose out;
  ffi_m3_mul(pose->R, collider->in.R, out.R);
  ffi_m3_mulv(pose->R, collider->in.p, out.p);
  ffi_v3_add(pose->p, out.p, out.p);
  return out;
}

static void what_is_near_may_touch(void **state)
{
  (void)state;
  int near = 0, listed = 0, all = 0;
  for (uint64_t seed = 0; seed < 160; seed += 4) {
    ffi_random r = ffi_random_seed(seed + 9);
    heap h;
    heap_random(seed, &h);
    scatter(&r, &h, 2);
    for (int i = 0; i < h.colliders.count; ++i)
      h.grow[i] = ffi_random_between(&r, 0, 0.1);
    const int count = same_close(&h);
    for (int i = 0, k = 0; i < h.colliders.pair_count; ++i) {
      const ffi_collider *a = h.colliders.pairs[i].a, *b = h.colliders.pairs[i].b;
      const ffi_pose at = place_of(&h, a), by = place_of(&h, b);
      const double both = h.grow[a - h.colliders.items] + h.grow[b - h.colliders.items];
      const int is_listed = k < count && h.close[k] == i;
      ffi_distance d;
      k += is_listed;
      if (!ffi_distance_measure(&(ffi_solid_at){&a->solid, at.p, at.R},
                                &(ffi_solid_at){&b->solid, by.p, by.R}, NULL, &d))
        continue;
      if (d.value <= both) {
        assert_true(is_listed);
        ++near;
      }
    }
    listed += count;
    all += h.colliders.pair_count;
    drop(&h);
  }
  assert_true(near > 1000 && listed < all / 2);
}

// Every pair that is near has a touch that is as near as it is; the others stay as they are.
static void what_is_nearest_is_listed(void **state)
{
  (void)state;
  const double margin = 0.05, slack = 1e-5;
  int near = 0, added = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    ffi_random r = ffi_random_seed(seed + 77);
    heap h;
    heap_random(seed, &h);
    scatter(&r, &h, 1);
    const ffi_poses all = {.body = h.poses, .ground = h.room.ground};
    const int before = detect(&h, 0, margin, h.one);
    const int count = ffi_detect_nearest(&h.colliders, h.room.detection, &all, margin, slack, h.two);
    added += count - before;
    assert_in_range(count, before, h.colliders.max_candidates);
    for (int i = 0, k = 0; i < h.colliders.pair_count; ++i) {
      const ffi_collider *a = h.colliders.pairs[i].a, *b = h.colliders.pairs[i].b;
      const ffi_pose at = place_of(&h, a), by = place_of(&h, b);
      double least = (double)INFINITY;
      for (; k < count && h.two[k].pair == i; ++k)
        least = fmin(least, h.two[k].gap);
      ffi_distance d;
      if (!ffi_distance_measure(&(ffi_solid_at){&a->solid, at.p, at.R},
                                &(ffi_solid_at){&b->solid, by.p, by.R}, NULL, &d) ||
          d.value > margin)
        continue;
      ++near;
      assert_true(least <= d.value + slack + 1e-9);
    }
    for (int i = 1; i < count; ++i)
      assert_true(h.two[i].id > h.two[i - 1].id);
    drop(&h);
  }
  assert_true(near > 1000 && added > 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tree_finds_what_all_pairs_find),
      cmocka_unit_test(rows_and_columns),
      cmocka_unit_test(no_place_no_touch),
      cmocka_unit_test(what_is_near_may_touch),
      cmocka_unit_test(what_is_nearest_is_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
