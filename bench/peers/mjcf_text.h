/// mjcf_text.h: a loaded model, written as MJCF, so that MuJoCo measures the very robot that we do.
///
/// One body per moving joint, as our kernels have it (links on fixed joints are merged into the body that carries
/// them), with masses, inertias, axes, armature and damping; no limits, springs or actuators. Shapes only on request: contact
/// points, as spheres of BENCH_POINT_RADIUS around them, and a floor that much below z = 0, so that they touch where ours do.
#ifndef BENCH_MJCF_TEXT_H
#define BENCH_MJCF_TEXT_H

#include <footfall/model.h>

#define BENCH_POINT_RADIUS 1e-3 ///< [m]

/// A string to free(); NULL if there is no memory, or for a planar joint, which MJCF has not.
/// `balance` lets MuJoCo repair inertias that no rigid body can have; otherwise it refuses such a model.
char *bench_mjcf_text(const ff_model *model, int balance, int has_contacts);

#endif
