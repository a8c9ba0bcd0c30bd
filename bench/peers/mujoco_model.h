/// mujoco_model.h: our model in MuJoCo, and states in its coordinates. With FF_HAVE_MUJOCO only.
#ifndef BENCH_MUJOCO_MODEL_H
#define BENCH_MUJOCO_MODEL_H

#ifdef FF_HAVE_MUJOCO
#include <footfall/model.h>

#include <mujoco/mujoco.h>
#include <stddef.h>

/// Compile the model unchanged if MuJoCo accepts it, else with repaired inertias. `has_contacts` as in mjcf_text.h.
/// Returns NULL if MuJoCo refuses the model; `why` then says so.
mjModel *bench_mujoco_model_compile(const ff_model *model, int has_contacts, char *why, size_t size);

/// The same from MJCF text.
mjModel *bench_mujoco_model_compile_text(const char *text, char *why, size_t size);

/// One state in MuJoCo's coordinates: quaternions w first, linear velocity of free bodies in world axes. Joints have
/// the same order and the same sizes.
void bench_mujoco_model_convert(const ff_model *model, const double *q, const double *v, double *qpos,
                                double *qvel);

void bench_mujoco_model_free(mjModel *m, mjData *d); ///< NULL is fine
#endif

#endif
