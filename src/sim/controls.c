// Which numbers a controller gives, and where they go.
#include "base/error.h"
#include "sim/sim.h"

#include <footfall/controls.h>

#include <math.h>
#include <string.h>

// The first PD element on a joint that is no spring of its own; -1: none.
static int motor_of(const ff_world *world, int joint)
{
  for (int e = 0; e < world->element_count; ++e) {
    const ffi_element *element = &world->elements[e];
    if (element->def.type == FF_ELEMENT_JOINT_PD && element->def.joint == joint && !element->is_spring)
      return e;
  }
  return -1;
}

// The control of a joint; 0: it has none.
static int control_of(const ff_world *world, int joint, ff_control_info *out)
{
  const ff_joint_info *info = &world->model->joints[joint];
  const int motor = motor_of(world, joint);
  *out = (ff_control_info){.name = info->name,
                           .joint = joint,
                           .v = info->v,
                           .element = motor,
                           .lower = -(double)INFINITY,
                           .upper = (double)INFINITY};
  if (motor < 0) {
    out->kind = FF_CONTROL_TORQUE;
    out->lower = -info->effort;
    out->upper = info->effort;
    return info->nv == 1 && ff_model_drive(world->model, joint) == FF_DRIVE_MOTOR;
  }
  out->kind = world->elements[motor].def.stiffness > 0 ? FF_CONTROL_REFERENCE : FF_CONTROL_RATE;
  if (out->kind == FF_CONTROL_RATE) {
    out->lower = -info->velocity;
    out->upper = info->velocity;
  } else if (info->has_limits) {
    out->lower = info->lower;
    out->upper = info->upper;
  }
  return 1;
}

int ff_world_control_count(const ff_world *world)
{
  ff_control_info info;
  int count = 0;
  for (int j = 0; world && j < world->model->size.joints; ++j)
    count += control_of(world, j, &info);
  return count;
}

ff_status ff_world_control(const ff_world *world, int control, ff_control_info *out)
{
  if (!world || !out)
    return FF_ERROR_ARGUMENT;
  for (int j = 0, count = 0; j < world->model->size.joints; ++j)
    if (control_of(world, j, out) && count++ == control)
      return FF_OK;
  return FF_ERROR_ARGUMENT;
}

int ff_world_find_control(const ff_world *world, const char *joint)
{
  ff_control_info info;
  for (int j = 0, count = 0; world && joint && j < world->model->size.joints; ++j)
    if (control_of(world, j, &info)) {
      if (strcmp(info.name, joint) == 0)
        return count;
      ++count;
    }
  return -1;
}

ff_status ff_sim_set_controls(ff_sim *sim, const double *u, ff_error *error)
{
  ff_control_info info;
  if (!sim || !u)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_controls", "%s is NULL",
                    sim ? "u" : "the sim");
  const ff_world *world = sim->world;
  const int joints = world->model->size.joints;
  for (int j = 0, k = 0; j < joints; ++j) // all of them, or none
    if (control_of(world, j, &info) && !isfinite(u[k++]))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_controls",
                      "the control of joint '%.200s' is %g at t = %.9g s", info.name, u[k - 1],
                      sim->state->time);
  for (int j = 0; j < joints; ++j) {
    if (!control_of(world, j, &info))
      continue;
    const double value = *u++;
    if (info.kind == FF_CONTROL_TORQUE)
      sim->control[info.v] = value;
    else if (info.kind == FF_CONTROL_REFERENCE)
      ff_sim_set_reference(sim, info.element, value, 0);
    else
      ff_sim_set_reference(sim, info.element, sim->state->reference[info.element], value);
  }
  sim->has_control = 1;
  return FF_OK;
}
