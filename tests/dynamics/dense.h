/// dense.h: dense linear algebra as in a textbook, for tests to compare with. Matrices are row-major.
#ifndef FFI_TESTS_DENSE_H
#define FFI_TESTS_DENSE_H

/// C [n x m] = A [n x k] B [k x m].
void ffi_dense_multiply(int n, int k, int m, const double *A, const double *B, double *C);

/// T [m x n] = A [n x m]'.
void ffi_dense_transpose(int n, int m, const double *A, double *T);

/// M = G G', G lower triangular, in place of M [n x n]; the upper half becomes zero. Returns 0 if M is not
/// positive definite.
int ffi_dense_factor(int n, double *M);

/// X [n x m] := M^-1 X with the factor of M.
void ffi_dense_solve(int n, const double *G, int m, double *X);

#endif
