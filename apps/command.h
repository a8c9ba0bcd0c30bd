/// command.h: the commands of `footfall`: the table from which the help, the manual page and the completions are made.
///
/// apps/, what only the command has:
///     main.c              picks the command by the first argument
///     command.c           the table of commands, and the help of each
///     help_command.c      footfall help
///     info/               footfall info: what is in a robot, a scene or a log, as text or JSON
///     svg/                footfall info --svg: the robot as a picture
///     run/                footfall run: simulate; run.h says which file does what
///     view/               footfall view: a page for the browser; view.h says which file does what
///     live/               footfall view --live; live.h says which file does what
///     new.c               footfall new: a scene to begin with
///     convert.c           footfall convert: a robot in the other format
///     plan.c              footfall plan: a motion with feedback gains
///     bench.c             footfall bench, footfall compare: start the program footfall-bench
///     completion.c        footfall completion: scripts for shells, and the manual page
///     completion_words.c  what may come next on a command line, for those scripts
///     load_options.c      options about reading a model
///
/// cli/, what footfall-bench (bench/) has too:
///     program.c           beginning and end of a program, exit statuses
///     error_message.c     messages on stderr
///     interrupt.c         Ctrl-C
///     memory.c            memory, or the end of the program
///     warn_meshes.c       a warning about meshes that were not found
///     warn_model.c        what a model's file says that is not simulated
///     options/            option.c: tables of options; args.c: reads a command line by them; option_value.c: values;
///                         choices.c, file_endings.c: words that values can be; suggest.c: "did you mean ...?";
///                         overrides.c: fields of a scene that options override; help.c: help texts;
///                         benchmark.c, compare_options.c: the benchmarks and footfall compare, with their options
///     text/               terminal.c: what the terminal can show; text.c: text that fits it; table.c: columns;
///                         progress.c: the progress line; json.c: writes JSON
///     files/              atomic_file.c: writes a file completely or not at all; overwrite.c: which files it may
///                         replace; file_path.c: name and folder of a file
///
/// A command gets its own arguments, without "footfall info", and returns the exit status. What was asked for goes to
/// stdout; everything else goes to stderr and starts with "footfall: ". Only public headers of Footfall are used.
#ifndef FFI_APPS_COMMAND_H
#define FFI_APPS_COMMAND_H

#include "cli/error_message.h"
#include "cli/options/option.h"
#include "cli/program.h"

#include <stdio.h>

int ffi_info_command(int argc, char **argv);
int ffi_run_command(int argc, char **argv);
int ffi_view_command(int argc, char **argv);
int ffi_new_command(int argc, char **argv);
int ffi_convert_command(int argc, char **argv);
int ffi_plan_command(int argc, char **argv);
int ffi_completion_command(int argc, char **argv);
int ffi_help_command_run(int argc, char **argv);
int ffi_bench_command(int argc, char **argv);
int ffi_bench_compare_command(int argc, char **argv);

typedef struct ffi_command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;                      ///< a few words
  const char *usage;                        ///< the synopsis, one form per line
  const char *about;                        ///< what it does: paragraphs, separated by newlines
  const ffi_option *(*options)(int *count); ///< NULL: it has none
  const char *examples;  ///< lines; they work in the folder of Footfall's sources. NULL: none
  ffi_option_type takes; ///< what operands are
  ffi_choices *words;    ///< what operands can be, or endings of files
} ffi_command;

extern const ffi_command ffi_command_list[];
extern const int ffi_command_count;

ffi_choices ffi_command_names, ffi_command_help_topics; ///< commands; and these with the other topics of help

const ffi_command *ffi_command_find(const char *name); ///< NULL: there is none

const ffi_option *ffi_info_options(int *count);
const ffi_option *ffi_run_options(int *count);
const ffi_option *ffi_view_options(int *count);
const ffi_option *ffi_new_options(int *count);
const ffi_option *ffi_convert_options(int *count);
const ffi_option *ffi_plan_options(int *count);

/// The help of a command. With `statuses` its exit statuses, too.
void ffi_command_print_help(const ffi_command *command, int statuses, FILE *out);

#endif
