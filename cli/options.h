/// options.h: what a command takes, and a walk over its arguments.
///
///     static const ffi_option options[] = {{"--json", .help = "write it as JSON"},
///                                          {"--mimic", "POLICY", .help = "of mimic joints"}};
///     ffi_args args = {.argc = argc, .argv = argv, .options = options, .option_count = 2, .command = "info"};
///     if (!ffi_args_read(&args, take_operand, take_option, &request))
///       return FFI_EXIT_USAGE;
///
/// A table of options is the one place that knows them: arguments are read by it, and the help, the manual page and what shells
/// complete are made of it (help.c, complete.c). So an option that is known is told of and offered.
///
/// Options may stand anywhere. A value is the next argument or follows "=", as in --mimic=free; one that starts with "--" must
/// follow "=", as it is more likely that the value was forgotten. "--" ends the options.
/// What cannot be understood is complained about right here, with a suggestion.
///
/// An option of the sim has a row in a table of the library (footfall/option.h), and here nothing but its names.
#ifndef FFI_APPS_OPTIONS_H
#define FFI_APPS_OPTIONS_H

/// The words that a value may be, in order; NULL after the last.
typedef const char *ffi_words(int index);

/// What a value is, for those who complete it.
typedef enum ffi_takes {
  FFI_TAKES_ANYTHING, ///< a number, a name: nothing can be offered
  FFI_TAKES_WORD,     ///< one of `words`
  FFI_TAKES_LIST,     ///< several of `words`, with commas between them
  FFI_TAKES_FILE,     ///< a file that ends in one of `words`; NULL: any
  FFI_TAKES_FOLDER,
  FFI_TAKES_POSTURE, ///< of the model or scene among the operands
  FFI_TAKES_FIELD    ///< FIELD=VALUE of a scene
} ffi_takes;

typedef struct ffi_option {
  const char *name;  ///< with its dashes
  const char *value; ///< what the help calls its value: "TIME"; NULL: it takes none
  const char *help;  ///< what it does; NULL: another name of the option before it
  ffi_takes takes;
  ffi_words *words;
  const char *
      key; ///< an option of the sim, "expo.order": help, range and words are those of its table. NULL: it is none
} ffi_option;

enum { FFI_OPTION_HELP = 1000 }; ///< bytes of a help text
/// What it does; NULL: another name of the option before it. `text` is room for it.
const char *ffi_option_help(const ffi_option *option, char text[FFI_OPTION_HELP]);

/// What its value is, and of which words.
ffi_takes ffi_option_takes(const ffi_option *option, ffi_words **words);

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

/// Is this option, one without a value, among the arguments, before any "--"?
int ffi_args_ask(int argc, char **argv, const char *option);

/// The known word nearest to `word`, NULL if none is near.
const char *ffi_suggest(const char *word, const char *const *known, int count);

#endif
