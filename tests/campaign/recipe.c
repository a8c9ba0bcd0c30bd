// Makes a model, a def and a start of a recipe, through the public builder.
#include "campaign/recipe.h"

#include "campaign/recipe_lines.h"

#include <footfall/dynamics.h>
#include <footfall/option.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ffi_recipe_link_name(int link, char name[16])
{
  snprintf(name, 16, "L%d", link);
}

int ffi_recipe_nq(ff_joint_type type)
{
  static const int nq[] = {0, 7, 3, 4, 1, 1, 1}; // in the order of ff_joint_type
  return nq[type];
}

int ffi_recipe_nv(ff_joint_type type)
{
  static const int nv[] = {0, 6, 3, 3, 1, 1, 1};
  return nv[type];
}

// ---- The model ----------------------------------------------------------------------------------------------

ff_shape_def ffi_recipe_shape_def(const ffi_recipe_shape *shape)
{
  ff_shape_def def = ff_shape_def_default();
  def.type = shape->type;
  memcpy(def.size, shape->size, sizeof def.size);
  def.pose = shape->pose;
  def.purpose = shape->purpose;
  def.material = shape->material;
  if (shape->type == FF_SHAPE_HULL) {
    def.vertices = shape->vertices;
    def.vertex_count = FFI_RECIPE_VERTICES;
  }
  if (shape->type == FF_SHAPE_HEIGHTFIELD) {
    def.heights = shape->heights;
    def.rows = def.columns = FFI_RECIPE_GRID;
  }
  return def;
}

static ff_status add_link(ff_builder *builder, const ffi_recipe_link *link, int i, ff_error *error)
{
  char name[16], joint[16];
  ff_link_def def = ff_link_def_default();
  ffi_recipe_link_name(i, name);
  snprintf(joint, sizeof joint, "J%02d", i);
  def.name = name;
  def.parent = link->parent;
  def.joint.name = joint;
  def.joint.type = link->type;
  def.joint.pose = link->pose;
  memcpy(def.joint.axis, link->axis, sizeof def.joint.axis);
  def.joint.has_limits = link->has_limits && link->type != FF_JOINT_CONTINUOUS;
  def.joint.lower = link->lower;
  def.joint.upper = link->upper;
  def.joint.damping = link->damping;
  def.joint.friction = link->friction;
  def.joint.armature = link->armature;
  def.joint.stiffness = link->stiffness;
  def.joint.spring_reference = link->spring_reference;
  def.inertia = link->inertia;
  return ff_builder_add_link(builder, &def, NULL, error);
}

static ff_status add_servo(ff_builder *builder, const ffi_recipe_link *link, int i, ff_error *error)
{
  ff_actuator_def def = ff_actuator_def_default();
  def.type = FF_ACTUATOR_POSITION;
  def.link = i;
  def.gear = link->gear;
  def.kp = link->kp;
  def.kv = link->kv;
  def.force_range[0] = -link->force_range;
  def.force_range[1] = link->force_range;
  return ff_builder_add_actuator(builder, &def, error);
}

ff_builder *ffi_recipe_builder(const ffi_recipe *r, ff_error *error)
{
  ff_builder *builder = NULL;
  ff_status status = ff_builder_create("scene", &builder, error);
  for (int i = 0; i < r->link_count && status == FF_OK; ++i)
    status = add_link(builder, &r->links[i], i, error);
  for (int i = 0; i < r->link_count && status == FF_OK; ++i)
    if (r->links[i].has_servo && ffi_recipe_nv(r->links[i].type) == 1)
      status = add_servo(builder, &r->links[i], i, error);
  for (int i = 0; i < r->shape_count && status == FF_OK; ++i) {
    const ff_shape_def def = ffi_recipe_shape_def(&r->shapes[i]);
    status = ff_builder_add_shape(builder, r->shapes[i].link, &def, error);
  }
  if (status == FF_OK)
    status = ffi_recipe_lines_build(r, builder, error);
  if (status == FF_OK)
    status = ff_builder_set_gravity(builder, r->gravity, error);
  if (status == FF_OK)
    return builder;
  ff_builder_destroy(builder);
  return NULL;
}

// ---- The start ----------------------------------------------------------------------------------------------

static ff_status place_start(const ffi_recipe *r, ffi_recipe_made *out)
{
  const ff_model_size size = ff_model_get_size(out->model);
  out->q = calloc((size_t)size.nq + 1, sizeof *out->q);
  out->v = calloc((size_t)size.nv + 1, sizeof *out->v);
  out->tau = calloc((size_t)size.nv + 1, sizeof *out->tau);
  if (!out->q || !out->v || !out->tau)
    return FF_ERROR_MEMORY;
  for (int i = 0; i < r->link_count; ++i) {
    char name[16];
    ff_joint_info joint;
    snprintf(name, sizeof name, "J%02d", i);
    out->joint_of[i] = ff_model_find_joint(out->model, name);
    if (ff_model_joint(out->model, out->joint_of[i], &joint) != FF_OK)
      continue;
    memcpy(out->q + joint.q, r->links[i].q, (size_t)joint.nq * sizeof *out->q);
    memcpy(out->v + joint.v, r->links[i].v, (size_t)joint.nv * sizeof *out->v);
    for (int k = 0; k < joint.nv; ++k)
      out->tau[joint.v + k] = (k % 2 ? -1 : 1) * r->links[i].tau;
  }
  ffi_recipe_lines_start(r, out);
  return FF_OK;
}

// ---- Elements -----------------------------------------------------------------------------------------------

static int is_joint_element(ff_element_type type)
{
  return type == FF_ELEMENT_JOINT_PD || type == FF_ELEMENT_JOINT_LIMIT || type == FF_ELEMENT_JOINT_FRICTION ||
         type == FF_ELEMENT_COUPLING;
}

static int frame_of(const ff_model *model, int link)
{
  char name[16];
  ffi_recipe_link_name(link, name);
  return link == FF_WORLD ? 0 : ff_model_find_frame(model, name);
}

// The pose of link b in which the end of a lies, with a's axes: where a closed loop has b's end.
static ff_pose end_in_b(const ffi_recipe_element *e, const ff_model *model, const ff_dynamics *dynamics)
{
  ff_pose a, b;
  double position[3], R[9];
  ff_dynamics_frame_pose(dynamics, frame_of(model, e->a), position, R);
  a = ff_pose_from_rotation(position, R);
  ff_dynamics_frame_pose(dynamics, frame_of(model, e->b), position, R);
  b = ff_pose_from_rotation(position, R);
  ff_pose offset = ff_pose_identity();
  memcpy(offset.position, e->offset_a, sizeof offset.position);
  b = ff_pose_inverse(&b);
  a = ff_pose_compose(&a, &offset);
  return ff_pose_compose(&b, &a);
}

int ffi_recipe_loop_end(const ffi_recipe *r, int element, const ffi_recipe_made *made, ff_pose *pose)
{
  const ffi_recipe_element *e = &r->elements[element];
  ff_dynamics *dynamics = NULL;
  if (is_joint_element(e->type) || !e->is_closed ||
      ff_dynamics_create(made->model, NULL, &dynamics, NULL) != FF_OK)
    return 0;
  ff_dynamics_kinematics(dynamics, made->q, NULL, NULL);
  *pose = end_in_b(e, made->model, dynamics);
  ff_dynamics_destroy(dynamics);
  return 1;
}

// A frame "F3" on the link b of each closed loop, at the other end; made from the model without these frames.
static ff_status add_loop_frames(const ffi_recipe *r, const ffi_recipe_made *made, ff_builder *builder,
                                 ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < r->element_count && status == FF_OK; ++i) {
    char name[16];
    ff_pose pose;
    snprintf(name, sizeof name, "F%d", i);
    if (ffi_recipe_loop_end(r, i, made, &pose))
      status = ff_builder_add_frame(builder, r->elements[i].b, name, &pose, error);
  }
  return status;
}

static void place_ends(const ffi_recipe_element *e, int i, const ff_model *model, ff_element_def *def)
{
  char name[16];
  snprintf(name, sizeof name, "F%d", i);
  const int closed = ff_model_find_frame(model, name);
  def->a.frame = frame_of(model, e->a);
  memcpy(def->a.offset, e->offset_a, sizeof def->a.offset);
  def->b.frame = closed >= 0 ? closed : frame_of(model, e->b);
  if (closed < 0)
    memcpy(def->b.offset, e->offset_b, sizeof def->b.offset);
  memcpy(def->axis, e->axis, sizeof def->axis);
}

// Rigid elements become points under steppers that do not take them. Joint elements are for joints of one coordinate,
// and a joint has one stop. 0: none of it.
static int make_element(const ffi_recipe *r, int i, ffi_recipe_made *made, ff_element_def *def)
{
  const ffi_recipe_element *e = &r->elements[i];
  const int is_hard = ff_stepper_is_hard(r->stepper), is_on_joint = is_joint_element(e->type);
  *def = ff_element_def_default();
  def->type = !is_hard && !is_on_joint && e->type > FF_ELEMENT_WELD ? FF_ELEMENT_POINT : e->type;
  def->is_rigid = is_hard && !is_on_joint && e->is_rigid;
  def->stiffness = e->stiffness;
  def->damping = e->damping;
  def->angular_stiffness = e->angular_stiffness;
  def->angular_damping = e->angular_damping;
  def->reference = e->reference;
  def->reference_velocity = e->reference_velocity;
  def->effort = e->effort;
  def->lower = e->lower;
  def->upper = e->upper;
  def->delay = e->delay;
  if (!is_on_joint) {
    place_ends(e, i, made->model, def);
    return 1;
  }
  if (!ffi_recipe_lines_element(r, e, made, def))
    return 0;
  for (int k = 0; k < i; ++k)
    if (e->type == FF_ELEMENT_JOINT_LIMIT && r->elements[k].type == e->type && !e->tendon &&
        !r->elements[k].tendon && r->elements[k].a == e->a)
      return 0;
  return 1;
}

// ---- The def ------------------------------------------------------------------------------------------------

static ff_status set_option(const ffi_recipe_option *option, ff_sim_def *def, ff_error *error)
{
  const ff_option *row = ff_option_at(option->index);
  char text[40];
  if (strcmp(row->key, "accuracy") == 0 && !ff_option_is_of(row, def->stepper))
    return FF_OK; // the one option that other steppers refuse
  if (row->value.type == FF_VALUE_WORD)
    snprintf(text, sizeof text, "%s", row->value.word((int)option->value));
  else if (row->value.type == FF_VALUE_FLAG)
    snprintf(text, sizeof text, "%s", option->value != 0 ? "on" : "off");
  else
    snprintf(text, sizeof text, "%.17g", option->value);
  return ff_sim_def_set(def, row->key, text, error);
}

static ff_status make_def(const ffi_recipe *r, ffi_recipe_made *out, ff_error *error)
{
  ff_status status = FF_OK;
  out->def = ff_sim_def_default();
  out->def.stepper = r->stepper;
  out->def.dt = r->dt;
  for (int i = 0; i < r->ground_count; ++i) {
    out->grounds[i] = ff_ground_def_default();
    out->grounds[i].shape = ffi_recipe_shape_def(&r->grounds[i].shape);
    memcpy(out->grounds[i].velocity, r->grounds[i].velocity, sizeof out->grounds[i].velocity);
    out->grounds[i].gives_pair = r->grounds[i].gives_pair;
  }
  out->def.ground = out->grounds;
  out->def.ground_count = r->ground_count;
  out->def.elements = out->elements;
  for (int i = 0; i < r->element_count; ++i)
    out->def.element_count += make_element(r, i, out, &out->elements[out->def.element_count]);
  for (int i = 0; i < r->option_count && status == FF_OK; ++i)
    status = set_option(&r->options[i], &out->def, error);
  return status;
}

static ff_status finish(const ffi_recipe *r, ffi_recipe_made *out, ff_error *error)
{
  ff_builder *builder = ffi_recipe_builder(r, error);
  if (!builder)
    return error->status;
  ff_status status = ff_builder_finish(builder, &out->model, error);
  if (status == FF_OK)
    status = place_start(r, out);
  if (status == FF_OK && r->element_count > 0) { // again, with the frames of closed loops
    status = add_loop_frames(r, out, builder, error);
    ff_model_destroy(out->model);
    out->model = NULL;
    if (status == FF_OK)
      status = ff_builder_finish(builder, &out->model, error);
  }
  ff_builder_destroy(builder);
  return status;
}

ff_status ffi_recipe_make(const ffi_recipe *r, ffi_recipe_made *out, ff_error *error)
{
  memset(out, 0, sizeof *out);
  *error = (ff_error){.status = FF_OK};
  const ff_status status = finish(r, out, error);
  return status == FF_OK ? make_def(r, out, error) : status;
}

void ffi_recipe_free(ffi_recipe_made *made)
{
  ff_model_destroy(made->model);
  free(made->q);
  free(made->v);
  free(made->tau);
  memset(made, 0, sizeof *made);
}
