/// command.h: the command `footfall` and its parts.
///
///     main.c        looks at the first argument and hands the rest to one of the commands
///     commands.c    the list of commands, and what the help says of each
///     completion.c  footfall completion: scripts for shells, and the manual page
///     complete.c    what may come next on a command line, for those scripts
///     help.c        what is said about options, made of their tables
///     words.c       the words that options take
///     bench_options.c  the options of compare and of the benchmarks
///     options.c     walks over arguments; suggests what a mistyped word may have meant
///     info.c        footfall info: what is in this robot? As text (info_text.c) or JSON (info_json.c)
///     svg.c         footfall info --svg: the robot as a picture; svg.h says which file does what
///     run.c         footfall run: set it into motion; run.h says which file does what
///     view.c        footfall view: a page in the browser; view.h says which file does what
///     new.c         footfall new: a scene to begin with; new.h says which file does what
///     convert.c     footfall convert: a robot in the other format
///     plan.c        footfall plan: a motion with feedback gains, computed and stored
///     bench.c       footfall bench, footfall compare: run the program footfall-bench
///     complain.c    messages and exit statuses
///     terminal.c    what the terminal can show
///     progress.c    how far long work is, on a terminal
///     interrupt.c   Ctrl-C
///     table.c       columns that line up
///     json.c        writes JSON
///     csv_log.c     writes a table of numbers, row by row
///     put_file.c    writes a file, all of it or nothing
///     units.c       reads numbers with units
///     load_options.c  options about reading a model
///
/// A command gets its own arguments, without "footfall info", and returns the exit status. What was asked for goes to
/// stdout; everything else goes to stderr and starts with "footfall: ". Only public headers of Footfall are used.
/// footfall-bench (bench/) is built with those of these files that are about arguments and messages, so that it behaves alike.
#ifndef FFI_APPS_COMMAND_H
#define FFI_APPS_COMMAND_H

#include "cli/complain.h"

int ffi_command_info(int argc, char **argv);
int ffi_command_run(int argc, char **argv);
int ffi_command_view(int argc, char **argv);
int ffi_command_new(int argc, char **argv);
int ffi_command_convert(int argc, char **argv);
int ffi_command_plan(int argc, char **argv);
int ffi_command_completion(int argc, char **argv);
int ffi_command_help(int argc, char **argv);
int ffi_command_bench(int argc, char **argv);
int ffi_command_compare(int argc, char **argv);

#endif
