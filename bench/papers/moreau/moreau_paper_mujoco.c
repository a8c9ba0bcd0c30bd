// Records and replays the trot in MuJoCo, and times the ball pit.
#include "papers/moreau/moreau_paper_mujoco.h"

#include <stdio.h>

#ifdef FF_HAVE_MUJOCO
#include "common/timer.h"
#include "peers/mujoco_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- The trot -------------------------------------------------------------------------------------------

struct bench_moreau_paper_mujoco {
  mjModel *m;
  mjData *d;
  double *qpos, *qvel, *warm; // [blocks] state at the start of each
  double *tau;                // [blocks * steps][nv]
  double *q, *v, *own;        // ours: [nq], [nv], [nv]
  bench_moreau_paper_replay_motion motion;
  double contacts;
};

// MuJoCo's state in our coordinates: quaternions w last, linear velocity of the base in its own axes.
static void convert_back(bench_moreau_paper_mujoco *t)
{
  const double *r = t->d->qpos + 3;
  double inverse[4];
  memcpy(t->q, t->d->qpos, (size_t)t->m->nq * sizeof *t->q);
  memcpy(t->v, t->d->qvel, (size_t)t->m->nv * sizeof *t->v);
  for (int k = 0; k < 3; ++k)
    t->q[3 + k] = r[1 + k];
  t->q[6] = r[0];
  mju_negQuat(inverse, r);
  mju_rotVecQuat(t->v, t->d->qvel, inverse);
}

static void begin(void *context, int block)
{
  bench_moreau_paper_mujoco *t = context;
  mju_copy(t->d->qpos, t->qpos + block * t->m->nq, t->m->nq);
  mju_copy(t->d->qvel, t->qvel + block * t->m->nv, t->m->nv);
  mju_copy(t->d->qacc_warmstart, t->warm + block * t->m->nv, t->m->nv);
}

static void play(void *context, int block)
{
  bench_moreau_paper_mujoco *t = context;
  const double *tau = t->tau + (size_t)block * (size_t)t->motion.steps * (size_t)t->m->nv;
  for (int k = 0; k < t->motion.steps; ++k, tau += t->m->nv) {
    mju_copy(t->d->qfrc_applied, tau, t->m->nv);
    mj_step(t->m, t->d);
  }
}

static void keep(bench_moreau_paper_mujoco *t, int block)
{
  mju_copy(t->qpos + block * t->m->nq, t->d->qpos, t->m->nq);
  mju_copy(t->qvel + block * t->m->nv, t->d->qvel, t->m->nv);
  mju_copy(t->warm + block * t->m->nv, t->d->qacc_warmstart, t->m->nv);
}

static int is_upright(const double *q, double height)
{
  return 1 - 2 * (q[3] * q[3] + q[4] * q[4]) > sqrt(0.5) && q[2] > 0.5 * height;
}

// Returns 0 if it falls.
static int record(bench_moreau_paper_mujoco *t, const bench_moreau_paper *m)
{
  ff_scene *scene = m->trot[0];
  const int steps = t->motion.steps, first = m->warm_cycles * steps, last = first + t->motion.blocks * steps;
  const double height = ff_scene_q(scene)[2];
  ff_error ignored;
  bench_mujoco_model_convert(ff_scene_model(scene), ff_scene_q(scene), ff_scene_v(scene), t->d->qpos,
                             t->d->qvel);
  for (int k = 0; k < last; ++k) {
    convert_back(t);
    memset(t->own, 0, (size_t)t->m->nv * sizeof *t->own);
    if (!is_upright(t->q, height) ||
        ff_scene_control(scene, k * m->period, t->q, t->v, t->own, &ignored) != FF_OK)
      return 0;
    if (k >= first && (k - first) % steps == 0)
      keep(t, (k - first) / steps);
    if (k >= first)
      mju_copy(t->tau + (size_t)(k - first) * (size_t)t->m->nv, t->own, t->m->nv);
    mju_copy(t->d->qfrc_applied, t->own,
             t->m->nv); // joints have the same index in both; the base has no motor
    mj_step(t->m, t->d);
    if (k >= first)
      t->contacts += (double)t->d->ncon / (last - first);
  }
  return 1;
}

bench_moreau_paper_mujoco *bench_moreau_paper_mujoco_create(const bench_moreau_paper *m, char *why,
                                                            size_t size)
{
  bench_moreau_paper_mujoco *t = calloc(1, sizeof *t);
  const size_t blocks = (size_t)m->cycles;
  snprintf(why, size, "no memory");
  if (!t)
    return NULL;
  t->m = bench_mujoco_model_compile(ff_scene_model(m->trot[0]), 1, why, size);
  if (!t->m)
    goto fail;
  const size_t nq = (size_t)t->m->nq, nv = (size_t)t->m->nv;
  const int steps = (int)lround(m->gait / m->period);
  snprintf(why, size, "no memory");
  t->m->opt.timestep = m->period;
  t->d = mj_makeData(t->m);
  t->qpos = calloc(blocks * nq, sizeof(double));
  t->qvel = calloc(blocks * nv, sizeof(double));
  t->warm = calloc(blocks * nv, sizeof(double));
  t->tau = calloc(blocks * (size_t)steps * nv, sizeof(double));
  t->q = calloc(nq, sizeof(double));
  t->v = calloc(nv, sizeof(double));
  t->own = calloc(nv, sizeof(double));
  t->motion =
      (bench_moreau_paper_replay_motion){begin, play, t, m->cycles, steps, 0, calloc(blocks, sizeof(double))};
  if (!t->d || !t->qpos || !t->qvel || !t->warm || !t->tau || !t->q || !t->v || !t->own || !t->motion.least)
    goto fail;
  snprintf(why, size, "it fell");
  if (!record(t, m))
    goto fail;
  return t;
fail:
  bench_moreau_paper_mujoco_destroy(t);
  return NULL;
}

void bench_moreau_paper_mujoco_destroy(bench_moreau_paper_mujoco *t)
{
  if (!t)
    return;
  bench_mujoco_model_free(t->m, t->d);
  free(t->qpos);
  free(t->qvel);
  free(t->warm);
  free(t->tau);
  free(t->q);
  free(t->v);
  free(t->own);
  free(t->motion.least);
  free(t);
}

bench_moreau_paper_replay_motion *bench_moreau_paper_mujoco_motion(bench_moreau_paper_mujoco *t)
{
  return &t->motion;
}

double bench_moreau_paper_mujoco_contacts(const bench_moreau_paper_mujoco *t)
{
  return t->contacts;
}

// ---- A pit ----------------------------------------------------------------------------------------------

// Microseconds per step at rest; NAN if settling takes longer than `patience`.
static double time_pit(mjModel *m, mjData *d, double settle, double patience)
{
  enum { ROUNDS = 5, STEPS = 10 };
  const double start = bench_timer_thread_seconds();
  const int steps = (int)(settle / m->opt.timestep);
  double least = INFINITY;
  mj_resetData(m, d);
  for (int k = 0; k < steps; ++k) {
    if (bench_timer_thread_seconds() - start > patience)
      return NAN;
    mj_step(m, d);
  }
  for (int r = 0; r < ROUNDS; ++r) {
    const double from = bench_timer_thread_seconds();
    for (int k = 0; k < STEPS; ++k)
      mj_step(m, d);
    least = fmin(least, 1e6 * (bench_timer_thread_seconds() - from) / STEPS);
  }
  return isfinite(mju_norm(d->qvel, m->nv)) ? least : NAN;
}

int bench_moreau_paper_mujoco_ball_pit(const char *text, double dt, double settle, double patience,
                                       double *us, int *contacts)
{
  static const int solvers[2] = {mjSOL_NEWTON, mjSOL_CG};
  char why[256];
  mjModel *m = bench_mujoco_model_compile_text(text, why, sizeof why);
  mjData *d = m ? mj_makeData(m) : NULL;
  *us = INFINITY;
  for (int i = 0; i < 2 && d; ++i) {
    m->opt.timestep = dt;
    m->opt.solver = solvers[i];
    const double time = time_pit(m, d, settle, patience);
    if (time < *us) {
      *us = time;
      *contacts = d->ncon;
    }
  }
  bench_mujoco_model_free(m, d);
  return isfinite(*us);
}

#else

bench_moreau_paper_mujoco *bench_moreau_paper_mujoco_create(const bench_moreau_paper *m, char *why,
                                                            size_t size)
{
  (void)m;
  snprintf(why, size, "this build is without it (Debian: libmujoco-dev)");
  return NULL;
}
void bench_moreau_paper_mujoco_destroy(bench_moreau_paper_mujoco *t)
{
  (void)t;
}
bench_moreau_paper_replay_motion *bench_moreau_paper_mujoco_motion(bench_moreau_paper_mujoco *t)
{
  (void)t;
  return NULL;
}
double bench_moreau_paper_mujoco_contacts(const bench_moreau_paper_mujoco *t)
{
  (void)t;
  return 0;
}
int bench_moreau_paper_mujoco_ball_pit(const char *text, double dt, double settle, double patience,
                                       double *us, int *contacts)
{
  (void)text, (void)dt, (void)settle, (void)patience, (void)us, (void)contacts;
  return 0;
}

#endif
