/// mat3.h: 3 x 3 matrices, row-major, R[3 * row + column].
///
/// Symmetric ones are also kept as six numbers, xx xy xz yy yz zz. Outputs come last; a matrix output must
/// not be one of the inputs, a vector output may be.
#ifndef FFI_MATH_MAT3_H
#define FFI_MATH_MAT3_H

#include "math/vec3.h"

#include <float.h>
#include <string.h>

static inline void ffi_m3_identity(double out[9])
{
  memset(out, 0, 9 * sizeof *out);
  out[0] = out[4] = out[8] = 1;
}

static inline int ffi_m3_is_equal(const double A[9], const double B[9])
{
  return ffi_v3_is_equal(A, B) && ffi_v3_is_equal(A + 3, B + 3) && ffi_v3_is_equal(A + 6, B + 6);
}

static inline void ffi_m3_copy(const double A[9], double out[9])
{
  memcpy(out, A, 9 * sizeof *out);
}

static inline void ffi_m3_transpose(const double A[9], double out[9])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = A[3 * j + i];
}

/// A B
static inline void ffi_m3_mul(const double A[9], const double B[9], double out[9])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/// A' B
static inline void ffi_m3_tmul(const double A[9], const double B[9], double out[9])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

/// A x
static inline void ffi_m3_mulv(const double A[9], const double x[3], double out[3])
{
  double a = ffi_v3_dot(A, x), b = ffi_v3_dot(A + 3, x), c = ffi_v3_dot(A + 6, x);
  ffi_v3_set(a, b, c, out);
}

/// A' x
static inline void ffi_m3_tmulv(const double A[9], const double x[3], double out[3])
{
  double a = A[0] * x[0] + A[3] * x[1] + A[6] * x[2];
  double b = A[1] * x[0] + A[4] * x[1] + A[7] * x[2];
  double c = A[2] * x[0] + A[5] * x[1] + A[8] * x[2];
  ffi_v3_set(a, b, c, out);
}

/// The matrix of a cross product: skew(a) b = a x b.
static inline void ffi_m3_skew(const double a[3], double out[9])
{
  out[0] = out[4] = out[8] = 0;
  out[1] = -a[2];
  out[2] = a[1];
  out[3] = a[2];
  out[5] = -a[0];
  out[6] = -a[1];
  out[7] = a[0];
}

static inline void ffi_m3_from_sym(const double s[6], double out[9])
{
  const double full[9] = {s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]};
  ffi_m3_copy(full, out);
}

/// R S R' of a symmetric S, as six numbers; out may be S.
static inline void ffi_sym3_rotate(const double R[9], const double S[6], double out[6])
{
  double full[9], RS[9];
  ffi_m3_from_sym(S, full);
  ffi_m3_mul(R, full, RS);
  int k = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      out[k++] = ffi_v3_dot(RS + 3 * i, R + 3 * j);
}

/// out += m (|c|^2 1 - c c'): the inertia of a mass m at c.
static inline void ffi_sym3_add_point(double m, const double c[3], double out[6])
{
  out[0] += m * (c[1] * c[1] + c[2] * c[2]);
  out[1] -= m * c[0] * c[1];
  out[2] -= m * c[0] * c[2];
  out[3] += m * (c[0] * c[0] + c[2] * c[2]);
  out[4] -= m * c[1] * c[2];
  out[5] += m * (c[0] * c[0] + c[1] * c[1]);
}

/// If every entry of a rotation is within 4 eps of -1, 0 or 1, make it exactly that. Quarter turns given by
/// angles come out of sines and cosines a rounding or two away; without this they would never meet the exact
/// axes that the kernels exploit. Returns 1 if R is now a signed permutation.
static inline int ffi_m3_snap(double R[9])
{
  double exact[9];
  for (int i = 0; i < 9; ++i) {
    exact[i] = round(R[i]);
    if (!(fabs(R[i] - exact[i]) <= 4 * DBL_EPSILON))
      return 0;
    exact[i] += 0.0; // no negative zeros
  }
  ffi_m3_copy(exact, R);
  return 1;
}

/// One Newton step towards the nearest rotation, R (3 1 - R' R) / 2: squares an error that is already of the
/// size of rounding, so products of many rotations stay rotations.
static inline void ffi_m3_polish(double R[9])
{
  double G[9], P[9];
  ffi_m3_tmul(R, R, G);
  for (int i = 0; i < 9; ++i)
    G[i] = (i % 4 == 0 ? 1.5 : 0.0) - 0.5 * G[i];
  ffi_m3_mul(R, G, P);
  ffi_m3_copy(P, R);
}

#endif
