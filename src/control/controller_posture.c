// A posture: every motor pulls its joint back to where it was at the start, with torques that are held over a period.
#include "base/fail.h"
#include "control/controller.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ff_status create(ff_controller *c, const ff_controller_def *def, const double *q0, ff_error *error)
{
  const double gains[2] = {def->kp, def->kd};
  for (int i = 0; i < 2; ++i)
    if (!(gains[i] >= 0) || !isfinite(gains[i]))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, i ? "kd" : "kp", "%g must be finite and not below 0",
                      gains[i]);
  c->state = malloc(((size_t)c->nq + 1) * sizeof *c->state);
  if (!c->state)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a controller");
  memcpy(c->state, q0, (size_t)c->nq * sizeof *q0);
  c->kp = def->kp;
  c->kd = def->kd;
  return FF_OK;
}

static ff_status update(ff_controller *c, double time, const double *q, const double *v, double *tau,
                        ff_error *error)
{
  ff_joint_info joint;
  (void)time, (void)error;
  memset(tau, 0, (size_t)c->nv * sizeof *tau);
  for (int j = 0; ff_model_joint(c->model, j, &joint) == FF_OK; ++j)
    if (ff_model_drive(c->model, j) == FF_DRIVE_MOTOR) {
      const double pull = c->kp * (c->state[joint.q] - q[joint.q]) - c->kd * v[joint.v];
      tau[joint.v] = fmax(-joint.effort, fmin(joint.effort, pull));
    }
  return FF_OK;
}

static int says_no_com(const ff_controller *c, double time, double com[3])
{
  (void)c, (void)time, (void)com;
  return 0;
}

const ffi_controller_kind ffi_controller_posture = {"posture", create, update, says_no_com};
