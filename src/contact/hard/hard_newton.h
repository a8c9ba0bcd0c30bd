/// hard_newton.h: a semismooth Newton method on the natural map of hard contact, in the impulse form.
///
///     F(Lambda) = Lambda - P(Lambda - r (G Lambda + c)) = 0,     dF = (1 - P') + P' r G
///
/// P as in hard_prox.h, P' its derivative where it has one: 1 where a row holds, 0 where it is at its bound, and for a sliding contact the turn of the
/// direction and the growth of the disc with the normal impulse. Docs: docs/theory/hard-solvers.md.
#ifndef FFI_CONTACT_HARD_NEWTON_H
#define FFI_CONTACT_HARD_NEWTON_H

#include "contact/hard/hard_memory.h"

/// From Lambda, at most `steps` steps. Returns 1 if F is within `tolerance` of its tolerances (T_abs + T_rel |Lambda|) in every component; counts
/// steps in *taken. Lambda is wherever it got to.
int ffi_hard_newton_solve(ffi_hard_memory *m, int steps, double tolerance, int *taken);

#endif
