/// pose.h: where a frame is: its rotation matrix and its origin. The public ff_pose has a quaternion instead.
#ifndef FFI_MATH_POSE_H
#define FFI_MATH_POSE_H

#include "math/mat3.h"

/// Pose of a frame in another one, mostly the world. Same layout as ffi_body_pose (dynamics/workspace.h) with one lane.
typedef struct ffi_pose {
  double R[9]; ///< rotation to the other frame, row-major
  double p[3]; ///< origin [m]
} ffi_pose;

/// out = outer * inner; `out` is neither of them.
static inline void ffi_pose_compose(const ffi_pose *outer, const ffi_pose *inner, ffi_pose *out)
{
  ffi_m3_mul(outer->R, inner->R, out->R);
  ffi_m3_mulv(outer->R, inner->p, out->p);
  ffi_v3_add(outer->p, out->p, out->p);
}

#endif
