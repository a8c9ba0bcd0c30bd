/// poles.h: a rational approximation of e^z in partial fractions, for inverting Laplace transforms.
///
///     e^z ~ N(z)/Q(z) = 2 Re sum_k c_k / (z - z_k)   (real z; k over the four poles with positive imaginary part)
///
/// N/Q is the Pade approximant of degree 6 over degree 8. It matches e^z to order 14 at 0, stays below 1 + 3e-13 on
/// the imaginary axis and falls like z^-2 at infinity, so that infinitely stiff modes are damped out, not reversed.
/// All poles have positive real parts. docs/theory/exponential.md, eqs 8 and 9. A function with transform F(s) has at
/// time h, with s_k = z_k / h,
///
///     f(h) ~ -(2/h) Re sum_k c_k F(s_k)
///
/// which is exact where f solves a linear equation whose modes obey e^z = N/Q, and to order 14 in h otherwise.
/// Four complex numbers are eight doubles: real parts, then imaginary parts.
#ifndef FFI_MATH_POLES_H
#define FFI_MATH_POLES_H

extern const double ffi_poles_z[8]; ///< z_k
extern const double ffi_poles_c[8]; ///< c_k = N(z_k)/Q'(z_k)

/// Residues that give the value at the fraction 0 <= x <= 1 of the step from the same F(s_k): N_x(z_k)/Q'(z_k), N_x
/// the terms of e^{xz} Q(z) up to degree 7. Right to 1e-6 of the excursion for modes that the step resolves; near x =
/// 0 fast modes are not resolved. docs/theory/exponential.md, section "Dense output".
void ffi_poles_inside(double x, double c[8]);

/// Residues of the indicators of what a step does not resolve. Indicator 0 is N_0/Q - 1 = -q z^8/Q, q the leading
/// coefficient of Q: the value right after the start less that at the start, 0 if all is resolved and -1 for a mode
/// that is far too fast. Indicators 1, 2, 3 are q z^7/Q, q z^6/Q, q z^5/Q: smaller, by |z| each, for fast modes.
/// (Residues do not see constants: indicator 0 gives the value of N_0/Q, of something that begins with 0.)
void ffi_poles_unresolved(int indicator, double c[8]);

/// Bounds of the error per unit of indicator 0: bound[k] is at least the norm of
///
///     z^(k - 1) (e^z - N/Q) / (q z^8/Q) e^(later z)
///
/// at z = h A, for every A of masses on springs with a damper beside each, in the norm of their energy
/// (docs/theory/exponential.md, eq. 9a). lightness = h K/B of the least damped spring, may be infinite; is_uniform:
/// all springs have that K/B. `later`: that many steps of the same length follow. Per unit of indicator m it is
/// bound[k + m]. bound[2] and bound[3] are infinite from a lightness of 8192 on (4096, if not uniform).
void ffi_poles_bounds(double lightness, int is_uniform, int later, double bound[4]);

#endif
