/// mujoco_dynamics.h: MuJoCo's closest functions, on the same robot and the same states.
///
/// MuJoCo splits the work differently: its kinematics and comPos compute world-frame quantities that the other
/// functions start from. So `crb`, `factor`, `solve` and `rne` exclude these, while our kernels start from q. They are
/// measured at one state. `step_sum` runs over all states and is the fair comparison: all that one step needs.
#ifndef BENCH_MUJOCO_DYNAMICS_H
#define BENCH_MUJOCO_DYNAMICS_H

#include "common/random_states.h"
#include "common/timer.h"

#include <stddef.h>

typedef struct bench_mujoco_dynamics bench_mujoco_dynamics;

/// NULL without MuJoCo, or if it refuses the model; `why` then says so. The states have the layout of one lane and must
/// outlive the result.
bench_mujoco_dynamics *bench_mujoco_dynamics_create(const ff_model *model, const bench_random_states *states,
                                                    char *why, size_t size);
void bench_mujoco_dynamics_destroy(bench_mujoco_dynamics *peer); ///< NULL is fine

/// The metrics, from 0 until the name is NULL: "mujoco:kinematics", ...
const char *bench_mujoco_dynamics_metric(int metric);
bench_timer_task bench_mujoco_dynamics_task(bench_mujoco_dynamics *peer, int metric);

/// Largest relative difference of kinetic energies over the states: 1e-15 if it is the same robot, more if MuJoCo
/// had to repair inertias. `energy` [states] is ours [J].
double bench_mujoco_dynamics_disagreement(bench_mujoco_dynamics *peer, const double *energy);

#endif
