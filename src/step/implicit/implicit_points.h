/// implicit_points.h: how the velocities of two points, each on its body, change with q.
///
/// Let c_k be the velocity of a body's point and z_k the body's angular velocity for a unit of the k-th velocity, u
/// and omega their sums, and "up" the sums over the velocities before the body of k. Then
///
///     du/dq_k = z_k x (u - u_up) + omega_up x c_k      for a point that moves with the body
///     domega/dq_k = z_k x (omega - omega_up)
///
/// All in world axes. Arrays are three rows, [3][stride], by columns in the order of a path or of rows between two
/// bodies.
#ifndef FFI_STEP_IMPLICIT_IMPLICIT_POINTS_H
#define FFI_STEP_IMPLICIT_IMPLICIT_POINTS_H

#include "step/eval/contact_jacobian.h"
#include "step/implicit/implicit.h"
#include "step/implicit/implicit_columns.h"

/// A point of a body, along the body's path.
typedef struct ffi_implicit_points_side {
  int body, n;
  const int *dof;
  double *c, *z, *du, *dw;
  double u[3], omega[3];
} ffi_implicit_points_side;

/// Both, in the order of the rows between them.
typedef struct ffi_implicit_points {
  ffi_implicit_points_side a, b;
  ffi_implicit_columns columns; ///< of the rows between them
  double *turn_a, *turn_b;      ///< z of each; b's only if it is not the world
  double *du;                   ///< of a's point less b's, or of the angular velocity
  double *slide;                ///< scratch for the travel of a witness point over a
  double *x;                    ///< scratch for the springs' offset
  double *by_q, *by_v;          ///< scratch for the force
} ffi_implicit_points;

/// Memory that ffi_implicit_points_evaluate() needs, in doubles.
size_t ffi_implicit_points_size(int stride);

/// Two points at the trial; rows between them, linear or angular.
void ffi_implicit_points_evaluate(const ffi_system *s, const ffi_implicit *m,
                                  const ffi_contact_jacobian_points *at, const ffi_rows3 *rows, int angular,
                                  ffi_implicit_points *out);

#endif
