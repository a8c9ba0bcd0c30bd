/// frozen_slide.h: sliding contacts in the frozen system: rows of their own along n, d and t.
///
/// Rows along n and t are springs of a kind and enter S; friction, which follows the normal force, is in frozen_friction.h.
#ifndef FFI_STEP_FROZEN_SLIDE_H
#define FFI_STEP_FROZEN_SLIDE_H

#include "step/frozen/frozen.h"

/// Rows along n, d, t of all sliding blocks, once per prepare.
void ffi_frozen_slide_prepare(ffi_frozen *z);
/// S += their symmetric rows; h: length of a sub-step. Sets kn, kt and hold of the blocks.
void ffi_frozen_slide_assemble(ffi_frozen *z, double h);
/// alpha += their part of the right-hand side; t: since the start.
void ffi_frozen_slide_excite(ffi_frozen *z, double t, double h);
/// What the three ways of math/poles.h show of its elongation across; needs J_alpha.
void ffi_frozen_slide_unresolved(const ffi_frozen *z, const ffi_frozen_block *b, double t, double h,
                                 double out[3]);
/// Forces over the sub-step and the state after it; Ja [3][4] integrals of J xi''.
void ffi_frozen_slide_advance(ffi_frozen *z, ffi_frozen_block *b, double t, double h, const double *Ja);

#endif
