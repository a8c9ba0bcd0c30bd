/// padded.h: dense products and solves, four columns at a time.
///
/// Matrices are row-major without gaps, and the counts of rows and columns that say so are multiples of 4: round
/// up with ffi_padded() and fill the rest with zeros. That leaves one inner kernel and no special cases at
/// the edges.
#ifndef FFI_MATH_PADDED_H
#define FFI_MATH_PADDED_H

/// The next multiple of 4.
static inline int ffi_padded(int n)
{
  return (n + 3) / 4 * 4;
}

/// C [rows x columns] := A [rows x inner] B [inner x columns]; rows and columns padded. C is neither A nor B.
void ffi_padded_product(int rows, int inner, int columns, const double *A, const double *B, double *C);

/// X [n x columns] := A^-1 R, columns padded; LU [n x stride] and row [n] from ffi_lu() of math/dense.h. X is not R.
void ffi_padded_solve(int n, int stride, const double *LU, const int *row, int columns, const double *R,
                      double *X);

#endif
