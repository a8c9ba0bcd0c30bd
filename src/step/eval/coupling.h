/// coupling.h: joints that follow others: the row of a coupling, and the forces that keep rigid ones.
///
/// The gap of a coupling is x = s_follower - P(s_leader) with a polynomial P; its row is the follower's line less P'
/// times the leader's, and its acceleration at vdot = 0 is -P'' times the leader's velocity squared. A spring and a
/// damper act on it like on other constraints. Where the element is rigid, steppers that evaluate accelerations
/// (explicit ones, ess) solve for the forces that keep it, at which a gap decays with `decay` (Baumgarte).
/// docs/theory/joint-friction.md, section 4
#ifndef FFI_STEP_EVAL_COUPLING_H
#define FFI_STEP_EVAL_COUPLING_H

#include "base/block.h"
#include "step/eval/constraint.h"
#include "step/eval/state_kinematics.h"

/// Memory for rigid couplings; empty where the stepper or the model has none.
typedef struct ffi_coupling {
  int most;      ///< rigid couplings
  double *Y;     ///< [most][nv] M^-1 J'
  double *A;     ///< [most][most] J M^-1 J'
  double *force; ///< [most]
} ffi_coupling;

void ffi_coupling_layout(const ffi_system *s, ffi_block *block, ffi_coupling *out);

/// The block of a coupling element, c->element, at a state.
void ffi_coupling_place(const ffi_system *s, const ffi_state_kinematics *at, const ffi_state *x,
                        const ffi_rows3_room *room, ffi_constraint *c);

/// After vdot without them: forces of rigid couplings, and vdot with them.
ff_status ffi_coupling_solve(const ffi_system *s, ffi_evaluation *i, ff_error *error);

#endif
