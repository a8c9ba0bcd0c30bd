/// rolling.h: how the point of contact of a round solid goes over it.  docs/theory/contact.md, section 5
///
/// Both solids have curvatures at the contact, K_a and K_b, tensors across the normal n (from b to a), inverse to their
/// radii of curvature. Where a turns with omega and slides with u, both seen from b, the witness goes over a, and the
/// normal turns, by
///
///     (K_a + K_b) creep = omega x n - K_b u,        ndot = K_b (u + creep)
///
/// A face has K_b = 0: the normal stays, and creep = H_a (omega x n). A corner has K_b = infinity: creep = -u_t.
#ifndef FFI_STEP_EVAL_ROLLING_H
#define FFI_STEP_EVAL_ROLLING_H

#include "contact/detect/detect.h"
#include "step/eval/state_kinematics.h"
#include "step/system/system.h"

/// creep = by_turn (omega x n) + by_slide u, and K_b; each [3 x 3], world axes.
typedef struct ffi_rolling {
  double by_turn[9], by_slide[9], curvature[9];
} ffi_rolling;

/// Of a contact with FFI_ROLL_SPHERE, FFI_ROLL_LINE or FFI_ROLL_SURFACE. 0: it is on a face of b, where the normal does
/// not turn.
int ffi_rolling_set(const ffi_system *s, const ffi_state_kinematics *at, const ffi_detect_candidate *near,
                    ffi_rolling *out);

/// Velocity of the witness over the surface of a, for a's angular velocity and its point's velocity seen from b.
void ffi_rolling_creep(const ffi_rolling *over, const double n[3], const double omega[3], const double u[3],
                       double creep[3]);

/// Rate of the normal, seen from b.
void ffi_rolling_turn_of_normal(const ffi_rolling *over, const double u[3], const double creep[3],
                                double ndot[3]);

#endif
