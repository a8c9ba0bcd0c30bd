/// step_mujoco.h: mj_step on the same robot, in the same state, with the same control. Optional (FF_HAVE_MUJOCO).
///
/// MuJoCo's own contact model: its default solref and solimp, elliptic cones, Newton's method, semi-implicit Euler at
/// 2 ms. Contact points are small spheres (mjcf_text.h). Its model has no joint limits to check; ours has.
#ifndef BENCH_STEP_MUJOCO_H
#define BENCH_STEP_MUJOCO_H

#include "common/timer.h"
#include "micro/step_case.h"

#include <stddef.h>

typedef struct bench_step_mujoco bench_step_mujoco;

/// NULL without MuJoCo, or if it refuses the model or the robot falls; `why` then says so. The case must outlive it.
bench_step_mujoco *bench_step_mujoco_create(const bench_step_case *c, char *why, size_t size);
void bench_step_mujoco_destroy(bench_step_mujoco *peer); ///< NULL is fine

bench_timer_task bench_step_mujoco_task(bench_step_mujoco *peer);

/// Points in contact at the start of a sweep.
int bench_step_mujoco_contacts(const bench_step_mujoco *peer);

#endif
