/// batch_case.h: what batches are measured on: robots that stand and sway, trot, fall, walk.
///
/// A case is a world and motions in it. The motions are recorded beforehand, robot by robot, each with its controller
/// (motion/motion.h); the robots of a batch are at different moments of them. Then no controller runs in what is timed:
/// each step gets new torques that were computed before.
///
///     solo12-stand   on four feet, torques that hold it and let it sway      its own world, no motors
///     solo12-trot    scenes/solo-trot.yaml with its feedback controller
///     solo12-drop    64 random falls from up to 0.2 m, joints held by torques
///     romeo-walk     scenes/romeo-walk.yaml, in steps of 2 ms
///     starleth-trot  scenes/starleth-trot.yaml
#ifndef BENCH_BATCH_CASE_H
#define BENCH_BATCH_CASE_H

#include "micro/step_case.h"
#include "motion/motion.h"
#include "peers/mujoco_motion.h"

#include <footfall/parameters.h>

enum { BENCH_BATCH_CASES = 5, BENCH_BATCH_STEPPERS = 5 };

/// A stepper of a case.
typedef struct bench_batch_stepper {
  ff_stepper stepper;
  double dt;       ///< [s]
  int skip, steps; ///< of each run of its motion
} bench_batch_stepper;

typedef struct bench_batch_kind {
  const char *name;
  const char *scene; ///< file; NULL: solo12, standing or falling
  int is_falling;
  int runs;                                           ///< motions
  bench_batch_stepper steppers[BENCH_BATCH_STEPPERS]; ///< up to the first of dt 0; the first is the main one
} bench_batch_kind;

extern const bench_batch_kind bench_batch_kinds[BENCH_BATCH_CASES];

typedef struct bench_batch_case {
  const bench_batch_kind *kind;
  const ff_model *model;
  ff_scene *scene;          ///< NULL: none
  bench_step_case standing; ///< of solo12 without a scene
  ff_isa isa;
  int runs; ///< motions that are recorded, those of the kind or fewer
} bench_batch_case;

ff_status bench_batch_case_open(const bench_batch_kind *kind, const bench_step_folders *folders, ff_isa isa,
                                bench_batch_case *out, ff_error *error);
void bench_batch_case_close(bench_batch_case *c);

int bench_batch_case_steppers(const bench_batch_kind *kind); ///< how many

/// A world of the case.
ff_status bench_batch_case_world(const bench_batch_case *c, const bench_batch_stepper *stepper,
                                 ff_world **out, ff_error *error);

/// Robots with parameters in place of the world's, one run each.
typedef struct bench_batch_varied {
  ff_parameters *const *parameters; ///< [count]
  int count;
} bench_batch_varied;

/// The motions, in this world. `varied` may be NULL.
ff_status bench_batch_case_record(const bench_batch_case *c, const bench_batch_stepper *stepper,
                                  ff_world *world, const bench_batch_varied *varied, bench_motion *out,
                                  ff_error *error);

/// MuJoCo's motions, as long as those of the main stepper. 0: not recorded, `why` says so.
int bench_batch_case_record_mujoco(const bench_batch_case *c, bench_mujoco_robot *robot,
                                   bench_mujoco_motion *out, char *why, size_t size);

#endif
