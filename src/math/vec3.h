/// vec3.h: vectors of three, plain arrays. Outputs come last and may be one of the inputs unless said
/// otherwise.
#ifndef FFI_MATH_VEC3_H
#define FFI_MATH_VEC3_H

#include <math.h>

static inline void ffi_v3_set(double x, double y, double z, double out[3])
{
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

static inline void ffi_v3_copy(const double a[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] = a[i];
}

static inline void ffi_v3_add(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] = a[i] + b[i];
}

static inline void ffi_v3_sub(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] = a[i] - b[i];
}

static inline void ffi_v3_scale(double s, const double a[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] = s * a[i];
}

/// out += s a
static inline void ffi_v3_add_scaled(double s, const double a[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] += s * a[i];
}

static inline int ffi_v3_is_equal(const double a[3], const double b[3])
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static inline double ffi_v3_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void ffi_v3_cross(const double a[3], const double b[3], double out[3])
{
  double x = a[1] * b[2] - a[2] * b[1];
  double y = a[2] * b[0] - a[0] * b[2];
  double z = a[0] * b[1] - a[1] * b[0];
  ffi_v3_set(x, y, z, out);
}

/// S x of a symmetric S: xx xy xz yy yz zz
static inline void ffi_sym3_times(const double S[6], const double x[3], double out[3])
{
  ffi_v3_set(S[0] * x[0] + S[1] * x[1] + S[2] * x[2], S[1] * x[0] + S[3] * x[1] + S[4] * x[2],
             S[2] * x[0] + S[4] * x[1] + S[5] * x[2], out);
}

/// Length, without intermediate overflow or underflow.
static inline double ffi_v3_norm(const double a[3])
{
  const double square = ffi_v3_dot(a, a);
  if (square > 1e-280 && square < 1e280) // squares of the parts that matter neither vanish nor overflow
    return sqrt(square);
  double m = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
  if (!(m > 0) || isinf(m))
    return m;
  int e;
  (void)frexp(m, &e);
  double x = ldexp(a[0], -e), y = ldexp(a[1], -e), z = ldexp(a[2], -e);
  return ldexp(sqrt(x * x + y * y + z * z), e);
}

static inline int ffi_all_finite(const double *a, int n)
{
  for (int i = 0; i < n; ++i)
    if (!isfinite(a[i]))
      return 0;
  return 1;
}

#endif
