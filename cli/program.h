/// program.h: how footfall and footfall-bench begin and end: standard streams and exit statuses.
#ifndef FFI_CLI_PROGRAM_H
#define FFI_CLI_PROGRAM_H

/// Exit statuses, the same for all commands.
enum {
  FFI_EXIT_OK = 0, ///< done
  FFI_EXIT_FAILED =
      1,              ///< the request is valid, but it failed: a missing file, a malformed model, a full disk
  FFI_EXIT_USAGE = 2, ///< wrong usage: an unknown command or option, a missing argument, a malformed value
  FFI_EXIT_DIVERGED = 3, ///< the simulation diverged; 128 + n: ended by signal n
  FFI_EXIT_MISSED = 4,   ///< the scene ran to its end, but missed its task
};

/// Call this first in main(). It opens /dev/null in place of a closed standard stream, so that a log does not get the
/// stream's descriptor, and with it the program's messages. It also turns the signal of the file size limit into a
/// failed write.
void ffi_program_begin(void);

/// The status that main() returns: `status`, unless stdout could not be written.
int ffi_program_end(int status);

#endif
