/// option.h: an option of a command: its name, its help, and what its value is.
///
/// A table of options is the one place that knows them. Arguments are read by it (args.h); the help, the manual page
/// and the completion of shells are made from it (help.c, completion_words.c).
///
/// An option of the sim has a row in a table of the library (footfall/option.h). Here it has only its name and its key.
#ifndef FFI_CLI_OPTION_H
#define FFI_CLI_OPTION_H

#include "cli/choices.h"

/// What a value is, for completion.
typedef enum ffi_option_type {
  FFI_OPTION_ANYTHING, ///< a number or a name: no completion
  FFI_OPTION_WORD,     ///< one of `words`
  FFI_OPTION_LIST,     ///< several of `words`, separated by commas
  FFI_OPTION_FILE,     ///< a file whose name ends in one of `words`; NULL: any file
  FFI_OPTION_FOLDER,
  FFI_OPTION_POSTURE, ///< of the model or scene among the operands
  FFI_OPTION_FIELD    ///< FIELD=VALUE of a scene
} ffi_option_type;

typedef struct ffi_option {
  const char *name;  ///< with its dashes
  const char *value; ///< the value's name in the help: "TIME"; NULL: it takes no value
  const char *help;  ///< what it does; NULL: another name of the option before it
  ffi_option_type takes;
  ffi_choices *words;
  const char *
      key; ///< an option of the sim, "expo.order": its help and words come from the library. NULL: it is none
} ffi_option;

enum { FFI_OPTION_HELP_SIZE = 1000 }; ///< bytes of a help text

/// What it does; NULL: another name of the option before it. `text` is storage for the result.
const char *ffi_option_help(const ffi_option *option, char text[FFI_OPTION_HELP_SIZE]);

/// What its value is; *words: those it can be.
ffi_option_type ffi_option_type_of(const ffi_option *option, ffi_choices **words);

#endif
