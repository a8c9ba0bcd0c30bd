/// smooth.h: from one place to another, without speed or acceleration at either end.
#ifndef FFI_CONTROL_SMOOTH_H
#define FFI_CONTROL_SMOOTH_H

/// 10 u^3 - 15 u^4 + 6 u^5 on 0..1, held outside: value, first and second derivative by u.
static inline void ffi_smooth_step(double u, double out[3])
{
  if (!(u > 0 && u < 1)) {
    out[0] = u >= 1;
    out[1] = out[2] = 0;
    return;
  }
  out[0] = u * u * u * (10 + u * (-15 + u * 6));
  out[1] = 30 * u * u * (1 - u) * (1 - u);
  out[2] = 60 * u * (1 - u) * (1 - 2 * u);
}

/// Up to 1 at u = 1/2 and back, 64 u^3 (1 - u)^3, zero outside 0..1.
static inline void ffi_smooth_hump(double u, double out[3])
{
  const double s = u * (1 - u), slope = 1 - 2 * u;
  out[0] = out[1] = out[2] = 0;
  if (!(u > 0 && u < 1))
    return;
  out[0] = 64 * s * s * s;
  out[1] = 192 * s * s * slope;
  out[2] = 384 * s * (slope * slope - s);
}

#endif
