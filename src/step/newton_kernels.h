/// newton_kernels.h: the inner loops of Newton's iterations, compiled once per instruction set for one robot.
///
/// Matrices are row-major with a stride that is a multiple of 4 and greater than n. Columns from n on are zero, unless said otherwise, and vectors have
/// as many entries, zero from n on: so whole rows are taken four at a time.
#ifndef FFI_STEP_NEWTON_KERNELS_H
#define FFI_STEP_NEWTON_KERNELS_H

#include "dynamics/kernels.h"

#include <footfall/dynamics.h>

static inline int ffi_newton_kernels_stride(int n)
{
  return n / 4 * 4 + 4;
}

/// A contact point fixed to a body, whose velocity over a flat surface matters.
typedef struct ffi_newton_kernels_point {
  int body;
  const double *x; ///< [3] world
  const double *J; ///< [3][rows_stride] its rows, by position on the body's path
  int rows_stride;
  const double *omega; ///< [3] of the surface
  const double *K, *B; ///< [9] 3 x 3
} ffi_newton_kernels_point;

typedef struct ffi_newton_kernels {
  /// Solve A x = b, b in column n of A, by elimination with partial pivoting; A is used up. 0 if it is singular.
  int (*eliminate)(int n, int stride, double *A, double *x);
  /// y += A x; any stride >= n.
  void (*multiply)(int n, int stride, const double *A, const double *x, double *y);
  /// A = M / dt + by_v + dt by_q, all but A [n][n].
  void (*assemble)(int n, int stride, double dt, const double *M, const double *by_v, const double *by_q,
                   double *A);
  /// Rows dof[a] of A -= (S' j_a)' P: the product J' S P of three rows. J [3][rows_stride], S 3 x 3, P [3][stride].
  void (*subtract_product)(int columns, const int *dof, const double *J, int rows_stride, const double S[9],
                           const double *P, int stride, double *A);
  /// out = P x.
  void (*times3)(int stride, const double *P, const double *x, double out[3]);
  /// P [3][stride] = K (dx/dq Q) + B (du/dq Q + J) of a point; Q [nv] rows of dq/dv, see implicit.h. scratch [6][rows_stride].
  void (*point_tangent)(const ffi_work *w, const ffi_newton_kernels_point *point, const double *v,
                        const double (*Q)[6], double *scratch, int stride, double *P);
} ffi_newton_kernels;

#endif
