/// put_file.h: what becomes a file, all of it or nothing.
///
/// It is written beside its place as FILE.part and put there when it is whole, so that a full disk costs nothing that was there before. A link
/// stays one: what it leads to is replaced. Devices and pipes are written to as they are.
///
///     if (!ffi_may_put(path, is_forced) || !ffi_put_part(path, text, length)) ...   // a complaint was made
///     ...look at ffi_part_of(path), if need be...
///     ffi_put_whole(path)   or   ffi_put_drop(path)
///
/// or, with a stream:
///
///     ffi_put put;
///     if (!ffi_put_check(path)) ...                 // before a long work; errno says why
///     if (!ffi_put_open(&put, path)) ...
///     fprintf(put.file, ...);
///     if (!ffi_put_close(&put, is_wanted)) ...
#ifndef FFI_APPS_PUT_FILE_H
#define FFI_APPS_PUT_FILE_H

#include <stddef.h>
#include <stdio.h>

/// May a file be written there? Not over another one, unless `is_forced`. 0 after a complaint.
int ffi_may_put(const char *path, int is_forced);

char *ffi_part_of(const char *path);                                 ///< FILE.part; the caller frees it
int ffi_put_part(const char *path, const char *text, size_t length); ///< 0 after a complaint
int ffi_put_whole(const char *path);                                 ///< 0 after a complaint
void ffi_put_drop(const char *path);                                 ///< the part that nobody wants
int ffi_put_file(const char *path, const char *text, size_t length); ///< both at once; 0 after a complaint

typedef struct ffi_put {
  char *place, *part; ///< owned; `part` NULL: written to as it is
  FILE *file;
} ffi_put;

int ffi_put_is_beside(const char *path); ///< is it written beside its place: a file, or nothing yet?
int ffi_put_check(const char *path);     ///< could it be written? Nothing is changed. 0 with errno's reason
int ffi_put_open(ffi_put *put, const char *path); ///< 0 with errno's reason
int ffi_put_close(ffi_put *put, int is_wanted);   ///< 0 if it was not put, with errno's reason
int ffi_put_move(const char *part,
                 const char *to);      ///< into its place. 0 with errno's reason, and the part is gone
char *ffi_put_place(const char *path); ///< where it is, behind all links; the caller frees it

#endif
