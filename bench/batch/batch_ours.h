/// batch_ours.h: a batch of ours, and one sim, that take the steps of recorded motions.
#ifndef BENCH_BATCH_OURS_H
#define BENCH_BATCH_OURS_H

#include "common/timer.h"
#include "motion/motion.h"

#include <footfall/batch.h>

typedef struct bench_batch_ours {
  ff_batch *batch;
  int robots;
  double *states;         ///< [robots][size] where a sweep starts
  double *tau;            ///< [BENCH_BATCH_STEPS + 1][robots][nv]
  ff_batch_counts counts; ///< of the last sweep
  int failed;             ///< robots that failed in a sweep, the most
} bench_batch_ours;

/// `varied` [motion->runs]: robots of run r have these parameters; NULL: the world's. The motion is not needed later.
ff_status bench_batch_ours_create(ff_world *world, const bench_motion *motion, const ff_batch_def *def,
                                  ff_parameters *const *varied, bench_batch_ours *out, ff_error *error);
void bench_batch_ours_destroy(bench_batch_ours *ours); ///< zeros are fine

/// Each call is a robot-step.
bench_timer_task bench_batch_ours_task(bench_batch_ours *ours);

/// One sim in place of the batch.
typedef struct bench_batch_scalar {
  ff_sim *sim;
  const bench_motion *motion;
  int runs; ///< of the motion, that a sweep takes
  int failed;
} bench_batch_scalar;

/// The motion must outlive it.
ff_status bench_batch_scalar_create(ff_world *world, const bench_motion *motion, bench_batch_scalar *out,
                                    ff_error *error);
void bench_batch_scalar_destroy(bench_batch_scalar *scalar); ///< zeros are fine
bench_timer_task bench_batch_scalar_task(bench_batch_scalar *scalar);

#endif
