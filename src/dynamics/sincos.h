/// sincos.h: sine and cosine for any number of lanes, without branches.
///
/// The angle is reduced by the nearest multiple k of pi/2 and both functions are taken from polynomials on
/// [-pi/4, pi/4] (the degree-13 and degree-14 minimax polynomials of the classic C libraries); the quadrant
/// then swaps and signs them. For |x| up to 1e5 the error is below 1.6 ulp with fused multiply-add and 2.5 ulp without,
/// or below 1e-28 next to a zero. It is below 1e-15 for |x| up to 1e9 with fused multiply-add (x - k P1 is then
/// exact) and up to 1e6 without. NaN and infinities give NaN.
#ifndef FFI_DYNAMICS_SINCOS_H
#define FFI_DYNAMICS_SINCOS_H

#include "dynamics/lanes.h"

#if (defined(__FMA__) || defined(__ARM_FEATURE_FMA)) && !defined(FFI_COUNT_FLOPS)
#define FFI_HAS_FMA 1
/// x - k p, rounded once. By explicit fma: contraction is the compiler's choice, and gcc does none at -O1.
FFI_ALWAYS real subtract_fused(real x, real k, double p)
{
#if FFI_LANES == 1
  return __builtin_fma(-k, p, x);
#else
  for (int i = 0; i < FFI_LANES; ++i) // one instruction for all lanes at -O2
    x[i] = __builtin_fma(-k[i], p, x[i]);
  return x;
#endif
}
#else
#define FFI_HAS_FMA 0
#endif

FFI_ALWAYS void sincos_lanes(real x, real *sine, real *cosine)
{
  // Adding 1.5 2^52 rounds to the nearest integer and leaves it in the low bits.
  const double round_magic = 6755399441055744.0;
  const real shifted = x * 0.63661977236758134308 + round_magic;
  const real_bits quadrant = bits_of(shifted);
  const real k = shifted - round_magic;

#if FFI_HAS_FMA
  // pi/2 = P1 + P2 - 1.5e-33, and x - k P1 is exact.
  real r = subtract_fused(x, k, 1.57079632679489655800e+00);
  r = subtract_fused(r, k, 6.12323399573676603587e-17);
#else
  // pi/2 in parts of 33 bits, so that k times a part is exact for |k| < 2^20.
  real r = x - k * 1.57079632673412561417e+00;
  r = r - k * 6.07710050630396597660e-11;
  r = r - k * 2.02226624879595063154e-21;
#endif

  const real z = r * r;
  const real s =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 +
                              z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const real c = 1.0 - 0.5 * z +
                 z * z *
                     (4.16666666666666019037e-02 +
                      z * (-1.38888888888741095749e-03 +
                           z * (2.48015872894767294178e-05 +
                                z * (-2.75573143513906633035e-07 +
                                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));

  const real_bits odd = -(quadrant & 1);
  const real_bits sign_s = (quadrant & 2) << 62;
  const real_bits sign_c = ((quadrant + 1) & 2) << 62;
  *sine = real_of(bits_of(select_bits(odd, c, s)) ^ sign_s);
  *cosine = real_of(bits_of(select_bits(odd, s, c)) ^ sign_c);
}

#endif
