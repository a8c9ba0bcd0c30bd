// Whole-body control as squats and walks use it.
#include "base/fail.h"
#include "control/controller.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ff_status ffi_controller_tasks_frame(const ff_controller *c, const char *field, const char *name, int *frame,
                                     ff_error *error)
{
  ff_frame_info info;
  if (!name)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "a frame must be named");
  *frame = ff_model_find_frame(c->model, name);
  if (*frame < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "'%s' has no frame '%s'",
                    ff_model_name(c->model), name);
  ff_model_frame(c->model, *frame, &info);
  if (info.joint < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "the frame '%s' does not move", name);
  return FF_OK;
}

ff_contact_task ffi_controller_tasks_contact(const ff_tasks_def *tasks)
{
  ff_contact_task contact = ff_contact_task_default();
  contact.friction = tasks->friction;
  contact.min_force = tasks->min_force;
  contact.max_force = tasks->max_force;
  contact.task = tasks->contact;
  return contact;
}

// The joints' effort limits, as whole-body control takes them [nv].
static double *effort_limits(const ff_controller *c)
{
  double *limits = malloc(((size_t)c->nv + 1) * sizeof *limits);
  ff_joint_info joint;
  for (int j = 0; limits && ff_model_joint(c->model, j, &joint) == FF_OK; ++j)
    for (int k = 0; k < joint.nv; ++k)
      limits[joint.v + k] = joint.nv == 1 ? joint.effort : INFINITY;
  return limits;
}

ff_status ffi_controller_tasks_body(ff_controller *c, const ff_controller_def *def, ff_whole_body_def *body,
                                    const double *q0, ff_error *error)
{
  const ff_tasks_def *tasks = &def->tasks;
  double *limits = NULL;
  if (tasks->torque_limits) {
    limits = effort_limits(c);
    if (!limits)
      return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a controller");
  }
  body->com = tasks->com;
  body->posture = tasks->posture;
  body->force_weight = tasks->force_weight;
  body->acceleration_weight = tasks->acceleration_weight;
  body->torque_limits = limits;
  body->hold = def->middle ? def->period : 0;
  const ff_status status = ff_whole_body_create(c->model, body, &c->body, error);
  free(limits);
  if (status == FF_OK)
    ff_whole_body_hold(c->body, q0);
  return status;
}

ff_status ffi_controller_tasks_solve(ff_controller *c, const double *q, const double *v, double *tau,
                                     ff_error *error)
{
  const ff_status status = ff_whole_body_solve(c->body, q, v, error);
  if (status == FF_OK)
    memcpy(tau, ff_whole_body_tau(c->body), (size_t)c->nv * sizeof *tau);
  return status;
}
