/// riccati.h: the linear-quadratic regulator by the discrete Riccati recursion.
///
/// For x_{k+1} = A_k x_k + B_k u_k and the cost  sum (x_k' Q x_k + u_k' R u_k) + x_N' P_N x_N  the optimal control is
/// u_k = -K_k x_k, and the cost to go from x_k is x_k' P_k x_k, with
///
///     K_k = (R + B' P_{k+1} B)^-1 B' P_{k+1} A
///     P_k = Q + K' R K + (A - B K)' P_{k+1} (A - B K)
///
/// The last line is symmetric and a sum of squares whatever the rounding in K: P stays positive semidefinite.
#ifndef FFI_MATH_RICCATI_H
#define FFI_MATH_RICCATI_H

#include <stddef.h>

/// Working space in doubles for n states and m controls.
size_t ffi_riccati_work(int n, int m);

/// n states, m controls; matrices are row-major.
typedef struct ffi_riccati {
  int n, m;
  const double *A, *B; ///< [n x n], [n x m]
  const double *Q, *R; ///< [n], [m] diagonals, Q >= 0, R > 0
} ffi_riccati;

/// One step back in time. P [n x n] in: P_{k+1}, out: P_k. K [m x n] out. Returns FFI_FACTORED of dense.h, or the
/// control whose pivot failed because a number was not finite; P is then undefined.
int ffi_riccati_step(const ffi_riccati *p, double *P, double *K, double *work);

#endif
