// Copies a plan into the one block of memory that a model is.
#include "model/compile.h"
#include "model/inertia.h"

#include "math/quaternion.h"

// ---- Arrays: each takes its room in the block and, if there is one, fills it ------------------------------

// While measuring, the model is a scratch one and the block gives NULL.
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
        .robot = plan->robot[k],
        .gravity_compensation = def->gravity_compensation,
    };
  }
}

// Only models that have some take room for it.
static void place_lift(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  int has_lift = 0;
  for (int k = 0; k < plan->size.links; ++k)
    has_lift |= ffi_compile_source(plan, k)->def.gravity_compensation != 0;
  if (!has_lift)
    return;
  double *lift = ffi_block_take(to->block, 4 * (size_t)plan->body_count, sizeof *lift);
  to->model->lift = lift;
  for (int i = 0; lift && i < 4 * plan->body_count; ++i)
    lift[i] = 0;
  for (int k = 0; lift && k < plan->size.links; ++k) {
    const ff_link_def *def = &ffi_compile_source(plan, k)->def;
    ffi_inertia_moments_lift(plan->links[k].p, plan->links[k].R, &def->inertia, def->gravity_compensation,
                             lift + 4 * plan->links[k].body);
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

static void place_collisions(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  const size_t bodies = (size_t)plan->body_count, exclusions = (size_t)plan->size.exclusions;
  const size_t pairs = (size_t)plan->size.pairs;
  int *holder = ffi_block_take(to->block, bodies, sizeof *holder);
  int(*excluded)[2] = ffi_block_take(to->block, exclusions, sizeof *excluded);
  ff_shape_pair *listed = ffi_block_take(to->block, pairs, sizeof *listed);
  int *is_paired = ffi_block_take(to->block, (size_t)plan->size.shapes, sizeof *is_paired);
  to->model->body_holder = holder;
  to->model->exclusions = (const int(*)[2])excluded;
  to->model->pairs = listed;
  to->model->shape_is_paired = is_paired;
  to->model->parent_rule = plan->builder->parent_rule;
  if (!to->block->base)
    return;
  memcpy(holder, plan->holder, bodies * sizeof *holder);
  if (exclusions)
    memcpy(excluded, plan->exclusions, exclusions * sizeof *excluded);
  if (pairs)
    memcpy(listed, plan->pairs, pairs * sizeof *listed);
  for (int i = 0; i < plan->size.pairs; ++i)
    is_paired[listed[i].a] = is_paired[listed[i].b] = 1;
}

// The joint of a link by its id in the builder; -1 for the world.
static int joint_of(const ffi_compile_plan *plan, int link)
{
  return link == FF_WORLD ? -1 : plan->links[plan->link_of_id[link]].body - 1;
}

// Frames are the world, the links, then the others in the order in which they were added.
static int frame_of(const ffi_compile_plan *plan, int end)
{
  if (end == FF_WORLD)
    return 0;
  return end < FFI_FIRST_FRAME ? 1 + plan->link_of_id[end] : 1 + plan->size.links + (end - FFI_FIRST_FRAME);
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
        .joint = def->tendon >= 0 || def->frame ? -1 : joint_of(plan, def->link),
        .gear = def->gear,
        .kp = def->kp,
        .kv = def->kv,
        .control_range = {def->control_range[0], def->control_range[1]},
        .force_range = {def->force_range[0], def->force_range[1]},
        .tendon = def->tendon,
        .frame = def->frame ? frame_of(plan, ffi_names_find(&plan->builder->frame_names, def->frame)) : -1,
    };
    memcpy(actuators[i].wrench, def->wrench, sizeof def->wrench);
  }
}

// Tendons with their joints in increasing order.
static void place_tendons(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_tendon_info *tendons = ffi_block_take(to->block, (size_t)plan->size.tendons, sizeof *tendons);
  to->model->tendons = tendons;
  for (int i = 0; i < plan->size.tendons; ++i) {
    const ffi_build_tendon *given = &plan->builder->tendons[i];
    const size_t count = (size_t)given->count;
    int *joints = ffi_block_take(to->block, count, sizeof *joints);
    double *coefficients = ffi_block_take(to->block, count, sizeof *coefficients);
    if (!tendons)
      continue;
    for (int k = 0; k < given->count; ++k) {
      const int joint = joint_of(plan, given->links[k]);
      int at = k;
      for (; at > 0 && joints[at - 1] > joint; --at) {
        joints[at] = joints[at - 1];
        coefficients[at] = coefficients[at - 1];
      }
      joints[at] = joint;
      coefficients[at] = given->coefficients[k];
    }
    tendons[i] = (ff_tendon_info){.count = given->count, .joints = joints, .coefficients = coefficients};
  }
}

// An element with its joint or frames as the model numbers them; its name is the builder's.
static ff_element_def element_of(const ffi_compile_plan *plan, const ffi_build_element *element)
{
  ff_element_def def = element->def;
  def.joint = -1;
  def.a.frame = def.b.frame = 0;
  if (ff_element_type_is_joint(def.type) || def.type == FF_ELEMENT_COUPLING) {
    def.joint = joint_of(plan, element->link);
    def.leader = joint_of(plan, element->leader);
  } else {
    def.a.frame = frame_of(plan, element->ends[0]);
    def.b.frame = frame_of(plan, element->ends[1]);
  }
  return def;
}

static void place_elements(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_element_def *elements = ffi_block_take(to->block, (size_t)plan->size.elements, sizeof *elements);
  to->model->elements = elements;
  for (int i = 0; elements && i < plan->size.elements; ++i)
    elements[i] = element_of(plan, &plan->builder->elements[i]);
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
  for (int i = 0; i < plan->size.postures; ++i)
    ff_model_place_followers(to->model, q + nq * (size_t)i);
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

// ---- Names, all at the end, where they need no alignment -------------------------------------------------

static void place_link_names(placing *to)
{
  const ffi_compile_plan *plan = to->plan;
  ff_model *m = to->model;
  for (int k = 0; k < plan->size.links; ++k) {
    const ff_link_def *def = &ffi_compile_source(plan, k)->def;
    const char *name = ffi_block_string(to->block, def->name);
    const char *joint_name =
        def->joint.name == def->name ? name : ffi_block_string(to->block, def->joint.name);
    if (!to->block->base)
      continue;
    ((ff_link_info *)m->links)[k].name = name;
    ((ff_link_info *)m->links)[k].joint_name = joint_name;
    ((ffi_frame *)m->frames)[k + 1].name = name;
    if (def->joint.type != FF_JOINT_FIXED)
      ((ff_joint_info *)m->joints)[plan->links[k].body - 1].name = joint_name;
  }
}

static void place_shape_names(placing *to)
{
  const ff_builder *b = to->plan->builder;
  for (int i = 0; i < b->shape_count; ++i) {
    const char *name = ffi_block_string(to->block, b->shapes[i].def.name);
    const char *mesh_file = ffi_block_string(to->block, b->shapes[i].def.mesh_file);
    if (!to->block->base)
      continue;
    ((ff_shape_info *)to->model->shapes)[i].def.name = name;
    ((ff_shape_info *)to->model->shapes)[i].def.mesh_file = mesh_file;
  }
}

// Frames that are not links, actuators, elements, postures.
static void place_other_names(placing *to)
{
  const ff_builder *b = to->plan->builder;
  const int is_filling = to->block->base != NULL, first_frame = 1 + to->plan->size.links;
  ff_model *m = to->model;
  for (int i = 0; i < b->frame_count; ++i) {
    const char *name = ffi_block_string(to->block, b->frames[i].name);
    if (is_filling)
      ((ffi_frame *)m->frames)[first_frame + i].name = name;
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
  for (int i = 0; i < b->tendon_count; ++i) {
    const char *name = ffi_block_string(to->block, b->tendons[i].name);
    if (is_filling)
      ((ff_tendon_info *)m->tendons)[i].name = name;
  }
  for (int i = 0; i < b->posture_count; ++i) {
    const char *name = ffi_block_string(to->block, b->postures[i]);
    if (is_filling)
      ((ffi_posture *)m->postures)[i].name = name;
  }
}

static void place_names(placing *to)
{
  const ff_builder *b = to->plan->builder;
  const char **warnings = ffi_block_take(to->block, (size_t)to->plan->size.warnings, sizeof *warnings);
  to->model->warnings = warnings;
  to->model->name = ffi_block_string(to->block, b->name);
  const char *world = ffi_block_string(to->block, "world");
  if (to->block->base)
    ((ffi_frame *)to->model->frames)[0].name = world;
  place_link_names(to);
  place_shape_names(to);
  place_other_names(to);
  for (int i = 0; i < to->plan->size.warnings; ++i) {
    const char *text =
        ffi_block_string(to->block, i < b->warning_count ? b->warnings[i] : to->plan->neutral_warning);
    if (to->block->base)
      warnings[i] = text;
  }
}

// ---- The whole --------------------------------------------------------------------------------------------

ff_model *ffi_compile_place(const ffi_compile_plan *plan, ffi_block *block, ff_model *scratch)
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
  place_lift(&to);
  place_frames(&to);
  place_shapes(&to);
  place_collisions(&to);
  place_actuators(&to);
  place_tendons(&to);
  place_elements(&to);
  place_postures(&to);
  place_by_name(&to);
  place_names(&to);
  return model;
}
