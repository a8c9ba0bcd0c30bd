/// expo_dense_output.h: the frozen motion at any time inside a subinterval, and when a value of it changes its sign.
#ifndef FFI_STEP_EXPO_DENSE_OUTPUT_H
#define FFI_STEP_EXPO_DENSE_OUTPUT_H

#include "step/frozen/frozen.h"

/// Integrals of up to three rows of xi'' from the subinterval's start.
typedef struct ffi_expo_dense_output_integrals {
  double once[3], twice[3];
} ffi_expo_dense_output_integrals;

/// `tau` into a subinterval of length h, from transforms alpha [rows][8]. docs/theory/exponential.md, "Dense output".
void ffi_expo_dense_output(const ffi_frozen *z, double h, double tau, int rows, const double *alpha,
                           ffi_expo_dense_output_integrals *out);

typedef double (*ffi_expo_dense_output_value)(const void *user, double tau);

/// When, between two samples, a value changes its sign. before and after: the values at the samples, of different
/// signs; returns `from` if they are not.
double ffi_expo_dense_output_root(ffi_expo_dense_output_value value, const void *user, double from, double to,
                                  double before, double after);

#endif
