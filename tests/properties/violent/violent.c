// Starts that no careful user chooses.
#include "properties/violent/violent.h"

#include "support/must.h"
#include "support/random_state.h"

#include <math.h>
#include <stdio.h>

static ff_shape_def random_shape(ffi_random *random, const ff_material *material)
{
  static const ff_shape_type types[] = {FF_SHAPE_BOX, FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_CYLINDER,
                                        FF_SHAPE_DISK};
  ff_shape_def shape = ff_shape_def_default();
  shape.type = types[ffi_random_below(random, 5)];
  shape.material = *material;
  for (int k = 0; k < 3; ++k)
    shape.size[k] = ffi_random_between(random, 0.05, 0.3);
  if (shape.type != FF_SHAPE_BOX) // a radius
    shape.size[0] *= 0.4;
  return shape;
}

static ff_material random_material(ffi_random *random)
{
  ff_material material = ff_material_default();
  material.friction = ffi_random_chance(random, 0.2) ? 0 : ffi_random_between(random, 0.1, 1.5);
  material.restitution = ffi_random_chance(random, 0.5) ? 0 : ffi_random_between(random, 0, 1);
  return material;
}

// A link whose inertia is that of its shape, 0.1 to 5 kg.
static int add_link(ff_builder *builder, ff_link_def *link, const ff_shape_def *shape, ffi_random *random)
{
  ff_inertia unit;
  ff_error error;
  ffi_must(ff_inertia_from_shape(shape, 1, &unit, &error), &error);
  const double mass = exp(ffi_random_between(random, log(0.1), log(5)));
  ffi_must(ff_inertia_from_shape(shape, mass / unit.mass, &link->inertia, &error), &error);
  const int id = ffi_must_add_link(builder, link);
  ffi_must_add_shape(builder, id, shape);
  return id;
}

static int add_loose(ff_builder *builder, ffi_random *random)
{
  const ff_material material = random_material(random);
  const int count = 2 + ffi_random_below(random, FFI_VIOLENT_MOST - 4);
  for (int i = 0; i < count; ++i) {
    char name[32], joint[32];
    snprintf(name, sizeof name, "body_%02d", i);
    snprintf(joint, sizeof joint, "free_%02d", i);
    const ff_shape_def shape = random_shape(random, &material);
    ff_link_def link = ff_link_def_default();
    link.name = name;
    link.joint.name = joint;
    link.joint.type = FF_JOINT_FREE;
    add_link(builder, &link, &shape, random);
  }
  return count;
}

static void add_chain(ff_builder *builder, ffi_random *random)
{
  const ff_material material = random_material(random);
  const int count = 3 + ffi_random_below(random, 6);
  for (int i = 0, parent = -1; i < count; ++i) {
    char name[32], joint[32];
    snprintf(name, sizeof name, "link_%02d", i);
    snprintf(joint, sizeof joint, "hinge_%02d", i);
    ff_shape_def shape = ff_shape_def_default();
    shape.type = FF_SHAPE_BOX;
    shape.material = material;
    for (int k = 0; k < 3; ++k)
      shape.size[k] = k == 0 ? 0.2 : ffi_random_between(random, 0.03, 0.1);
    ff_link_def link = ff_link_def_default();
    link.name = name;
    link.joint.name = joint;
    link.parent = parent;
    link.joint.type = i == 0 ? FF_JOINT_FREE : FF_JOINT_REVOLUTE;
    if (i > 0) {
      ffi_random_direction(random, link.joint.axis);
      link.joint.pose.position[0] = 0.22;
      link.joint.has_limits = 1;
      link.joint.lower = -ffi_random_between(random, 0, 1.5);
      link.joint.upper = ffi_random_between(random, 0, 1.5);
    }
    parent = add_link(builder, &link, &shape, random);
  }
}

// Everything within `wide` of a point above the ground, any way up.
static void place(ffi_violent *out, ffi_random *random, double wide, double speed, double spin)
{
  const ff_model_size size = ff_model_get_size(out->model);
  ff_model_neutral(out->model, out->q);
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(out->model, j, &joint);
    double *q = out->q + joint.q;
    if (joint.type == FF_JOINT_FREE) {
      ffi_random_vector(random, 3, wide, q);
      q[2] = fabs(q[2]);
      ffi_random_quaternion(random, q + 3);
      ffi_random_vector(random, 3, speed, out->v + joint.v);
      ffi_random_vector(random, 3, spin, out->v + joint.v + 3);
    } else {
      ffi_random_vector(random, 1, 2.5, q);
      ffi_random_vector(random, 1, spin, out->v + joint.v);
    }
  }
}

static void add_walls(ffi_violent *out, ffi_random *random)
{
  const double apart = ffi_random_between(random, 0.02, 0.2);
  for (int i = 0; i < 2; ++i) {
    ff_ground_def *wall = &out->ground[out->ground_count++];
    *wall = ff_ground_def_default();
    wall->shape.type = FF_SHAPE_BOX;
    wall->shape.size[0] = 1;
    wall->shape.size[1] = wall->shape.size[2] = 4;
    wall->shape.pose.position[0] = (i ? 1 : -1) * (apart / 2 + 0.5);
  }
}

void ffi_violent_make(uint64_t seed, ffi_violent *out)
{
  ffi_random random = ffi_random_seed(seed * 0x9e3779b9u + 17);
  *out = (ffi_violent){.kind = (ffi_violent_kind)(seed % FFI_VIOLENT_KINDS), .ground_count = 1};
  out->ground[0] = ff_ground_def_default();
  ff_builder *builder = ffi_must_begin("violent");
  if (out->kind == FFI_VIOLENT_CHAIN)
    add_chain(builder, &random);
  else
    add_loose(builder, &random);
  out->model = ffi_must_finish(builder);
  const int is_fast = ffi_random_chance(&random, 0.5);
  switch (out->kind) {
  case FFI_VIOLENT_HEAP: place(out, &random, 0.12, is_fast ? 10 : 0, is_fast ? 50 : 0); break;
  case FFI_VIOLENT_CHAIN: place(out, &random, 0.2, is_fast ? 5 : 0, is_fast ? 30 : 0); break;
  case FFI_VIOLENT_THROW: place(out, &random, 1.5, 100, 500); break;
  default: add_walls(out, &random); place(out, &random, 0.1, is_fast ? 3 : 0, is_fast ? 10 : 0);
  }
}

void ffi_violent_free(ffi_violent *start)
{
  ff_model_destroy(start->model);
}

ff_sim_def ffi_violent_def(const ffi_violent *start, ff_stepper stepper, double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.self_collision = 1;
  def.ground = start->ground;
  def.ground_count = start->ground_count;
  return def;
}

ff_sim *ffi_violent_sim(const ffi_violent *start, const ff_sim_def *def)
{
  ff_sim *sim = ffi_must_sim(start->model, def);
  ffi_must_reset(sim, start->q, start->v);
  return sim;
}

void ffi_violent_calm(const ffi_violent *start, ff_sim *sim)
{
  double q[7 * FFI_VIOLENT_MOST];
  const ff_model_size size = ff_model_get_size(start->model);
  ff_model_neutral(start->model, q);
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(start->model, j, &joint);
    if (joint.type != FF_JOINT_FREE)
      continue;
    q[joint.q] = 0;
    q[joint.q + 1] = 5 + j;
    q[joint.q + 2] = 0.16;
  }
  ffi_must_reset(sim, q, NULL);
}

const char *ffi_violent_name(ffi_violent_kind kind)
{
  static const char *const names[FFI_VIOLENT_KINDS] = {"heap", "chain", "throw", "jam"};
  return names[kind];
}
