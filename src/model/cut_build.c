// Makes the cut model through the builder: everything of the source in the source's order.
#include "base/fail.h"
#include "math/quaternion.h"
#include "model/builder.h"
#include "model/cut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct build {
  ff_cut *cut;
  const ff_model *source;
  ff_builder *b;
  int at_joints;           // pieces float there, not at their centres of mass
  ffi_names joints;        // names of all joints of the source, and of the free ones that are new
  ffi_names frames;        // names of all links and frames of the source
  int *id;                 // [source's links] in the builder
  const char **free_names; // [source's joints] of those that are cut
  const char **fixed_names;
  const char **elements; // [source's joints] likewise
  ff_error *error;
} build;

static ff_status no_memory(ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_cut_create", "there is not enough memory");
}

// A new name such as "shank_free", with underscores appended until it is unique. In the builder's arena; NULL without
// memory.
static const char *new_name(build *to, const ffi_names *taken, const char *name, const char *ending)
{
  char text[FF_MAX_NAME + 64];
  size_t length = (size_t)snprintf(text, sizeof text, "%.*s%s", (int)FF_MAX_NAME, name, ending);
  while (ffi_names_find(taken, text) >= 0 && length + 1 < sizeof text)
    memcpy(text + length++, "_", 2);
  return ffi_arena_string(&to->b->arena, text);
}

static int id_of(const build *to, int link)
{
  return link < 0 ? FF_WORLD : to->id[link];
}

static int is_cut(const build *to, int joint)
{
  return joint >= 0 && to->cut->joints[joint].is_cut;
}

// ---- Links ----------------------------------------------------------------------------------------------------------

static const char *new_joint(build *to, const char *link, const char *ending)
{
  const char *name = new_name(to, &to->joints, link, ending);
  if (!name || !ffi_names_reserve(&to->joints))
    return NULL;
  ffi_names_put(&to->joints, name, 0);
  return name;
}

static ff_status name_pieces(build *to)
{
  for (int i = 0; i < to->source->size.links; ++i) {
    if (!ffi_names_reserve(&to->joints))
      return no_memory(to->error);
    ffi_names_put(&to->joints, to->source->links[i].joint_name, i);
  }
  for (int i = 0; i < to->source->size.frames; ++i) {
    if (!ffi_names_reserve(&to->frames))
      return no_memory(to->error);
    ffi_names_put(&to->frames, to->source->frames[i].name, i);
  }
  for (int j = 0; j < to->source->size.joints; ++j) {
    if (!is_cut(to, j))
      continue;
    const char *link = to->source->links[to->source->joints[j].link].name;
    if (!(to->free_names[j] = new_joint(to, link, "_free")) ||
        !(to->fixed_names[j] = new_joint(to, link, "_fixed")))
      return no_memory(to->error);
  }
  return FF_OK;
}

// Where a link is with every joint at zero.
static ff_pose neutral_pose(const ff_model *source, int link)
{
  ff_pose pose = ff_pose_identity();
  for (; link >= 0; link = source->links[link].parent)
    pose = ff_pose_compose(&source->links[link].pose, &pose);
  return pose;
}

static ff_joint_def describe_joint(const ff_model *source, int link)
{
  const ff_link_info *info = &source->links[link];
  ff_joint_def def = ff_joint_def_default();
  def.name = info->joint_name;
  def.type = info->joint_type;
  def.pose = info->pose;
  if (def.type == FF_JOINT_FIXED)
    return def;
  const ff_joint_info *joint = &source->joints[info->joint];
  ffi_v3_copy(joint->axis, def.axis);
  def.has_limits = joint->has_limits;
  def.lower = joint->lower;
  def.upper = joint->upper;
  def.effort = joint->effort;
  def.velocity = joint->velocity;
  def.damping = joint->damping;
  def.friction = joint->friction;
  def.armature = joint->armature;
  def.stiffness = joint->stiffness;
  def.spring_reference = joint->spring_reference;
  return def;
}

// The centre of mass of a joint's body in the frame of its link; the link's origin if it has no mass.
static void find_centre(const ff_model *source, int joint, double centre[3])
{
  const ffi_body *body = &source->bodies[joint + 1];
  const ffi_frame *link = &source->frames[source->links[source->joints[joint].link].frame];
  double at[3];
  ffi_v3_set(0, 0, 0, centre);
  if (!(body->mass > 0))
    return;
  ffi_v3_scale(1 / body->mass, body->mc, at);
  ffi_v3_sub(at, link->p, at);
  ffi_m3_tmulv(link->R, at, centre);
}

// What floats in place of a joint: the link itself, or a link 'shank_com' without mass, to which 'shank' is fixed.
static ff_status add_piece(build *to, int link, ff_link_def *def)
{
  const int joint = to->source->links[link].joint;
  double *centre = to->cut->centre[joint];
  ff_link_def root = ff_link_def_default();
  ff_pose shift = ff_pose_identity();
  const ff_pose pose = neutral_pose(to->source, link);
  int id;
  if (to->at_joints) {
    def->joint.name = to->free_names[joint];
    def->joint.type = FF_JOINT_FREE;
    def->joint.pose = pose;
    ff_status status = ff_builder_add_link(to->b, def, &to->id[link], to->error);
    if (status == FF_OK)
      to->b->links[to->id[link]].carrier = id_of(to, to->source->link_carrier[link]);
    return status;
  }
  find_centre(to->source, joint, centre);
  ffi_v3_copy(centre, shift.position);
  root.name = new_name(to, &to->frames, def->name, "_com");
  root.joint.name = to->free_names[joint];
  root.joint.type = FF_JOINT_FREE;
  root.joint.pose = ff_pose_compose(&pose, &shift);
  def->joint.name = to->fixed_names[joint];
  ffi_v3_scale(-1, centre, def->joint.pose.position);
  if (!root.name)
    return no_memory(to->error);
  ff_status status = ff_builder_add_link(to->b, &root, &id, to->error);
  if (status != FF_OK)
    return status;
  to->b->links[id].carrier = id_of(to, to->source->link_carrier[link]);
  def->parent = id;
  return ff_builder_add_link(to->b, def, &to->id[link], to->error);
}

static ff_status add_links(build *to)
{
  ff_status status = FF_OK;
  for (int i = 0; i < to->source->size.links && status == FF_OK; ++i) {
    const ff_link_info *info = &to->source->links[i];
    ff_link_def def = ff_link_def_default();
    def.name = info->name;
    def.inertia = info->inertia;
    def.gravity_compensation = info->gravity_compensation;
    if (info->joint_type != FF_JOINT_FIXED && is_cut(to, info->joint)) {
      status = add_piece(to, i, &def);
      continue;
    }
    def.joint = describe_joint(to->source, i);
    def.parent = id_of(to, info->parent);
    status = ff_builder_add_link(to->b, &def, &to->id[i], to->error);
    if (status == FF_OK)
      to->b->links[to->id[i]].carrier = id_of(to, to->source->link_carrier[i]);
  }
  return status;
}

// ---- What links carry -----------------------------------------------------------------------------------------------

static ff_status add_frames(build *to)
{
  const ff_model *source = to->source;
  ff_status status = FF_OK;
  for (int i = 1 + source->size.links; i < source->size.frames && status == FF_OK; ++i) {
    const ffi_frame *frame = &source->frames[i], *link = &source->frames[frame->link + 1];
    ff_pose pose;
    double R[9], offset[3];
    ffi_m3_tmul(link->R, frame->R, R);
    ffi_m3_snap(R);
    ffi_quat_from_matrix(R, pose.quaternion);
    ffi_v3_sub(frame->p, link->p, offset);
    ffi_m3_tmulv(link->R, offset, pose.position);
    status = ff_builder_add_frame(to->b, id_of(to, frame->link), frame->name, &pose, to->error);
  }
  return status;
}

static ff_status add_shapes(build *to)
{
  ff_status status = FF_OK;
  for (int i = 0; i < to->source->size.shapes && status == FF_OK; ++i) {
    const ff_shape_info *shape = &to->source->shapes[i];
    status = ff_builder_add_shape(to->b, id_of(to, shape->link), &shape->def, to->error);
  }
  return status;
}

// Tendons keep their order, so an id is the number in the source.
static ff_status add_tendons(build *to)
{
  ff_status status = FF_OK;
  for (int i = 0; i < to->source->size.tendons && status == FF_OK; ++i) {
    const ff_tendon_info *tendon = &to->source->tendons[i];
    int *links = malloc((size_t)tendon->count * sizeof *links);
    if (!links)
      return ffi_fail(to->error, FF_ERROR_MEMORY, NULL, 0, "ff_cut_create", "there is not enough memory");
    for (int k = 0; k < tendon->count; ++k)
      links[k] = id_of(to, to->source->joints[tendon->joints[k]].link);
    status = ff_builder_add_tendon(to->b, tendon->name, tendon->count, links, tendon->coefficients, NULL,
                                   to->error);
    free(links);
  }
  return status;
}

static ff_status add_actuators(build *to)
{
  ff_status status = FF_OK;
  for (int i = 0; i < to->source->size.actuators && status == FF_OK; ++i) {
    const ff_actuator_info *info = &to->source->actuators[i];
    ff_actuator_def def = {
        .name = info->name,
        .type = (ff_actuator_type)info->type,
        .link = info->joint < 0 ? FF_WORLD : id_of(to, to->source->joints[info->joint].link),
        .gear = info->gear,
        .kp = info->kp,
        .kv = info->kv,
        .control_range = {info->control_range[0], info->control_range[1]},
        .force_range = {info->force_range[0], info->force_range[1]},
        .tendon = info->tendon,
        .frame = info->frame < 0 ? NULL : to->source->frames[info->frame].name,
    };
    memcpy(def.wrench, info->wrench, sizeof def.wrench);
    if (!is_cut(to, info->joint))
      status = ff_builder_add_actuator(to->b, &def, to->error);
  }
  return status;
}

static const char *joint_name(const ff_model *source, int joint)
{
  return joint < 0 ? NULL : source->joints[joint].name;
}

static ff_status add_elements(build *to)
{
  const ff_model *source = to->source;
  ff_status status = FF_OK;
  for (int i = 0; i < source->size.elements && status == FF_OK; ++i) {
    const ff_element_def *e = &source->elements[i];
    if (is_cut(to, e->joint))
      continue;
    const int is_joint = ff_element_type_is_joint(e->type) || e->type == FF_ELEMENT_COUPLING;
    const char *on = is_joint ? joint_name(source, e->joint) : source->frames[e->a.frame].name;
    const char *other = is_joint ? joint_name(source, e->leader) : source->frames[e->b.frame].name;
    status = ff_builder_add_element(to->b, e, on, other, to->error);
  }
  return status;
}

// ---- Cut joints -----------------------------------------------------------------------------------------------------

static ff_element_type element_type(ff_joint_type type)
{
  switch (type) {
  case FF_JOINT_SPHERICAL: return FF_ELEMENT_POINT;
  case FF_JOINT_PRISMATIC: return FF_ELEMENT_SLIDER;
  case FF_JOINT_PLANAR: return FF_ELEMENT_PLANAR;
  default: return FF_ELEMENT_HINGE;
  }
}

static ff_status hold_joint(build *to, int j)
{
  const ff_joint_info *joint = &to->source->joints[j];
  const ff_link_info *link = &to->source->links[joint->link];
  const char *seat = new_name(to, &to->b->frame_names, joint->name, "_frame");
  const char *name = new_name(to, &to->b->element_names, joint->name, "");
  if (!seat || !name)
    return no_memory(to->error);
  to->elements[j] = name;
  ff_status status = ff_builder_add_frame(to->b, id_of(to, link->parent), seat, &link->pose, to->error);
  if (status != FF_OK)
    return status;
  ff_element_def def = ff_element_def_default();
  def.name = name;
  def.type = element_type(joint->type);
  def.is_rigid = 1;
  ffi_v3_copy(joint->axis, def.axis);
  return ff_builder_add_element(to->b, &def, link->name, seat, to->error);
}

static ff_status hold_joints(build *to)
{
  ff_status status = FF_OK;
  for (int j = 0; j < to->source->size.joints && status == FF_OK; ++j)
    if (is_cut(to, j))
      status = hold_joint(to, j);
  return status;
}

// The source's warnings say all; what the builder found again is the same, without a place in a file.
static ff_status keep_warnings(build *to)
{
  ff_status status = FF_OK;
  to->b->warning_count = 0;
  for (int i = 0; i < to->source->size.warnings && status == FF_OK; ++i)
    status = ff_builder_add_warning(to->b, to->source->warnings[i], to->error);
  return status;
}

// ---- The whole ------------------------------------------------------------------------------------------------------

static void find_joints(build *to)
{
  for (int j = 0; j < to->source->size.joints; ++j) {
    ff_cut_joint *joint = &to->cut->joints[j];
    joint->joint =
        ff_model_find_joint(to->cut->model, joint->is_cut ? to->free_names[j] : to->source->joints[j].name);
    joint->element = joint->is_cut ? ff_model_find_element(to->cut->model, to->elements[j]) : -1;
  }
}

static ff_status finish(build *to)
{
  ff_model_destroy(to->cut->model);
  return ff_builder_finish(to->b, &to->cut->model, to->error);
}

// Postures need the cut, and the model needs the postures: so it is compiled again.
static ff_status spread_postures(build *to)
{
  ff_status status = FF_OK;
  double *q = calloc((size_t)to->cut->model->size.nq + 1, sizeof *q);
  if (!q)
    return no_memory(to->error);
  for (int p = 0; p < to->source->size.postures; ++p) {
    ff_cut_spread(to->cut, to->source->postures[p].q, NULL, q, NULL);
    for (int j = 0; j < to->source->size.joints && status == FF_OK; ++j) {
      const ff_joint_info *piece = &to->cut->model->joints[to->cut->joints[j].joint];
      const int id = id_of(to, to->source->joints[j].link);
      status = ff_builder_set_posture(to->b, to->source->postures[p].name,
                                      is_cut(to, j) && !to->at_joints ? to->b->links[id].def.parent : id,
                                      q + piece->q, piece->nq, to->error);
    }
  }
  free(q);
  return status == FF_OK && to->source->size.postures > 0 ? finish(to) : status;
}

static ff_status run(build *to)
{
  static ff_status (*const stages[])(build *) = {name_pieces,   add_links,     add_frames,   add_shapes,
                                                 add_tendons,   add_actuators, add_elements, hold_joints,
                                                 keep_warnings, finish};
  ff_status status = ff_builder_set_gravity(to->b, to->source->gravity, to->error);
  for (size_t i = 0; i < sizeof stages / sizeof stages[0] && status == FF_OK; ++i)
    status = stages[i](to);
  if (status != FF_OK)
    return status;
  find_joints(to);
  return spread_postures(to);
}

ff_status ffi_cut_build(ff_cut *cut, const ff_cut_def *def, ff_error *error)
{
  const size_t joints = (size_t)cut->source->size.joints + 1;
  build to = {.cut = cut, .source = cut->source, .at_joints = def->place == FF_CUT_AT_JOINTS, .error = error};
  to.free_names = calloc(joints, sizeof *to.free_names);
  to.fixed_names = calloc(joints, sizeof *to.fixed_names);
  to.elements = calloc(joints, sizeof *to.elements);
  to.id = calloc((size_t)cut->source->size.links + 1, sizeof *to.id);
  const int has_memory = to.free_names && to.fixed_names && to.elements && to.id;
  ff_status status = ff_builder_create(cut->source->name, &to.b, error);
  if (status == FF_OK)
    status = has_memory ? run(&to) : no_memory(error);
  ff_builder_destroy(to.b);
  ffi_names_free(&to.joints);
  ffi_names_free(&to.frames);
  free(to.id);
  free(to.free_names);
  free(to.fixed_names);
  free(to.elements);
  return status;
}
