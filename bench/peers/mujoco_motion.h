/// mujoco_motion.h: motions of a robot in MuJoCo, recorded with their controller, to be taken again without it; the
/// counterpart of motion/motion.h. MuJoCo moves by its own contact model, so it has a motion of its own, under the same
/// controller.
#ifndef BENCH_MUJOCO_MOTION_H
#define BENCH_MUJOCO_MOTION_H

#include "peers/mujoco_robot.h"

#include <footfall/scene.h>

typedef struct bench_mujoco_motion {
  int runs, steps;            ///< steps of each run
  double *qpos, *qvel, *warm; ///< [runs * steps][nq], [nv], [nv] before each step
  double *tau;                ///< [runs * steps][nv]
  double contacts;            ///< mean number
} bench_mujoco_motion;

typedef struct bench_mujoco_motion_def {
  const ff_model *model;
  int runs, steps, skip; ///< `skip` steps of each run are taken before the recording begins
  /// The start of a run, in our coordinates.
  void (*start)(void *user, int run, double *q, double *v);
  /// tau [nv], zero before, in the state q, v, in our coordinates, of a step counted with those skipped. 0: stop, the
  /// robot has fallen.
  int (*control)(void *user, int step, const double *q, const double *v, double *tau);
  void *user;
} bench_mujoco_motion_def;

/// A scene's motion: from its start, with its controller, whose period is one step of MuJoCo; one run.
bench_mujoco_motion_def bench_mujoco_motion_of_scene(ff_scene *scene, int skip, int steps);

/// Returns 0 with the reason in `why`; everything is released then.
int bench_mujoco_motion_record(bench_mujoco_robot *robot, const bench_mujoco_motion_def *def,
                               bench_mujoco_motion *out, char *why, size_t size);
void bench_mujoco_motion_free(bench_mujoco_motion *motion); ///< zeros are fine

/// Put data to a frame.
void bench_mujoco_motion_set(const bench_mujoco_motion *motion, int frame, const bench_mujoco_model *m,
                             bench_mujoco_data *d);
/// Take `count` steps from a frame on, with their torques.
void bench_mujoco_motion_play(const bench_mujoco_motion *motion, int frame, int count,
                              bench_mujoco_robot *robot);

#endif
