/// commands.h: what there is, and what is said about it. The help, the manual page and the completions are all made of this.
#ifndef FFI_APPS_COMMANDS_H
#define FFI_APPS_COMMANDS_H

#include "cli/words.h"
#include "command.h"

#include <stdio.h>

typedef struct ffi_command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;                      ///< a few words
  const char *usage;                        ///< how it is called, one way per line
  const char *about;                        ///< what it does: paragraphs, a newline between them
  const ffi_option *(*options)(int *count); ///< NULL: it has none
  const char *examples; ///< lines; they work in the folder of Footfall's sources. NULL: none
  ffi_takes takes;      ///< what operands are
  ffi_words *words;     ///< that they may be, or endings of files
} ffi_command;

extern const ffi_command ffi_commands[];
extern const int ffi_command_count;

ffi_words ffi_words_of_command, ffi_words_of_help; ///< commands; and what else help tells of

const ffi_command *ffi_command_find(const char *name); ///< NULL: there is none

const ffi_option *ffi_options_of_info(int *count);
const ffi_option *ffi_options_of_run(int *count);
const ffi_option *ffi_options_of_view(int *count);
const ffi_option *ffi_options_of_new(int *count);
const ffi_option *ffi_options_of_convert(int *count);
const ffi_option *ffi_options_of_plan(int *count);

/// All that is said about a command. With `statuses` its exit statuses, too.
void ffi_help_command(const ffi_command *command, int statuses, FILE *out);

#endif
