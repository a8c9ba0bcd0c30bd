/// load.h: a user's def of how a model is read, whatever version the user was compiled for.
#ifndef FFI_IO_LOAD_H
#define FFI_IO_LOAD_H

#include <footfall/load.h>

/// The def, whole; NULL is the default.
ff_status ffi_load_def_take(const ff_load_def *def, ff_load_def *out, ff_error *error);

#endif
