/// files.h: files for readers: from the disk, with a copy kept on request, or from copies that were kept.
#ifndef FFI_IO_FILES_H
#define FFI_IO_FILES_H

#include <footfall/files.h>
#include <footfall/status.h>

/// A file that is to be read.
typedef struct ffi_files_request {
  ff_files *keep;       ///< takes a copy of a file of the disk; NULL: none
  const ff_files *from; ///< read it from these, by kind and name; NULL: from the disk, by path
  ff_file_kind kind;
  const char *name;
  const char *path; ///< and for messages
} ffi_files_request;

/// All of a file into `*text` (malloc; the caller frees it), with a zero behind it that is not counted.
ff_status ffi_files_read(const ffi_files_request *request, char **text, size_t *length, ff_error *error);

#endif
