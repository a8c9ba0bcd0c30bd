/// mujoco_twin.h: any model as a text that MuJoCo reads, and states of one as states of the other.
///
/// Every link becomes a body, a fixed one without joints: link k is body "b<k>", moving joint j is joint
/// "j<j>"; a planar joint is two slides "j<j>x", "j<j>y" and a hinge "j<j>". Only public queries of the model
/// are used. Nothing here needs MuJoCo itself.
///
/// MuJoCo's velocities differ from ours: v_mj = T(q) v. The linear velocity of a free joint is in world axes
/// there and in body axes here, that of a planar joint in the parent's axes there and in body axes here; all
/// others are equal. T is orthogonal, so forces go the same way, tau_mj = T tau, and accelerations vdot_mj =
/// T vdot + Tdot v.
#ifndef FFI_TESTS_MUJOCO_TWIN_H
#define FFI_TESTS_MUJOCO_TWIN_H

#include <footfall/model.h>

#include <stdio.h>

/// Write the MJCF text: no geometry, no limits, no constraints.
void ffi_twin_write(const ff_model *model, FILE *file);

/// Where MuJoCo keeps each of our joints, [joints]: its first element in qpos and in qvel.
typedef struct ffi_twin_map {
  const int *qpos, *qvel;
} ffi_twin_map;

void ffi_twin_qpos(const ff_model *model, ffi_twin_map map, const double *q, double *qpos);

/// out = T x [nv]: velocities and forces to MuJoCo's.
void ffi_twin_turn(const ff_model *model, ffi_twin_map map, const double *q, const double *x, double *out);

/// out = T' x [nv]: back to ours.
void ffi_twin_turn_back(const ff_model *model, ffi_twin_map map, const double *q, const double *x,
                        double *out);

/// out = Tdot v [nv], in MuJoCo's order.
void ffi_twin_turn_rate(const ff_model *model, ffi_twin_map map, const double *q, const double *v,
                        double *out);

/// Armature of each velocity [nv], in MuJoCo's order.
void ffi_twin_armature(const ff_model *model, ffi_twin_map map, double *out);

/// A copy of the model, described anew to the builder without shapes and frames, in which every inertia is
/// one that MuJoCo accepts: links that move and weigh nothing get a little inertia, and moments that no rigid
/// body can have (A + B < C) are raised by as little as will do. `changed` counts the links that were
/// touched. Destroy the copy.
ff_model *ffi_twin_balanced(const ff_model *model, int *changed);

#endif
