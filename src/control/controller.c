// Controllers by type: creation, torques, the reference of the centre of mass.
#include "control/controller.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Kinds without whole-body control -------------------------------------------------------------------------------

static ff_status create_nothing(ff_controller *c, const ff_controller_def *def, const double *q0,
                                ff_error *error)
{
  (void)c, (void)def, (void)q0, (void)error;
  return FF_OK;
}

static ff_status no_torques(ff_controller *c, double time, const double *q, const double *v, double *tau,
                            ff_error *error)
{
  (void)time, (void)q, (void)v, (void)error;
  memset(tau, 0, (size_t)c->nv * sizeof *tau);
  return FF_OK;
}

static ff_status create_feedback(ff_controller *c, const ff_controller_def *def, const double *q0,
                                 ff_error *error)
{
  (void)q0;
  if (!def->feedback)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "feedback", "there is no trajectory to follow");
  c->state = malloc(((size_t)c->nq + (size_t)c->nv) * sizeof *c->state);
  if (!c->state)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a controller");
  return ff_feedback_create(c->model, def->feedback, &c->feedback, error);
}

static ff_status follow(ff_controller *c, double time, const double *q, const double *v, double *tau,
                        ff_error *error)
{
  (void)error;
  ff_feedback_tau(c->feedback, time, q, v, tau);
  return FF_OK;
}

static int com_along(const ff_controller *c, double time, double com[3])
{
  ff_feedback_reference(c->feedback, time, c->state, c->state + c->nq);
  ff_dynamics_kinematics(c->dynamics, c->state, NULL, NULL);
  ff_dynamics_com(c->dynamics, com);
  return 1;
}

static int says_no_com(const ff_controller *c, double time, double com[3])
{
  (void)c, (void)time, (void)com;
  return 0;
}

// ---- The table ------------------------------------------------------------------------------------------------------

static const ffi_controller_kind none = {"none", create_nothing, no_torques, says_no_com};
static const ffi_controller_kind along = {"feedback", create_feedback, follow, com_along};

static const ffi_controller_kind *const kinds[FF_CONTROLLER_COUNT] = {
    [FF_CONTROLLER_NONE] = &none,
    [FF_CONTROLLER_POSTURE_PD] = &ffi_controller_stand_kind,
    [FF_CONTROLLER_SQUAT] = &ffi_controller_squat,
    [FF_CONTROLLER_WALK] = &ffi_controller_walk,
    [FF_CONTROLLER_FEEDBACK] = &along,
    [FF_CONTROLLER_POSTURE] = &ffi_controller_posture,
    [FF_CONTROLLER_TROT] = &ffi_controller_trot_kind,
};

const char *ff_controller_name(ff_controller_type type)
{
  return (unsigned)type < FF_CONTROLLER_COUNT ? kinds[type]->name : "unknown";
}

ff_controller_def ff_controller_def_default(void)
{
  const ff_walk_def walk = ff_walk_def_default();
  const ff_trot_def trot = ff_trot_def_default();
  ff_controller_def def = {.type = FF_CONTROLLER_NONE, .period = 0.001};
  ff_tasks_def *tasks = &def.tasks;
  tasks->com = (ff_task){.weight = 1, .kp = 10, .kd = -1};
  tasks->posture = (ff_task){.weight = 1e-3, .kp = 10, .kd = -1};
  tasks->contact = (ff_task){.weight = 1, .is_strict = 1, .kp = 10, .kd = -1};
  tasks->foot = (ff_task){.weight = 1, .kp = 10, .kd = -1};
  tasks->base = (ff_task){.weight = 1e-2, .kp = 10, .kd = -1};
  tasks->force_weight = 1e-7;
  tasks->acceleration_weight = 1e-8;
  tasks->friction = 1;
  tasks->max_force = INFINITY;
  def.walk = (ff_walk_task_def){.sole_height = walk.sole_height,
                                .steps = walk.steps,
                                .first_swing = walk.first_swing,
                                .step_time = walk.step_time,
                                .both_time = walk.both_time,
                                .start_time = walk.start_time,
                                .end_time = walk.end_time,
                                .step_length = walk.step_length,
                                .step_height = walk.step_height,
                                .margin = walk.margin,
                                .interval = walk.interval,
                                .pressure_weight = walk.pressure_weight,
                                .speed_weight = walk.speed_weight};
  memcpy(def.walk.sole, walk.sole, sizeof walk.sole);
  def.trot = (ff_trot_task_def){.frequency = 2,
                                .duty = 0.6,
                                .speed = trot.speed,
                                .step_height = trot.step_height,
                                .height = NAN,
                                .start_time = trot.start_time,
                                .ramp_time = trot.ramp_time,
                                .placement = trot.placement};
  return def;
}

// ---- The object -----------------------------------------------------------------------------------------------------

ff_status ff_controller_create(const ff_model *model, const ff_controller_def *def, const double *q0,
                               ff_controller **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!model || !def || !q0 || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_controller_create", "an argument is NULL");
  if ((unsigned)def->type >= FF_CONTROLLER_COUNT)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "type", "there is no controller %d", (int)def->type);
  if (!(def->period > 0) || !isfinite(def->period))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "period", "%g s must be above 0", def->period);
  const ff_model_size size = ff_model_get_size(model);
  ff_controller *c = calloc(1, sizeof *c);
  if (!c)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a controller");
  *c = (ff_controller){.kind = kinds[def->type], .model = model, .nq = size.nq, .nv = size.nv};
  c->period = def->period;
  c->ahead = def->middle ? 0.5 * def->period : 0;
  ff_status status = ff_dynamics_create(model, NULL, &c->dynamics, error);
  if (status == FF_OK)
    status = c->kind->create(c, def, q0, error);
  if (status != FF_OK) {
    ff_controller_destroy(c);
    return status;
  }
  *out = c;
  return FF_OK;
}

void ff_controller_destroy(ff_controller *c)
{
  if (!c)
    return;
  ff_feedback_destroy(c->feedback);
  ffi_controller_stand_free(c);
  free(c->state);
  ff_walk_destroy(c->walk);
  ff_trot_destroy(c->trot.trot);
  ff_whole_body_destroy(c->body);
  ff_dynamics_destroy(c->dynamics);
  free(c);
}

ff_status ff_controller_tau(ff_controller *c, double time, const double *q, const double *v, double *tau,
                            ff_error *error)
{
  return c->kind->update(c, time, q, v, tau, error);
}

int ff_controller_get_feedback(const ff_controller *c, ff_feedback_def *out)
{
  if (c->feedback)
    *out = ff_feedback_get_def(c->feedback);
  return c->feedback != NULL;
}

int ff_controller_com(const ff_controller *c, double time, double com[3])
{
  return c->kind->com(c, time, com);
}
