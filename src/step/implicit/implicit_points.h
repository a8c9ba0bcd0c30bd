/// implicit_sides.h: how the velocities of two points, each on its body, change with q.
///
/// With c_k the velocity of a body's point and z_k its turning for a unit of the k-th velocity, u and omega what they add up to, and "up"
/// what the velocities before the body of k add up to,
///
///     du/dq_k = z_k x (u - u_up) + omega_up x c_k      for a point that goes along with the body
///     domega/dq_k = z_k x (omega - omega_up)
///
/// All in world axes. Arrays are three rows, [3][stride], by columns in the order of a path or of rows between two bodies.
#ifndef FFI_STEP_IMPLICIT_SIDES_H
#define FFI_STEP_IMPLICIT_SIDES_H

#include "step/implicit/implicit.h"

/// A point of a body, along the body's path.
typedef struct ffi_side {
  int body, n;
  const int *dof;
  double *c, *z, *du, *dw;
  double u[3], omega[3];
} ffi_side;

/// Both, in the order of the rows between them.
typedef struct ffi_implicit_points {
  ffi_side a, b;
  double *turn_a, *turn_b; ///< z of each; b's only if it is not the world
  double *du;              ///< of a's point less b's, or of the turning
  double *slide;           ///< scratch for the way of a witness over a
  double *x;               ///< scratch for the springs' offset
  double *by_q, *by_v;     ///< scratch for the force
} ffi_implicit_points;

/// Room that ffi_implicit_points_evaluate() needs, in doubles.
size_t ffi_implicit_points_size(int stride);

/// Points xa and xb of bodies a and b at the trial; rows between them, linear or angular.
void ffi_implicit_points_evaluate(const ffi_system *s, const ffi_implicit *m, int a, const double xa[3],
                                  int b, const double xb[3], const ffi_rows3 *rows, int angular,
                                  ffi_implicit_points *out);

void ffi_implicit_columns_clear(int stride, double *rows);
void ffi_implicit_columns_get(const double *rows, int stride, int k, double out[3]);
void ffi_implicit_columns_set(const double a[3], int stride, int k, double *rows);

/// out = G a + H b by columns; H NULL: without.
void ffi_implicit_columns_transform(int n, int stride, const double G[9], const double *a, const double *H,
                                    const double *b, double *out);

/// out_k += scale (rows_k x a)
void ffi_implicit_columns_add_cross(int n, int stride, double scale, const double *rows, const double a[3],
                                    double *out);

/// matrix[i][k] -= scale (left_i . right_k) for the velocities of the rows; matrix [nv][nv].
void ffi_implicit_columns_subtract_product(const ffi_rows3 *rows, int stride, int nv, double scale,
                                           const double *left, const double *right, double *matrix);

#endif
