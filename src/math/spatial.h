/// spatial.h: spatial vectors, six numbers (linear, angular), as everywhere in Footfall.
///
/// Motions (v, w): v is the velocity of the point at the frame's origin, w the rotation rate. Forces (f, n):
/// f the force, n its moment about the origin. A transform is a pose (p, R) that places frame B in frame A.
/// Outputs come last and must not be inputs.
#ifndef FFI_MATH_SPATIAL_H
#define FFI_MATH_SPATIAL_H

#include "math/mat3.h"

/// A motion given in B, seen from A:  w_A = R w,  v_A = R v + p x R w.
static inline void ffi_spatial_motion_to_parent(const double p[3], const double R[9], const double m[6],
                                                double out[6])
{
  double t[3];
  ffi_m3_mulv(R, m, out);
  ffi_m3_mulv(R, m + 3, out + 3);
  ffi_v3_cross(p, out + 3, t);
  ffi_v3_add(out, t, out);
}

/// A motion given in A, seen from B:  w_B = R' w,  v_B = R' (v - p x w).
static inline void ffi_spatial_motion_to_child(const double p[3], const double R[9], const double m[6],
                                               double out[6])
{
  double t[3];
  ffi_v3_cross(p, m + 3, t);
  ffi_v3_sub(m, t, t);
  ffi_m3_tmulv(R, t, out);
  ffi_m3_tmulv(R, m + 3, out + 3);
}

/// A force given in B, seen from A:  f_A = R f,  n_A = R n + p x R f.
static inline void ffi_spatial_force_to_parent(const double p[3], const double R[9], const double f[6],
                                               double out[6])
{
  double t[3];
  ffi_m3_mulv(R, f, out);
  ffi_m3_mulv(R, f + 3, out + 3);
  ffi_v3_cross(p, out, t);
  ffi_v3_add(out + 3, t, out + 3);
}

/// A force given in A, seen from B:  f_B = R' f,  n_B = R' (n - p x f).
static inline void ffi_spatial_force_to_child(const double p[3], const double R[9], const double f[6],
                                              double out[6])
{
  double t[3];
  ffi_v3_cross(p, f, t);
  ffi_v3_sub(f + 3, t, t);
  ffi_m3_tmulv(R, f, out);
  ffi_m3_tmulv(R, t, out + 3);
}

/// How motion b changes when its frame moves by a:  a x b = (w x v_b + v x w_b,  w x w_b).
static inline void ffi_spatial_motion_cross(const double a[6], const double b[6], double out[6])
{
  double t[3];
  ffi_v3_cross(a + 3, b, out);
  ffi_v3_cross(a, b + 3, t);
  ffi_v3_add(out, t, out);
  ffi_v3_cross(a + 3, b + 3, out + 3);
}

/// How force f changes when its frame moves by a:  a x* f = (w x f,  w x n + v x f).
static inline void ffi_spatial_force_cross(const double a[6], const double f[6], double out[6])
{
  double t[3];
  ffi_v3_cross(a + 3, f, out);
  ffi_v3_cross(a + 3, f + 3, out + 3);
  ffi_v3_cross(a, f, t);
  ffi_v3_add(out + 3, t, out + 3);
}

/// The momentum of a body of mass m, first moment mc and inertia I about the origin (xx xy xz yy yz zz):
/// f = m v - mc x w,  n = I w + mc x v.
static inline void ffi_spatial_inertia_times(double m, const double mc[3], const double I[6],
                                             const double motion[6], double out[6])
{
  const double *v = motion, *w = motion + 3;
  double t[3], full[9];
  ffi_v3_cross(mc, w, t);
  for (int i = 0; i < 3; ++i)
    out[i] = m * v[i] - t[i];
  ffi_m3_from_sym(I, full);
  ffi_m3_mulv(full, w, out + 3);
  ffi_v3_cross(mc, v, t);
  ffi_v3_add(out + 3, t, out + 3);
}

static inline double ffi_spatial_dot(const double motion[6], const double force[6])
{
  return ffi_v3_dot(motion, force) + ffi_v3_dot(motion + 3, force + 3);
}

#endif
