/// mjcf_text.h: a loaded model written as MJCF, so that MuJoCo is measured on the same robot as Footfall.
///
/// One body per moving joint, as in our kernels (links on fixed joints are merged into their parent body), with masses,
/// inertias, axes, armature and damping; no limits, springs or actuators. On request also contact points, as spheres of
/// BENCH_MJCF_TEXT_POINT_RADIUS, and a floor that much below z = 0, so that they touch where ours do.
#ifndef BENCH_MJCF_TEXT_H
#define BENCH_MJCF_TEXT_H

#include <footfall/model.h>

#define BENCH_MJCF_TEXT_POINT_RADIUS 1e-3 ///< [m]

/// Returns a string to free(); NULL if there is no memory, or for a planar joint, which MJCF does not have.
/// `balance` lets MuJoCo repair inertias that are not physical; otherwise it refuses such a model.
char *bench_mjcf_text(const ff_model *model, int balance, int has_contacts);

#endif
