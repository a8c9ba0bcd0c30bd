/// text_file.h: a whole file in memory, with a limit on its size.
#ifndef FFI_IO_TEXT_FILE_H
#define FFI_IO_TEXT_FILE_H

#include <footfall/status.h>

#include <stddef.h>

/// The largest description that is read. The largest robot in the wild is below 2 MB; this keeps /dev/zero
/// and its like from exhausting memory.
enum { FFI_TEXT_FILE_MAX = 64 << 20 };

/// Read all of `path` into `*text` (malloc; the caller frees it), `*length` bytes and a final zero that is
/// not counted. Pipes are fine. On failure nothing is left to free.
ff_status ffi_text_file_read(const char *path, char **text, size_t *length, ff_error *error);

/// What a file is by its first bytes, where something else was expected: "an HDF5 file, such as a log"; NULL: not known.
const char *ffi_text_file_guess(const char *text, size_t length);

#endif
