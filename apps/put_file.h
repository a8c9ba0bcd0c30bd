/// put_file.h: a text becomes a file, all of it or nothing.
///
/// It is written beside its place as FILE.part and put there when it is whole, so that a full disk costs nothing that was there before.
///
///     if (!ffi_may_put(path, is_forced) || !ffi_put_part(path, text, length)) ...   // a complaint was made
///     ...look at ffi_part_of(path), if need be...
///     ffi_put_whole(path)   or   ffi_put_drop(path)
#ifndef FFI_APPS_PUT_FILE_H
#define FFI_APPS_PUT_FILE_H

#include <stddef.h>

/// May a file be written there? Not over another one, unless `is_forced`. 0 after a complaint.
int ffi_may_put(const char *path, int is_forced);

char *ffi_part_of(const char *path);                                 ///< FILE.part; the caller frees it
int ffi_put_part(const char *path, const char *text, size_t length); ///< 0 after a complaint
int ffi_put_whole(const char *path);                                 ///< 0 after a complaint
void ffi_put_drop(const char *path);                                 ///< the part that nobody wants
int ffi_put_file(const char *path, const char *text, size_t length); ///< both at once; 0 after a complaint

#endif
