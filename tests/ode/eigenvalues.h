/// eigenvalues.h: eigenvalues of small matrices, for tests: the roots of their characteristic polynomial in long
/// double. Good for a dozen rows.
#ifndef FFI_TESTS_ODE_EIGENVALUES_H
#define FFI_TESTS_ODE_EIGENVALUES_H

enum { FFI_EIGENVALUES_MOST = 16 };

/// A [n x n] row-major; real and imaginary parts [n], largest modulus first, the one with the positive imaginary part
/// first of a pair.
void ffi_eigenvalues(int n, const double *A, double *real, double *imaginary);

#endif
