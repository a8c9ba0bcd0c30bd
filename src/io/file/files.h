/// files.h: where readers get the bytes of a file from: the disk, which may be kept a copy of, or what was kept.
#ifndef FFI_IO_FILES_H
#define FFI_IO_FILES_H

#include <footfall/files.h>
#include <footfall/status.h>

/// All of a file into `*text` (malloc; the caller frees it), with a zero behind it that is not counted. From `from` by
/// kind and name, or, if that is NULL, from `path`, and then a copy goes to `keep` unless that is NULL.
ff_status ffi_files_read(ff_files *keep, const ff_files *from, ff_file_kind kind, const char *name,
                         const char *path, char **text, size_t *length, ff_error *error);

#endif
