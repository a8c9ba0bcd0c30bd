/// quaternion.h: unit quaternions (x, y, z, w), w last, for rotations.
///
/// q rotates x to q x q*. The product q r is the rotation r followed by q, as with matrices. Outputs come
/// last and may be an input.
#ifndef FFI_MATH_QUATERNION_H
#define FFI_MATH_QUATERNION_H

#include "math/mat3.h"

static inline void ffi_quat_identity(double out[4])
{
  out[0] = out[1] = out[2] = 0;
  out[3] = 1;
}

static inline void ffi_quat_mul(const double a[4], const double b[4], double out[4])
{
  double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  double y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
  double z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
  double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
}

static inline void ffi_quat_conjugate(const double a[4], double out[4])
{
  out[0] = -a[0];
  out[1] = -a[1];
  out[2] = -a[2];
  out[3] = a[3];
}

/// To unit length. Returns 0, and gives the identity, for zero or non-finite quaternions; else 1. A
/// quaternion that is of unit length to rounding already is left alone, so normalising twice changes no bits.
static inline int ffi_quat_normalize(const double a[4], double out[4])
{
  double n2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
  if (fabs(n2 - 1) <= 4 * DBL_EPSILON) {
    memmove(out, a, 4 * sizeof *out);
    return 1;
  }
  if (n2 > 1e-280 && n2 < 1e280) {
    const double length = sqrt(n2);
    for (int i = 0; i < 4; ++i)
      out[i] = a[i] / length;
    return 1;
  }
  double m = fmax(fmax(fabs(a[0]), fabs(a[1])), fmax(fabs(a[2]), fabs(a[3])));
  if (!(m > 0) || !ffi_all_finite(a, 4)) {
    ffi_quat_identity(out);
    return 0;
  }
  int e;
  (void)frexp(m, &e);
  double s[4];
  for (int i = 0; i < 4; ++i)
    s[i] = ldexp(a[i], -e);
  double n = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3]);
  for (int i = 0; i < 4; ++i)
    out[i] = s[i] / n;
  return 1;
}

/// R [3 x 3] row-major of a unit quaternion.
static inline void ffi_quat_matrix(const double q[4], double R[9])
{
  double x = q[0], y = q[1], z = q[2], w = q[3];
  R[0] = 1 - 2 * (y * y + z * z);
  R[1] = 2 * (x * y - z * w);
  R[2] = 2 * (x * z + y * w);
  R[3] = 2 * (x * y + z * w);
  R[4] = 1 - 2 * (x * x + z * z);
  R[5] = 2 * (y * z - x * w);
  R[6] = 2 * (x * z - y * w);
  R[7] = 2 * (y * z + x * w);
  R[8] = 1 - 2 * (x * x + y * y);
}

/// The unit quaternion of a rotation matrix. The largest of the four components is taken from the diagonal,
/// so no square root is of a small number: accurate for every rotation.
static inline void ffi_quat_from_matrix(const double R[9], double out[4])
{
  const double d[4] = {R[0], R[4], R[8], R[0] + R[4] + R[8]};
  int k = 3;
  for (int i = 0; i < 3; ++i)
    if (d[i] > d[k])
      k = i;
  double q[4];
  if (k == 3) {
    q[0] = R[7] - R[5];
    q[1] = R[2] - R[6];
    q[2] = R[3] - R[1];
    q[3] = 1 + d[3];
  } else {
    int i = k, j = (k + 1) % 3, l = (k + 2) % 3;
    q[i] = 1 + R[4 * i] - R[4 * j] - R[4 * l];
    q[j] = R[3 * i + j] + R[3 * j + i];
    q[l] = R[3 * i + l] + R[3 * l + i];
    q[3] = R[3 * l + j] - R[3 * j + l];
  }
  ffi_quat_normalize(q, out);
}

/// q x q*
static inline void ffi_quat_rotate(const double q[4], const double x[3], double out[3])
{
  double t[3], u[3];
  ffi_v3_cross(q, x, t);
  ffi_v3_scale(2, t, t);
  ffi_v3_cross(q, t, u);
  for (int i = 0; i < 3; ++i)
    out[i] = x[i] + q[3] * t[i] + u[i];
}

#endif
