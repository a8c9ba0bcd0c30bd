/// expm.h: the exponential of a dense matrix, and its product with a few columns.
///
/// Scaling and squaring with Pade approximants [Higham 2005, SIAM J. Matrix Anal. Appl. 26(4)]. The matrix is
/// balanced first, then divided by 2^s until one of the approximants of order 3, 5, 7, 9 or 13 is exact to
/// rounding; then the approximant is squared s times. For order 13, s follows the size of the matrix's powers,
/// not its norm alone [Al-Mohy and Higham 2009, 31(3)], so that far from normal matrices are not scaled too much.
///
/// A reduced order 1, 2, 3, 5 or 7 is the Pade approximant of that order of the matrix itself, s = 0: Expo paper
/// section 5.3, whose "mmm" 0, 1, 2, 3, 4 are the matrix products that this takes. It is cheap, and accurate only
/// while the matrix is small; docs/theory/exponential.md, section "The reduced orders", has a table.
///
/// Matrices are row-major without gaps. Nothing is allocated: the caller gives `work`, ffi_expm_size(n, columns)
/// bytes aligned as for double. Meant for n up to about 700. The same input gives the same bits.
#ifndef FFI_MATH_EXPM_H
#define FFI_MATH_EXPM_H

#include <stddef.h>

enum { FFI_EXPM_EXACT = 0 }; ///< in place of an order: to rounding, by scaling and squaring

typedef enum ffi_expm_status {
  FFI_EXPM_DONE,
  FFI_EXPM_SINGULAR,   ///< the denominator has no inverse; only for reduced orders, and for growing systems
  FFI_EXPM_NOT_FINITE, ///< the matrix or the columns are not finite, or the result would overflow
} ffi_expm_status;

typedef struct ffi_expm_options {
  int order;         ///< FFI_EXPM_EXACT, or 1, 2, 3, 5, 7
  int is_unbalanced; ///< do not balance: for comparisons only
} ffi_expm_options;

/// What was done.
typedef struct ffi_expm_info {
  int order;    ///< of the approximant
  int scaling;  ///< s: the approximant is that of the matrix divided by 2^s
  int products; ///< matrix-matrix products, squarings among them; factorisation and solves not
  double norm;  ///< 1-norm of the balanced matrix (of the matrix itself if it was not balanced)
} ffi_expm_info;

/// Is this a valid order of ffi_expm_options?
int ffi_expm_is_order(int order);

/// Bytes of `work` for ffi_expm_times; for ffi_expm take columns = 0.
size_t ffi_expm_size(int n, int columns);

typedef struct ffi_expm_columns {
  int count;
  double *V; ///< [n x count]
} ffi_expm_columns;

/// V := e^A V, with D_j(A)^-1 (N_j(A) V) where no squaring is needed.                        Expo paper eq. 33
/// With far fewer columns than n this is cheaper than e^A. A must not be in `work`, nor V. info may be NULL.
ffi_expm_status ffi_expm_times(int n, const double *A, const ffi_expm_columns *columns,
                               const ffi_expm_options *options, void *work, ffi_expm_info *info);

/// E := e^A [n x n]; E must not be A.
ffi_expm_status ffi_expm(int n, const double *A, double *E, const ffi_expm_options *options, void *work,
                         ffi_expm_info *info);

#endif
