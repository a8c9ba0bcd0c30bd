/// padded.h: dense products and solves, four columns at a time.
///
/// Matrices are row-major without gaps. Counts that are called padded are multiples of 4: round up with ffi_padded()
/// and fill the rest with zeros. That leaves one inner kernel and no special cases at the edges.
#ifndef FFI_MATH_PADDED_H
#define FFI_MATH_PADDED_H

/// The next multiple of 4.
static inline int ffi_padded(int n)
{
  return (n + 3) / 4 * 4;
}

/// C [rows x columns] := A [rows x inner] B [inner x columns]; rows and columns padded. C is neither A nor B.
void ffi_padded_product(int rows, int inner, int columns, const double *A, const double *B, double *C);

/// A matrix as ffi_dense_lu() of math/dense.h factors it.
typedef struct ffi_padded_lu {
  int n, stride;
  const double *LU; ///< [n x stride]
  const int *row;   ///< [n]
} ffi_padded_lu;

/// X [n x columns] := A^-1 R, columns padded. X is not R.
void ffi_padded_solve(const ffi_padded_lu *A, int columns, const double *R, double *X);

#endif
