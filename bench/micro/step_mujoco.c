// The sweep of mj_step: settling on MuJoCo's ground, or recording a motion there.
#include "micro/step_mujoco.h"

#include "peers/mujoco_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DT .dt = 2e-3
const bench_step_mujoco_setting bench_step_mujoco_settings[BENCH_STEP_MUJOCO_SETTINGS] = {
    {"mujoco", "mujoco:step", "round cones, Newton, Euler", {DT, .is_whole = 1}},
    {"mujoco-implicitfast",
     "mujoco:step:implicitfast",
     "the same, implicit in velocity",
     {DT, .is_whole = 1, .integrator = BENCH_MUJOCO_IMPLICITFAST}},
    {"mujoco-cg",
     "mujoco:step:cg",
     "the same, conjugate gradients",
     {DT, .is_whole = 1, .solver = BENCH_MUJOCO_CG}},
    {"mujoco-default", "mujoco:step:default", "as it comes: pyramids, islands", {DT, .is_pyramidal = 1}},
};

struct bench_step_mujoco {
  const bench_step_case *c;
  bench_mujoco_robot robot;
  double *qpos, *qvel, *warm; // where a sweep of a standing robot starts
  double *target;             // [nq] the case's q in MuJoCo's coordinates
  bench_mujoco_motion motion; // of one in motion
  int steps;                  // in a sweep
  double contacts;
};

enum { STEPS = 32 }; // in a sweep of a standing robot

// ---- A robot that stands ----------------------------------------------------------------------------------

// The case's control; a joint's coordinate has the same index here.
static void control(const bench_step_mujoco *p)
{
  const bench_step_case *c = p->c;
  const bench_mujoco_data *d = &p->robot.d;
  for (int i = 0; i < p->robot.m.nv; ++i) {
    const int k = c->coordinate[i];
    d->applied[i] = k < 0 ? 0 : c->held[i] + c->kp[i] * (p->target[k] - d->qpos[k]) - c->kd[i] * d->qvel[i];
  }
}

static void run(bench_step_mujoco *p, int steps)
{
  for (int k = 0; k < steps; ++k) {
    control(p);
    bench_mujoco_robot_step(&p->robot);
  }
}

static void copy(double *to, const double *from, int count)
{
  memcpy(to, from, (size_t)count * sizeof *to);
}

// From our state, which is not an equilibrium on MuJoCo's softer ground, until its feet have settled.
static int settle(bench_step_mujoco *p)
{
  const bench_mujoco_robot *r = &p->robot;
  bench_mujoco_robot_convert(p->c->model, p->c->q, p->c->v, r->d.qpos, r->d.qvel);
  run(p, p->c->is_steady ? 100 : 10);
  copy(p->qpos, r->d.qpos, r->m.nq);
  copy(p->qvel, r->d.qvel, r->m.nv);
  copy(p->warm, r->d.warm, r->m.nv);
  p->contacts = r->peer->contacts(&r->d);
  run(p, STEPS);
  return bench_mujoco_robot_is_finite(r) && r->peer->contacts(&r->d) == (int)p->contacts;
}

static int open_standing(bench_step_mujoco *p, char *why, size_t size)
{
  const bench_mujoco_model *m = &p->robot.m;
  p->steps = STEPS;
  p->qpos = calloc((size_t)m->nq, sizeof(double));
  p->target = calloc((size_t)m->nq, sizeof(double));
  p->qvel = calloc((size_t)m->nv, sizeof(double));
  p->warm = calloc((size_t)m->nv, sizeof(double));
  snprintf(why, size, "no memory");
  if (!p->qpos || !p->target || !p->qvel || !p->warm)
    return 0;
  bench_mujoco_robot_convert(p->c->model, p->c->q, p->c->v, p->target, p->qvel);
  snprintf(why, size, "its contacts changed while it was measured");
  return settle(p);
}

// ---- A robot in motion ------------------------------------------------------------------------------------

static int open_moving(bench_step_mujoco *p, const bench_mujoco_options *options, char *why, size_t size)
{
  const bench_mujoco_motion_def def =
      bench_mujoco_motion_of_scene(p->c->scene, 0, (int)ff_scene_steps(p->c->scene));
  p->steps = def.steps;
  snprintf(why, size, "its step is not the controller's period");
  if (fabs(options->dt - ff_scene_period(p->c->scene)) > 1e-12 ||
      !bench_mujoco_motion_record(&p->robot, &def, &p->motion, why, size))
    return 0;
  p->contacts = p->motion.contacts;
  return 1;
}

// ---- Both -------------------------------------------------------------------------------------------------

static void prepare(void *context)
{
  bench_step_mujoco *p = context;
  if (p->motion.qpos) {
    bench_mujoco_motion_set(&p->motion, 0, &p->robot.m, &p->robot.d);
    return;
  }
  copy(p->robot.d.qpos, p->qpos, p->robot.m.nq);
  copy(p->robot.d.qvel, p->qvel, p->robot.m.nv);
  copy(p->robot.d.warm, p->warm, p->robot.m.nv);
  *p->robot.d.time = 0;
}

static void sweep(void *context)
{
  bench_step_mujoco *p = context;
  if (p->motion.qpos)
    bench_mujoco_motion_play(&p->motion, 0, p->steps, &p->robot);
  else
    run(p, p->steps);
}

bench_step_mujoco *bench_step_mujoco_create(const bench_step_case *c,
                                            const bench_step_mujoco_setting *setting, char *why, size_t size)
{
  bench_step_mujoco *p = calloc(1, sizeof *p);
  snprintf(why, size, "no memory");
  if (!p)
    return NULL;
  p->c = c;
  int is_open = bench_mujoco_robot_open(&p->robot, c->model, 1, why, size);
  if (is_open && !p->robot.peer->set_options(&p->robot.m, &setting->options)) {
    snprintf(why, size, "this release has no such integrator");
    is_open = 0;
  }
  if (is_open)
    is_open = c->scene ? open_moving(p, &setting->options, why, size) : open_standing(p, why, size);
  if (is_open)
    return p;
  bench_step_mujoco_destroy(p);
  return NULL;
}

void bench_step_mujoco_destroy(bench_step_mujoco *p)
{
  if (!p)
    return;
  bench_mujoco_motion_free(&p->motion);
  bench_mujoco_robot_close(&p->robot);
  free(p->qpos);
  free(p->target);
  free(p->qvel);
  free(p->warm);
  free(p);
}

bench_timer_task bench_step_mujoco_task(bench_step_mujoco *p)
{
  return (bench_timer_task){.prepare = prepare, .sweep = sweep, .context = p, .calls = p->steps};
}

double bench_step_mujoco_contacts(const bench_step_mujoco *p)
{
  return p->contacts;
}
