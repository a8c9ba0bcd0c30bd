// The inputs of a controller, and where they go.
#include "base/fail.h"
#include "model/model.h"
#include "sim/sim.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ffi_sim_controls_motor(const ff_world *world, int joint)
{
  for (int e = 0; e < world->element_count; ++e) {
    const ffi_element *element = &world->elements[e];
    if (element->def.type == FF_ELEMENT_JOINT_PD && element->def.tendon < 0 && element->def.joint == joint &&
        !element->is_spring)
      return e;
  }
  return -1;
}

// Bounds of the torque on a joint: its effort, and those of its motors, by force and by control.
static void bound_torque(const ff_model *model, ff_control_info *out)
{
  const double effort = model->joints[out->joint].effort;
  out->lower = -effort;
  out->upper = effort;
  for (int i = 0; i < model->size.actuators; ++i) {
    const ff_actuator_info *a = &model->actuators[i];
    if (a->joint != out->joint || a->type != FF_ACTUATOR_MOTOR)
      continue;
    const double ends[2] = {a->gear * a->control_range[0], a->gear * a->control_range[1]};
    out->lower = fmax(out->lower, fmax(a->force_range[0], fmin(ends[0], ends[1])));
    out->upper = fmin(out->upper, fmin(a->force_range[1], fmax(ends[0], ends[1])));
  }
}

// What drives a tendon: a motor among the elements, or actuators of type motor, by force; 0: nothing.
static int control_of_tendon(const ff_world *world, int tendon, ff_control_info *out)
{
  *out = (ff_control_info){.name = world->model->tendons[tendon].name,
                           .kind = FF_CONTROL_TORQUE,
                           .joint = -1,
                           .v = -1,
                           .element = -1,
                           .lower = 0,
                           .upper = 0,
                           .tendon = tendon,
                           .actuator = -1};
  for (int e = 0; e < world->element_count; ++e) {
    const ff_element_def *def = &world->elements[e].def;
    if (def->type != FF_ELEMENT_JOINT_PD || def->tendon != tendon || world->elements[e].is_spring)
      continue;
    out->element = e;
    out->kind = def->stiffness > 0 ? FF_CONTROL_REFERENCE : FF_CONTROL_RATE;
    out->lower = -(double)INFINITY;
    out->upper = (double)INFINITY;
    return 1;
  }
  for (int i = 0; i < world->model->size.actuators; ++i) {
    const ff_actuator_info *a = &world->model->actuators[i];
    if (a->tendon != tendon || a->type != FF_ACTUATOR_MOTOR)
      continue;
    const double ends[2] = {a->gear * a->control_range[0], a->gear * a->control_range[1]};
    out->lower += fmax(a->force_range[0], fmin(ends[0], ends[1]));
    out->upper += fmin(a->force_range[1], fmax(ends[0], ends[1]));
  }
  return out->lower < out->upper;
}

// The control of a joint; 0: it has none.
static int control_of(const ff_world *world, int joint, ff_control_info *out)
{
  const ff_joint_info *info = &world->model->joints[joint];
  const int motor = ffi_sim_controls_motor(world, joint);
  *out = (ff_control_info){.name = info->name,
                           .kind = FF_CONTROL_TORQUE,
                           .joint = joint,
                           .v = info->v,
                           .element = motor,
                           .lower = -(double)INFINITY,
                           .upper = (double)INFINITY,
                           .tendon = -1,
                           .actuator = -1};
  if (motor < 0) {
    bound_torque(world->model, out);
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

// The control of a motor on a frame; 0: it is not on a frame.
static int control_of_actuator(const ff_world *world, int actuator, ff_control_info *out)
{
  const ff_actuator_info *a = &world->model->actuators[actuator];
  if (a->frame < 0)
    return 0;
  *out = (ff_control_info){.name = a->name ? a->name : world->model->frames[a->frame].name,
                           .kind = FF_CONTROL_TORQUE,
                           .joint = -1,
                           .v = -1,
                           .element = -1,
                           .lower = a->control_range[0],
                           .upper = a->control_range[1],
                           .tendon = -1,
                           .actuator = actuator};
  return 1;
}

ff_status ffi_sim_controls_list(ff_world *world, ff_error *error)
{
  ff_control_info info;
  int count = 0;
  for (int j = 0; j < world->model->size.joints; ++j)
    count += control_of(world, j, &info);
  for (int t = 0; t < world->model->size.tendons; ++t)
    count += control_of_tendon(world, t, &info);
  for (int i = 0; i < world->model->size.actuators; ++i)
    count += control_of_actuator(world, i, &info);
  world->controls = calloc((size_t)count + 1, sizeof *world->controls);
  if (!world->controls)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_world_create", "no memory for %d controls", count);
  for (int j = 0; j < world->model->size.joints; ++j)
    world->control_count += control_of(world, j, &world->controls[world->control_count]);
  for (int t = 0; t < world->model->size.tendons; ++t)
    world->control_count += control_of_tendon(world, t, &world->controls[world->control_count]);
  for (int i = 0; i < world->model->size.actuators; ++i)
    world->control_count += control_of_actuator(world, i, &world->controls[world->control_count]);
  return FF_OK;
}

int ff_world_control_count(const ff_world *world)
{
  return world->control_count;
}

ff_status ff_world_control(const ff_world *world, int control, ff_control_info *out)
{
  if (!world || !out || control < 0 || control >= world->control_count)
    return FF_ERROR_ARGUMENT;
  *out = world->controls[control];
  return FF_OK;
}

int ff_world_find_control(const ff_world *world, const char *name)
{
  for (int i = 0; name && i < world->control_count; ++i)
    if (strcmp(world->controls[i].name, name) == 0)
      return i;
  return -1;
}

static ff_status refuse_late(const ff_control_info *control, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, "ff_sim_set_controls",
                  "the motor of '%.200s' has a delay, and more than %d references a second are pending",
                  control->name, FF_REFERENCE_RATE);
}

static void pull_tendon(const ff_model *model, int tendon, double force, double *control)
{
  const ff_tendon_info *t = &model->tendons[tendon];
  for (int k = 0; k < t->count; ++k)
    control[model->joints[t->joints[k]].v] += t->coefficients[k] * force;
}

// control += the generalised force of a motor on a frame, where the frame is now.
static void push_frame(ff_sim *sim, const ff_actuator_info *a, double u, double *control)
{
  const ff_point at = {.frame = a->frame};
  double wrench[6];
  for (int k = 0; k < 6; ++k)
    wrench[k] = u * a->wrench[k];
  ffi_sim_push_add(sim, &at, 1, wrench, control);
}

ff_status ff_sim_set_controls(ff_sim *sim, const double *u, ff_error *error)
{
  if (!sim || !u)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_controls", "%s is NULL",
                    sim ? "u" : "the sim");
  const ff_world *world = sim->world;
  for (int i = 0; i < world->control_count; ++i) // all of them, or none
    if (!isfinite(u[i]))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_controls",
                      "the control of '%.200s' is %g at t = %.9g s", world->controls[i].name, u[i],
                      sim->state->time);
  for (int k = 0; k < world->model->size.nv; ++k)
    sim->control[k] = 0;
  for (int i = 0; i < world->control_count; ++i) {
    const ff_control_info *c = &world->controls[i];
    ff_status status = FF_OK;
    if (c->kind == FF_CONTROL_TORQUE && c->tendon >= 0)
      pull_tendon(world->model, c->tendon, u[i], sim->control);
    else if (c->kind == FF_CONTROL_TORQUE && c->actuator >= 0)
      push_frame(sim, &world->model->actuators[c->actuator], u[i], sim->control);
    else if (c->kind == FF_CONTROL_TORQUE)
      sim->control[c->v] = u[i];
    else if (c->kind == FF_CONTROL_REFERENCE)
      status = ff_sim_set_reference(sim, c->element, u[i], 0);
    else
      status = ff_sim_set_reference(sim, c->element, sim->state->reference[c->element], u[i]);
    if (status != FF_OK)
      return refuse_late(c, error);
  }
  sim->has_control = 1;
  return FF_OK;
}
