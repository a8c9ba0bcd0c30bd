/// hard_newton.h: a semismooth Newton method on the natural map of hard contact.  docs/theory/hard-solvers.md eq. 7
///
///     F(Lambda) = Lambda - P(Lambda - r (G Lambda + c)) = 0,     dF = (1 - P') + P' r G
///
/// P as in hard_prox.h, P' its derivative where it has one: 1 where a row holds, 0 where it is at its bound, and for a
/// sliding contact the turn of the direction and the growth of the disc with the normal impulse.
#ifndef FFI_CONTACT_HARD_NEWTON_H
#define FFI_CONTACT_HARD_NEWTON_H

#include "contact/hard/hard_memory.h"

/// From Lambda, at most `steps` steps. Returns 1 if every component of F is within `tolerance` times T_abs + T_rel
/// |Lambda|; adds the steps to *taken. Lambda is the last iterate.
int ffi_hard_newton_solve(ffi_hard_memory *m, int steps, double tolerance, int *taken);

#endif
