/// frozen_slide.h: sliding contacts in the frozen system, with rows of their own along n, d and t.
///
/// Rows along n and t act like springs and enter S; friction, which follows the normal force, is in frozen_friction.h.
#ifndef FFI_STEP_FROZEN_SLIDE_H
#define FFI_STEP_FROZEN_SLIDE_H

#include "step/frozen/frozen.h"

/// Make a block a sliding contact: trial force direction d, normal n; K e - B u = trial.
void ffi_frozen_slide(ffi_frozen *z, ffi_frozen_block *b, const double n[3],
                      const ffi_contact_law_result *law, double mu);
/// The same by the law with a flag: force = lambda_n (n + mu d) - (damper[0] u.d) d - (damper[1] u.t) t, d a unit
/// tangent. The part of x along the surface is ignored.
void ffi_frozen_slide_flagged(ffi_frozen *z, ffi_frozen_block *b, const double n[3], const double d[3],
                              double mu, const double damper[2]);

/// Rows along n, d, t of all sliding blocks, once per prepare.
void ffi_frozen_slide_prepare(ffi_frozen *z);
/// S += their symmetric rows; h: length of a subinterval. Sets kn, kt, kd and relaxation of the blocks.
void ffi_frozen_slide_assemble(ffi_frozen *z, double h);
/// alpha += their part of the right-hand side; t: since the start.
void ffi_frozen_slide_excite(ffi_frozen *z, double t, double h);
/// Indicators 0 to 2 of math/poles.h of its elongation across; needs J_alpha.
void ffi_frozen_slide_unresolved(const ffi_frozen *z, const ffi_frozen_block *b, double t, double h,
                                 double out[3]);
/// Impulses over the subinterval and the state after it; Ja [3][4] integrals of J xi''.
void ffi_frozen_slide_advance(ffi_frozen *z, ffi_frozen_block *b, double t, double h, const double *Ja);

#endif
