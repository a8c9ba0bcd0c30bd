// Sweeps of MuJoCo's functions over the states.
#include "peers/mujoco_dynamics.h"

#include <stdio.h>

#ifdef FF_HAVE_MUJOCO
#include "peers/mujoco_model.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

struct bench_mujoco_dynamics {
  mjModel *m;
  mjData *d;
  double *qpos; // [states x nq] quaternions w first
  double *qvel; // [states x nv] linear velocity of free bodies in world axes
  const double *tau;
  double *result; // [nv]
};

static void use_state(bench_mujoco_dynamics *p, int s)
{
  mju_copy(p->d->qpos, p->qpos + s * p->m->nq, p->m->nq);
  mju_copy(p->d->qvel, p->qvel + s * p->m->nv, p->m->nv);
}

static void step(bench_mujoco_dynamics *p)
{
  mj_kinematics(p->m, p->d);
  mj_comPos(p->m, p->d);
  mj_comVel(p->m, p->d);
  mj_rne(p->m, p->d, 0, p->result);
  mj_crb(p->m, p->d);
  mj_factorM(p->m, p->d);
}

bench_mujoco_dynamics *bench_mujoco_dynamics_create(const ff_model *model, const bench_random_states *states,
                                                    char *why, size_t size)
{
  const size_t nq = (size_t)states->nq, nv = (size_t)states->nv;
  bench_mujoco_dynamics *p = calloc(1, sizeof *p);
  snprintf(why, size, "no memory");
  if (!p)
    return NULL;
  p->m = bench_mujoco_model_compile(model, 0, why, size);
  if (!p->m || p->m->nq != states->nq || p->m->nv != states->nv)
    goto fail;
  snprintf(why, size, "no memory");
  p->d = mj_makeData(p->m);
  p->qpos = malloc(BENCH_RANDOM_STATES * nq * sizeof(double));
  p->qvel = malloc(BENCH_RANDOM_STATES * nv * sizeof(double));
  p->result = malloc(nv * sizeof(double));
  if (!p->d || !p->qpos || !p->qvel || !p->result)
    goto fail;
  for (size_t s = 0; s < BENCH_RANDOM_STATES; ++s)
    bench_mujoco_model_convert(model, states->q + s * nq, states->v + s * nv, p->qpos + s * nq,
                               p->qvel + s * nv);
  p->tau = states->tau;
  use_state(p, 0);
  step(p);
  return p;
fail:
  bench_mujoco_dynamics_destroy(p);
  return NULL;
}

void bench_mujoco_dynamics_destroy(bench_mujoco_dynamics *p)
{
  if (!p)
    return;
  bench_mujoco_model_free(p->m, p->d);
  free(p->qpos);
  free(p->qvel);
  free(p->result);
  free(p);
}

// Defines sweep_NAME, which runs the given statements for each state s.
#define SWEEP(name, ...)                                                                                     \
  static void sweep_##name(void *context)                                                                    \
  {                                                                                                          \
    bench_mujoco_dynamics *p = context;                                                                      \
    for (int s = 0; s < BENCH_RANDOM_STATES; ++s) {                                                          \
      __VA_ARGS__                                                                                            \
    }                                                                                                        \
  }

SWEEP(kinematics, use_state(p, s); mj_kinematics(p->m, p->d); mj_comPos(p->m, p->d);)
SWEEP(rne, mj_comVel(p->m, p->d); mj_rne(p->m, p->d, 0, p->result);)
SWEEP(crb, mj_crb(p->m, p->d);)
SWEEP(factor, mj_factorM(p->m, p->d);)
SWEEP(solve, mj_solveM(p->m, p->d, p->result, p->tau + s * p->m->nv, 1);)
SWEEP(step_sum, use_state(p, s); step(p);)

static const struct {
  const char *name;
  void (*sweep)(void *);
} metrics[] = {
    {"mujoco:kinematics", sweep_kinematics},
    {"mujoco:rne", sweep_rne},
    {"mujoco:crb", sweep_crb},
    {"mujoco:factor", sweep_factor},
    {"mujoco:solve", sweep_solve},
    {"mujoco:step_sum", sweep_step_sum},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

const char *bench_mujoco_dynamics_metric(int metric)
{
  return metric < METRICS ? metrics[metric].name : NULL;
}

bench_timer_task bench_mujoco_dynamics_task(bench_mujoco_dynamics *peer, int metric)
{
  return (bench_timer_task){.sweep = metrics[metric].sweep, .context = peer, .calls = BENCH_RANDOM_STATES};
}

double bench_mujoco_dynamics_disagreement(bench_mujoco_dynamics *p, const double *energy)
{
  double worst = 0;
  for (int s = 0; s < BENCH_RANDOM_STATES; ++s) {
    use_state(p, s);
    step(p);
    mj_mulM(p->m, p->d, p->result, p->d->qvel);
    const double theirs = 0.5 * mju_dot(p->result, p->d->qvel, p->m->nv);
    worst = fmax(worst, fabs(theirs - energy[s]) / energy[s]);
  }
  return worst;
}

#else

bench_mujoco_dynamics *bench_mujoco_dynamics_create(const ff_model *model, const bench_random_states *states,
                                                    char *why, size_t size)
{
  (void)model, (void)states;
  snprintf(why, size, "this build is without it (Debian: libmujoco-dev)");
  return NULL;
}
void bench_mujoco_dynamics_destroy(bench_mujoco_dynamics *peer)
{
  (void)peer;
}
const char *bench_mujoco_dynamics_metric(int metric)
{
  (void)metric;
  return NULL;
}
bench_timer_task bench_mujoco_dynamics_task(bench_mujoco_dynamics *peer, int metric)
{
  (void)peer, (void)metric;
  return (bench_timer_task){0};
}
double bench_mujoco_dynamics_disagreement(bench_mujoco_dynamics *peer, const double *energy)
{
  (void)peer, (void)energy;
  return 0;
}
#endif
