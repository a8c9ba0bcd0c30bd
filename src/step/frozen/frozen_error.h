/// frozen_error.h: a bound of the error of the frozen system's fast path.
///
/// Springs and masses have a natural norm, the root of twice their energy: |y|^2 = v'Mv + sum K x^2. In it, every
/// motion that is not driven decays. A subinterval is wrong by g(hA) y, g = e^z - N/Q, A the system's matrix. Its
/// indicators p(hA) y, p = q z^8/Q and the like (math/poles.h), show the part of the motion that it does not resolve.
/// g/p has no poles, so |g(hA) y| <= |(g/p)(hA)| |p(hA) y|, and the first factor is known from h K/B alone
/// (docs/theory/exponential.md, eq. 9a). The error at the end of the interval is at most the sum over its
/// subintervals. It is a bound, not an estimate, unless contacts slide (frozen_runaway.h has one for these where it
/// matters).
///
/// From the norm to rows: an elongation is at most |y|/sqrt(K), a velocity at most sqrt(J M^-1 J') |y|, or the bound of
/// the elongation's rate. The relative error is the larger of
///
///     the error of a row's velocity change over the largest |change| + |u| + |c| h of all rows, or h times gravity of
///     at least 1 m/s^2 (blocks and joints apart),
///     the error of a row's mean force over the largest force K |x| + B |u| at either end, or mean force, of all rows,
///     or 1 mN.
///
/// docs/theory/exponential.md, section "Subintervals and the error", derives it.
#ifndef FFI_STEP_FROZEN_ERROR_H
#define FFI_STEP_FROZEN_ERROR_H

#include "step/frozen/frozen.h"

/// Once per prepare, when blocks, joints and class sums are there.
void ffi_frozen_error_prepare(ffi_frozen *z);

/// After the solve of subinterval number `index` of `count`, which begins at t and is h long: adds its part.
void ffi_frozen_error_add(ffi_frozen *z, double t, double h, int index, int count);

/// Bound of the relative error of the whole interval.
double ffi_frozen_error_end(ffi_frozen *z, double whole);

/// Mobilities J M^-1 J' of all rows and L, unless they are known.
void ffi_frozen_error_mobilities(ffi_frozen *z);

/// Velocity that gravity gives in a time h [m/s]. Gravity counts as 1 m/s^2 at least, so that rounding stays small
/// beside it where there is none.
double ffi_frozen_error_free_fall(const ffi_frozen *z, double h);

#endif
