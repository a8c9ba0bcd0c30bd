/// shipped_models.h: every file in models/, in alphabetical order.
#ifndef FFI_TESTS_SHIPPED_MODELS_H
#define FFI_TESTS_SHIPPED_MODELS_H

#include <footfall/model.h>

enum { FFI_SHIPPED_PATH = 512 };

/// How many there are.
int ffi_shipped_count(void);

/// Path of the index-th, in a buffer of FFI_SHIPPED_PATH bytes.
void ffi_shipped_path(int index, char *path);

/// Load the index-th; a file that does not load is a failed test. Destroy the result.
ff_model *ffi_shipped_load(int index);

#endif
