/// options.h: walk over a command's arguments.
///
///     static const ffi_option options[] = {{"--json", 0}, {"--mimic", 1}};
///     ffi_args args = {.argc = argc, .argv = argv, .options = options, .option_count = 2, .command = "info"};
///     if (!ffi_args_read(&args, take_operand, take_option, &request))
///       return FFI_EXIT_USAGE;
///
/// Options may stand anywhere. A value is the next argument or follows "=", as in --mimic=free; one that starts with "--" must
/// follow "=", as it is more likely that the value was forgotten. "--" ends the options.
/// What cannot be understood is complained about right here, with a suggestion.
#ifndef FFI_APPS_OPTIONS_H
#define FFI_APPS_OPTIONS_H

typedef struct ffi_option {
  const char *name; ///< with its dashes
  int takes_value;
} ffi_option;

typedef struct ffi_args {
  int argc;
  char **argv;
  const ffi_option *options;
  int option_count;
  const char *command; ///< for messages: "info", "bench dynamics"

  const char *value; ///< of the option just met, or the operand; otherwise NULL
  int at;            ///< next argument
  int ended;         ///< "--" was met
} ffi_args;

enum { FFI_ARG_END = -1, FFI_ARG_OPERAND = -2, FFI_ARG_WRONG = -3 };

/// The index of the next option, or one of the above.
int ffi_args_next(ffi_args *args);

/// Walk over all of them: operands go to `operand`, options to `option`, each with `user`; both return 0 after a complaint. Returns 0 after one, too.
typedef int ffi_operand_taker(const char *word, void *user);
typedef int ffi_option_taker(int which, const char *value, void *user);
int ffi_args_read(ffi_args *args, ffi_operand_taker *operand, ffi_option_taker *option, void *user);

/// Is --help or -h among the arguments, before any "--"?
int ffi_args_ask_help(int argc, char **argv);

/// The known word nearest to `word`, NULL if none is near.
const char *ffi_suggest(const char *word, const char *const *known, int count);

#endif
