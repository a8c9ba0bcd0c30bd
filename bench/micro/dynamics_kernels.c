// The measured kernels: each is a loop over the states that calls the public functions.
#include "micro/dynamics_kernels.h"

#include "micro/dynamics_robot.h"

#include <stddef.h>
#include <string.h>

// One group of states as the functions take it.
typedef struct group {
  const double *q, *v, *vdot, *tau;
} group;

static inline group group_of(const bench_dynamics_robot *b, int g)
{
  const bench_random_states *s = &b->states;
  const int nq = s->nq * s->lanes, nv = s->nv * s->lanes;
  return (group){s->q + g * nq, s->v + g * nv, s->vdot + g * nv, s->tau + g * nv};
}

// Defines sweep_NAME, which runs the given statements for each group s; d is the working memory.
#define SWEEP(name, ...)                                                                                     \
  static void sweep_##name(void *context)                                                                    \
  {                                                                                                          \
    const bench_dynamics_robot *b = context;                                                                 \
    ff_dynamics *d = b->dynamics;                                                                            \
    for (int g = 0; g < b->states.groups; ++g) {                                                             \
      const group s = group_of(b, g);                                                                        \
      __VA_ARGS__                                                                                            \
    }                                                                                                        \
  }

SWEEP(fk, ff_dynamics_kinematics(d, s.q, NULL, NULL);)
SWEEP(fk_again, (void)s; ff_dynamics_kinematics(d, NULL, NULL, NULL);)
SWEEP(fk_v, ff_dynamics_kinematics(d, s.q, s.v, NULL);)
SWEEP(fk_va, ff_dynamics_kinematics(d, s.q, s.v, s.vdot);)
SWEEP(rnea, ff_dynamics_rnea(d, s.q, s.v, s.vdot, b->result);)
SWEEP(bias, ff_dynamics_bias(d, s.q, s.v, b->result);)
SWEEP(gravity, ff_dynamics_gravity(d, s.q, b->result);)
SWEEP(crba, ff_dynamics_crba(d, s.q);)
SWEEP(ltl, ff_dynamics_crba(d, s.q); ff_dynamics_factor(d, NULL);)
SWEEP(solve, (void)s; ff_dynamics_solve(d, b->x + g * b->states.nv * b->states.lanes);)
SWEEP(aba, ff_dynamics_aba(d, s.q, s.v, s.tau, b->result);)
SWEEP(jacobians, ff_dynamics_kinematics(d, s.q, NULL, NULL);
      ff_dynamics_point_jacobian(d, b->point_count, b->points, b->result);)
SWEEP(minv_jt, ff_dynamics_kinematics(d, s.q, NULL, NULL); ff_dynamics_crba(d, NULL);
      ff_dynamics_factor(d, NULL); ff_dynamics_minv_jt(d, b->point_count, b->points, b->result);)
SWEEP(delassus, ff_dynamics_kinematics(d, s.q, NULL, NULL); ff_dynamics_crba(d, NULL);
      ff_dynamics_factor(d, NULL); ff_dynamics_delassus(d, b->point_count, b->points, b->result);)
SWEEP(step_sum, ff_dynamics_kinematics(d, s.q, NULL, NULL); ff_dynamics_bias(d, NULL, s.v, b->result);
      ff_dynamics_crba(d, NULL); ff_dynamics_factor(d, NULL);)
// Three results of nv x nv, one after the other.
static double *derivative(const bench_dynamics_robot *b, int which)
{
  return b->result + (ptrdiff_t)which * b->states.nv * b->states.nv * b->states.lanes;
}

SWEEP(rnea_derivatives,
      ff_dynamics_rnea_derivatives(d, s.q, s.v, s.vdot, NULL, 0, derivative(b, 0), derivative(b, 1));)
SWEEP(aba_derivatives, ff_dynamics_aba_derivatives(d, s.q, s.v, s.tau, NULL, 0, derivative(b, 0),
                                                   derivative(b, 1), derivative(b, 2));)
SWEEP(integrate, (void)d; ff_model_integrate(b->model, s.q, s.v, b->result);)
SWEEP(difference, (void)d; ff_model_difference(b->model, s.q, b->q_next + g * b->states.nq, b->result);)

// Solving overwrites its input: fresh right-hand sides before each sweep, and the factor of the first state.
static void prepare_solve(void *context)
{
  const bench_dynamics_robot *b = context;
  const size_t count = (size_t)b->states.nv * BENCH_RANDOM_STATES;
  memcpy(b->x, b->states.tau, count * sizeof(double));
  ff_dynamics_crba(b->dynamics, b->states.q);
  ff_dynamics_factor(b->dynamics, NULL);
}

// The same q in all calls.
static void prepare_again(void *context)
{
  const bench_dynamics_robot *b = context;
  ff_dynamics_kinematics(b->dynamics, b->states.q, NULL, NULL);
}

const bench_dynamics_kernel bench_dynamics_kernels[] = {
    {"sincos", "sines, cosines, base rotation", NULL, sweep_fk, "fk_again", 0, 1},
    {"fk", "poses", NULL, sweep_fk, NULL, 0, 1},
    {"fk_v", "poses, velocities", NULL, sweep_fk_v, NULL, 0, 1},
    {"fk_va", "poses, velocities, accelerations", NULL, sweep_fk_va, NULL, 0, 1},
    {"rnea", "inverse dynamics", NULL, sweep_rnea, NULL, 0, 1},
    {"bias", "Coriolis and gravity", NULL, sweep_bias, NULL, 0, 1},
    {"gravity", "gravity", NULL, sweep_gravity, NULL, 0, 1},
    {"crba", "mass matrix M", NULL, sweep_crba, NULL, 0, 1},
    {"ltl", "factor of M, after crba", NULL, sweep_ltl, "crba", 0, 1},
    {"solve", "M^-1 x, after ltl", prepare_solve, sweep_solve, NULL, 0, 1},
    {"aba", "forward dynamics", NULL, sweep_aba, NULL, 0, 1},
    {"jacobians", "J of the contact points", NULL, sweep_jacobians, NULL, 0, 1},
    {"minv_jt", "M^-1 J'", NULL, sweep_minv_jt, NULL, 0, 1},
    {"delassus", "J M^-1 J'", NULL, sweep_delassus, NULL, 0, 1},
    {"step_sum", "fk + bias + crba + ltl", NULL, sweep_step_sum, NULL, 0, 1},
    {"rnea_derivatives", "d tau / d q, d tau / d v", NULL, sweep_rnea_derivatives, NULL, 0, 1},
    {"aba_derivatives", "d vdot / d q, d vdot / d v, M^-1", NULL, sweep_aba_derivatives, NULL, 0, 1},
    {"integrate", "q (+) v", NULL, sweep_integrate, NULL, 0, 0},
    {"difference", "q1 (-) q0", NULL, sweep_difference, NULL, 0, 0},
    {"fk_again", "poses, same q", prepare_again, sweep_fk_again, NULL, 1, 1},
};

const int bench_dynamics_kernels_count =
    (int)(sizeof bench_dynamics_kernels / sizeof *bench_dynamics_kernels);

int bench_dynamics_kernels_find(const char *name)
{
  for (int k = 0; k < bench_dynamics_kernels_count; ++k)
    if (strcmp(bench_dynamics_kernels[k].name, name) == 0)
      return k;
  return -1;
}
