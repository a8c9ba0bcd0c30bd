// Compiles models in memory and converts states between our coordinates and MuJoCo's.
#include "peers/mujoco_robot.h"

#include "peers/mjcf_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Models -----------------------------------------------------------------------------------------------

// From text or from a file.
static int open_robot(bench_mujoco_robot *robot, const char *text, const char *path, char *why, size_t size)
{
  memset(robot, 0, sizeof *robot);
  robot->peer = bench_mujoco_peer_find(why, size);
  if (!robot->peer || !robot->peer->compile(text, path, &robot->m, why, size))
    return 0;
  if (robot->peer->make_data(&robot->m, &robot->d))
    return 1;
  snprintf(why, size, "no memory");
  bench_mujoco_robot_close(robot);
  return 0;
}

int bench_mujoco_robot_open_text(bench_mujoco_robot *robot, const char *text, char *why, size_t size)
{
  return open_robot(robot, text, NULL, why, size);
}

int bench_mujoco_robot_open_file(bench_mujoco_robot *robot, const char *path, char *why, size_t size)
{
  return open_robot(robot, NULL, path, why, size);
}

int bench_mujoco_robot_open(bench_mujoco_robot *robot, const ff_model *model, int has_contacts, char *why,
                            size_t size)
{
  int is_open = 0;
  memset(robot, 0, sizeof *robot);
  for (int balance = 0; balance < 2 && !is_open; ++balance) {
    char *text = bench_mjcf_text(model, balance, has_contacts);
    snprintf(why, size, "the model cannot be written as MJCF");
    is_open = text && open_robot(robot, text, NULL, why, size);
    free(text);
  }
  return is_open;
}

void bench_mujoco_robot_close(bench_mujoco_robot *robot)
{
  if (robot->peer) {
    robot->peer->free_data(&robot->d);
    robot->peer->free_model(&robot->m);
  }
  memset(robot, 0, sizeof *robot);
}

void bench_mujoco_robot_step(bench_mujoco_robot *robot)
{
  robot->peer->step(&robot->m, &robot->d);
}

int bench_mujoco_robot_is_finite(const bench_mujoco_robot *robot)
{
  double sum = 0;
  for (int i = 0; i < robot->m.nv; ++i)
    sum += fabs(robot->d.qvel[i]);
  return isfinite(sum);
}

// ---- States -----------------------------------------------------------------------------------------------

// y = R x for the unit quaternion r, w first; R' x if sign is -1.
static void rotate(const double *r, double sign, const double *x, double *y)
{
  const double u[3] = {sign * r[1], sign * r[2], sign * r[3]};
  double t[3], c[3];
  for (int k = 0; k < 3; ++k) // t = 2 u x x
    t[k] = 2 * (u[(k + 1) % 3] * x[(k + 2) % 3] - u[(k + 2) % 3] * x[(k + 1) % 3]);
  for (int k = 0; k < 3; ++k)
    c[k] = x[k] + r[0] * t[k] + u[(k + 1) % 3] * t[(k + 2) % 3] - u[(k + 2) % 3] * t[(k + 1) % 3];
  memcpy(y, c, sizeof c);
}

static void quaternion_in(const double *ours, double *theirs)
{
  theirs[0] = ours[3];
  memcpy(theirs + 1, ours, 3 * sizeof *ours);
}

static void quaternion_out(const double *theirs, double *ours)
{
  memcpy(ours, theirs + 1, 3 * sizeof *ours);
  ours[3] = theirs[0];
}

void bench_mujoco_robot_convert(const ff_model *model, const double *q, const double *v, double *qpos,
                                double *qvel)
{
  const ff_model_size size = ff_model_get_size(model);
  memcpy(qpos, q, (size_t)size.nq * sizeof *q);
  memcpy(qvel, v, (size_t)size.nv * sizeof *v);
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    if (joint.type == FF_JOINT_SPHERICAL)
      quaternion_in(q + joint.q, qpos + joint.q);
    if (joint.type != FF_JOINT_FREE)
      continue;
    quaternion_in(q + joint.q + 3, qpos + joint.q + 3);
    rotate(qpos + joint.q + 3, 1, v + joint.v, qvel + joint.v);
  }
}

void bench_mujoco_robot_convert_back(const ff_model *model, const double *qpos, const double *qvel, double *q,
                                     double *v)
{
  const ff_model_size size = ff_model_get_size(model);
  memcpy(q, qpos, (size_t)size.nq * sizeof *q);
  memcpy(v, qvel, (size_t)size.nv * sizeof *v);
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    if (joint.type == FF_JOINT_SPHERICAL)
      quaternion_out(qpos + joint.q, q + joint.q);
    if (joint.type != FF_JOINT_FREE)
      continue;
    quaternion_out(qpos + joint.q + 3, q + joint.q + 3);
    rotate(qpos + joint.q + 3, -1, qvel + joint.v, v + joint.v);
  }
}
