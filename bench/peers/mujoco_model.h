/// mujoco_model.h: our model in MuJoCo, and states in its coordinates. With FF_HAVE_MUJOCO only.
#ifndef BENCH_MUJOCO_MODEL_H
#define BENCH_MUJOCO_MODEL_H

#ifdef FF_HAVE_MUJOCO
#include <footfall/model.h>

#include <mujoco/mujoco.h>
#include <stddef.h>

/// As it is if MuJoCo takes it, else with inertias that it repairs. `has_contacts` as in mjcf_text.h. NULL if it refuses
/// the model; `why` then says so.
mjModel *bench_mujoco_compile(const ff_model *model, int has_contacts, char *why, size_t size);

/// The same from a text of our own.
mjModel *bench_mujoco_compile_text(const char *text, char *why, size_t size);

/// One state in MuJoCo's coordinates: quaternions w first, linear velocity of free bodies in world axes. Joints are in the same
/// order, with slices of the same sizes.
void bench_mujoco_convert(const ff_model *model, const double *q, const double *v, double *qpos,
                          double *qvel);

void bench_mujoco_free(mjModel *m, mjData *d); ///< NULL is fine
#endif

#endif
