// Bodies of all kinds on each other, with springs and with hard contact: what rests stays, and nothing gains energy.
#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct thing {
  ff_shape_type type; // a hull: the corners of a box
  double size[3];
  double p[3];
  double turn[4]; // x y z w; all zero: none
} thing;

static ff_shape_def shape_of(const thing *t, double corners[24])
{
  ff_shape_def def = ff_shape_def_default();
  def.type = t->type;
  memcpy(def.size, t->size, sizeof def.size);
  def.material.stiffness = 2e4;
  def.material.damping = 100;
  def.material.friction = 0.8;
  if (t->type == FF_SHAPE_HULL) {
    for (int i = 0; i < 24; ++i)
      corners[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * t->size[i % 3];
    def.vertices = corners;
    def.vertex_count = 8;
  }
  return def;
}

// The first of the things is loose, 1 kg; the others are part of the world. At `start`, its q.
static ff_model *make(int count, const thing *things, double start[7])
{
  double corners[24];
  ff_builder *builder = ffi_must_begin("pile");
  ff_link_def link = ff_link_def_default();
  link.name = "loose";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = 1;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.01;
  const int loose = ffi_must_add_link(builder, &link);
  for (int i = 0; i < count; ++i) {
    ff_shape_def def = shape_of(&things[i], corners);
    ff_pose pose = ff_pose_identity();
    memcpy(pose.position, things[i].p, sizeof pose.position);
    if (things[i].turn[0] != 0 || things[i].turn[1] != 0 || things[i].turn[2] != 0)
      memcpy(pose.quaternion, things[i].turn, sizeof pose.quaternion);
    if (i > 0)
      def.pose = pose;
    ffi_must_add_shape(builder, i > 0 ? FF_WORLD : loose, &def);
    if (i == 0) {
      memcpy(start, pose.position, 3 * sizeof *start);
      memcpy(start + 3, pose.quaternion, 4 * sizeof *start);
    }
  }
  return ffi_must_finish(builder);
}

typedef struct outcome {
  double moved, turned; // from the start, at most [m], sine of half the angle
  double speed;         // at the end
  double gained;        // energy above that of the start, at most [J]
  int contacts;         // at the end
} outcome;

static outcome run(int count, const thing *things, ff_stepper stepper, const double *velocity,
                   double duration)
{
  double q[7], now[7], v[6] = {0};
  ff_model *model = make(count, things, q);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 1e-3;
  ff_sim *sim = ffi_must_sim(model, &def);
  if (velocity)
    memcpy(v, velocity, sizeof v);
  ffi_must_reset(sim, q, v);
  const double energy = ff_sim_energy(sim).total;
  outcome out = {0};
  for (int i = 0; i < duration / def.dt; ++i) {
    ffi_must_step(sim, NULL);
    memcpy(now, ff_sim_q(sim), sizeof now);
    memcpy(v, ff_sim_v(sim), sizeof v);
    double way = 0, same = 0;
    for (int k = 0; k < 3; ++k)
      way += (now[k] - q[k]) * (now[k] - q[k]);
    for (int k = 3; k < 7; ++k)
      same += now[k] * q[k];
    out.moved = fmax(out.moved, sqrt(way));
    out.turned = fmax(out.turned, sqrt(fmax(0, 1 - same * same)));
    out.gained = fmax(out.gained, ff_sim_energy(sim).total - energy);
  }
  for (int k = 0; k < 6; ++k)
    out.speed = fmax(out.speed, fabs(v[k]));
  ff_sim_contacts(sim, &out.contacts);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return out;
}

// sqrt(1/2): a quarter turn, about x or y
#define HALF 0.70710678118654752
static const thing piles[][3] = {
    {{FF_SHAPE_HULL, {0.2, 0.2, 0.2}, {0, 0, 0.2}, {0}}, {FF_SHAPE_HULL, {0.2, 0.2, 0.2}, {0}, {0}}},
    {{FF_SHAPE_HULL, {0.2, 0.2, 0.2}, {0.03, 0.01, 0.2}, {0, 0, 0.38268343236509, 0.92387953251129}},
     {FF_SHAPE_HULL, {0.2, 0.2, 0.2}, {0}, {0}}},
    {{FF_SHAPE_HULL, {0.6, 0.1, 0.04}, {0, 0, 0.04}, {0}}, {FF_SHAPE_HULL, {0.1, 0.6, 0.04}, {0}, {0}}},
    {{FF_SHAPE_CYLINDER, {0.05, 0.6, 0}, {0, 0, 0.11}, {0, HALF, 0, HALF}},
     {FF_SHAPE_CYLINDER, {0.06, 0.5, 0}, {-0.2, 0, 0}, {HALF, 0, 0, HALF}},
     {FF_SHAPE_CYLINDER, {0.06, 0.5, 0}, {0.2, 0, 0}, {HALF, 0, 0, HALF}}},
    {{FF_SHAPE_CAPSULE, {0.05, 0.6, 0}, {0, 0, 0.11}, {0, HALF, 0, HALF}},
     {FF_SHAPE_CYLINDER, {0.06, 0.5, 0}, {-0.2, 0, 0}, {HALF, 0, 0, HALF}},
     {FF_SHAPE_HULL, {0.12, 0.12, 0.5}, {0.2, 0, 0}, {HALF, 0, 0, HALF}}},
    {{FF_SHAPE_DISK, {0.2, 0, 0}, {0, 0, 0.05}, {0}},
     {FF_SHAPE_CAPSULE, {0.05, 0.5, 0}, {-0.15, 0, 0}, {HALF, 0, 0, HALF}},
     {FF_SHAPE_CAPSULE, {0.05, 0.5, 0}, {0.15, 0, 0}, {HALF, 0, 0, HALF}}},
    {{FF_SHAPE_CYLINDER, {0.1, 0.2, 0}, {0, 0, 0.2}, {0}}, {FF_SHAPE_CYLINDER, {0.1, 0.2, 0}, {0}, {0}}},
    {{FF_SHAPE_CYLINDER, {0.1, 0.2, 0}, {0.05, 0, 0.2}, {0}}, {FF_SHAPE_HULL, {0.2, 0.2, 0.2}, {0}, {0}}},
};

static void what_rests_stays(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_MOREAU};
  for (size_t i = 0; i < sizeof piles / sizeof piles[0]; ++i)
    for (int k = 0; k < 2; ++k) {
      const int count = piles[i][2].size[0] > 0 ? 3 : 2;
      const outcome o = run(count, piles[i], steppers[k], NULL, 1);
      // 1 kg on two springs of 1e4 N/m (two of 2e4 in series) sinks by 0.5 mm; on one by 1 mm.
      if (!(o.moved < 1.5e-3 && o.turned < 2e-3 && o.speed < 1e-3 && o.gained < 1e-9 && o.contacts >= 2))
        fail_msg("pile %d, %s: moved %g, turned %g, speed %g, gained %g, %d contacts", (int)i,
                 ff_stepper_name(steppers[k]), o.moved, o.turned, o.speed, o.gained, o.contacts);
    }
}

// A disk on its edge on a capsule, spinning, tips over and falls; a hull and a cylinder that are thrown onto others.
static void what_falls_gains_nothing(void **state)
{
  (void)state;
  static const thing falls[][3] = {
      {{FF_SHAPE_DISK, {0.2, 0, 0}, {0.01, 0, 0.25}, {HALF, 0, 0, HALF}},
       {FF_SHAPE_CAPSULE, {0.05, 0.5, 0}, {0}, {HALF, 0, 0, HALF}},
       {FF_SHAPE_PLANE, {1, 0, 0}, {0, 0, -0.2}, {0}}},
      {{FF_SHAPE_HULL, {0.2, 0.1, 0.05}, {0, 0, 0.5}, {0.3, 0.5, 0.1, 0.8062257748298549}},
       {FF_SHAPE_HULL, {0.3, 0.3, 0.3}, {0}, {0}},
       {FF_SHAPE_CYLINDER, {0.3, 0.1, 0}, {0, 0, -0.2}, {0}}},
      {{FF_SHAPE_CYLINDER, {0.05, 0.3, 0}, {0.05, 0.02, 0.4}, {0.5, 0.1, 0.5, 0.7}},
       {FF_SHAPE_CYLINDER, {0.2, 0.2, 0}, {0}, {0}},
       {FF_SHAPE_HULL, {2, 2, 0.2}, {0, 0, -0.3}, {0}}}};
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_MOREAU};
  static const double velocity[6] = {0.2, 0.1, 0, 1, 0.5, 2};
  for (size_t i = 0; i < sizeof falls / sizeof falls[0]; ++i)
    for (int k = 0; k < 2; ++k) {
      const outcome o = run(3, falls[i], steppers[k], velocity, 1);
      if (!(o.gained < 1e-4 && o.moved > 0.05))
        fail_msg("fall %d, %s: moved %g, gained %g", (int)i, ff_stepper_name(steppers[k]), o.moved, o.gained);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_rests_stays),
      cmocka_unit_test(what_falls_gains_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
