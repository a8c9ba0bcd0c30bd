/// on_terminal.h: run a program that believes it talks to a terminal.
#ifndef FFI_TESTS_ON_TERMINAL_H
#define FFI_TESTS_ON_TERMINAL_H

#include <stddef.h>

/// Run arguments[0], found in PATH, with the arguments up to a NULL, and a terminal in place of `stream` (STDOUT_FILENO
/// or STDERR_FILENO); `out` gets what the terminal got, its first size - 1 bytes. Returns the exit status; a signal is
/// a failed test. Skips the test where there are no pseudo-terminals.
int ffi_run_on_terminal(int stream, const char *const *arguments, char *out, size_t size);

/// The same on stderr, on a terminal of so many columns; once it has shown `until` (NULL: never), Ctrl-C is pressed.
int ffi_run_on_wide_terminal(int columns, const char *until, const char *const *arguments, char *out,
                             size_t size);

#endif
