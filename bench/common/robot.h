/// robot.h: one model made ready for measuring its dynamics, and the kernels that are measured on it.
///
/// A bench_robot is one model with one number of lanes: its working memory, its states, its contact points
/// and room for every result. A kernel is a loop over all states through the public functions.
/// All of them start from q, sines and cosines included, except `ltl` and `solve`.
#ifndef BENCH_ROBOT_H
#define BENCH_ROBOT_H

#include "common/states.h"

#include <footfall/dynamics.h>

typedef struct bench_robot {
  const ff_model *model;
  ff_dynamics *dynamics;
  bench_states states;
  ff_point *points; ///< [point_count] the model's contact points
  int point_count;
  double *result; ///< large enough for any result of one call
  double *x;      ///< [groups x nv x lanes] right-hand sides of solve, and configurations for integrate
  double *q_next; ///< [groups x nq x lanes] states of the neighbour, for difference
} bench_robot;

/// The model must outlive the result. On failure everything is released.
ff_status bench_robot_create(const ff_model *model, const ff_dynamics_def *def, bench_robot *out,
                             ff_error *error);
void bench_robot_destroy(bench_robot *robot);

/// A kernel. Where `minus` is given the kernel's figure is the difference of two measurements, `name` being what
/// remains when `minus` is taken off (factoring destroys the matrix, so it cannot be repeated alone).
typedef struct bench_kernel {
  const char *name; ///< the metric
  const char *what; ///< in words
  void (*prepare)(void *robot);
  void (*sweep)(void *robot);
  const char *minus;
  int is_hidden; ///< measured only for the sake of another
  int has_lanes; ///< 0: there is no wide variant
} bench_kernel;

extern const bench_kernel bench_kernels[];
extern const int bench_kernel_count;

/// Index by name, -1 if there is none.
int bench_kernel_find(const char *name);

#endif
