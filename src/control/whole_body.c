// Whole-body controllers: creation, contacts, references.
#include "control/whole_body.h"

#include "base/fail.h"
#include "math/quaternion.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- Defaults -----------------------------------------------------------------------------------------------------

ff_task ff_task_default(void)
{
  return (ff_task){.kp = 10, .kd = -1};
}

ff_contact_task ff_contact_task_default(void)
{
  ff_contact_task task = {.normal = {0, 0, 1}, .friction = 1, .max_force = INFINITY, .is_on = 1};
  task.task = ff_task_default();
  task.task.is_strict = 1;
  return task;
}

ff_frame_task ff_frame_task_default(void)
{
  ff_frame_task task = {.mask = {1, 1, 1, 1, 1, 1}};
  task.task = ff_task_default();
  task.task.weight = 1;
  return task;
}

ff_whole_body_def ff_whole_body_def_default(void)
{
  ff_whole_body_def def = {.force_weight = 1e-7, .acceleration_weight = 1e-8, .max_iterations = 1000};
  def.com = def.posture = def.momentum = ff_task_default();
  def.posture.weight = 1e-3;
  return def;
}

// ---- Creation -----------------------------------------------------------------------------------------------------

static double *doubles(ffi_block *block, int count)
{
  return ffi_block_take(block, (size_t)count, sizeof(double));
}

static void layout_rows(ffi_whole_body_rows *rows, int count, int nv, ffi_block *block)
{
  rows->J = doubles(block, count * nv);
  rows->a = doubles(block, count);
}

static void layout_tasks(ff_whole_body *body, ffi_block *block)
{
  const ff_whole_body_def *def = &body->def;
  const int nv = body->nv;
  body->stands = ffi_block_take(block, (size_t)def->contact_count, sizeof *body->stands);
  body->aims = ffi_block_take(block, (size_t)def->frame_count, sizeof *body->aims);
  for (int i = 0; i < def->contact_count; ++i) {
    const size_t points = (size_t)def->contacts[i].point_count;
    ffi_whole_body_contact waste, *stand = body->stands ? &body->stands[i] : &waste;
    stand->points = ffi_block_take(block, points, sizeof *stand->points);
    stand->force = ffi_block_take(block, 3 * points, sizeof *stand->force);
    layout_rows(&stand->rows, 6, nv, block);
  }
  for (int i = 0; i < def->frame_count; ++i) {
    ffi_whole_body_frame waste, *aim = body->aims ? &body->aims[i] : &waste;
    layout_rows(&aim->rows, 6, nv, block);
  }
  layout_rows(&body->com, 3, nv, block);
  layout_rows(&body->momentum, 3, nv, block);
}

// Run twice, counting and placing.
static void layout(ff_whole_body *body, ffi_block *block)
{
  const int nv = body->nv, n = nv + 3 * body->max_points, rows = ffi_whole_body_program_most_rows(body);
  layout_tasks(body, block);
  body->is_driven = ffi_block_take(block, (size_t)nv, 1);
  body->posture = doubles(block, body->nq);
  body->torque_limits = doubles(block, nv);
  body->M = doubles(block, nv * nv);
  body->h = doubles(block, nv);
  body->points = ffi_block_take(block, (size_t)body->max_points, sizeof *body->points);
  body->point_J = doubles(block, 3 * body->max_points * nv);
  body->middle_q = doubles(block, body->nq);
  body->middle_v = doubles(block, nv);
  body->difference = doubles(block, nv);
  body->posture_a = doubles(block, nv);
  body->H = doubles(block, n * n);
  body->g = doubles(block, n);
  body->A = doubles(block, rows * n);
  body->b = doubles(block, rows);
  ffi_qp_layout(n, rows, block, &body->work);
  body->guess = ffi_block_take(block, (size_t)n, sizeof *body->guess);
  body->tau = doubles(block, nv);
  body->vdot = doubles(block, nv);
}

// The only tree, if it floats.
static void find_root(ff_whole_body *body)
{
  const ff_model_size size = ff_model_get_size(body->model);
  ff_joint_info joint;
  ff_link_info link;
  body->root_v = -1;
  ff_model_joint(body->model, 0, &joint);
  if (size.joints == 0 || size.roots != 1 || joint.type != FF_JOINT_FREE)
    return;
  ff_model_link(body->model, joint.link, &link);
  body->root_v = joint.v;
  body->root_frame = link.frame;
}

// Two tangents of a unit normal.
static void find_tangents(ffi_whole_body_contact *stand)
{
  const double *n = stand->task.normal;
  double axis[3] = {0, 0, 0}, *t = stand->tangent[1];
  axis[fabs(n[0]) < 0.9 ? 0 : 1] = 1;
  ffi_v3_cross(n, axis, t);
  ffi_v3_scale(1 / ffi_v3_norm(t), t, t);
  ffi_v3_cross(t, n, stand->tangent[0]);
}

static void fill(ff_whole_body *body, const ff_whole_body_def *def)
{
  const ff_model_size size = ff_model_get_size(body->model);
  for (int i = 0; i < def->contact_count; ++i) {
    ffi_whole_body_contact *stand = &body->stands[i];
    stand->task = def->contacts[i];
    stand->first = -1;
    ffi_v3_scale(1 / ffi_v3_norm(stand->task.normal), stand->task.normal, stand->task.normal);
    find_tangents(stand);
    for (int p = 0; p < stand->task.point_count; ++p) {
      stand->points[p].frame = stand->task.frame;
      ffi_v3_copy(stand->task.points + 3 * p, stand->points[p].offset);
    }
    stand->task.points = NULL;
  }
  for (int i = 0; i < def->frame_count; ++i)
    body->aims[i].task = def->frames[i];
  for (int i = 0; i < body->nv; ++i)
    body->torque_limits[i] = def->torque_limits ? def->torque_limits[i] : INFINITY;
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(body->model, j, &joint);
    for (int k = 0; k < joint.nv; ++k)
      body->is_driven[joint.v + k] = joint.type != FF_JOINT_FREE;
  }
  body->def.contacts = NULL; // the caller's
  body->def.frames = NULL;
  body->def.torque_limits = NULL;
}

static ff_whole_body *build(ff_whole_body *plan)
{
  ffi_block measure = {0};
  ffi_block_take(&measure, 1, sizeof *plan);
  layout(plan, &measure);
  char *memory = calloc(1, measure.used + FFI_BLOCK_ALIGN);
  if (!memory)
    return NULL;
  ffi_block block = {.base = memory + (FFI_BLOCK_ALIGN - (uintptr_t)memory % FFI_BLOCK_ALIGN)};
  ff_whole_body *body = ffi_block_take(&block, 1, sizeof *body);
  *body = *plan;
  layout(body, &block);
  body->memory = memory;
  return body;
}

ff_status ff_whole_body_create(const ff_model *model, const ff_whole_body_def *def, ff_whole_body **out,
                               ff_error *error)
{
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_whole_body_create", "`out` is NULL");
  *out = NULL;
  if (!model || !def)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_whole_body_create",
                    "the model or the def is NULL");
  ff_status status = ffi_whole_body_check(model, def, error);
  if (status != FF_OK)
    return status;
  const ff_model_size size = ff_model_get_size(model);
  ff_whole_body plan = {.model = model, .def = *def, .nq = size.nq, .nv = size.nv};
  find_root(&plan);
  if (ffi_whole_body_is_used(&def->momentum) && plan.root_v < 0)
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, "momentum",
                    "a task on angular momentum needs a model of one tree that floats");
  for (int i = 0; i < def->contact_count; ++i)
    plan.max_points += def->contacts[i].point_count;
  ff_dynamics_def dynamics = ff_dynamics_def_default();
  dynamics.max_points = plan.max_points > 0 ? plan.max_points : 1;
  status = ff_dynamics_create(model, &dynamics, &plan.dynamics, error);
  if (status != FF_OK)
    return status;
  ff_whole_body *body = build(&plan);
  if (!body) {
    ff_dynamics_destroy(plan.dynamics);
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_whole_body_create", "no memory");
  }
  fill(body, def);
  ff_model_neutral(model, body->posture);
  ff_whole_body_hold(body, body->posture);
  *out = body;
  return FF_OK;
}

void ff_whole_body_destroy(ff_whole_body *body)
{
  if (!body)
    return;
  ff_dynamics_destroy(body->dynamics);
  free(body->memory); // the body is in it
}

// ---- References ---------------------------------------------------------------------------------------------------

void ff_whole_body_hold(ff_whole_body *body, const double *q)
{
  ffi_whole_body_tasks_evaluate(body, q);
  memset(body->com_reference, 0, sizeof body->com_reference);
  ff_dynamics_com(body->dynamics, body->com_reference[0]);
  ff_whole_body_set_posture(body, q);
  for (int i = 0; i < body->def.frame_count; ++i)
    ffi_whole_body_tasks_reference(body, body->aims[i].task.frame, &body->aims[i].at);
  for (int i = 0; i < body->def.contact_count; ++i)
    ffi_whole_body_tasks_contact(body, &body->stands[i]);
}

// NULL is zero.
static void copy_or_zero(int n, const double *from, double *to)
{
  for (int i = 0; i < n; ++i)
    to[i] = from ? from[i] : 0;
}

void ff_whole_body_set_com(ff_whole_body *body, const double position[3], const double velocity[3],
                           const double acceleration[3])
{
  ffi_v3_copy(position, body->com_reference[0]);
  copy_or_zero(3, velocity, body->com_reference[1]);
  copy_or_zero(3, acceleration, body->com_reference[2]);
}

void ff_whole_body_set_posture(ff_whole_body *body, const double *q)
{
  memmove(body->posture, q, (size_t)body->nq * sizeof *q);
}

void ff_whole_body_set_frame(ff_whole_body *body, int frame_task, const ff_pose *pose, const double *velocity,
                             const double *acceleration)
{
  assert(frame_task >= 0 && frame_task < body->def.frame_count);
  ffi_whole_body_reference *at = &body->aims[frame_task].at;
  ffi_v3_copy(pose->position, at->position);
  ffi_quat_normalize(pose->quaternion, at->quaternion);
  copy_or_zero(6, velocity, at->velocity);
  copy_or_zero(6, acceleration, at->acceleration);
}

void ff_whole_body_set_frame_weight(ff_whole_body *body, int frame_task, double weight)
{
  assert(frame_task >= 0 && frame_task < body->def.frame_count && weight >= 0);
  body->aims[frame_task].task.task.weight = weight;
}

void ff_whole_body_set_contact(ff_whole_body *body, int contact, int is_on, const double *q)
{
  assert(contact >= 0 && contact < body->def.contact_count);
  ffi_whole_body_contact *stand = &body->stands[contact];
  if (is_on && q) {
    ffi_whole_body_tasks_evaluate(body, q);
    ffi_whole_body_tasks_contact(body, stand);
  }
  stand->task.is_on = is_on != 0;
}

int ff_whole_body_contact_is_on(const ff_whole_body *body, int contact)
{
  assert(contact >= 0 && contact < body->def.contact_count);
  return body->stands[contact].task.is_on;
}
