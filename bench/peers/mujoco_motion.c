// Records MuJoCo's states and torques step by step.
#include "peers/mujoco_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy(double *to, const double *from, size_t count)
{
  memcpy(to, from, count * sizeof *to);
}

static void keep(bench_mujoco_motion *m, size_t frame, const bench_mujoco_robot *robot)
{
  const size_t nq = (size_t)robot->m.nq, nv = (size_t)robot->m.nv;
  copy(m->qpos + frame * nq, robot->d.qpos, nq);
  copy(m->qvel + frame * nv, robot->d.qvel, nv);
  copy(m->warm + frame * nv, robot->d.warm, nv);
}

// q [nq], v [nv]: scratch. 0: it fell.
static int record_run(bench_mujoco_robot *robot, const bench_mujoco_motion_def *def, int run,
                      bench_mujoco_motion *m, double *scratch)
{
  const size_t nv = (size_t)robot->m.nv;
  double *q = scratch, *v = scratch + robot->m.nq;
  robot->peer->reset(&robot->m, &robot->d);
  def->start(def->user, run, q, v);
  bench_mujoco_robot_convert(def->model, q, v, robot->d.qpos, robot->d.qvel);
  for (int k = -def->skip; k < def->steps; ++k) {
    const size_t frame = (size_t)run * (size_t)def->steps + (size_t)(k < 0 ? 0 : k);
    double *tau = m->tau + frame * nv; // the first frame is overwritten until recording begins
    memset(tau, 0, nv * sizeof *tau);
    bench_mujoco_robot_convert_back(def->model, robot->d.qpos, robot->d.qvel, q, v);
    if (!def->control(def->user, k + def->skip, q, v, tau))
      return 0;
    keep(m, frame, robot);
    copy(robot->d.applied, tau, nv); // joints have the same index in both
    bench_mujoco_robot_step(robot);
    if (k >= 0)
      m->contacts += (double)robot->peer->contacts(&robot->d) / ((double)def->runs * def->steps);
  }
  return bench_mujoco_robot_is_finite(robot);
}

int bench_mujoco_motion_record(bench_mujoco_robot *robot, const bench_mujoco_motion_def *def,
                               bench_mujoco_motion *out, char *why, size_t size)
{
  const size_t frames = (size_t)def->runs * (size_t)def->steps, nq = (size_t)robot->m.nq,
               nv = (size_t)robot->m.nv;
  bench_mujoco_motion m = {.runs = def->runs, .steps = def->steps};
  m.qpos = malloc(frames * nq * sizeof(double));
  m.qvel = malloc(frames * nv * sizeof(double));
  m.warm = malloc(frames * nv * sizeof(double));
  m.tau = malloc(frames * nv * sizeof(double));
  double *scratch = malloc((nq + nv) * sizeof *scratch);
  int is_made = m.qpos && m.qvel && m.warm && m.tau && scratch;
  snprintf(why, size, is_made ? "it fell" : "no memory");
  for (int run = 0; run < def->runs && is_made; ++run)
    is_made = record_run(robot, def, run, &m, scratch);
  free(scratch);
  if (!is_made)
    bench_mujoco_motion_free(&m);
  *out = m;
  return is_made;
}

// ---- Of a scene -------------------------------------------------------------------------------------------

static void start_scene(void *user, int run, double *q, double *v)
{
  const ff_scene *scene = user;
  const ff_model_size size = ff_model_get_size(ff_scene_model(scene));
  (void)run;
  copy(q, ff_scene_q(scene), (size_t)size.nq);
  copy(v, ff_scene_v(scene), (size_t)size.nv);
}

// Upright: less than 45 degrees from it, and above half its height.
static int control_scene(void *user, int step, const double *q, const double *v, double *tau)
{
  ff_scene *scene = user;
  ff_error ignored;
  const int is_upright = 1 - 2 * (q[3] * q[3] + q[4] * q[4]) > sqrt(0.5) && q[2] > 0.5 * ff_scene_q(scene)[2];
  return is_upright && ff_scene_control(scene, step * ff_scene_period(scene), q, v, tau, &ignored) == FF_OK;
}

bench_mujoco_motion_def bench_mujoco_motion_of_scene(ff_scene *scene, int skip, int steps)
{
  return (bench_mujoco_motion_def){.model = ff_scene_model(scene),
                                   .runs = 1,
                                   .steps = steps,
                                   .skip = skip,
                                   .start = start_scene,
                                   .control = control_scene,
                                   .user = scene};
}

// ---- Playing ----------------------------------------------------------------------------------------------

void bench_mujoco_motion_free(bench_mujoco_motion *m)
{
  free(m->qpos);
  free(m->qvel);
  free(m->warm);
  free(m->tau);
  memset(m, 0, sizeof *m);
}

void bench_mujoco_motion_set(const bench_mujoco_motion *motion, int frame, const bench_mujoco_model *m,
                             bench_mujoco_data *d)
{
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, f = (size_t)frame;
  copy(d->qpos, motion->qpos + f * nq, nq);
  copy(d->qvel, motion->qvel + f * nv, nv);
  copy(d->warm, motion->warm + f * nv, nv);
  *d->time = 0;
}

void bench_mujoco_motion_play(const bench_mujoco_motion *motion, int frame, int count,
                              bench_mujoco_robot *robot)
{
  const size_t nv = (size_t)robot->m.nv;
  const double *tau = motion->tau + (size_t)frame * nv;
  for (int k = 0; k < count; ++k, tau += nv) {
    copy(robot->d.applied, tau, nv);
    bench_mujoco_robot_step(robot);
  }
}
