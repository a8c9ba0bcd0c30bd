// A step that the check lets pass has no tunnelling: its bounds hold for every point of the shapes, and two shapes that
// tunnel move by more than half of their widths.
#include "contact/advance/tunnelling_check.h"
#include "contact/flight.h"

#include "dynamics/straight_path.h"
#include "math/mat3.h"
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct skipper {
  flight f;
  ffi_tunnelling_check check;
  void *memory;
} skipper;

static void skipper_begin(const ff_model *model, const ff_sim_def *def, skipper *s)
{
  flight_begin(model, def, &s->f);
  ffi_block measure = {0};
  ffi_tunnelling_check_layout(&s->f.colliders, &measure, &s->check);
  s->memory = calloc(1, ffi_block_bytes(&measure));
  assert_non_null(s->memory);
  ffi_block block = ffi_block_in(s->memory, &measure);
  ffi_tunnelling_check_layout(&s->f.colliders, &block, &s->check);
}

static void skipper_end(skipper *s)
{
  free(s->memory);
  flight_end(&s->f);
}

static int may_pass(skipper *s, const double *q, const double *to, double dt)
{
  return ffi_tunnelling_check_may_pass(&s->check, &s->f.colliders, q, to, s->f.ground_velocity[0], dt);
}

// ---- How thick ---------------------------------------------------------------------------------------------

static double width(ff_shape_type type, double s0, double s1, double s2)
{
  const ffi_solid solid = {.type = (int)type, .size = {s0, s1, s2}};
  return ffi_solid_width(&solid);
}

static void things_are_as_thick_as_they_are(void **state)
{
  (void)state;
  assert_true(width(FF_SHAPE_SPHERE, 0.25, 0, 0) == 0.5 && width(FF_SHAPE_CAPSULE, 0.25, 3, 0) == 0.5);
  assert_true(width(FF_SHAPE_BOX, 3, 0.5, 2) == 0.5 && width(FF_SHAPE_BOX, 3, 2, 0.5) == 0.5);
  assert_true(width(FF_SHAPE_CYLINDER, 0.25, 3, 0) == 0.5 && width(FF_SHAPE_CYLINDER, 2, 0.5, 0) == 0.5);
  assert_true(width(FF_SHAPE_DISK, 1, 0, 0) == 0 && width(FF_SHAPE_POINT, 0, 0, 0) == 0);
  assert_true(width(FF_SHAPE_PLANE, 0, 0, 0) == INFINITY);
}

// ---- How far -----------------------------------------------------------------------------------------------

// No point of a shape goes farther than the bound, anywhere on the path.
static void check_ways(const skipper *s, ffi_random *random, const double *q, const double *v)
{
  ffi_pose from[COLLIDER_CASE_SHAPES], at[COLLIDER_CASE_SHAPES];
  flight_places(&s->f, q, v, 0, from);
  for (int k = 1; k <= 4; ++k) {
    flight_places(&s->f, q, v, 0.25 * k, at);
    for (int i = 0; i < s->f.colliders.count; ++i) {
      const ffi_collider *collider = &s->f.colliders.items[i];
      double out[3], a[3], b[3], way[3];
      if (collider->body == 0 || collider->solid.radius == INFINITY)
        continue;
      ffi_random_direction(random, out);
      ffi_v3_scale(collider->solid.radius, out, out);
      ffi_m3_mulv(from[i].R, out, a);
      ffi_m3_mulv(at[i].R, out, b);
      for (int c = 0; c < 3; ++c)
        way[c] = at[i].p[c] + b[c] - from[i].p[c] - a[c];
      if (!(ffi_v3_norm(way) <= s->check.motion[collider->body] * (1 + 1e-9) + 1e-9))
        fail_msg("collider %d moves by %g, not at most %g", i, ffi_v3_norm(way),
                 s->check.motion[collider->body]);
    }
  }
}

static void ways_are_bounds(void **state)
{
  (void)state;
  int checked = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    collider_case c;
    skipper s;
    ffi_random random = ffi_random_seed(seed);
    double q[200], to[200], v[200];
    collider_case_random(seed, &c);
    skipper_begin(c.model, &c.def, &s);
    if (s.check.least < INFINITY && s.f.colliders.count <= COLLIDER_CASE_SHAPES) {
      ffi_random_q(&random, c.model, q);
      ffi_random_q(&random, c.model, to);
      ffi_straight_path_between(c.model, q, to, v);
      for (int i = 0; seed % 2 && i < c.model->size.nv; ++i)
        v[i] *= 1e-2; // short ways too
      ffi_straight_path_move(c.model, q, v, v, to, to + 100);
      may_pass(&s, q, to, 1);
      check_ways(&s, &random, q, v);
      ++checked;
    }
    skipper_end(&s);
    ff_model_destroy(c.model);
  }
  assert_true(checked > 150);
}

// ---- What passes -------------------------------------------------------------------------------------------

static const collider_case_solid things[] = {
    {.type = FF_SHAPE_SPHERE, .size = {0.05, 0, 0}},     {.type = FF_SHAPE_CAPSULE, .size = {0.03, 0.2, 0}},
    {.type = FF_SHAPE_BOX, .size = {0.02, 0.2, 0.3}},    {.type = FF_SHAPE_BOX, .size = {0.1, 0.1, 0.1}},
    {.type = FF_SHAPE_CYLINDER, .size = {0.1, 0.02, 0}}, {.type = FF_SHAPE_CYLINDER, .size = {0.02, 0.2, 0}},
    {.type = FF_SHAPE_BOX, .size = {0.002, 0.002, 0.3}},
};
enum { THINGS = sizeof things / sizeof things[0], SAMPLES = 60 };

static ff_model *two_things(int a, int b)
{
  ff_builder *builder = collider_case_builder();
  const int which[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    const int link = collider_case_link(builder, i ? "b" : "a", FF_WORLD, FF_JOINT_FREE);
    collider_case_shape(builder, link, &things[which[i]]);
  }
  return collider_case_finish(builder);
}

// Does the normal turn over, seen in the world (-1) or by a collider? Normals of boxes are at right angles at times: of
// those rounding would decide, so they must be clearly beyond.
static int is_turned_over(const flight *f, const double *q, const double *v, int collider, const double n0[3],
                          const double n1[3])
{
  static const double beyond = -1e-9; // normals are known to some ten eps
  ffi_pose from[2], to[2];
  double a[3], b[3];
  if (collider < 0)
    return ffi_v3_dot(n0, n1) < beyond;
  flight_places(f, q, v, 0, from);
  flight_places(f, q, v, 1, to);
  ffi_m3_tmulv(from[collider].R, n0, a);
  ffi_m3_tmulv(to[collider].R, n1, b);
  return ffi_v3_dot(a, b) < beyond;
}

// Apart at both ends, on opposite sides, and not on the way: by looking at it.
static int is_seen_to_pass(const flight *f, const double *q, const double *v)
{
  ffi_distance start, end, at;
  int is_over = 0;
  if (!(flight_distance(f, q, v, 0, 0, &start) > 0 && flight_distance(f, q, v, 1, 0, &end) > 0))
    return 0;
  for (int collider = -1; collider < 2; ++collider)
    is_over |= is_turned_over(f, q, v, collider, start.normal, end.normal);
  if (!is_over)
    return 0;
  for (int k = 1; k < SAMPLES; ++k)
    if (flight_distance(f, q, v, (double)k / SAMPLES, 0, &at) < 0)
      return 1;
  return 0;
}

// Ways hardly longer than needed, with turns of any size: what is seen to pass may pass, and is found.
static void what_passes_is_not_skipped(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(11);
  int passed = 0, skipped = 0;
  double shortest = INFINITY;
  for (int trial = 0; trial < 10000; ++trial) {
    skipper s;
    ff_model *model = two_things(ffi_random_below(&random, THINGS), ffi_random_below(&random, THINGS));
    const ff_sim_def def = collider_case_def(NULL, 0, 0);
    double q[14], to[14], v[12], out[3], scratch[12];
    skipper_begin(model, &def, &s);
    ffi_random_q(&random, model, q);
    ffi_random_vector(&random, 12, ffi_random_chance(&random, 0.5) ? 0.02 : 0.6, v);
    ffi_random_direction(&random, out);
    const double width = s.check.least < INFINITY ? 2 * s.check.least : 1,
                 side = ffi_random_between(&random, 0, 0.6) * width;
    for (int k = 0; k < 3; ++k) { // from one side of it to the other, past the middle by `side`
      double across[3];
      ffi_random_direction(&random, across);
      q[7 + k] = q[k] + ffi_random_between(&random, 0.4, 1.5) * width * out[k] + side * across[k];
    }
    ffi_straight_path_move(model, q, v, v, to, scratch);
    const double way = ffi_random_between(&random, 0.05, 3) * width;
    for (int k = 0; k < 3; ++k)
      to[7 + k] = q[7 + k] - way * out[k];
    ffi_straight_path_between(model, q, to, v);
    const int may = may_pass(&s, q, to, 1), do_touch = s.f.colliders.pair_count > 0;
    skipped += do_touch && !may;
    if (do_touch && is_seen_to_pass(&s.f, q, v)) {
      const ffi_advance_path path = flight_path(&s.f, q, NULL, NULL, 1);
      ffi_advance_tunnelled_pair first;
      ++passed;
      shortest = fmin(shortest, fmax(s.check.motion[1], s.check.motion[2]) / s.check.least);
      assert_true(may);
      assert_int_equal(ffi_advance_tunnelling(s.f.advance, &path, to, 1e-4, scratch, &first), 1);
    }
    skipper_end(&s);
    ff_model_destroy(model);
  }
  print_message("  %d passed, %d skipped, shortest way %g of the bound\n", passed, skipped, shortest);
  assert_true(passed > 100 && skipped > 100);
}

static void ground_moves_too(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_SPHERE, 0.05, 0, 0);
  ff_ground_def wall = collider_case_ground(
      &(collider_case_solid){.type = FF_SHAPE_BOX, .size = {0.02, 1, 1}, .at = {1, 0, 0}});
  skipper s;
  const ff_sim_def def = collider_case_def(&wall, 1, 0);
  const double q[7] = {0, 0, 0, 0, 0, 0, 1};
  skipper_begin(model, &def, &s);
  assert_true(!may_pass(&s, q, q, 0.01));
  s.f.ground_velocity[0][0] = -6.1; // 0.061 m in the step, half of 0.12 m
  assert_true(may_pass(&s, q, q, 0.01));
  s.f.ground_velocity[0][0] = -5.9;
  assert_true(!may_pass(&s, q, q, 0.01));
  s.f.ground_velocity[0][5] = 1;
  assert_true(may_pass(&s, q, q, 0.01));
  skipper_end(&s);
  const ff_ground_def floor = ff_ground_def_default();
  const ff_sim_def plain = collider_case_def(&floor, 1, 0);
  skipper_begin(model, &plain, &s);
  assert_true(s.check.least == INFINITY); // through a plane nothing passes
  skipper_end(&s);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(things_are_as_thick_as_they_are),
      cmocka_unit_test(ways_are_bounds),
      cmocka_unit_test(what_passes_is_not_skipped),
      cmocka_unit_test(ground_moves_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
