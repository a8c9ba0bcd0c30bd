/// command.h: the command `footfall` and its parts.
///
///     main.c        looks at the first argument and hands the rest to one of the commands
///     options.c     walks over arguments; suggests what a mistyped word may have meant
///     info.c        footfall info: what is in this robot? As text (info_text.c) or JSON (info_json.c)
///     svg.c         footfall info --svg: the robot as a picture; svg.h says which file does what
///     bench.c       footfall bench: runs the program footfall-bench
///     terminal.c    what the terminal can show
///     table.c       columns that line up
///     json.c        writes JSON
///
/// A command gets its own arguments, without "footfall info", and returns the exit status. What was asked for goes to
/// stdout; everything else goes to stderr and starts with "footfall: ". Only public headers of Footfall are used.
#ifndef FFI_APPS_COMMAND_H
#define FFI_APPS_COMMAND_H

#include <stddef.h>

/// Exit statuses, the same for all commands.
enum {
  FFI_EXIT_OK = 0,     ///< done
  FFI_EXIT_FAILED = 1, ///< understood, but it failed: a file that is not there or describes no robot
  FFI_EXIT_USAGE = 2,  ///< not understood: an unknown command or option, a missing argument
};

int ffi_command_info(int argc, char **argv);
int ffi_command_bench(int argc, char **argv);

/// "footfall: <message>" on stderr, with a newline.
void ffi_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Memory or the end: a command has nothing to save when there is none.
void *ffi_need_memory(void *old, size_t size);

#endif
