/// batch_theirs.h: many robots in MuJoCo: one mjData for each, stepped by threads of ours, or MuJoCo's own batch.
///
/// In both, every step gives new torques to all robots. The threads of ours do not wait for each other between steps.
/// MuJoCo's batches have one mjData for each thread and a row of numbers for each robot.
#ifndef BENCH_BATCH_THEIRS_H
#define BENCH_BATCH_THEIRS_H

#include "common/timer.h"
#include "peers/mujoco_motion.h"

enum { BENCH_BATCH_THREADS_MOST = 16 };

typedef struct bench_batch_theirs {
  const bench_mujoco_robot *robot; ///< with the model
  const bench_mujoco_motion *motion;
  int robots, threads;
  bench_mujoco_data *data;  ///< [robots]; NULL: MuJoCo's batch
  bench_mujoco_batch batch; ///< MuJoCo's
} bench_batch_theirs;

/// `robot` and `motion` must outlive it. Returns 0 with the reason in `why`.
int bench_batch_theirs_create(const bench_mujoco_robot *robot, const bench_mujoco_motion *motion, int robots,
                              int threads, bench_batch_theirs *out);
int bench_batch_theirs_create_batch(const bench_mujoco_robot *robot, const bench_mujoco_motion *motion,
                                    int robots, int threads, bench_batch_theirs *out);
void bench_batch_theirs_destroy(bench_batch_theirs *theirs); ///< zeros are fine

bench_timer_task bench_batch_theirs_task(bench_batch_theirs *theirs);

#endif
