/// commands.h: what there is, and what is said about it. The help, the manual page and the completions are all made of this.
#ifndef FFI_APPS_COMMANDS_H
#define FFI_APPS_COMMANDS_H

#include "command.h"

typedef struct ffi_command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary; ///< a few words
  const char
      *usage; ///< how it is called, what it does, its options: lines that begin with two spaces and a dash
} ffi_command;

extern const ffi_command ffi_commands[];
extern const int ffi_command_count;
extern const char ffi_exit_statuses[];

#endif
