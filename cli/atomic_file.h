/// atomic_file.h: a file that is written completely or not at all.
///
/// The text goes to FILE.part beside FILE, and is renamed to FILE once it is complete. So a full disk does not cost the
/// old file. If FILE is a link, the file that it leads to is replaced. Devices and pipes are written directly.
///
/// A text in memory:
///
///     if (!ffi_overwrite_is_allowed(path, is_forced) || !ffi_atomic_file_write_part(path, text, length)) ...
///     ...read ffi_atomic_file_part(path) back, if need be...
///     ffi_atomic_file_commit(path)   or   ffi_atomic_file_discard(path)
///
/// A stream:
///
///     ffi_atomic_file file;
///     if (!ffi_atomic_file_check(path)) ...         // before long work; errno says why
///     if (!ffi_atomic_file_open(&file, path)) ...
///     fprintf(file.stream, ...);
///     if (!ffi_atomic_file_close(&file, is_wanted)) ...
#ifndef FFI_CLI_ATOMIC_FILE_H
#define FFI_CLI_ATOMIC_FILE_H

#include <stddef.h>
#include <stdio.h>

// Texts in memory. 0 after an error message.
char *ffi_atomic_file_part(const char *path); ///< FILE.part; the caller frees it
int ffi_atomic_file_write_part(const char *path, const char *text, size_t length);
int ffi_atomic_file_commit(const char *path);
void ffi_atomic_file_discard(const char *path);                               ///< removes the part
int ffi_atomic_file_write(const char *path, const char *text, size_t length); ///< write_part, then commit

// Streams. 0 with the reason in errno.
typedef struct ffi_atomic_file {
  char *target, *part; ///< owned; `part` NULL: written directly
  FILE *stream;
} ffi_atomic_file;

int ffi_atomic_file_check(const char *path); ///< could it be written? Nothing is changed
int ffi_atomic_file_open(ffi_atomic_file *file, const char *path);
int ffi_atomic_file_close(ffi_atomic_file *file, int is_wanted); ///< not wanted: the part is removed

// The steps of these, for those who write a part in their own way.
int ffi_atomic_file_has_part(const char *path); ///< is it a plain file, or nothing yet?
int ffi_atomic_file_move(const char *part,
                         const char *to);       ///< 0 with the reason in errno, and the part is removed
char *ffi_atomic_file_target(const char *path); ///< the file behind all links; the caller frees it

#endif
