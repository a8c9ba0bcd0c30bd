// Sweeps of MuJoCo's functions over the states.
#include "peers/mujoco_dynamics.h"

#include "peers/mujoco_robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_mujoco_dynamics {
  bench_mujoco_robot robot;
  double *qpos; // [states x nq] quaternions w first
  double *qvel; // [states x nv] linear velocity of free bodies in world axes
  const double *tau;
  double *result; // [nv]
};

static void use_state(bench_mujoco_dynamics *p, int s)
{
  const size_t nq = (size_t)p->robot.m.nq, nv = (size_t)p->robot.m.nv;
  memcpy(p->robot.d.qpos, p->qpos + (size_t)s * nq, nq * sizeof(double));
  memcpy(p->robot.d.qvel, p->qvel + (size_t)s * nv, nv * sizeof(double));
}

static void step(bench_mujoco_dynamics *p)
{
  const bench_mujoco_peer *f = p->robot.peer;
  bench_mujoco_data *d = &p->robot.d;
  f->kinematics(&p->robot.m, d);
  f->rne(&p->robot.m, d, p->result);
  f->crb(&p->robot.m, d);
  f->factor(&p->robot.m, d);
}

bench_mujoco_dynamics *bench_mujoco_dynamics_create(const ff_model *model, const bench_random_states *states,
                                                    char *why, size_t size)
{
  const size_t nq = (size_t)states->nq, nv = (size_t)states->nv;
  bench_mujoco_dynamics *p = calloc(1, sizeof *p);
  snprintf(why, size, "no memory");
  if (!p)
    return NULL;
  if (!bench_mujoco_robot_open(&p->robot, model, 0, why, size))
    goto fail;
  snprintf(why, size, "its model has other coordinates");
  if (p->robot.m.nq != states->nq || p->robot.m.nv != states->nv)
    goto fail;
  snprintf(why, size, "no memory");
  p->qpos = malloc(BENCH_RANDOM_STATES * nq * sizeof(double));
  p->qvel = malloc(BENCH_RANDOM_STATES * nv * sizeof(double));
  p->result = malloc(nv * sizeof(double));
  if (!p->qpos || !p->qvel || !p->result)
    goto fail;
  for (size_t s = 0; s < BENCH_RANDOM_STATES; ++s)
    bench_mujoco_robot_convert(model, states->q + s * nq, states->v + s * nv, p->qpos + s * nq,
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
  bench_mujoco_robot_close(&p->robot);
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
    const bench_mujoco_peer *f = p->robot.peer;                                                              \
    const bench_mujoco_model *m = &p->robot.m;                                                               \
    bench_mujoco_data *d = &p->robot.d;                                                                      \
    for (int s = 0; s < BENCH_RANDOM_STATES; ++s) {                                                          \
      __VA_ARGS__                                                                                            \
    }                                                                                                        \
  }

SWEEP(kinematics, use_state(p, s); f->kinematics(m, d);)
SWEEP(rne, f->rne(m, d, p->result);)
SWEEP(crb, f->crb(m, d);)
SWEEP(factor, f->factor(m, d);)
SWEEP(solve, f->solve(m, d, p->result, p->tau + s * m->nv);)

static void sweep_step_sum(void *context)
{
  bench_mujoco_dynamics *p = context;
  for (int s = 0; s < BENCH_RANDOM_STATES; ++s) {
    use_state(p, s);
    step(p);
  }
}

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
    p->robot.peer->multiply(&p->robot.m, &p->robot.d, p->result, p->robot.d.qvel);
    double theirs = 0;
    for (int i = 0; i < p->robot.m.nv; ++i)
      theirs += 0.5 * p->result[i] * p->robot.d.qvel[i];
    worst = fmax(worst, fabs(theirs - energy[s]) / energy[s]);
  }
  return worst;
}
