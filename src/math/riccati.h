/// riccati.h: the linear feedback that costs least.
///
/// For x_{k+1} = A_k x_k + B_k u_k and the cost  sum (x_k' Q x_k + u_k' R u_k) + x_N' P_N x_N  the best control is u_k = -K_k x_k, and what is
/// still to be paid from x_k on is x_k' P_k x_k, with
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

/// One step back in time. Row-major: A [n x n], B [n x m], K [m x n] out, P [n x n] in: P_{k+1}, out: P_k. Q [n] and R [m] are the
/// diagonals, Q >= 0, R > 0. FFI_FACTORED of dense.h, or the control whose pivot failed: a number was not finite; P is then of no use.
int ffi_riccati_step(int n, int m, const double *A, const double *B, const double *Q, const double *R,
                     double *P, double *K, double *work);

#endif
