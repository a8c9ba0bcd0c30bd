/// implicit_model.h: the piecewise smooth system of one Newton iteration: find d with
///
///     G(d) = g + A d - J' (lambda(w + P d) - lambda(w)) - (joint elements, likewise) = 0
///
/// lambda limits the force of springs and dampers to what a contact can give: no pull, and a disc of radius mu
/// lambda_n.
#ifndef FFI_STEP_IMPLICIT_IMPLICIT_MODEL_H
#define FFI_STEP_IMPLICIT_IMPLICIT_MODEL_H

#include "step/implicit/implicit.h"

/// m->G, forces and slopes at a step. Returns the square of the norm of G, in units of the diagonal of the mass
/// matrix.
double ffi_implicit_model_size(const ffi_system *s, ffi_implicit *m, const double *step);

/// m->LU -= slopes of the joint elements.
void ffi_implicit_model_joint_slopes(ffi_implicit *m);

/// Improve m->step contact by contact, in at most this many sweeps.
void ffi_implicit_sweep(const ffi_system *s, ffi_implicit *m, int sweeps);

#endif
