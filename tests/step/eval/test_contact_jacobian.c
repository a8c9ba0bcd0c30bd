// Rates of contacts' velocities against differences along a motion: docs/theory/contact.md, eq. 6 and section 5. With
// any v and vdot, u changes by J vdot + c, seen from axes that turn with B and with the normal. J vdot and c are read
// once; u, normals and poses before and after are those of other evaluations.
#include "math/mat3.h"
#include "math/quaternion.h"
#include "model/model.h"
#include "step/loose.h"
#include "step/rig.h"
#include "support/must.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12, SHAPES = 6, STATES = 60, CYLINDER = 3, DISK = 4 };

// Differences over 1e-4 s of motions of some rad/s have errors of 1e-8 of their third derivatives, and normals of two
// round bodies are known to 1e-9 or so.
static const double h = 1e-4, tolerance = 1e-3;

typedef struct look {
  double u[3], n[3], Rb[9];
  int is_there;
} look;

// B's axes: those of the body, or of the floor where that is B.
static void axes_of_b(const ffi_rig *r, const ffi_detect_candidate *near, double R[9])
{
  const ffi_state_kinematics *at = &r->present.at;
  const int ground = r->system.colliders->pairs[near->pair].ground;
  if (near->b > 0)
    ffi_m3_copy(at->body[near->b].R, R);
  else if (ground >= 0 && !near->flipped)
    ffi_m3_copy(at->ground[ground].R, R);
  else
    ffi_m3_identity(R);
}

// The contact with this id, `side` h away from the state in r->now.
static look look_beside(ffi_rig *r, const double *a, int side, int id)
{
  look out = {.is_there = 0};
  double way[MOST];
  ff_error error;
  ffi_state_advance(&r->system, r->now, side * h, r->next);
  for (int k = 0; k < r->model->size.nv; ++k) {
    way[k] = side * h * r->now->v[k] + h * h / 2 * a[k];
    r->next->v[k] = r->now->v[k] + side * h * a[k];
  }
  ff_model_integrate(r->model, r->now->q, way, r->next->q);
  r->next->touching_count = 0;
  assert_int_equal(ffi_evaluation_at(&r->system, r->next, FFI_EVALUATION_CURRENT, &r->present, &error),
                   FF_OK);
  for (int i = 0; i < r->present.count; ++i) {
    const ffi_contact *c = &r->present.contact[i];
    if (c->near.id != id)
      continue;
    out.is_there = 1;
    ffi_v3_copy(c->u, out.u);
    ffi_v3_copy(c->near.normal, out.n);
    axes_of_b(r, &c->near, out.Rb);
  }
  return out;
}

// What turns R to S, over t.
static void turn_rate(const double R[9], const double S[9], double t, double out[3])
{
  double D[9] = {0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        D[3 * i + j] += S[3 * i + k] * R[3 * j + k];
  out[0] = (D[7] - D[5]) / (2 * t);
  out[1] = (D[2] - D[6]) / (2 * t);
  out[2] = (D[3] - D[1]) / (2 * t);
}

// The largest error of u's rate relative to its size, over all contacts of the state in r->now; -1: there are none.
static double error_of(ffi_rig *r, const double *a)
{
  enum { CONTACTS = 64 };
  double rate[CONTACTS][3], worst = -1;
  int id[CONTACTS];
  ff_error error;
  assert_int_equal(ffi_evaluation_at(&r->system, r->now, FFI_EVALUATION_CURRENT, &r->present, &error), FF_OK);
  const int count = r->present.count < CONTACTS ? r->present.count : CONTACTS;
  for (int i = 0; i < count; ++i) {
    ffi_contact *c = &r->present.contact[i];
    ffi_rows3_times(&c->rows, r->present.stride, a, rate[i]);
    ffi_v3_add(rate[i], c->c, rate[i]);
    id[i] = c->near.id;
  }
  for (int i = 0; i < count; ++i) {
    const look before = look_beside(r, a, -1, id[i]), after = look_beside(r, a, 1, id[i]);
    double seen[3], turn[3], ndot[3], u[3], n[3], spin[3], carried[3];
    if (!before.is_there || !after.is_there)
      continue;
    for (int k = 0; k < 3; ++k) {
      seen[k] = (after.u[k] - before.u[k]) / (2 * h);
      ndot[k] = (after.n[k] - before.n[k]) / (2 * h);
      u[k] = (after.u[k] + before.u[k]) / 2;
      n[k] = (after.n[k] + before.n[k]) / 2;
    }
    turn_rate(before.Rb, after.Rb, 2 * h, turn);
    ffi_v3_cross(turn, n, carried); // of the normal, with B
    ffi_v3_sub(ndot, carried, ndot);
    ffi_v3_cross(n, ndot, spin);
    ffi_v3_add(turn, spin, turn);
    ffi_v3_cross(turn, u, carried);
    ffi_v3_sub(seen, carried, seen);
    const double size = 1 + ffi_v3_norm(seen);
    ffi_v3_sub(seen, rate[i], seen);
    worst = fmax(worst, ffi_v3_norm(seen) / size);
  }
  return worst;
}

static const struct {
  const char *name;
  ffi_loose loose;
} things[SHAPES] = {
    {"box",
     {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.4}, .mass = 1, .offset = 0.03}},
    {"ball", {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_SPHERE, .size = {0.15}, .mass = 1, .offset = 0.03}},
    {"capsule", {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_CAPSULE, .size = {0.1, 0.3}, .mass = 1}},
    {"cylinder", {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_CYLINDER, .size = {0.15, 0.3}, .mass = 1}},
    {"disk", {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_DISK, .size = {0.2}, .mass = 1}},
    {"ellipsoid", {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_ELLIPSOID, .size = {0.1, 0.15, 0.2}, .mass = 1}},
};

// Turned at random and lowered until it is 2 mm deep; 0: it cannot be.
static int lower(ffi_rig *r, double *q, double *z)
{
  double low = *z - 1, high = *z + 1;
  ff_error error;
  for (int k = 0; k < 60; ++k) {
    *z = 0.5 * (low + high);
    ffi_rig_reset(r, q, NULL);
    if (ffi_evaluation_at(&r->system, r->now, FFI_EVALUATION_CURRENT, &r->present, &error) != FF_OK)
      return 0;
    *(r->present.count > 0 && r->present.deepest > 2e-3 ? &low : &high) = *z;
  }
  return r->present.count > 0;
}

// Its axis level, any way round.
static void lay_down(ffi_random *random, double q[4])
{
  const double turn = ffi_random_between(random, -1.5, 1.5), roll = ffi_random_between(random, -1.5, 1.5);
  const double yaw[4] = {0, 0, sin(turn), cos(turn)}, spin[4] = {0, 0, sin(roll), cos(roll)};
  const double tip[4] = {0, sqrt(0.5), 0, sqrt(0.5)};
  double tipped[4];
  ffi_quat_mul(tip, spin, tipped);
  ffi_quat_mul(yaw, tipped, q);
}

static void check(const char *what, ffi_rig *r, int top, int lies, uint64_t seed)
{
  ffi_random random = ffi_random_seed(seed);
  const int nv = r->model->size.nv;
  double worst = -1;
  for (int k = 0; k < STATES; ++k) {
    double q[14] = {0}, v[MOST], a[MOST];
    for (int b = 0; b <= top; ++b)
      q[7 * b + 6] = 1;
    if (lies)
      lay_down(&random, q + 7 * top + 3);
    else
      ffi_random_quaternion(&random, q + 7 * top + 3);
    q[7 * top] = ffi_random_between(&random, -0.03, 0.03);
    q[7 * top + 1] = ffi_random_between(&random, -0.03, 0.03);
    ffi_random_vector(&random, nv, 2, v);
    ffi_random_vector(&random, nv, 5, a);
    if (!lower(r, q, &q[7 * top + 2]))
      continue;
    ffi_rig_reset(r, q, v);
    const double error = error_of(r, a);
    worst = fmax(worst, error);
    if (error > tolerance)
      fail_msg("%s, state %d: off by %g", what, k, error);
  }
  print_message("%s: off by %.2g\n", what, worst);
  assert_true(worst >= 0);
}

static void on_a_floor(void **state)
{
  (void)state;
  for (int moves = 0; moves < 2; ++moves)
    for (int i = 0; i < SHAPES; ++i) {
      char what[64];
      ff_model *model = ffi_loose_create(1, &things[i].loose, 1e5, 300, 1);
      ffi_rig_def def = {.stepper = FF_STEPPER_EULER, .K = 1e5, .B = 300, .mu = 1, .slope = 0.1};
      const double velocity[6] = {0.3, -0.2, 0.4, 0.5, -0.7, 1.1};
      if (moves)
        memcpy(def.ground_velocity, velocity, sizeof velocity);
      ffi_rig *r = ffi_rig_create(model, &def);
      snprintf(what, sizeof what, "%s on a floor that %s", things[i].name, moves ? "moves" : "stands");
      check(what, r, 0, 0, (uint64_t)i);
      ffi_rig_destroy(r);
      ff_model_destroy(model);
    }
}

// A thing, and a block that is fixed to the world.
static ff_model *over_a_block(const ffi_loose *thing)
{
  ff_builder *b = ffi_must_begin("workshop");
  ff_link_def block = ff_link_def_default(), loose = ff_link_def_default();
  ff_shape_def shape = ff_shape_def_default();
  block.name = "block", loose.name = "thing";
  loose.joint.type = FF_JOINT_FREE;
  loose.inertia =
      (ff_inertia){.mass = 1, .com = {0.01, -0.02, 0.015}, .matrix = {0.02, 0, 0, 0.025, 0, 0.03}};
  shape.material = (ff_material){.stiffness = 1e5, .damping = 300, .friction = 1};
  shape.type = FF_SHAPE_BOX;
  shape.size[0] = shape.size[1] = 2, shape.size[2] = 1;
  ffi_must_add_shape(b, ffi_must_add_link(b, &block), &shape);
  shape.type = thing->shape;
  memcpy(shape.size, thing->size, sizeof shape.size);
  ffi_must_add_shape(b, ffi_must_add_link(b, &loose), &shape);
  return ffi_must_finish(b);
}

// Rims roll about their axes there.
static void on_what_stands(void **state)
{
  (void)state;
  for (int i = 0; i < SHAPES; ++i) {
    char what[64];
    ff_model *model = over_a_block(&things[i].loose);
    ffi_rig *r = ffi_rig_create(model, &(ffi_rig_def){.stepper = FF_STEPPER_EULER});
    snprintf(what, sizeof what, "%s on a block that stands", things[i].name);
    check(what, r, 0, i == CYLINDER || i == DISK, (uint64_t)(20 + i));
    ffi_rig_destroy(r);
    ff_model_destroy(model);
  }
}

// On top of a large block, and of a large ball, that move themselves. Rims on round bodies, and those that lean on a
// block, are not followed (contact.md, section 5).
static void on_each_other(void **state)
{
  (void)state;
  static const ffi_loose below[2] = {
      {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_BOX, .size = {2, 2, 1}, .mass = 5},
      {.joint = FF_JOINT_FREE, .shape = FF_SHAPE_SPHERE, .size = {0.5}, .mass = 5},
  };
  for (int ball = 0; ball < 2; ++ball)
    for (int i = 0; i < SHAPES; ++i) {
      char what[64];
      if (ball && (i == CYLINDER || i == DISK))
        continue;
      const ffi_loose both[2] = {below[ball], things[i].loose};
      ff_model *model = ffi_loose_create(2, both, 1e5, 300, 1);
      ffi_rig *r = ffi_rig_create(model, &(ffi_rig_def){.stepper = FF_STEPPER_EULER});
      snprintf(what, sizeof what, "%s on a %s", things[i].name, ball ? "ball" : "block");
      check(what, r, 1, i == CYLINDER || i == DISK, (uint64_t)(10 + i));
      ffi_rig_destroy(r);
      ff_model_destroy(model);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_a_floor),
      cmocka_unit_test(on_what_stands),
      cmocka_unit_test(on_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
