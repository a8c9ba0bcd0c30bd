/// same_model.h: comparison of a model with the one that was saved and read back. Failures name the model.
#ifndef FFI_TESTS_IO_SAME_MODEL_H
#define FFI_TESTS_IO_SAME_MODEL_H

#include <footfall/model.h>

#include <stddef.h>

void ffi_same_numbers(const double *a, const double *b, size_t count, double scale, const char *name,
                      const char *what);
int ffi_same_has_planar(const ff_model *model);
void ffi_same_motion(const ff_model *a, const ff_model *b, int compares_rates, const char *name);
void ffi_same_properties(const ff_model *a, const ff_model *b, const char *name);
void ffi_same_number(double a, double b, const char *name, const char *what); ///< to 1e-14

#endif
