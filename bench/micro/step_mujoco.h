/// step_mujoco.h: mj_step on the same robot, in the same state or under the same controller.
///
/// MuJoCo's own contact model: its default solref and solimp, at 2 ms, in several settings. The first is what ratios
/// are to: round friction cones as ours, Newton's method, semi-implicit Euler, and one problem for all contacts, since
/// a search for independent islands takes time that one robot does not win back. Contact points are small spheres
/// (mjcf_text.h). Its model has no joint limits to check; ours has, on robots that stand.
#ifndef BENCH_STEP_MUJOCO_H
#define BENCH_STEP_MUJOCO_H

#include "common/timer.h"
#include "micro/step_case.h"
#include "peers/mujoco_peer.h"

#include <stddef.h>

enum { BENCH_STEP_MUJOCO_SETTINGS = 4 };

typedef struct bench_step_mujoco_setting {
  const char *name;   ///< "mujoco", ...
  const char *metric; ///< "mujoco:step", ...
  const char *what;   ///< description
  bench_mujoco_options options;
} bench_step_mujoco_setting;

extern const bench_step_mujoco_setting bench_step_mujoco_settings[BENCH_STEP_MUJOCO_SETTINGS];

typedef struct bench_step_mujoco bench_step_mujoco;

/// NULL without MuJoCo, or if it refuses the model or the robot falls; `why` then says so. The case must outlive it.
bench_step_mujoco *bench_step_mujoco_create(const bench_step_case *c,
                                            const bench_step_mujoco_setting *setting, char *why, size_t size);
void bench_step_mujoco_destroy(bench_step_mujoco *peer); ///< NULL is fine

bench_timer_task bench_step_mujoco_task(bench_step_mujoco *peer);

/// Points in contact at the start of a sweep; of a motion their mean.
double bench_step_mujoco_contacts(const bench_step_mujoco *peer);

#endif
