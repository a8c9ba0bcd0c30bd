// A trot: diagonal pairs of feet step in turn.
//
// A trot remembers where its feet lifted. Here that is said anew each time: with the present velocity the trunk was `since` times it behind when the foot left
// the ground, and the foot then half of a stance's way behind its place under the trunk. In a steady trot this is where it was; where it is not, the
// foot in the air is led from where it is to the same landing.
#include "base/fail.h"
#include "control/controller.h"
#include "control/trot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEGS = 4 };

// ---- Creation -------------------------------------------------------------------------------------------------------

static ff_status check_numbers(const ff_trot_task_def *t, ff_error *error)
{
  const struct {
    const char *field;
    double value;
    int is_good;
    const char *rule;
  } rules[] = {
      {"trot.frequency", t->frequency, t->frequency > 0, "must be above 0"},
      {"trot.duty", t->duty, t->duty >= 0.5 && t->duty <= 0.95, "must be from 0.5 to 0.95"},
      {"trot.speed", t->speed, 1, ""},
      {"trot.step_height", t->step_height, t->step_height >= 0, "must not be below 0"},
      {"trot.height", isnan(t->height) ? 0 : t->height, isnan(t->height) || t->height > 0, "must be above 0"},
      {"trot.start_time", t->start_time, t->start_time >= 0, "must not be below 0"},
      {"trot.ramp_time", t->ramp_time, t->ramp_time > 0, "must be above 0"},
      {"trot.placement", t->placement, 1, ""},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i)
    if (!isfinite(rules[i].value) || !rules[i].is_good)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, rules[i].field, "%g %s", rules[i].value,
                      isfinite(rules[i].value) ? rules[i].rule : "is not finite");
  return FF_OK;
}

static ff_status find_frames(const ff_controller *c, const ff_trot_task_def *t, ff_trot_def *def,
                             ff_error *error)
{
  if (t->feet_count != LEGS || !t->feet)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trot.feet", "needs %d feet, not %d", LEGS,
                    t->feet ? t->feet_count : 0);
  ff_status status = ffi_controller_tasks_frame(c, "trot.base", t->base, &def->base, error);
  for (int i = 0; i < LEGS && status == FF_OK; ++i) {
    char field[32];
    snprintf(field, sizeof field, "trot.feet[%d]", i);
    status = ffi_controller_tasks_frame(c, field, t->feet[i], &def->feet[i], error);
    for (int k = 0; k < i && status == FF_OK; ++k)
      if (def->feet[k] == def->feet[i])
        status = ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "'%.80s' is a foot already", t->feet[i]);
  }
  return status;
}

static double least_effort(const ff_model *model)
{
  double least = INFINITY;
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (joint.nv == 1)
      least = fmin(least, joint.effort);
  return least;
}

// Where feet and trunk are at the start.
static double look_at_start(ff_controller *c, const double *q0)
{
  double trunk[3], ground = INFINITY;
  ff_dynamics_kinematics(c->dynamics, q0, NULL, NULL);
  ff_dynamics_frame_pose(c->dynamics, c->trot.def.base, trunk, NULL);
  for (int i = 0; i < LEGS; ++i) {
    double *under = c->trot.under[i];
    ff_dynamics_frame_pose(c->dynamics, c->trot.def.feet[i], under, NULL);
    ground = fmin(ground, under[2]);
    under[0] -= trunk[0];
    under[1] -= trunk[1];
  }
  return trunk[2] - ground;
}

static ff_status create(ff_controller *c, const ff_controller_def *def, const double *q0, ff_error *error)
{
  const ff_trot_task_def *t = &def->trot;
  ff_trot_def *trot = &c->trot.def;
  *trot = ff_trot_def_default();
  ff_status status = find_frames(c, t, trot, error);
  if (status == FF_OK)
    status = check_numbers(t, error);
  if (status != FF_OK)
    return status;
  const double height = look_at_start(c, q0);
  trot->speed = t->speed;
  trot->start_time = t->start_time;
  trot->ramp_time = t->ramp_time;
  trot->step_time = 0.5 / t->frequency;
  trot->both_time = (t->duty - 0.5) / t->frequency;
  trot->step_height = t->step_height;
  trot->sink = isnan(t->height) ? trot->sink : height - t->height;
  trot->placement = t->placement;
  trot->friction = def->tasks.friction;
  trot->torque_limit = def->tasks.torque_limits ? least_effort(c->model) : INFINITY;
  trot->hold = def->middle ? def->period : 0;
  return ff_trot_create(c->model, trot, q0, &c->trot.trot, error);
}

// ---- A moment -------------------------------------------------------------------------------------------------------

static ff_status update(ff_controller *c, double time, const double *q, const double *v, double *tau,
                        ff_error *error)
{
  const ff_trot_def *def = &c->trot.def;
  const int step = ffi_trot_step_at(def, time);
  const double since = fmax(0, time - def->start_time - step * def->step_time);
  const double behind = since + (def->step_time + def->both_time) / 2; // with half of a stance
  double state[FF_TROT_STATE], trunk[3], velocity[6];
  ff_dynamics_kinematics(c->dynamics, q, v, NULL);
  ff_dynamics_frame_pose(c->dynamics, def->base, trunk, NULL);
  ff_dynamics_frame_velocity(c->dynamics, def->base, FF_AXES_LOCAL_ALIGNED, velocity);
  for (int i = 0; i < LEGS; ++i) {
    for (int k = 0; k < 2; ++k)
      state[3 * i + k] = trunk[k] - velocity[k] * behind + c->trot.under[i][k];
    state[3 * i + 2] = c->trot.under[i][2];
  }
  state[FF_TROT_STATE - 1] = step;
  ff_trot_set_state(c->trot.trot, state);
  return ff_trot_tau(c->trot.trot, time, q, v, tau, error);
}

static int says_no_com(const ff_controller *c, double time, double com[3])
{
  (void)c, (void)time, (void)com;
  return 0;
}

const ffi_controller_kind ffi_controller_trot_kind = {"trot", create, update, says_no_com};
