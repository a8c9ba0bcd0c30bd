/// known_log.h: all that a sound log holds, kept in memory, and a damaged copy compared with it.
#ifndef FFI_TESTS_KNOWN_LOG_H
#define FFI_TESTS_KNOWN_LOG_H

#include <footfall/log.h>

#include "support/random_state.h"

#include <stddef.h>

typedef struct ffi_known_log {
  ff_log *log;          ///< open; read again for each comparison
  unsigned char *bytes; ///< of the file
  size_t size;
} ffi_known_log;

/// A failed test if it is not sound.
ffi_known_log ffi_known_log_read(const char *path);
void ffi_known_log_free(ffi_known_log *known);

/// A damaged copy, written to `path`: bits, bytes or blocks changed, or the end cut off. The name of what was done.
const char *ffi_known_log_damage(const ffi_known_log *known, ffi_random *random, const char *path,
                                 size_t *at);

/// A copy with one bit of byte `at` flipped.
void ffi_known_log_flip(const ffi_known_log *known, size_t at, const char *path);

typedef enum ffi_known_log_answer {
  FFI_KNOWN_LOG_REFUSED, ///< it could not be opened, and the message says why
  FFI_KNOWN_LOG_DAMAGED, ///< ff_log_check() says what is damaged
  FFI_KNOWN_LOG_SOUND,
} ffi_known_log_answer;

/// Every number that the damaged log gives is that of the sound one, and ff_log_check() tells of all that it does not
/// give. NULL, or what is wrong.
const char *ffi_known_log_compare(const ffi_known_log *known, const char *path, ffi_known_log_answer *out);

#endif
