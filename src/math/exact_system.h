/// frozen_reference.h: what a frozen linear contact system does over a step, by the matrix exponential.
///
/// The oracle for everything faster, and the steppers' choice `exponential: exact | order1 .. order7`. With all
/// but the contact rows held constant over a step of length t [s], the n rows' displacements from their anchors obey
///
///     dp'' = b0 + b1 tau + Y lambda,    lambda = -(K dp + B dp'),    0 <= tau <= t          Expo paper eqs 10-12
///
/// Y = J M^-1 J' in general. It may be singular (redundant contacts) or unsymmetric. K and B are full matrices, so
/// that forces may depend on one another: the tangential force of a sliding contact, mu times its normal
/// force, is a row of K and of B in the normal's column. Zero stiffness and zero damping are allowed everywhere.
/// A row may forget: with dp' = follow v - fade dp in place of dp' = v, v the velocity, dp is the elongation of a spring whose
/// anchor creeps, as across a sliding contact; force and acceleration are as above, with v for dp'.
///
/// Mean force and double mean come from one product of the exponential of an augmented matrix with two columns
/// (Expo paper eqs 29-30, with one more row and column for the ramp b1), the end state from a third. Exact
/// means to rounding: about 1e-16 t |A| relative to the largest force of the motion, |A| being its highest
/// frequency or decay rate, `fade` among them. A reduced order is the paper's approximant of that order.
///
/// Nothing is allocated: the caller gives `work`, ffi_exact_system_size(n) bytes aligned as for double.
#ifndef FFI_MATH_FROZEN_REFERENCE_H
#define FFI_MATH_FROZEN_REFERENCE_H

#include "math/expm.h"

/// Any consistent axes; rows of rotation read Nm, rad in place of N, m. Matrices are row-major.
typedef struct ffi_exact_system {
  int n;                ///< rows, >= 0
  const double *Y;      ///< [n x n]  acceleration per force [1/kg]
  const double *K;      ///< [n x n]  lambda = -(K dp + B dpdot) [N/m]
  const double *B;      ///< [n x n]  [N s/m]
  const double *b0;     ///< [n]      acceleration without contact forces, at the start [m/s^2]
  const double *b1;     ///< [n]      its slope [m/s^3]; NULL: zero
  const double *dp;     ///< [n]      p - p0 at the start [m]
  const double *dpdot;  ///< [n]      its rate [m/s]; of a row that forgets, its velocity
  const double *fade;   ///< [n]      [1/s], >= 0; NULL: zero
  const double *follow; ///< [n]     [-]; NULL: one
} ffi_exact_system;

/// Each [n], or NULL if it is not wanted. They may be the system's own dp and dpdot.
typedef struct ffi_exact_system_result {
  double *mean; ///< (1/t) integral of lambda over the step [N]                        Expo paper eq. 23
  double
      *double_mean;   ///< (2/t^2) integral of the integral of lambda [N]                    Expo paper eq. 25
  double *dp, *dpdot; ///< the state at the end
} ffi_exact_system_result;

/// Bytes of `work`; about 64 (2n + 4)^2.
size_t ffi_exact_system_size(int n);

/// One step of length t > 0. order: FFI_EXPM_EXACT, 1, 2, 3, 5 or 7. info may be NULL.
/// If it does not return FFI_EXPM_DONE the results are left as they were.
ffi_expm_status ffi_exact_system_step(const ffi_exact_system *system, double t, int order, void *work,
                                      const ffi_exact_system_result *result, ffi_expm_info *info);

/// The force at `count` times >= 0, in any order; lambda [count x n]. One exponential for each time, from the start.
ffi_expm_status ffi_exact_system_forces(const ffi_exact_system *system, int count, const double *times,
                                        int order, void *work, double *lambda);

#endif
