/// error_message.h: what footfall and footfall-bench print on stderr: one line each, "footfall: <message>".
#ifndef FFI_CLI_ERROR_MESSAGE_H
#define FFI_CLI_ERROR_MESSAGE_H

#include <footfall/status.h>

/// "footfall: <message>" on stderr, with a newline. Control characters of file names are replaced.
void ffi_error_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The message of an error about the file `path`. If there is no such file, a file with a similar name is suggested.
void ffi_error_message_of_file(const char *path, const ff_error *error);

/// The last message, NULL: none yet.
const char *ffi_error_message_last(void);

#endif
