/// hard_local.h: one block's law solved exactly, all other impulses given.  docs/theory/hard-solvers.md, section 5
#ifndef FFI_CONTACT_HARD_LOCAL_H
#define FFI_CONTACT_HARD_LOCAL_H

#include "contact/hard/hard_prox.h"

/// The impulse x of one block with xi = K x + q and x in the block's law.
///
/// A contact either opens (q_n >= 0: x = 0), sticks (x = -K^-1 q inside the cone), or slides: xi_t = -s x_t with s > 0,
/// xi_n = 0, |x_t| = mu x_n. With the normal row eliminated, (S + s) x_t = -p with S of two rows, so |x_t| falls with s
/// and the rim is reached at one s, found by Newton and bisection. With strong coupling of normal and tangents
/// (Painleve) there can be several, or x_n < 0 on the way: the largest s is taken.
///   K  [rows][rows]  the block's own part of G, symmetric
///   q  [rows]        xi without the block's own impulse
/// A cone takes a few steps of the projected gradient from x, which never raise x'Kx/2 + q'x. A contact with moments
/// takes its force and its moments in turn, a few times.
///   x  [rows]        out; of a cone and of a contact with moments also the start
void ffi_hard_local(const ffi_hard_part *part, const double *K, const double *q, double *x);

#endif
