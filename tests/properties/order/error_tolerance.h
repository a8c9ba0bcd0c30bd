/// error_tolerance.h: what `expo` makes of a stated accuracy: its error, and its steps against those of fixed length
/// with the same error.
#ifndef FFI_TESTS_ERROR_TOLERANCE_H
#define FFI_TESTS_ERROR_TOLERANCE_H

#include "properties/order/order.h"

enum { FFI_ERROR_TOLERANCE_COUNT = 5, FFI_ERROR_TOLERANCE_FIXED = 12, FFI_ERROR_TOLERANCE_MOST = 16 };

/// Motions from one or more starts. Fill in with accuracies_add(), ask with accuracies_conclude().
typedef struct ffi_error_tolerance {
  int longest; ///< the longest steps: the motion in this many
  int count;   ///< motions so far
  double error[FFI_ERROR_TOLERANCE_COUNT], fixed_error[FFI_ERROR_TOLERANCE_FIXED]; ///< sums of logarithms
  double steps[FFI_ERROR_TOLERANCE_COUNT]; ///< sums, rejected ones too
  double pieces[FFI_ERROR_TOLERANCE_COUNT], fixed_pieces[FFI_ERROR_TOLERANCE_FIXED];
  long long inaccurate;
} ffi_error_tolerance;

/// A motion with accuracies of 1e-2, 1e-3, ..., and with fixed steps: `longest`, twice as many, ...
void ffi_error_tolerance_add(ffi_error_tolerance *a, const ffi_order_scene *scene, const double *truth);

typedef struct ffi_error_tolerance_found {
  double slope;   ///< of the error's logarithm (geometric mean) over the accuracy's
  double largest; ///< error over accuracy
  double saved
      [FFI_ERROR_TOLERANCE_COUNT]; ///< fixed steps of the same error over steps; pieces likewise are printed
} ffi_error_tolerance_found;

/// Prints a table.
ffi_error_tolerance_found ffi_error_tolerance_conclude(const ffi_error_tolerance *a);

#endif
