// Random throws, the exact first contact by a search of its own, and the comparison with advancement.
#include "contact/throws.h"
#include "contact/flight.h"
#include "math/vec3.h"
#include "model/model.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { PER_MODEL = 20, MOMENTS = 150 };

static const double shortest = 1e-9, thickness = 1e-3;

typedef struct range {
  ffi_random random;
  ff_shape_type type;
  ff_model *model;
  int wall_moves; ///< it is a body, the second
  ff_ground_def wall;
  ff_sim_def def;
  flight f;
  double q[14], v[14], T, spin;
} range;

// Small, mostly with one side far smaller than the others.
static void add_thing(range *r, ff_builder *b)
{
  static const ff_shape_type types[] = {FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE, FF_SHAPE_BOX,
                                        FF_SHAPE_CYLINDER, FF_SHAPE_DISK,    FF_SHAPE_HULL,
                                        FF_SHAPE_ELLIPSOID};
  static double vertices[8][3];
  ff_shape_def def = ff_shape_def_default();
  r->type = types[ffi_random_below(&r->random, sizeof types / sizeof types[0])];
  def.type = r->type;
  for (int k = 0; k < 3; ++k)
    def.size[k] = pow(10, ffi_random_between(&r->random, -3, -1));
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k)
      vertices[i][k] = def.size[k] * (i >> k & 1 ? 0.5 : -0.5) + ffi_random_between(&r->random, -1e-4, 1e-4);
  def.vertices = vertices[0];
  def.vertex_count = 8;
  ff_error error;
  assert_int_equal(ff_builder_add_shape(b, collider_case_link(b, "a", FF_WORLD, FF_JOINT_FREE), &def, &error),
                   FF_OK);
}

static void begin(range *r)
{
  ff_builder *b = collider_case_builder();
  r->wall_moves = ffi_random_chance(&r->random, 0.4);
  add_thing(r, b);
  if (r->wall_moves)
    collider_case_shape(b, collider_case_link(b, "b", FF_WORLD, FF_JOINT_FREE),
                        &(collider_case_solid){.type = FF_SHAPE_BOX, .size = {thickness, 0.5, 0.5}});
  r->model = collider_case_finish(b);
  r->wall = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_BOX, .size = {thickness, 0.5, 0.5}});
  r->def = collider_case_def(&r->wall, !r->wall_moves, 0);
  flight_begin(r->model, &r->def, &r->f);
}

// From 0.4 m away towards a place on the wall or just beside it, and as far beyond.
static void aim(range *r)
{
  ffi_random *random = &r->random;
  double way[3], at[3] = {0, ffi_random_between(random, -0.3, 0.3), ffi_random_between(random, -0.3, 0.3)};
  const double speed = pow(10, ffi_random_between(random, 0, 2.5));
  memset(r->v, 0, sizeof r->v);
  ffi_random_direction(random, way);
  for (int k = 0; k < 3; ++k) {
    r->q[k] = at[k] - 0.4 * way[k];
    r->v[k] = speed * way[k];
  }
  r->q[3] = r->q[4] = r->q[5] = 0;
  r->q[6] = 1;
  r->T = 0.8 / speed;
  r->spin = ffi_random_chance(random, 0.5) ? ffi_random_between(random, 1, 20) * speed : 0;
  if (r->spin > 0) {
    double axis[3];
    ffi_random_direction(random, axis);
    ffi_v3_scale(r->spin, axis, r->v + 3);
  } else {
    ffi_random_quaternion(random, r->q + 3);
    double back[3]; // v is in the axes of the body
    const double *o = r->q + 3, inverse[4] = {-o[0], -o[1], -o[2], o[3]};
    double R[9];
    ff_pose pose = ff_pose_identity();
    memcpy(pose.quaternion, inverse, sizeof inverse);
    ff_pose_rotation(&pose, R);
    for (int k = 0; k < 3; ++k)
      back[k] = ffi_v3_dot(R + 3 * k, r->v);
    ffi_v3_copy(back, r->v);
  }
  if (r->wall_moves) {
    memset(r->q + 7, 0, 7 * sizeof *r->q);
    r->q[13] = 1;
    ffi_random_vector(random, 3, 0.2 * speed, r->v + 6);
    if (r->spin > 0)
      ffi_random_vector(random, 3, 0.5 * speed, r->v + 9);
  }
}

static double distance(range *r, double t)
{
  return flight_distance(&r->f, r->q, r->v, t, 0, NULL);
}

// Where the distance, convex in time, is least; or the first place below zero.
static double least_place(range *r)
{
  double lo = 0, hi = r->T;
  const double ratio = 0.6180339887498949;
  double a = hi - ratio * hi, b = ratio * hi, at_a = distance(r, a), at_b = distance(r, b);
  for (int i = 0; i < 80; ++i) {
    if (at_a < 0 || at_b < 0)
      return at_a < 0 ? a : b;
    if (at_a < at_b) {
      hi = b;
      b = a, at_b = at_a;
      a = hi - ratio * (hi - lo), at_a = distance(r, a);
    } else {
      lo = a;
      a = b, at_a = at_b;
      b = lo + ratio * (hi - lo), at_b = distance(r, b);
    }
  }
  return a;
}

// Of many moments the first below zero, or the one of the least distance.
static double sampled_place(range *r)
{
  double best = 0, least = (double)INFINITY;
  for (int i = 0; i <= MOMENTS; ++i) {
    const double t = r->T * (0.5 + 0.5 * (2.0 * i / MOMENTS - 1) * 0.4), d = distance(r, t); // near the wall
    if (d < least) {
      least = d;
      best = t;
    }
    if (d < 0)
      return t;
  }
  return best;
}

static double first_contact(range *r, double inside)
{
  double lo = 0, hi = inside;
  for (int i = 0; i < 70; ++i) {
    const double middle = 0.5 * (lo + hi);
    if (distance(r, middle) > 0)
      lo = middle;
    else
      hi = middle;
  }
  return hi;
}

static void check(range *r, int number, throws_result *out)
{
  if (distance(r, 0) <= 1e-9)
    return;
  ffi_advance_report report;
  const double t = flight_free(&r->f, r->q, r->v, (flight_query){r->T, shortest, 0}, &report);
  const int is_exact = r->spin == 0;
  const double place = is_exact ? least_place(r) : sampled_place(r), least = distance(r, place);
  const char *name = ff_shape_type_name(r->type);
  out->evaluations += report.evaluations;
  assert_int_equal(report.was_cut, 0);
  if (least < -1e-10) {
    ++out->hits;
    const double first = first_contact(r, place);
    if (!(t <= first + 1e-14 && report.pair == 0))
      fail_msg("throw %d, %s: called free for %.12g s, but it touches after %.12g s", number, name, t, first);
    if (is_exact)
      out->left = fmax(out->left, distance(r, t + shortest) - 0.8 / r->T * shortest);
  } else if (is_exact &&
             least > 1e-9 + 1000 * shortest) { // what is faster than 300 m/s, seen from a wall that comes
    ++out->misses;
    if (!(t == r->T && report.pair == -1))
      fail_msg("throw %d, %s: called contact after %.12g s, but it passes at %g m", number, name, t, least);
  }
  if (!is_exact && report.pair >= 0) // what stops it is there
    assert_true(distance(r, t) < 1e-5);
}

throws_result throws_run(uint64_t seed, int count)
{
  range r = {.random = ffi_random_seed(seed)};
  throws_result out = {0};
  for (int i = 0; i < count; ++i) {
    if (i % PER_MODEL == 0)
      begin(&r);
    aim(&r);
    check(&r, i, &out);
    if (i % PER_MODEL == PER_MODEL - 1 || i == count - 1) {
      flight_end(&r.f);
      ff_model_destroy(r.model);
    }
  }
  print_message("%d throws: %d hits, %d misses, %.1f evaluations each; at most %.1e m left\n", count,
                out.hits, out.misses, (double)out.evaluations / count, out.left);
  ffi_samples_tried(count, "throws of thin things");
  return out;
}
