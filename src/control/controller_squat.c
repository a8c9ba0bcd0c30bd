// A squat: all feet stand, the centre of mass swings.
#include "base/fail.h"
#include "control/controller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FEET = 64 };

static ff_status create(ff_controller *c, const ff_controller_def *def, const double *q0, ff_error *error)
{
  static const double origin[3] = {0, 0, 0};
  const ff_squat_def *squat = &def->squat;
  if (squat->feet_count < 1 || squat->feet_count > MOST_FEET)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "squat.feet", "needs 1 to %d feet, not %d", MOST_FEET,
                    squat->feet_count);
  ff_contact_task feet[MOST_FEET];
  ff_whole_body_def body = ff_whole_body_def_default();
  for (int i = 0; i < squat->feet_count; ++i) {
    char field[32];
    snprintf(field, sizeof field, "squat.feet[%d]", i);
    feet[i] = ffi_controller_tasks_contact(&def->tasks);
    const ff_status status = ffi_controller_tasks_frame(c, field, squat->feet[i], &feet[i].frame, error);
    if (status != FF_OK)
      return status;
    for (int k = 0; k < i; ++k)
      if (feet[k].frame == feet[i].frame)
        return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "'%.80s' is a foot already",
                        squat->feet[i]);
    feet[i].points = origin;
    feet[i].point_count = 1;
  }
  body.contacts = feet;
  body.contact_count = squat->feet_count;
  ff_dynamics_kinematics(c->dynamics, q0, NULL, NULL);
  ff_dynamics_com(c->dynamics, c->squat.centre);
  for (int k = 0; k < 3; ++k) {
    c->squat.centre[k] += squat->offset[k];
    c->squat.amplitude[k] = squat->amplitude[k];
    c->squat.rate[k] = squat->rate[k];
  }
  c->squat.rise = squat->rise;
  return ffi_controller_tasks_body(c, def, &body, q0, error);
}

static ff_status update(ff_controller *c, double time, const double *q, const double *v, double *tau,
                        ff_error *error)
{
  double position[3], velocity[3], acceleration[3];
  ff_squat_at(&c->squat, time + c->ahead, position, velocity, acceleration);
  ff_whole_body_set_com(c->body, position, velocity, acceleration);
  return ffi_controller_tasks_solve(c, q, v, tau, error);
}

static int com_at(const ff_controller *c, double time, double com[3])
{
  ff_squat_at(&c->squat, time, com, NULL, NULL);
  return 1;
}

const ffi_controller_kind ffi_controller_squat = {"squat", create, update, com_at};
