// Roles of the parts of a robot: floating base, ground, common material, drives.
#include "model/model.h"

#include <math.h>

// Joints are in depth-first order: what a joint carries follows it.
static int carries_joints(const ff_model *model, int j)
{
  ff_joint_info next;
  return ff_model_joint(model, j + 1, &next) == FF_OK && next.parent == j;
}

int ff_model_base(const ff_model *model, int *count)
{
  ff_joint_info joint;
  int base = -1, robot = -1, found = 0, robots = 0;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j) {
    if (joint.type != FF_JOINT_FREE)
      continue;
    ++found;
    base = j;
    if (carries_joints(model, j) && ++robots)
      robot = j;
  }
  if (count)
    *count = found;
  return robots == 1 ? robot : found == 1 ? base : -1;
}

// ---- Shapes ---------------------------------------------------------------------------------------------------------

static int is_fixed(const ff_model *model, const ff_shape_info *shape)
{
  ff_frame_info frame;
  ff_model_frame(model, shape->frame, &frame);
  return frame.joint < 0;
}

int ff_model_has_ground(const ff_model *model)
{
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    if (is_fixed(model, &shape) && (shape.def.purpose & FF_SHAPE_COLLISION))
      return 1;
  return 0;
}

static int is_same(const ff_material *a, const ff_material *b)
{
  return a->stiffness == b->stiffness && a->damping == b->damping && a->friction == b->friction &&
         a->restitution == b->restitution && a->tangential_restitution == b->tangential_restitution &&
         a->torsional_friction == b->torsional_friction && a->rolling_friction == b->rolling_friction;
}

int ff_model_common_material(const ff_model *model, ff_material *out)
{
  ff_shape_info shape;
  int found = 0;
  *out = ff_material_default();
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i) {
    const ff_material *m = &shape.def.material;
    if (is_fixed(model, &shape) || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    if (found++ == 0)
      *out = *m;
    else if (!is_same(m, out))
      return 0;
  }
  return 1;
}

// ---- Drives ---------------------------------------------------------------------------------------------------------

// The most that a motor gives one way: of its force, and of its control, which the gear turns into force.
static double most_of(const ff_actuator_info *a)
{
  const double force = fmax(fabs(a->force_range[0]), fabs(a->force_range[1]));
  const double control = fmax(fabs(a->control_range[0]), fabs(a->control_range[1]));
  return a->gear == 0 ? 0 : fmin(force, fabs(a->gear) * control);
}

// The greatest effort of a joint's motors together; infinity without a limit.
static double motor_force(const ff_model *model, int j)
{
  ff_actuator_info actuator;
  double sum = 0;
  int count = 0;
  for (int i = 0; ff_model_actuator(model, i, &actuator) == FF_OK; ++i)
    if (actuator.joint == j && actuator.type == FF_ACTUATOR_MOTOR && ++count)
      sum += most_of(&actuator);
  return count > 0 ? sum : INFINITY;
}

ff_drive ff_model_drive(const ff_model *model, int j)
{
  ff_joint_info joint;
  ff_element_def element;
  ff_actuator_info actuator;
  if (ff_model_joint(model, j, &joint) != FF_OK || joint.nv != 1 || joint.effort == 0 ||
      joint.stiffness > 0 || motor_force(model, j) == 0)
    return FF_DRIVE_NONE;
  for (int i = 0; ff_model_element(model, i, &element) == FF_OK; ++i)
    if (element.type == FF_ELEMENT_COUPLING && element.joint == j)
      return FF_DRIVE_NONE;
  for (int i = 0; ff_model_element(model, i, &element) == FF_OK; ++i)
    if (element.type == FF_ELEMENT_JOINT_PD && element.joint == j)
      return FF_DRIVE_SERVO;
  ff_drive found = ff_model_get_size(model).actuators > 0 ? FF_DRIVE_NONE : FF_DRIVE_MOTOR;
  for (int i = 0; ff_model_actuator(model, i, &actuator) == FF_OK; ++i) {
    if (actuator.joint != j)
      continue;
    if (actuator.type != FF_ACTUATOR_MOTOR)
      return FF_DRIVE_SERVO;
    found = FF_DRIVE_MOTOR;
  }
  return found;
}

ff_element_def ff_model_motor(const ff_model *model, int j, double reference, double kp, double kd)
{
  ff_element_def motor = ff_element_def_default();
  ff_joint_info joint;
  if (ff_model_joint(model, j, &joint) != FF_OK)
    return motor;
  motor.name = joint.name;
  motor.type = FF_ELEMENT_JOINT_PD;
  motor.joint = j;
  motor.stiffness = kp;
  motor.damping = kd;
  motor.reference = reference;
  motor.effort = fmin(joint.effort, motor_force(model, j));
  return motor;
}
