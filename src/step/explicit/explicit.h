/// explicit.h: what the two explicit steppers of first order share.
///
/// Both see the robot once, at the start of the step; they differ in the displacement that they give it. Accelerations and contact forces are
/// those of the start, held over the step.
#ifndef FFI_STEP_EXPLICIT_H
#define FFI_STEP_EXPLICIT_H

#include "step/eval/evaluation.h"

/// Displacement dq [nv] of a step, from the velocities at its start and end.
typedef void (*ffi_explicit_displacement)(int nv, double dt, const double *v, const double *v_end,
                                          double *dq);

void *ffi_explicit_layout(const ffi_system *s, ffi_block *block);
ff_status ffi_explicit_step(ffi_system *s, const ffi_state *from, double dt,
                            ffi_explicit_displacement displacement, ffi_state *to, ff_error *error);

#endif
