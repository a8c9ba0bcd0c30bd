/// rolling.h: how the point of contact of an ellipsoid goes over it.  docs/theory/contact.md, section 5
///
/// Both solids have radii of curvature at the contact, H_a and H_b, tensors across the normal n (from b to a). Where a
/// turns with omega and slides with u, both seen from b, the normal turns by
///
///     ndot = (H_a + H_b)^-1 (u_t + H_a (omega x n)),        creep = H_a (omega x n - ndot)
///
/// A face has H_b = infinity: the normal stays, and creep = H_a (omega x n). A corner has H_b = 0: creep = -u_t.
#ifndef FFI_STEP_EVAL_ROLLING_H
#define FFI_STEP_EVAL_ROLLING_H

#include "contact/detect/detect.h"
#include "step/eval/state_kinematics.h"
#include "step/system/system.h"

/// creep = by_turn (omega x n) + by_slide u, [3 x 3] each, world axes.
typedef struct ffi_rolling {
  double by_turn[9], by_slide[9];
} ffi_rolling;

/// Of a contact with FFI_ROLL_SURFACE.
void ffi_rolling_set(const ffi_system *s, const ffi_state_kinematics *at, const ffi_detect_candidate *near,
                     ffi_rolling *out);

/// Velocity of the witness over the surface of a, for a's angular velocity and its point's velocity seen from b.
void ffi_rolling_creep(const ffi_rolling *over, const double n[3], const double omega[3], const double u[3],
                       double creep[3]);

#endif
