/// smooth.h: from one place to another: without speed or acceleration at either end, or with those that are asked for.
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

/// Value, velocity and acceleration at t >= 0 of the polynomial of degree 5 that has those of `from` at 0 and those of
/// `to` at T; from there on with the acceleration of `to`.
static inline void ffi_smooth_between(const double from[3], const double to[3], double T, double t,
                                      double out[3])
{
  if (t >= T) {
    const double after = t - T;
    out[0] = to[0] + after * (to[1] + after * to[2] / 2);
    out[1] = to[1] + after * to[2];
    out[2] = to[2];
    return;
  }
  const double d = to[0] - from[0] - T * (from[1] + T * from[2] / 2), v = (to[1] - from[1] - T * from[2]) * T,
               a = (to[2] - from[2]) * T * T, u = t / T;
  const double c3 = 10 * d - 4 * v + a / 2, c4 = -15 * d + 7 * v - a, c5 = 6 * d - 3 * v + a / 2;
  out[0] = from[0] + t * (from[1] + t * from[2] / 2) + u * u * u * (c3 + u * (c4 + u * c5));
  out[1] = from[1] + t * from[2] + u * u * (3 * c3 + u * (4 * c4 + u * 5 * c5)) / T;
  out[2] = from[2] + u * (6 * c3 + u * (12 * c4 + u * 20 * c5)) / (T * T);
}

#endif
