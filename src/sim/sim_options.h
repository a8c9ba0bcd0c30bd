/// sim_options.h: options of a sim, read and written by their table.
///
///     sim_options_table.c  the table
///     sim_options.c        functions on it
#ifndef FFI_SIM_SIM_OPTIONS_H
#define FFI_SIM_SIM_OPTIONS_H

#include <footfall/option.h>

/// Set every option to its default; the rest of the def stays.
void ffi_sim_options_default(ff_sim_def *def);

/// Check every option against its range. FF_ERROR_ARGUMENT names the first that is outside.
ff_status ffi_sim_options_check(const ff_sim_def *def, ff_error *error);

#endif
