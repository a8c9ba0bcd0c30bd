/// frozen_error.h: how far the frozen system's fast path may be from the truth.
///
/// Springs and masses have a natural norm, the root of twice their energy: |y|^2 = v'Mv + sum K x^2. In it, every motion that is not driven fades. A
/// sub-step is wrong by g(hA) y, g = e^z - N/Q, A the system's matrix. What it shows of that is p(hA) y, p = q z^8/Q and the like (math/poles.h): the part
/// of its motion that it does not resolve. g/p has no poles, so |g(hA) y| <= |(g/p)(hA)| |p(hA) y|, and the first factor is known from h K/B alone. The
/// error that is left at the end of the interval is at most the sum over its sub-steps. It is a bound, not an estimate, unless contacts slide (frozen_runaway.h has one for these where it counts).
///
/// From the norm to rows: an elongation is at most |y|/sqrt(K), a velocity at most sqrt(J M^-1 J') |y|, or what bounds the rate of the elongation. The relative
/// error that counts is
///
///     the error of a row's velocity change over the largest |change| + |u| + |c| h of all rows, or h times gravity, of at least 1 m/s^2 (blocks and joints apart),
///     the error of a row's mean force over the largest force K |x| + B |u| at either end, or mean force, of all rows, or 1 mN,
///
/// whichever is larger. docs/theory/exponential.md derives it.
#ifndef FFI_STEP_FROZEN_ERROR_H
#define FFI_STEP_FROZEN_ERROR_H

#include "step/frozen/frozen.h"

/// Once per prepare, when blocks, joints and class sums are there.
void ffi_frozen_error_prepare(ffi_frozen *z);

/// After the solve of sub-step number `index` of `count`, which begins at t and is h long: adds its part.
void ffi_frozen_error_add(ffi_frozen *z, double t, double h, int index, int count);

/// Of the whole interval: relative error.
double ffi_frozen_error_end(ffi_frozen *z, double whole);

/// Mobilities J M^-1 J' of all rows and L, unless they are known.
void ffi_frozen_error_mobilities(ffi_frozen *z);

/// What gravity would do in a time h; of at least 1 m/s^2, so that rounding is small beside it where there is none [m/s].
double ffi_frozen_error_free_fall(const ffi_frozen *z, double h);

#endif
