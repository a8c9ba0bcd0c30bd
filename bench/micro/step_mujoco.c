// The sweep of mj_step, and settling on MuJoCo's ground.
#include "micro/step_mujoco.h"

#include <stdio.h>

#ifdef FF_HAVE_MUJOCO
#include "peers/mujoco_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench_step_mujoco {
  const bench_step_case *c;
  mjModel *m;
  mjData *d;
  double *qpos, *qvel, *warm; // where a sweep starts
  double *target;             // [nq] the case's q in MuJoCo's coordinates
  int contacts;
};

enum { STEPS = 32 }; // in a sweep

// The case's control; a joint's coordinate has the same index here.
static void control(const bench_step_mujoco *p)
{
  const bench_step_case *c = p->c;
  for (int i = 0; i < p->m->nv; ++i)
    p->d->qfrc_applied[i] =
        c->coordinate[i] < 0
            ? 0
            : c->held[i] + c->kp[i] * (p->target[c->coordinate[i]] - p->d->qpos[c->coordinate[i]]) -
                  c->kd[i] * p->d->qvel[i];
}

static void run(const bench_step_mujoco *p, int steps)
{
  for (int k = 0; k < steps; ++k) {
    control(p);
    mj_step(p->m, p->d);
  }
}

static void prepare(void *context)
{
  const bench_step_mujoco *p = context;
  mju_copy(p->d->qpos, p->qpos, p->m->nq);
  mju_copy(p->d->qvel, p->qvel, p->m->nv);
  mju_copy(p->d->qacc_warmstart, p->warm, p->m->nv);
  p->d->time = 0;
}

static void sweep(void *context)
{
  run(context, STEPS);
}

// From our state, which is not an equilibrium on MuJoCo's softer ground, until its feet have settled.
static int settle(bench_step_mujoco *p)
{
  mju_copy(p->d->qpos, p->target, p->m->nq);
  bench_mujoco_model_convert(p->c->model, p->c->q, p->c->v, p->d->qpos, p->d->qvel);
  run(p, p->c->is_steady ? 100 : 10);
  mju_copy(p->qpos, p->d->qpos, p->m->nq);
  mju_copy(p->qvel, p->d->qvel, p->m->nv);
  mju_copy(p->warm, p->d->qacc_warmstart, p->m->nv);
  p->contacts = p->d->ncon;
  run(p, STEPS);
  return isfinite(mju_norm(p->d->qvel, p->m->nv)) && p->d->ncon == p->contacts;
}

bench_step_mujoco *bench_step_mujoco_create(const bench_step_case *c, char *why, size_t size)
{
  bench_step_mujoco *p = calloc(1, sizeof *p);
  snprintf(why, size, "no memory");
  if (!p)
    return NULL;
  p->c = c;
  p->m = bench_mujoco_model_compile(c->model, 1, why, size);
  if (!p->m)
    goto fail;
  snprintf(why, size, "no memory");
  p->m->opt.timestep = 2e-3;
  p->d = mj_makeData(p->m);
  p->qpos = calloc((size_t)p->m->nq, sizeof(double));
  p->target = calloc((size_t)p->m->nq, sizeof(double));
  p->qvel = calloc((size_t)p->m->nv, sizeof(double));
  p->warm = calloc((size_t)p->m->nv, sizeof(double));
  if (!p->d || !p->qpos || !p->target || !p->qvel || !p->warm)
    goto fail;
  bench_mujoco_model_convert(c->model, c->q, c->v, p->target, p->qvel);
  snprintf(why, size, "its contacts changed while it was measured");
  if (!settle(p))
    goto fail;
  return p;
fail:
  bench_step_mujoco_destroy(p);
  return NULL;
}

void bench_step_mujoco_destroy(bench_step_mujoco *p)
{
  if (!p)
    return;
  bench_mujoco_model_free(p->m, p->d);
  free(p->qpos);
  free(p->target);
  free(p->qvel);
  free(p->warm);
  free(p);
}

bench_timer_task bench_step_mujoco_task(bench_step_mujoco *p)
{
  return (bench_timer_task){.prepare = prepare, .sweep = sweep, .context = p, .calls = STEPS};
}

int bench_step_mujoco_contacts(const bench_step_mujoco *p)
{
  return p->contacts;
}

#else

bench_step_mujoco *bench_step_mujoco_create(const bench_step_case *c, char *why, size_t size)
{
  (void)c;
  snprintf(why, size, "this build is without it (Debian: libmujoco-dev)");
  return NULL;
}
void bench_step_mujoco_destroy(bench_step_mujoco *peer)
{
  (void)peer;
}
bench_timer_task bench_step_mujoco_task(bench_step_mujoco *peer)
{
  (void)peer;
  return (bench_timer_task){0};
}
int bench_step_mujoco_contacts(const bench_step_mujoco *peer)
{
  (void)peer;
  return 0;
}

#endif
