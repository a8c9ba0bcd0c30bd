/// balance.h: a diagonal similarity that makes a matrix small.
///
/// A := D^-1 A D, D diagonal, so that row i and column i have about the same 1-norm off the diagonal. Entries
/// of D are powers of 2, so nothing is rounded. In mechanical terms it finds units in which stiff and soft rows,
/// positions and velocities have the same size. The norm falls by orders of magnitude, and with it the squarings of a
/// matrix exponential. Rows or columns without entries off the diagonal keep their unit; nothing is permuted.
///                                                          [Parlett and Reinsch 1969, Numer. Math. 13]
#ifndef FFI_MATH_BALANCE_H
#define FFI_MATH_BALANCE_H

/// A [n x n] row-major with rows `stride` apart; d [n] out, the diagonal of D.
void ffi_balance(int n, int stride, double *A, double *d);

#endif
