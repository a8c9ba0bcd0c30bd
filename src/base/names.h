/// names.h: a table from names to numbers, for finding things and refusing duplicates; and short lists of names.
///
/// Open addressing with linear probing, at most half full. The table does not copy its keys: they must live
/// as long as it does. Zero-initialise to start, ffi_names_free() at the end.
#ifndef FFI_BASE_NAMES_H
#define FFI_BASE_NAMES_H

#include <stddef.h>

typedef struct ffi_names_slot {
  const char *key; ///< NULL: empty
  int value;
} ffi_names_slot;

typedef struct ffi_names {
  ffi_names_slot *slots;
  size_t capacity; ///< 0 or a power of two
  size_t count;
} ffi_names;

/// The number stored with a name, or -1.
int ffi_names_find(const ffi_names *names, const char *key);

/// Make room for one more name. Returns 0 if there is no memory (the table is then as before), else 1.
int ffi_names_reserve(ffi_names *names);

/// Store a number >= 0 with a new name. Cannot fail after ffi_names_reserve().
void ffi_names_put(ffi_names *names, const char *key, int value);

void ffi_names_free(ffi_names *names);

/// Where a name is in a short list, such as that of an enum's values; -1 if nowhere, or if it is NULL.
int ffi_names_index(const char *name, const char *const *list, int count);

#endif
