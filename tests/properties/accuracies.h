/// accuracies.h: what `expo` makes of a stated accuracy: its error, and its steps against those of fixed length with the same error.
#ifndef FFI_TESTS_ACCURACIES_H
#define FFI_TESTS_ACCURACIES_H

#include "properties/order.h"

enum { ACCURACIES = 5, ACCURACIES_FIXED = 12, ACCURACIES_MOST = 16 };

/// Motions from one or more starts. Fill in with accuracies_add(), ask with accuracies_conclude().
typedef struct accuracies {
  int longest;                                             ///< the longest steps: the motion in this many
  int count;                                               ///< motions so far
  double error[ACCURACIES], fixed_error[ACCURACIES_FIXED]; ///< sums of logarithms
  double steps[ACCURACIES];                                ///< sums, rejected ones too
  double pieces[ACCURACIES], fixed_pieces[ACCURACIES_FIXED];
  long long inaccurate;
} accuracies;

/// A motion with accuracies of 1e-2, 1e-3, ..., and with fixed steps: `longest`, twice as many, ...
void accuracies_add(accuracies *a, const ffi_order_scene *scene, const double *truth);

typedef struct accuracies_found {
  double slope;             ///< of the error's logarithm (geometric mean) over the accuracy's
  double largest;           ///< error over accuracy
  double saved[ACCURACIES]; ///< fixed steps of the same error over steps; pieces likewise are printed
} accuracies_found;

/// Prints a table.
accuracies_found accuracies_conclude(const accuracies *a);

#endif
