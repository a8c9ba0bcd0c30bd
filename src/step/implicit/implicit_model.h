/// implicit_model.h: the piecewise smooth system of one Newton iteration: find d with
///
///     G(d) = g + A d - J' (lambda(w + P d) - lambda(w)) - (joint elements, likewise) = 0
///
/// where lambda cuts what springs and dampers would give to what a contact can: no pull, and a disc of radius mu lambda_n.
#ifndef FFI_STEP_IMPLICIT_MODEL_H
#define FFI_STEP_IMPLICIT_MODEL_H

#include "step/implicit/implicit.h"

/// m->G, forces and slopes at a step; returns the square of G's size, in the units of the mass matrix's diagonal.
double ffi_implicit_model_size(const ffi_system *s, ffi_implicit *m, const double *step);

/// Improve m->step contact by contact, at most this many times around.
void ffi_implicit_sweep(const ffi_system *s, ffi_implicit *m, int sweeps);

#endif
