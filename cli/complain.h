/// complain.h: how footfall, and footfall-bench with it, end: exit statuses, and the one line on stderr that says why.
#ifndef FFI_APPS_COMPLAIN_H
#define FFI_APPS_COMPLAIN_H

#include <footfall/status.h>

#include <stddef.h>

/// Exit statuses, the same for all commands.
enum {
  FFI_EXIT_OK = 0,       ///< done
  FFI_EXIT_FAILED = 1,   ///< understood, but it failed: a file that is not there or describes no robot
  FFI_EXIT_USAGE = 2,    ///< not understood: an unknown command or option, a missing argument
  FFI_EXIT_DIVERGED = 3, ///< a simulation that ran away; 128 + n: ended by signal n
  FFI_EXIT_MISSED = 4,   ///< a scene ran to its end, but its task was not met
};

/// "footfall: <message>" on stderr, with a newline.
void ffi_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The message of an error about a file that was asked for; if it is not there, but one is that is called much alike, that is suggested.
void ffi_complain_of_file(const char *path, const ff_error *error);

/// The last message, NULL: none yet.
const char *ffi_complained(void);

/// Do two paths lead to one file? Of files that are not there yet: would they?
int ffi_is_same_file(const char *one, const char *other);

/// An output must not replace a file that it is made from, a "model", "scene" or "trajectory". Returns 0 after a complaint, which says what
/// `output` is: "the log". Fine if there is no path or no file, and for the standard output, "-".
int ffi_spare_file(const char *path, const char *kind, const char *file, const char *output);
int ffi_spare_model(const char *path, const char *model, const char *output);

/// Memory or the end: a command has nothing to save when there is none.
void *ffi_need_memory(void *old, size_t size);

/// What a program does first. A descriptor of the standard streams that is closed is taken by a file that cannot be used the wrong way, so that no log gets its number
/// and what is printed with it; and a file that may not grow is a failed write, not a signal.
void ffi_begin(void);

/// The status a program ends with: `status`, unless what it wrote to stdout did not arrive, which is complained about
/// if nothing else was.
int ffi_finish(int status);

#endif
