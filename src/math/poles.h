/// poles.h: a rational approximation of e^z in partial fractions, for inverting Laplace transforms.
///
///     e^z ~ N(z)/Q(z) = 2 Re sum_k c_k / (z - z_k)   (real z; k over the four poles with positive imaginary part)
///
/// N/Q is the Pade approximant of degree 6 over degree 8: it matches e^z to order 14 at 0, stays below 1 + 3e-13 on the imaginary
/// axis and falls like z^-2 at infinity, so that infinitely stiff modes are absorbed, not reversed. All poles have positive real parts.
/// A function with transform F(s) has at time h, with s_k = z_k / h,
///
///     f(h) ~ -(2/h) Re sum_k c_k F(s_k)
///
/// which is exact where f solves a linear equation whose modes obey e^z = N/Q, and to order 14 in h otherwise.
/// Four complex numbers are eight doubles: real parts, then imaginary parts.
#ifndef FFI_MATH_POLES_H
#define FFI_MATH_POLES_H

extern const double ffi_poles_z[8]; ///< z_k
extern const double ffi_poles_c[8]; ///< c_k = N(z_k)/Q'(z_k)

/// Residues that give the value at the fraction 0 <= x <= 1 of the step from the same F(s_k): N_x(z_k)/Q'(z_k), N_x the terms of e^{xz} Q(z) up to
/// degree 7. Good to 1e-6 of the excursion for modes that the step resolves; at x near 0 fast modes are not resolved.
void ffi_poles_inside(double x, double c[8]);

/// Residues of z^7/Q. The error of N/Q cannot be seen from its own poles (it begins with z^15), but scale |z^7/Q| = tolerance on the
/// same curve in the left half plane on which |e^z - N/Q| = tolerance, within 10 % of |z| in every direction, for the right scale;
/// inside the curve it is larger than the error, so it errs on the safe side.
extern const double ffi_poles_seventh[8];

/// That scale, for tolerances from 1e-12 to 1e-1: a fit, at least as large as what each direction of z needs.
double ffi_poles_error_scale(double tolerance);

#endif
