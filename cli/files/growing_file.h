/// growing_file.h: a file that is written for a long time, such as a log, in the place of an older one.
///
/// It begins as FILE.part. When its head is written it takes its name, and an older file of that name becomes FILE~.
/// That one is removed when the new file is complete; so a full disk or a kill never leaves less than there was. As
/// long as a file is written it is locked: two programs cannot write to the same place. Devices and pipes are written
/// directly. If FILE is a link, all this is about the file that it leads to.
///
///     ffi_growing_file file;
///     if (!ffi_growing_file_open(&file, path)) ...            // ffi_growing_file_reason(errno) says why
///     write(file.descriptor, ...);
///     if (!ffi_growing_file_move(&file)) ...
///     write(file.descriptor, ...);
///     if (!ffi_growing_file_close(&file, is_complete)) ...
#ifndef FFI_CLI_GROWING_FILE_H
#define FFI_CLI_GROWING_FILE_H

typedef struct ffi_growing_file {
  int descriptor;            ///< -1: closed
  char *part, *place, *kept; ///< FILE.part, FILE, FILE~; owned; NULL: written directly
  int is_moved;              ///< it has its name
  int has_kept;              ///< there is a FILE~
} ffi_growing_file;

// 0 with the reason in errno: EBUSY if another program writes this file.
int ffi_growing_file_open(ffi_growing_file *file, const char *path);
int ffi_growing_file_move(ffi_growing_file *file);

/// Not complete: a file that does not have its name yet is removed, another one stays, and so does FILE~. 0 with the
/// reason in errno: ESTALE if somebody removed or replaced the file meanwhile.
int ffi_growing_file_close(ffi_growing_file *file, int is_complete);
void ffi_growing_file_free(ffi_growing_file *file); ///< its names, after closing

const char *ffi_growing_file_reason(int code); ///< in words

#endif
