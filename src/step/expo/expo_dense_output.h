/// expo_inside.h: the frozen motion at any time inside a sub-step, and when something about it changes its sign.
#ifndef FFI_STEP_EXPO_INSIDE_H
#define FFI_STEP_EXPO_INSIDE_H

#include "step/frozen/frozen.h"

/// The integrals of rows of transforms alpha [rows][8], `tau` into a sub-step of length h: twice (moved) and once (turned). [rows]
void ffi_expo_dense_output(const ffi_frozen *z, double h, double tau, int rows, const double *alpha,
                           double *moved, double *turned);

typedef double (*ffi_expo_dense_output_value)(const void *user, double tau);

/// When, between two looks, a value changes its sign. before and after: at the looks, of different signs; `from` if they are not.
double ffi_crossing(ffi_expo_dense_output_value value, const void *user, double from, double to,
                    double before, double after);

#endif
