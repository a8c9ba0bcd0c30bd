/// args.h: a walk over the arguments of a command.
///
///     static const ffi_option options[] = {{"--json", .help = "write JSON"},
///                                          {"--mimic", "POLICY", .help = "of mimic joints"}};
///     ffi_args args = {.argc = argc, .argv = argv, .options = options, .option_count = 2, .command = "info"};
///     if (!ffi_args_read(&args, take_operand, take_option, &request))
///       return FFI_EXIT_USAGE;
///
/// Options may stand anywhere. A value is the next argument, or it follows "=", as in --mimic=free. A value that starts
/// with "--" must follow "=": the next argument is more likely an option, and the value was forgotten. "--" ends the
/// options. Errors are reported here, with a suggestion.
#ifndef FFI_CLI_ARGS_H
#define FFI_CLI_ARGS_H

#include "cli/option.h"

typedef struct ffi_args {
  int argc;
  char **argv;
  const ffi_option *options;
  int option_count;
  const char *command; ///< for messages: "info", "bench dynamics"

  const char *value; ///< of the option just read, or the operand; otherwise NULL
  int at;            ///< next argument
  int ended;         ///< "--" was read
} ffi_args;

enum { FFI_ARGS_END = -1, FFI_ARGS_OPERAND = -2, FFI_ARGS_WRONG = -3 };

/// The index of the next option, or one of the above.
int ffi_args_next(ffi_args *args);

/// Read all arguments: operands go to `operand`, options to `option`, each with `user`. Both return 0 after an error
/// message, and so does this.
typedef int ffi_args_operand(const char *word, void *user);
typedef int ffi_args_option(int which, const char *value, void *user);
int ffi_args_read(ffi_args *args, ffi_args_operand *operand, ffi_args_option *option, void *user);

/// Is --help or -h among the arguments, before any "--"?
int ffi_args_has_help(int argc, char **argv);

/// Is this option, one without a value, among the arguments, before any "--"?
int ffi_args_has(int argc, char **argv, const char *option);

#endif
