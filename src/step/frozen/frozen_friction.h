/// frozen_friction.h: what friction adds to the frozen system: a part that is not symmetric, of low rank.
///
/// A sliding contact pushes along n + mu d in proportion to what it measures along n. The symmetric part of the system, S, is factored
/// (frozen_slide.h adds its rows); the rest is sum of mu j_d kn j_n'. With the normal forces w of the sliding contacts as unknowns,
///
///     w = push - kn j_n (alpha + sum of y w),        y = S^-1 mu j_d'
///
/// is a small system per pole, of the size of the number of sliding contacts. Where there are more of them than velocities, the sum itself is
/// smaller, and (1 + S^-1 sum) alpha = S^-1 r is solved. Either is factored once for all sub-steps of one length.
///
/// Friction can feed on the normal force that it makes (a leg that jams): modes that grow, s > 0. The determinant of the small system is that of the whole over that of S:
/// it is 1 at infinity, and changes sign at each real s that is such a mode. Where it points to the left at the pole nearest to the real axis, there is one
/// that is too fast for the sub-step, though it may have hardly begun and nothing else show it: z->feeds.
#ifndef FFI_STEP_FROZEN_FRICTION_H
#define FFI_STEP_FROZEN_FRICTION_H

#include "step/frozen/frozen.h"

/// More sliding contacts than velocities?
static inline int ffi_frozen_friction_is_crowded(const ffi_frozen *z)
{
  return z->slides > z->n;
}

/// After the factorisation of S: the columns y and the small systems.
void ffi_frozen_friction_factor(ffi_frozen *z);

/// After the symmetric solve: alpha of the whole system.
void ffi_frozen_friction_correct(ffi_frozen *z);

#endif
