/// motion.h: motions of a robot, recorded with their controller, to be taken again without it.
///
/// A recording has one or several runs of equal length. It keeps the full state before each step and the torques of the
/// step, so that from any of its *frames* the same steps follow, to the bit, with the torques given. Controllers then
/// cost nothing in what is timed, whatever they take.
#ifndef BENCH_MOTION_H
#define BENCH_MOTION_H

#include <footfall/scene.h>
#include <footfall/world.h>

typedef struct bench_motion {
  int runs, steps; ///< steps of each run
  int size, nv;    ///< numbers of a full state, of torques
  double *state;   ///< [runs * steps][size] before each step
  double *tau;     ///< [runs * steps][nv]
  double contacts; ///< mean number
} bench_motion;

typedef struct bench_motion_def {
  int runs, steps, skip; ///< `skip` steps of each run are taken before the recording begins
  /// Put the sim at the start of a run.
  ff_status (*start)(void *user, int run, ff_sim *sim, ff_error *error);
  /// tau [nv], zero before, of a step of the run, counted with those skipped.
  ff_status (*control)(void *user, int step, const ff_sim *sim, double *tau, ff_error *error);
  void *user;
  /// [s] of recording, 0: any. A single run ends when it is over: out->steps says how many steps it has.
  double patience;
} bench_motion_def;

/// Record with `sim`. On failure everything is released.
ff_status bench_motion_record(ff_sim *sim, const bench_motion_def *def, bench_motion *out, ff_error *error);
void bench_motion_free(bench_motion *motion); ///< zeros are fine

/// A scene's motion: from its start, with its controller, in steps of the sim, one run; steps, skip and patience of
/// `def` count. The scene has minimal coordinates; `sim` is of ff_scene_create_sim().
ff_status bench_motion_record_scene(ff_scene *scene, ff_sim *sim, const bench_motion_def *def,
                                    bench_motion *out, ff_error *error);

#endif
