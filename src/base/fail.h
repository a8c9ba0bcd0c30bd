/// error.h: fill an ff_error in one line and return its status.
#ifndef FFI_BASE_ERROR_H
#define FFI_BASE_ERROR_H

#include <footfall/status.h>

/// Fill `error` (may be NULL) and return `status`. The message becomes "file:line: thing: text"; file NULL or
/// "" and line 0 and thing NULL or "" leave their parts out. Text is printf-like.
ff_status ffi_fail(ff_error *error, ff_status status, const char *file, int line, const char *thing,
                   const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
