// A walk: feet step along a plan, the centre of mass moves as a pendulum between them.
//
// A standing foot keeps its pose, which is read from q each time, so the controller keeps no memory; friction holds it
// there. Feet in the air follow the plan, level and aligned with the plan's axes.
#include "base/fail.h"
#include "control/controller.h"

#include <string.h>

static void fill_corners(const ff_walk_task_def *walk, double corners[4][3])
{
  for (int i = 0; i < 4; ++i) {
    corners[i][0] = walk->sole[i / 2];
    corners[i][1] = walk->sole[2 + i % 2];
    corners[i][2] = -walk->sole_height;
  }
}

static ff_status make_plan(ff_controller *c, const ff_walk_task_def *walk, const int frames[2],
                           const double *q0, ff_error *error)
{
  double gravity[3];
  ff_walk_def plan = {.steps = walk->steps,
                      .first_swing = walk->first_swing,
                      .step_time = walk->step_time,
                      .both_time = walk->both_time,
                      .start_time = walk->start_time,
                      .end_time = walk->end_time,
                      .step_length = walk->step_length,
                      .step_height = walk->step_height,
                      .sole_height = walk->sole_height,
                      .margin = walk->margin,
                      .interval = walk->interval,
                      .pressure_weight = walk->pressure_weight,
                      .speed_weight = walk->speed_weight};
  memcpy(plan.sole, walk->sole, sizeof plan.sole);
  ff_model_gravity(c->model, gravity);
  plan.gravity = -gravity[2];
  ff_dynamics_kinematics(c->dynamics, q0, NULL, NULL);
  ff_dynamics_com(c->dynamics, plan.com);
  for (int side = 0; side < 2; ++side) {
    ff_dynamics_frame_pose(c->dynamics, frames[side], plan.feet[side], NULL);
    plan.feet[side][2] = walk->ground + walk->sole_height;
  }
  return ff_walk_create(&plan, &c->walk, error);
}

static ff_status create(ff_controller *c, const ff_controller_def *def, const double *q0, ff_error *error)
{
  const ff_walk_task_def *walk = &def->walk;
  ff_contact_task soles[2];
  ff_frame_task frames[3] = {ff_frame_task_default(), ff_frame_task_default(), ff_frame_task_default()};
  double corners[4][3];
  int feet[2];
  ff_status status = ffi_controller_tasks_frame(c, "walk.right_foot", walk->right_foot, &feet[0], error);
  if (status == FF_OK)
    status = ffi_controller_tasks_frame(c, "walk.left_foot", walk->left_foot, &feet[1], error);
  if (status == FF_OK && feet[0] == feet[1])
    status = ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "walk.left_foot",
                      "'%.80s' is already the right foot", walk->left_foot);
  if (status == FF_OK)
    status = ffi_controller_tasks_frame(c, "walk.base", walk->base, &frames[2].frame, error);
  if (status == FF_OK)
    status = make_plan(c, walk, feet, q0, error);
  if (status != FF_OK)
    return status;
  fill_corners(walk, corners);
  for (int side = 0; side < 2; ++side) {
    soles[side] = ffi_controller_tasks_contact(&def->tasks);
    soles[side].frame = frames[side].frame = feet[side];
    soles[side].points = corners[0];
    soles[side].point_count = 4;
    frames[side].task = def->tasks.foot;
  }
  frames[2].task = def->tasks.base;
  for (int k = 0; k < 3; ++k)
    frames[2].mask[k] = 0;
  ff_whole_body_def body = ff_whole_body_def_default();
  body.contacts = soles;
  body.contact_count = 2;
  body.frames = frames;
  body.frame_count = 3;
  return ffi_controller_tasks_body(c, def, &body, q0, error);
}

static ff_status update(ff_controller *c, double time, const double *q, const double *v, double *tau,
                        ff_error *error)
{
  ff_walk_moment now;
  ff_walk_at(c->walk, time + c->ahead, &now);
  ff_whole_body_set_com(c->body, now.com.position, now.com.velocity, now.com.acceleration);
  for (int side = 0; side < 2; ++side) {
    const ff_motion *foot = &now.feet[side];
    double velocity[6] = {0}, acceleration[6] = {0};
    ff_pose pose = ff_pose_identity();
    memcpy(pose.position, foot->position, sizeof foot->position);
    memcpy(velocity, foot->velocity, sizeof foot->velocity);
    memcpy(acceleration, foot->acceleration, sizeof foot->acceleration);
    ff_whole_body_set_frame(c->body, side, &pose, velocity, acceleration);
    ff_whole_body_set_contact(c->body, side, now.is_standing[side], q);
  }
  return ffi_controller_tasks_solve(c, q, v, tau, error);
}

static int com_at(const ff_controller *c, double time, double com[3])
{
  ff_walk_moment now;
  ff_walk_at(c->walk, time, &now);
  memcpy(com, now.com.position, sizeof now.com.position);
  return 1;
}

const ffi_controller_kind ffi_controller_walk = {"walk", create, update, com_at};
