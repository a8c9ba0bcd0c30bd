/// arena.h: memory that is taken in small parts and freed all at once.
///
/// For set-up work: a builder's strings, the temporaries of one compilation. It grows by whole chunks, each
/// larger than the one before, so a million small parts cost few allocations. Zero-initialise to start;
/// ffi_arena_free() at the end, also after a failure. Not for use inside a time step.
#ifndef FFI_BASE_ARENA_H
#define FFI_BASE_ARENA_H

#include <stddef.h>

typedef struct ffi_arena {
  struct ffi_arena_chunk *chunks; ///< newest first
} ffi_arena;

/// `count` zeroed items of `size` bytes, aligned for any type. NULL if memory or the size of size_t is
/// exhausted.
void *ffi_arena_take(ffi_arena *arena, size_t count, size_t size);

/// A copy of a string.
char *ffi_arena_string(ffi_arena *arena, const char *text);

/// Give back everything; the arena can be used again.
void ffi_arena_free(ffi_arena *arena);

#endif
