/// frozen_slide.h: sliding contacts in the frozen system: rows of their own, and a low-rank correction.
///
/// A sliding contact pushes along n + mu d in proportion to what it measures along n: the system is no longer symmetric. It is split
/// into its symmetric part, which is factored, and sum of mu j_d (K + sB)/s^2 j_n', which a small system per pole corrects: of the size of
/// the number of sliding contacts, or of velocities where there are fewer of them.
#ifndef FFI_STEP_FROZEN_SLIDE_H
#define FFI_STEP_FROZEN_SLIDE_H

#include "step/frozen.h"

/// Rows along n, d, t of all sliding blocks, once per prepare.
void ffi_slide_prepare(ffi_frozen *z);
/// S += their symmetric rows; h: length of a sub-step.
void ffi_slide_assemble(ffi_frozen *z, double h);
/// After the factorisation: columns S^-1 mu j_d and the small matrices.
void ffi_slide_factor(ffi_frozen *z, double h);
/// alpha += their part of the right-hand side; t: since the start.
void ffi_slide_excite(ffi_frozen *z, double t, double h);
/// After the symmetric solve: alpha of the unsymmetric system.
void ffi_slide_correct(ffi_frozen *z, double h);
/// What the three ways of math/poles.h show of its elongation across; needs J_alpha.
void ffi_slide_unresolved(const ffi_frozen_block *b, double t, double h, double out[3]);
/// Forces over the sub-step and the state after it; Ja [3][4] integrals of J xi''.
void ffi_slide_advance(ffi_frozen *z, ffi_frozen_block *b, double t, double h, const double *Ja);

#endif
