/// dynamics_robot.h: one model prepared for measuring its dynamics.
///
/// A bench_dynamics_robot is one model with one number of lanes: its working memory, its states, its contact points
/// and room for every result. The kernels (dynamics_kernels.h) loop over all its states.
/// They start from q, sines and cosines included, except `ltl` and `solve`.
#ifndef BENCH_DYNAMICS_ROBOT_H
#define BENCH_DYNAMICS_ROBOT_H

#include "common/random_states.h"

#include <footfall/dynamics.h>

typedef struct bench_dynamics_robot {
  const ff_model *model;
  ff_dynamics *dynamics;
  bench_random_states states;
  ff_point *points; ///< [point_count] the model's contact points
  int point_count;
  double *result; ///< large enough for any result of one call
  double *x;      ///< [groups x nv x lanes] right-hand sides of solve, and configurations for integrate
  double *q_next; ///< [groups x nq x lanes] states of the neighbour, for difference
} bench_dynamics_robot;

/// The model must outlive the result. On failure everything is released.
ff_status bench_dynamics_robot_create(const ff_model *model, const ff_dynamics_def *def,
                                      bench_dynamics_robot *out, ff_error *error);
void bench_dynamics_robot_destroy(bench_dynamics_robot *robot);

#endif
