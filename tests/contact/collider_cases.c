// Models, ground and poses for the tests of colliders and detection, by hand and at random.
#include "contact/collider_cases.h"

#include "contact/law/pair_materials.h"

#include "math/mat3.h"
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <footfall/dynamics.h>

static void check(ff_status status, const ff_error *error)
{
  if (status != FF_OK)
    fail_msg("%s", error->message);
}

ff_builder *collider_case_builder(void)
{
  ff_builder *b;
  ff_error error;
  check(ff_builder_create("scene", &b, &error), &error);
  return b;
}

ff_model *collider_case_finish(ff_builder *b)
{
  ff_model *model;
  ff_error error;
  check(ff_builder_finish(b, &model, &error), &error);
  ff_builder_destroy(b);
  return model;
}

static int has_axis(ff_joint_type type)
{
  return type != FF_JOINT_FIXED && type != FF_JOINT_FREE && type != FF_JOINT_SPHERICAL;
}

static int add_link(ff_builder *b, const char *name, int parent, ff_joint_type type, const ff_pose *pose)
{
  ff_link_def def = ff_link_def_default();
  def.name = name;
  def.parent = parent;
  def.joint.type = type;
  def.joint.pose = *pose;
  def.joint.axis[2] = has_axis(type);
  def.inertia.mass = 1;
  def.inertia.matrix[0] = def.inertia.matrix[3] = def.inertia.matrix[5] = 0.01;
  int id;
  ff_error error;
  check(ff_builder_add_link(b, &def, &id, &error), &error);
  return id;
}

int collider_case_link(ff_builder *b, const char *name, int parent, ff_joint_type type)
{
  const ff_pose here = ff_pose_identity();
  return add_link(b, name, parent, type, &here);
}

static ff_shape_def shape_def(const collider_case_solid *solid)
{
  ff_shape_def def = ff_shape_def_default();
  def.type = solid->type;
  ffi_v3_copy(solid->size, def.size);
  ffi_v3_copy(solid->at, def.pose.position);
  return def;
}

void collider_case_shape(ff_builder *b, int link, const collider_case_solid *solid)
{
  ff_shape_def def = shape_def(solid);
  ff_error error;
  check(ff_builder_add_shape(b, link, &def, &error), &error);
}

ff_ground_def collider_case_ground(const collider_case_solid *solid)
{
  ff_ground_def def = ff_ground_def_default();
  const ff_material rigid = def.shape.material;
  def.shape = shape_def(solid);
  def.shape.material = rigid;
  return def;
}

ff_sim_def collider_case_def(const ff_ground_def *ground, int ground_count, int self_collision)
{
  return (ff_sim_def){.ground = ground, .ground_count = ground_count, .self_collision = self_collision};
}

ffi_colliders collider_case_create(const ff_model *model, const ff_sim_def *def)
{
  ffi_colliders colliders;
  ff_error error;
  check(ffi_colliders_create(model, def, &colliders, &error), &error);
  return colliders;
}

// Run twice, counting and placing.
static void lay_out_room(const ffi_colliders *colliders, ffi_block *block, collider_room *out)
{
  out->detection = ffi_detect_layout(colliders, block);
  out->ground = ffi_block_take(block, (size_t)colliders->ground_count + 1, sizeof *out->ground);
}

collider_room collider_case_room_create(const ffi_colliders *colliders)
{
  collider_room room = {0};
  ffi_block measure = {0};
  lay_out_room(colliders, &measure, &room);
  room.memory = calloc(1, ffi_block_bytes(&measure));
  assert_non_null(room.memory);
  ffi_block block = ffi_block_in(room.memory, &measure);
  lay_out_room(colliders, &block, &room);
  for (int g = 0; g < colliders->ground_count; ++g)
    room.ground[g] = colliders->grounds[g].start;
  return room;
}

void collider_case_room_free(collider_room *room)
{
  free(room->memory);
}

int collider_case_detect(const ffi_colliders *colliders, const collider_room *room, const ffi_pose *body,
                         double margin, ffi_detect_candidate *out)
{
  return ffi_detect(colliders, room->detection, &(ffi_poses){.body = body, .ground = room->ground}, margin,
                    out);
}

ff_status collider_case_materials(const ffi_colliders *colliders, ff_material *out, ff_error *error)
{
  ff_material *collider = calloc((size_t)colliders->count + 1, sizeof *collider);
  assert_non_null(collider);
  for (int i = 0; i < colliders->count; ++i)
    collider[i] = *colliders->items[i].material;
  const ff_status status = ffi_pair_materials(colliders, collider, out, error);
  free(collider);
  return status;
}

const char *collider_case_refused(const ff_model *model, const ff_sim_def *def, ff_status status)
{
  static ff_error error;
  ffi_colliders colliders;
  memset(&error, 0, sizeof error);
  ff_status got = ffi_colliders_create(model, def, &colliders, &error);
  if (got != status)
    fail_msg("status %d instead of %d: %s", (int)got, (int)status, error.message);
  assert_int_equal(error.status, status);
  return error.message;
}

// ---- Random scenes ----------------------------------------------------------------------------------------

static const double hills[12] = {0, 0.1, -0.1, 0.2, 0.15, 0.05, -0.2, 0, 0.1, 0, 0, 0.3}; // [3 x 4]
static const double hull[18] = {0.2, 0, 0, -0.2, 0, 0, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.25, 0, 0, -0.25};

static ff_pose random_pose(ffi_random *r, double reach)
{
  ff_pose pose = ff_pose_identity();
  ffi_random_vector(r, 3, reach, pose.position);
  if (ffi_random_chance(r, 0.8))
    ffi_random_quaternion(r, pose.quaternion);
  return pose;
}

static ff_shape_def random_shape(ffi_random *r, ff_shape_type type, double reach)
{
  ff_shape_def def = ff_shape_def_default();
  def.type = type;
  for (int i = 0; i < 3; ++i)
    def.size[i] = ffi_random_between(r, 0.05, 0.5);
  def.pose = random_pose(r, reach);
  def.purpose = 1 + ffi_random_below(r, 3);
  def.material.stiffness = ffi_random_between(r, 1e4, 1e6);
  def.material.damping = ffi_random_below(r, 2) * 100;
  def.material.friction = ffi_random_between(r, 0, 2);
  def.mesh_file = "any.stl";
  def.vertices = hull;
  def.vertex_count = 6;
  def.heights = hills;
  def.rows = 3;
  def.columns = 4;
  return def;
}

// Half spaces are everywhere, so there are few, and on moving bodies fewer.
static ff_shape_type random_type(ffi_random *r, int link)
{
  const ff_shape_type type = (ff_shape_type)ffi_random_below(r, FF_SHAPE_HEIGHTFIELD + 1);
  const int is_rare = type == FF_SHAPE_PLANE || type == FF_SHAPE_HEIGHTFIELD || type == FF_SHAPE_MESH;
  return is_rare && ffi_random_chance(r, link < 0 ? 0.5 : 0.8) ? FF_SHAPE_BOX : type;
}

static ff_model *random_model(ffi_random *r)
{
  static const ff_joint_type types[] = {FF_JOINT_FIXED,     FF_JOINT_FREE,     FF_JOINT_PLANAR,
                                        FF_JOINT_SPHERICAL, FF_JOINT_REVOLUTE, FF_JOINT_CONTINUOUS,
                                        FF_JOINT_PRISMATIC};
  ff_builder *b = collider_case_builder();
  const int links = 1 + ffi_random_below(r, 12);
  ff_error error;
  for (int i = 0; i < links; ++i) {
    char name[16];
    snprintf(name, sizeof name, "l%02d", (i * 7) % 13);
    int parent = i == 0 || ffi_random_chance(r, 0.3) ? FF_WORLD : ffi_random_below(r, i);
    ff_joint_type type = i == 0 ? FF_JOINT_FREE : types[ffi_random_below(r, 7)];
    if (type == FF_JOINT_FREE)
      parent = FF_WORLD;
    const ff_pose pose = random_pose(r, 0.3);
    add_link(b, name, parent, type, &pose);
  }
  for (int i = FF_WORLD; i < links; ++i) {
    const int shapes = i == FF_WORLD ? ffi_random_below(r, 5) - 2 : ffi_random_below(r, 4);
    for (int k = 0; k < shapes; ++k) {
      const ff_shape_def def = random_shape(r, random_type(r, i), i == FF_WORLD ? 1 : 0.3);
      check(ff_builder_add_shape(b, i, &def, &error), &error);
    }
  }
  return collider_case_finish(b);
}

void collider_case_random(uint64_t seed, collider_case *out)
{
  ffi_random r = ffi_random_seed(seed);
  *out = (collider_case){.model = random_model(&r)};
  for (int i = 0; i < COLLIDER_CASE_GROUNDS; ++i) {
    static const ff_shape_type types[] = {FF_SHAPE_PLANE, FF_SHAPE_BOX, FF_SHAPE_HEIGHTFIELD};
    ff_ground_def *ground = &out->grounds[i];
    *ground = ff_ground_def_default();
    const ff_material rigid = ground->shape.material;
    ground->shape = random_shape(&r, types[ffi_random_below(&r, 3)], 1);
    ground->gives_pair = ffi_random_below(&r, 2);
    if (!ground->gives_pair && ffi_random_chance(&r, 0.5))
      ground->shape.material = rigid;
  }
  out->def = collider_case_def(out->grounds, ffi_random_below(&r, COLLIDER_CASE_GROUNDS + 2) - 1,
                               ffi_random_below(&r, 2));
}

// ---- Places -----------------------------------------------------------------------------------------------

static void compose(const ffi_pose *a, const ffi_pose *b, ffi_pose *out)
{
  ffi_m3_mul(a->R, b->R, out->R);
  ffi_m3_mulv(a->R, b->p, out->p);
  ffi_v3_add(a->p, out->p, out->p);
}

// The body's pose from that of a frame on it.
static void body_from_frame(const ffi_pose *frame, const ffi_frame *in_body, ffi_pose *out)
{
  ffi_pose inverse;
  ffi_m3_transpose(in_body->R, inverse.R);
  ffi_m3_tmulv(in_body->R, in_body->p, inverse.p);
  ffi_v3_scale(-1, inverse.p, inverse.p);
  compose(frame, &inverse, out);
}

void collider_case_place(const ff_model *model, const double *q, collider_case_places *out)
{
  ff_dynamics *dynamics;
  ff_error error;
  assert_true(model->body_count <= COLLIDER_CASE_BODIES && model->size.shapes <= COLLIDER_CASE_SHAPES);
  check(ff_dynamics_create(model, NULL, &dynamics, &error), &error);
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  ffi_pose frame;
  out->body[0] = (ffi_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int f = 0; f < model->size.frames; ++f) {
    if (model->frames[f].body == 0)
      continue;
    ff_dynamics_frame_pose(dynamics, f, frame.p, frame.R);
    body_from_frame(&frame, &model->frames[f], &out->body[model->frames[f].body]);
  }
  for (int s = 0; s < model->size.shapes; ++s) {
    ff_shape_info info;
    ffi_pose in_link;
    check(ff_model_shape(model, s, &info), &error);
    ff_dynamics_frame_pose(dynamics, info.frame, frame.p, frame.R);
    ff_pose_rotation(&info.def.pose, in_link.R);
    ffi_v3_copy(info.def.pose.position, in_link.p);
    compose(&frame, &in_link, &out->shape[s]);
  }
  ff_dynamics_destroy(dynamics);
}
