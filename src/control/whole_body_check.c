// What a whole-body controller may be made from.
#include "base/fail.h"
#include "control/whole_body.h"
#include "math/vec3.h"

#include <stdio.h>

enum { MOST_POINTS = 64, MOST_TASKS = 1000 };

static ff_status bad(ff_error *error, const char *format, const char *what, int index)
{
  char thing[64];
  snprintf(thing, sizeof thing, index >= 0 ? "%s %d" : "%s", what, index);
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, thing, "%s", format);
}

static int is_size(double x)
{
  return isfinite(x) && x >= 0;
}

static ff_status check_task(const ff_task *task, const char *what, int index, ff_error *error)
{
  if (!is_size(task->weight) || !is_size(task->kp))
    return bad(error, "weight and kp must be finite and not negative", what, index);
  if (!is_size(task->kd) && task->kd != -1)
    return bad(error, "kd must be finite and not negative, or -1 for 2 sqrt(kp)", what, index);
  return FF_OK;
}

// A frame fixed to a body that moves.
static int is_moving(const ff_model *model, int frame)
{
  ff_frame_info info;
  return ff_model_frame(model, frame, &info) == FF_OK && info.joint >= 0;
}

static ff_status check_contact(const ff_model *model, const ff_contact_task *task, int index, ff_error *error)
{
  if (!is_moving(model, task->frame))
    return bad(error, "its frame is not one of a moving body", "contact", index);
  if (!task->points || task->point_count < 1 || task->point_count > MOST_POINTS ||
      !ffi_all_finite(task->points, 3 * task->point_count))
    return bad(error, "it needs 1 to 64 points, all finite", "contact", index);
  if (!ffi_all_finite(task->normal, 3) || !(ffi_v3_norm(task->normal) > 0))
    return bad(error, "its normal has no direction", "contact", index);
  if (!(is_size(task->friction) && task->friction > 0))
    return bad(error, "friction must be positive", "contact", index);
  if (!is_size(task->min_force) || !(task->max_force >= task->min_force))
    return bad(error, "min_force must not be negative, max_force not below it", "contact", index);
  return check_task(&task->task, "contact", index, error);
}

static ff_status check_frame(const ff_model *model, const ff_frame_task *task, int index, ff_error *error)
{
  if (!is_moving(model, task->frame))
    return bad(error, "its frame is not one of a moving body", "frame task", index);
  return check_task(&task->task, "frame task", index, error);
}

static ff_status check_numbers(const ff_model *model, const ff_whole_body_def *def, ff_error *error)
{
  const int nv = ff_model_get_size(model).nv;
  if (!(is_size(def->force_weight) && def->force_weight > 0 && is_size(def->acceleration_weight) &&
        def->acceleration_weight > 0))
    return bad(error, "force_weight and acceleration_weight must be positive", "ff_whole_body_def", -1);
  if (!is_size(def->hold))
    return bad(error, "hold must be finite and not negative", "ff_whole_body_def", -1);
  if (def->max_iterations < 1)
    return bad(error, "max_iterations must be at least 1", "ff_whole_body_def", -1);
  for (int i = 0; i < nv && def->torque_limits; ++i)
    if (!(def->torque_limits[i] >= 0))
      return bad(error, "it must not be negative", "torque limit", i);
  return FF_OK;
}

ff_status ffi_whole_body_check(const ff_model *model, const ff_whole_body_def *def, ff_error *error)
{
  const ff_task *const tasks[3] = {&def->com, &def->posture, &def->momentum};
  static const char *const names[3] = {"com", "posture", "momentum"};
  ff_status status = FF_OK;
  if (def->contact_count < 0 || def->contact_count > MOST_TASKS ||
      (def->contact_count > 0 && !def->contacts) || def->frame_count < 0 || def->frame_count > MOST_TASKS ||
      (def->frame_count > 0 && !def->frames))
    return bad(error, "contact_count or frame_count does not fit its array", "ff_whole_body_def", -1);
  for (int i = 0; i < 3 && status == FF_OK; ++i)
    status = check_task(tasks[i], names[i], -1, error);
  for (int i = 0; i < def->contact_count && status == FF_OK; ++i)
    status = check_contact(model, &def->contacts[i], i, error);
  for (int i = 0; i < def->frame_count && status == FF_OK; ++i)
    status = check_frame(model, &def->frames[i], i, error);
  return status == FF_OK ? check_numbers(model, def, error) : status;
}
