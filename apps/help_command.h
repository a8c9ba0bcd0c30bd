/// help_command.h: the overview of all commands, and the answer to an unknown one.
#ifndef FFI_APPS_HELP_COMMAND_H
#define FFI_APPS_HELP_COMMAND_H

#include "command.h"

void ffi_help_command_print_overview(FILE *out);

/// An error message with a suggestion. Returns FFI_EXIT_USAGE.
int ffi_help_command_unknown(const char *name);

#endif
