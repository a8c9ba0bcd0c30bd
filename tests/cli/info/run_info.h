/// run_info.h: footfall info, which must do what it is asked for.
#ifndef FFI_TESTS_RUN_INFO_H
#define FFI_TESTS_RUN_INFO_H

#include "cli/run_command.h"

/// "PREFIX footfall info OPTIONS PATH" with exit status 0 and nothing on stderr, or the test fails. Free the result.
ffi_output ffi_run_info(const char *prefix, const char *options, const char *path);

#endif
