/// dense.h: small dense factorisations, in place, without allocation; and the dot product in them.
///
/// Matrices are row-major, A[i * stride + j], stride >= n. Meant for the sizes of robots (n below a few
/// hundred): no blocking. A factorisation returns FFI_FACTORED or the index of the pivot that failed; A is then
/// undefined. A pivot fails if it is NaN, if it is <= 0 (Cholesky), or if it is exactly 0 (the others).
#ifndef FFI_MATH_DENSE_H
#define FFI_MATH_DENSE_H

enum { FFI_FACTORED = -1 };

static inline double ffi_dense_dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// A = L L', A symmetric positive definite; reads and writes the lower triangle only.
int ffi_dense_cholesky(int n, int stride, double *A);
void ffi_dense_cholesky_solve(int n, int stride, const double *L, double *x); ///< x := A^-1 x

/// A = L D L' without pivoting, L unit lower triangular below the diagonal, D on it; the lower triangle only.
/// For definite matrices of either sign and for quasidefinite ones; others may lose accuracy.
int ffi_dense_ldl(int n, int stride, double *A);
void ffi_dense_ldl_solve(int n, int stride, const double *LD, double *x);

/// P A = L U with partial pivoting; row[i] [n] is the row of A that became row i. L has a unit diagonal.
int ffi_dense_lu(int n, int stride, double *A, int *row);

/// x := A^-1 b; x and b must not overlap.
void ffi_dense_lu_solve(int n, int stride, const double *LU, const int *row, const double *b, double *x);

#endif
