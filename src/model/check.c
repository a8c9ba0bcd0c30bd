// Checks of names, numbers, joints and actuators, with messages. Shapes are checked in check_shape.c.
#include "model/check.h"

#include "base/fail.h"
#include "math/quaternion.h"

#include <stdio.h>

ffi_check_label ffi_check_make_label(const char *kind, const char *name)
{
  ffi_check_label thing;
  int room = (int)sizeof thing.text - (int)strlen(kind) - 8; // for the quotes, the space and the dots
  if (!name)
    snprintf(thing.text, sizeof thing.text, "%s", kind);
  else if (strlen(name) > (size_t)room)
    snprintf(thing.text, sizeof thing.text, "%s '%.*s...'", kind, room, name);
  else
    snprintf(thing.text, sizeof thing.text, "%s '%s'", kind, name);
  return thing;
}

static ff_status bad_name(const ff_builder *b, ff_status status, const char *kind, const char *name,
                          ff_error *error, const char *text)
{
  ffi_check_label thing = ffi_check_make_label(kind, name);
  return ffi_fail(error, status, b->source.file, b->source.line, thing.text, "%s", text);
}

ff_status ffi_check_name(const ff_builder *b, const char *kind, const char *name, ff_error *error)
{
  if (!name)
    return bad_name(b, FF_ERROR_ARGUMENT, kind, NULL, error, "has no name");
  if (!name[0])
    return bad_name(b, FF_ERROR_MODEL, kind, NULL, error, "its name is empty");
  size_t length = 0;
  for (; name[length] && length <= FF_MAX_NAME; ++length)
    if ((unsigned char)name[length] < 0x20 || name[length] == 0x7f)
      return bad_name(b, FF_ERROR_MODEL, kind, name, error, "its name contains a control character");
  if (length > FF_MAX_NAME)
    return bad_name(b, FF_ERROR_LIMIT, kind, name, error, "its name is longer than 1024 bytes");
  return FF_OK;
}

ff_status ffi_check_pose(const ffi_source *at, const char *thing, ff_pose *pose, ff_error *error)
{
  if (!ffi_all_finite(pose->position, 3) || !ffi_all_finite(pose->quaternion, 4))
    return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing,
                    "its pose contains a number that is not finite");
  if (!ffi_quat_normalize(pose->quaternion, pose->quaternion))
    return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing,
                    "the quaternion of its pose is zero, so it has no direction");
  return FF_OK;
}

ff_status ffi_check_inertia(const ff_builder *b, const char *thing, const ff_inertia *inertia,
                            ff_error *error)
{
  const char *file = b->source.file;
  int line = b->source.line;
  if (!isfinite(inertia->mass))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "its mass is not finite");
  if (inertia->mass < 0)
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "its mass is negative: %.17g kg",
                    inertia->mass);
  if (!ffi_all_finite(inertia->com, 3))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "its centre of mass is not finite");
  if (!ffi_all_finite(inertia->matrix, 6))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "its inertia matrix is not finite");
  return FF_OK;
}

static ff_status bad_joint(const ff_builder *b, const char *thing, ff_error *error, const char *what,
                           double value)
{
  return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing, "%s (it is %g)", what, value);
}

static ff_status check_axis(const ff_builder *b, const char *thing, double axis[3], ff_error *error)
{
  if (!ffi_all_finite(axis, 3))
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing, "its axis is not finite");
  double norm = ffi_v3_norm(axis);
  if (norm == 0)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing,
                    "its axis is zero, so it has no direction");
  double scale = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  for (int i = 0; i < 3; ++i)
    axis[i] /= scale; // first, so that neither tiny nor huge axes lose anything below
  norm = ffi_v3_norm(axis);
  for (int i = 0; i < 3; ++i)
    axis[i] = axis[i] / norm + 0.0;
  return FF_OK;
}

static ff_status check_limits(const ff_builder *b, const char *thing, const ff_joint_def *joint,
                              ff_error *error)
{
  if (isnan(joint->lower) || isnan(joint->upper))
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing, "a limit is not a number");
  if (joint->lower > joint->upper)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing,
                    "its lower limit %g is above its upper limit %g", joint->lower, joint->upper);
  return FF_OK;
}

static ff_status check_coefficients(const ff_builder *b, const char *thing, const ff_joint_def *joint,
                                    ff_error *error)
{
  const struct {
    double value;
    const char *complaint;
    int may_be_infinite;
  } rows[] = {
      {joint->effort, "its effort must be >= 0", 1},
      {joint->velocity, "its velocity must be >= 0", 1},
      {joint->damping, "its damping must be finite and >= 0", 0},
      {joint->friction, "its friction must be finite and >= 0", 0},
      {joint->armature, "its armature must be finite and >= 0", 0},
      {joint->stiffness, "its stiffness must be finite and >= 0", 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    if (!(rows[i].value >= 0) || (isinf(rows[i].value) && !rows[i].may_be_infinite))
      return bad_joint(b, thing, error, rows[i].complaint, rows[i].value);
  if (!isfinite(joint->spring_reference))
    return bad_joint(b, thing, error, "its spring_reference must be finite", joint->spring_reference);
  return FF_OK;
}

ff_status ffi_check_joint(const ff_builder *b, const char *thing, int parent, ff_joint_def *joint,
                          ff_error *error)
{
  if (ffi_joint_type_nq(joint->type) < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, b->source.file, b->source.line, thing,
                    "there is no joint type %d", (int)joint->type);
  ff_status status = ffi_check_pose(&b->source, thing, &joint->pose, error);
  if (status == FF_OK)
    status = check_coefficients(b, thing, joint, error);
  if (status == FF_OK && joint->has_limits)
    status = check_limits(b, thing, joint, error);
  if (status == FF_OK && ffi_joint_type_has_axis(joint->type))
    status = check_axis(b, thing, joint->axis, error);
  else
    ffi_v3_set(0, 0, 0, joint->axis);
  if (status == FF_OK && joint->type == FF_JOINT_FREE && parent != FF_WORLD && !b->links[parent].is_anchored)
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, b->source.file, b->source.line, thing,
                    "free joints are supported only where the parent is the world; "
                    "give this link the world as its parent, or another type of joint");
  return status;
}

static int is_range(const double range[2])
{
  return !isnan(range[0]) && !isnan(range[1]) && range[0] <= range[1];
}

// A motor on a frame, which the builder knows.
static ff_status check_pushed(const ff_builder *b, const char *thing, const ff_actuator_def *def,
                              ff_error *error)
{
  const char *file = b->source.file;
  const int line = b->source.line, is_world = strcmp(def->frame, "world") == 0;
  if (def->tendon >= 0)
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                    "it drives a tendon and pushes frame '%.200s'; keep one of them", def->frame);
  if (is_world || ffi_names_find(&b->frame_names, def->frame) < 0)
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                    is_world ? "it pushes the world, which does not move"
                             : "there is no link or frame '%.200s'",
                    def->frame);
  if (def->type != FF_ACTUATOR_MOTOR)
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, file, line, thing,
                    "it is a servo on frame '%.200s'; only motors can push a frame", def->frame);
  for (int k = 0; k < 6; ++k)
    if (!isfinite(def->wrench[k]))
      return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "number %d of its wrench is not finite",
                      k + 1);
  return FF_OK;
}

// The joint, tendon or frame that an actuator drives.
static ff_status check_driven(const ff_builder *b, const char *thing, const ff_actuator_def *def,
                              ff_error *error)
{
  const char *file = b->source.file;
  const int line = b->source.line;
  if (def->frame)
    return check_pushed(b, thing, def, error);
  if (def->tendon >= 0 && def->tendon < b->tendon_count)
    return FF_OK;
  if (def->tendon >= 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, file, line, thing, "there is no tendon %d", def->tendon);
  if (def->link < 0 || def->link >= b->link_count)
    return ffi_fail(error, FF_ERROR_ARGUMENT, file, line, thing, "there is no link %d", def->link);
  const ff_joint_def *joint = &b->links[def->link].def.joint;
  if (ffi_joint_type_nq(joint->type) != 1)
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, file, line, thing,
                    "joint '%.200s' is %s; only joints with one coordinate can be driven", joint->name,
                    ff_joint_type_name(joint->type));
  return FF_OK;
}

ff_status ffi_check_actuator(const ff_builder *b, const char *thing, const ff_actuator_def *def,
                             ff_error *error)
{
  const char *file = b->source.file;
  int line = b->source.line;
  if (def->type != FF_ACTUATOR_MOTOR && def->type != FF_ACTUATOR_POSITION &&
      def->type != FF_ACTUATOR_VELOCITY)
    return ffi_fail(error, FF_ERROR_ARGUMENT, file, line, thing, "there is no actuator type %d",
                    (int)def->type);
  const ff_status status = check_driven(b, thing, def, error);
  if (status != FF_OK)
    return status;
  if (!isfinite(def->gear))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "its gear is not finite");
  if (!(def->kp >= 0) || !(def->kv >= 0) || isinf(def->kp) || isinf(def->kv))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                    "its gains must be finite and >= 0 (kp %g, kv %g)", def->kp, def->kv);
  if (!is_range(def->control_range))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                    "its control range %g to %g is not a range: the first must not be above the second",
                    def->control_range[0], def->control_range[1]);
  if (!is_range(def->force_range))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                    "its force range %g to %g is not a range: the first must not be above the second",
                    def->force_range[0], def->force_range[1]);
  return FF_OK;
}
