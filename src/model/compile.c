// From a builder to a model: run the stages, then copy what they found into one block of memory.
#include "model/compile.h"

#include "base/block.h"
#include "base/fail.h"
#include "math/quaternion.h"
#include "model/check.h"

#include <stdlib.h>

ff_status ffi_compile_no_memory(ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "", "there is not enough memory to compile the model");
}

// ---- Arrays: each takes its room in the block and, if there is one, fills it ------------------------------

// Where everything goes. While measuring, the model is a scratch one and the block hands out NULL.
typedef struct placing {
  const ffi_compile_plan *plan;
  ffi_block *block;
  ff_model *model;
} placing;

static void place_bodies(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ffi_body *bodies = ffi_block_take(to->block, (size_t)plan->body_count, sizeof *bodies);
  if (bodies)
    memcpy(bodies, plan->bodies, (size_t)plan->body_count * sizeof *bodies);
  to->model->bodies = bodies;
}

static void place_velocities(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  const size_t nv = (size_t)plan->size.nv;
  int *body_of = ffi_block_take(to->block, nv, sizeof *body_of);
  int *parent_of = ffi_block_take(to->block, nv, sizeof *parent_of);
  int *depth_of = ffi_block_take(to->block, nv, sizeof *depth_of);
  int *row_of = ffi_block_take(to->block, nv + 1, sizeof *row_of);
  double *armature = ffi_block_take(to->block, nv, sizeof *armature);
  double *damping = ffi_block_take(to->block, nv, sizeof *damping);
  to->model->dof_body = body_of;
  to->model->dof_parent = parent_of;
  to->model->dof_depth = depth_of;
  to->model->dof_row = row_of;
  to->model->dof_armature = armature;
  to->model->dof_damping = damping;
  if (!to->block->base)
    return;

  row_of[0] = 0;
  for (int b = 1; b < plan->body_count; ++b) {
    const ffi_body *body = &plan->bodies[b];
    const ffi_body *up = &plan->bodies[body->parent];
    const ff_joint_def *joint = &ffi_compile_source(plan, plan->body_link[b])->def.joint;
    for (int j = 0; j < body->nv; ++j) {
      const int i = body->v + j;
      body_of[i] = b;
      parent_of[i] = j > 0 ? i - 1 : up->nv > 0 ? up->v + up->nv - 1 : -1;
      depth_of[i] = up->depth + j;
      row_of[i + 1] = row_of[i] + depth_of[i] + 1;
      armature[i] = joint->armature;
      damping[i] = joint->damping;
    }
  }
}

static void place_joints(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_joint_info *joints = ffi_block_take(to->block, (size_t)plan->size.joints, sizeof *joints);
  to->model->joints = joints;
  for (int b = 1; joints && b < plan->body_count; ++b) {
    const ffi_body *body = &plan->bodies[b];
    const ff_joint_def *def = &ffi_compile_source(plan, plan->body_link[b])->def.joint;
    joints[b - 1] = (ff_joint_info){
        .type = def->type,
        .parent = body->parent - 1,
        .link = plan->body_link[b],
        .q = body->q,
        .nq = body->nq,
        .v = body->v,
        .nv = body->nv,
        .axis = {def->axis[0], def->axis[1], def->axis[2]},
        .has_limits = def->has_limits != 0,
        .lower = def->lower,
        .upper = def->upper,
        .effort = def->effort,
        .velocity = def->velocity,
        .damping = def->damping,
        .friction = def->friction,
        .armature = def->armature,
        .stiffness = def->stiffness,
        .spring_reference = def->spring_reference,
    };
  }
}

static void place_links(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_link_info *links = ffi_block_take(to->block, (size_t)plan->size.links, sizeof *links);
  int *carrier = ffi_block_take(to->block, (size_t)plan->size.links, sizeof *carrier);
  to->model->links = links;
  to->model->link_carrier = carrier;
  for (int k = 0; links && k < plan->size.links; ++k) {
    const ff_link_def *def = &ffi_compile_source(plan, k)->def;
    const int id = ffi_compile_source(plan, k)->carrier;
    carrier[k] = id == FF_WORLD ? -1 : plan->link_of_id[id];
    links[k] = (ff_link_info){
        .parent = plan->links[k].parent,
        .joint = plan->links[k].body - 1,
        .frame = k + 1,
        .joint_type = def->joint.type,
        .pose = def->joint.pose,
        .inertia = def->inertia,
    };
  }
}

// The world, the links, then the other frames in the order they were added.
static void place_frames(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  const ff_builder *b = plan->builder;
  ffi_frame *frames = ffi_block_take(to->block, (size_t)plan->size.frames, sizeof *frames);
  to->model->frames = frames;
  if (!frames)
    return;
  frames[0] = (ffi_frame){.link = -1, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int k = 0; k < plan->size.links; ++k) {
    frames[k + 1] = (ffi_frame){.body = plan->links[k].body, .link = k};
    ffi_v3_copy(plan->links[k].p, frames[k + 1].p);
    ffi_m3_copy(plan->links[k].R, frames[k + 1].R);
  }
  for (int i = 0; i < b->frame_count; ++i) {
    const ffi_build_frame *given = &b->frames[i];
    const int link = given->link == FF_WORLD ? -1 : plan->link_of_id[given->link];
    const ffi_frame *at = &frames[link + 1]; // frame 0 for the world
    ffi_frame *frame = &frames[1 + plan->size.links + i];
    double R[9];
    *frame = (ffi_frame){.body = at->body, .link = link};
    ff_pose_rotation(&given->pose, R);
    ffi_m3_mul(at->R, R, frame->R);
    if (!ffi_m3_snap(frame->R))
      ffi_m3_polish(frame->R);
    ffi_m3_mulv(at->R, given->pose.position, frame->p);
    ffi_v3_add(frame->p, at->p, frame->p);
  }
}

static void place_shapes(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_shape_info *shapes = ffi_block_take(to->block, (size_t)plan->size.shapes, sizeof *shapes);
  to->model->shapes = shapes;
  for (int i = 0; i < plan->size.shapes; ++i) {
    const ffi_build_shape *given = &plan->builder->shapes[i];
    const size_t n = 3 * (size_t)given->def.vertex_count;
    const size_t cells = (size_t)given->def.rows * (size_t)given->def.columns;
    double *vertices = n ? ffi_block_take(to->block, n, sizeof *vertices) : NULL;
    double *heights = cells ? ffi_block_take(to->block, cells, sizeof *heights) : NULL;
    if (!shapes)
      continue;
    const int link = given->link == FF_WORLD ? -1 : plan->link_of_id[given->link];
    shapes[i] = (ff_shape_info){.link = link, .frame = link + 1, .def = given->def};
    shapes[i].def.vertices = vertices;
    if (vertices)
      memcpy(vertices, given->def.vertices, n * sizeof *vertices);
    shapes[i].def.heights = heights;
    if (heights)
      memcpy(heights, given->def.heights, cells * sizeof *heights);
  }
}

static void place_actuators(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_actuator_info *actuators = ffi_block_take(to->block, (size_t)plan->size.actuators, sizeof *actuators);
  to->model->actuators = actuators;
  for (int i = 0; actuators && i < plan->size.actuators; ++i) {
    const ff_actuator_def *def = &plan->builder->actuators[i];
    actuators[i] = (ff_actuator_info){
        .type = (int)def->type,
        .joint = plan->links[plan->link_of_id[def->link]].body - 1,
        .gear = def->gear,
        .kp = def->kp,
        .kv = def->kv,
        .control_range = {def->control_range[0], def->control_range[1]},
        .force_range = {def->force_range[0], def->force_range[1]},
    };
  }
}

static void place_elements(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_element_def *elements = ffi_block_take(to->block, (size_t)plan->size.elements, sizeof *elements);
  to->model->elements = elements;
  for (int i = 0; elements && i < plan->size.elements; ++i)
    elements[i] = ffi_compile_element(plan, &plan->builder->elements[i]);
}

static void place_postures(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  const ff_builder *b = plan->builder;
  const size_t nq = (size_t)plan->size.nq;
  ffi_posture *postures = ffi_block_take(to->block, (size_t)plan->size.postures, sizeof *postures);
  double *q = ffi_block_take(to->block, nq * (size_t)plan->size.postures, sizeof *q);
  to->model->postures = postures;
  if (!postures)
    return;
  for (int i = 0; i < plan->size.postures; ++i) {
    postures[i].q = q + nq * (size_t)i;
    ff_model_neutral(to->model, q + nq * (size_t)i);
  }
  for (int i = 0; i < b->entry_count; ++i) {
    const ffi_build_posture_entry *entry = &b->entries[i];
    const int body = plan->links[plan->link_of_id[entry->link]].body;
    if (entry->count > 0)
      memcpy(q + nq * (size_t)entry->posture + plan->bodies[body].q, entry->q,
             (size_t)entry->count * sizeof *q);
  }
}

static void place_by_name(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  const size_t joints = (size_t)plan->size.joints, frames = (size_t)plan->size.frames;
  int *joints_by_name = ffi_block_take(to->block, joints, sizeof *joints_by_name);
  int *frames_by_name = ffi_block_take(to->block, frames, sizeof *frames_by_name);
  if (joints_by_name)
    memcpy(joints_by_name, plan->joints_by_name, joints * sizeof *joints_by_name);
  if (frames_by_name)
    memcpy(frames_by_name, plan->frames_by_name, frames * sizeof *frames_by_name);
  to->model->joints_by_name = joints_by_name;
  to->model->frames_by_name = frames_by_name;
}

// ---- Names, all at the end so that they need no alignment -------------------------------------------------

static void place_names(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  const ff_builder *b = plan->builder;
  ff_model *m = to->model;
  const int is_filling = to->block->base != NULL;
  const char **warnings = ffi_block_take(to->block, (size_t)plan->size.warnings, sizeof *warnings);
  m->warnings = warnings;
  m->name = ffi_block_string(to->block, b->name);

  const char *world = ffi_block_string(to->block, "world");
  if (is_filling)
    ((ffi_frame *)m->frames)[0].name = world;
  for (int k = 0; k < plan->size.links; ++k) {
    const ff_link_def *def = &ffi_compile_source(plan, k)->def;
    const char *name = ffi_block_string(to->block, def->name);
    const char *joint_name =
        def->joint.name == def->name ? name : ffi_block_string(to->block, def->joint.name);
    if (!is_filling)
      continue;
    ((ff_link_info *)m->links)[k].name = name;
    ((ff_link_info *)m->links)[k].joint_name = joint_name;
    ((ffi_frame *)m->frames)[k + 1].name = name;
    if (def->joint.type != FF_JOINT_FIXED)
      ((ff_joint_info *)m->joints)[plan->links[k].body - 1].name = joint_name;
  }
  for (int i = 0; i < b->frame_count; ++i) {
    const char *name = ffi_block_string(to->block, b->frames[i].name);
    if (is_filling)
      ((ffi_frame *)m->frames)[1 + plan->size.links + i].name = name;
  }
  for (int i = 0; i < b->shape_count; ++i) {
    const char *name = ffi_block_string(to->block, b->shapes[i].def.name);
    const char *mesh_file = ffi_block_string(to->block, b->shapes[i].def.mesh_file);
    if (!is_filling)
      continue;
    ((ff_shape_info *)m->shapes)[i].def.name = name;
    ((ff_shape_info *)m->shapes)[i].def.mesh_file = mesh_file;
  }
  for (int i = 0; i < b->actuator_count; ++i) {
    const char *name = ffi_block_string(to->block, b->actuators[i].name);
    if (is_filling)
      ((ff_actuator_info *)m->actuators)[i].name = name;
  }
  for (int i = 0; i < b->element_count; ++i) {
    const char *name = ffi_block_string(to->block, b->elements[i].def.name);
    if (is_filling)
      ((ff_element_def *)m->elements)[i].name = name;
  }
  for (int i = 0; i < b->posture_count; ++i) {
    const char *name = ffi_block_string(to->block, b->postures[i]);
    if (is_filling)
      ((ffi_posture *)m->postures)[i].name = name;
  }
  for (int i = 0; i < b->warning_count; ++i) {
    const char *text = ffi_block_string(to->block, b->warnings[i]);
    if (is_filling)
      warnings[i] = text;
  }
}

// ---- The whole --------------------------------------------------------------------------------------------

// Lay the model out in a block; `scratch` stands in for it while measuring.
static ff_model *place(const ffi_compile_plan *plan, ffi_block *block, ff_model *scratch)
{
  ff_model *model = ffi_block_take(block, 1, sizeof *model);
  placing to = {.plan = plan, .block = block, .model = model ? model : scratch};
  *to.model = (ff_model){
      .size = plan->size,
      .mass = plan->mass,
      .body_count = plan->body_count,
      .max_level = plan->max_level,
      .max_depth = plan->max_depth,
  };
  ffi_v3_copy(plan->builder->gravity, to.model->gravity);
  place_bodies(&to);
  place_velocities(&to);
  place_joints(&to);
  place_links(&to);
  place_frames(&to);
  place_shapes(&to);
  place_actuators(&to);
  place_elements(&to);
  place_postures(&to);
  place_by_name(&to);
  place_names(&to);
  return model;
}

ff_status ff_builder_finish(const ff_builder *builder, ff_model **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!builder || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_finish", "an argument is NULL");
  if (builder->link_count == 0)
    return ffi_fail(error, FF_ERROR_MODEL, builder->source.file, 0, "model", "it has no links");

  ffi_compile_plan plan = {.builder = builder};
  ff_status status = ffi_builder_check_postures(builder, builder->posture_count, error);
  if (status == FF_OK)
    status = ffi_compile_order(&plan, error);
  if (status != FF_OK)
    goto done;
  plan.size.frames = 1 + plan.size.links + builder->frame_count;
  plan.size.shapes = builder->shape_count;
  plan.size.actuators = builder->actuator_count;
  plan.size.elements = builder->element_count;
  plan.size.postures = builder->posture_count;
  plan.size.warnings = builder->warning_count;
  ffi_compile_frames(&plan);
  status = ffi_compile_tables(&plan, error);
  if (status == FF_OK)
    status = ffi_compile_names(&plan, error);
  if (status == FF_OK)
    status = ffi_compile_massless(&plan, error);
  if (status != FF_OK)
    goto done;

  ff_model scratch;
  ffi_block measure = {0};
  place(&plan, &measure, &scratch);
  // A cache line more than needed, so that the model can start on one.
  size_t bytes = (measure.used + FFI_BLOCK_ALIGN - 1) / FFI_BLOCK_ALIGN * FFI_BLOCK_ALIGN;
  ffi_block memory = {.base = aligned_alloc(FFI_BLOCK_ALIGN, bytes)};
  if (!memory.base) {
    status = ffi_compile_no_memory(error);
    goto done;
  }
  memset(memory.base, 0, bytes);
  *out = place(&plan, &memory, NULL);
done:
  ffi_arena_free(&plan.arena);
  return status;
}

void ff_model_destroy(ff_model *model)
{
  free(model);
}
