/// peer_mujoco.h: MuJoCo's nearest functions, on the same robot and the same states. Optional (FF_HAVE_MUJOCO).
///
/// MuJoCo splits the work differently: kinematics with comPos prepare world-frame quantities that the others start
/// from, so `crb`, `factor`, `solve` and `rne` are *after* them, where our kernels start from q. They are
/// measured at one state. `step_sum` runs over all states and is the fair comparison: all that one step needs.
#ifndef BENCH_PEER_MUJOCO_H
#define BENCH_PEER_MUJOCO_H

#include "common/states.h"
#include "common/timer.h"

#include <stddef.h>

typedef struct bench_mujoco bench_mujoco;

/// NULL without MuJoCo, or if it refuses the model; `why` then says so. States in the layout of one lane; they
/// must outlive the result.
bench_mujoco *bench_mujoco_create(const ff_model *model, const bench_states *states, char *why, size_t size);
void bench_mujoco_destroy(bench_mujoco *peer); ///< NULL is fine

/// The metrics, from 0 until the name is NULL: "mujoco:kinematics", ...
const char *bench_mujoco_metric(int metric);
bench_task bench_mujoco_task(bench_mujoco *peer, int metric);

/// Largest relative difference of kinetic energies over the states: 1e-15 if it is the same robot, more if MuJoCo
/// had to repair inertias. `energy` [states] is ours [J].
double bench_mujoco_disagreement(bench_mujoco *peer, const double *energy);

const char *bench_mujoco_version(void); ///< "" without MuJoCo

#endif
