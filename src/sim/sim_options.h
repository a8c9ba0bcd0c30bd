/// options.h: options of a sim, read and written by the table.
///
///     options.c  the table
///     option.c   what is done with it
#ifndef FFI_SIM_OPTIONS_H
#define FFI_SIM_OPTIONS_H

#include <footfall/option.h>

/// Every option at its default; the rest of the def is left as it is.
void ffi_sim_options_default(ff_sim_def *def);

/// Is every option within its range? FF_ERROR_ARGUMENT names the first that is not.
ff_status ffi_sim_options_check(const ff_sim_def *def, ff_error *error);

#endif
