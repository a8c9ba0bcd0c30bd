/// block.h: many arrays in one block of memory, laid out by running the same code twice.
///
/// With base NULL a block only counts; with a base it hands out pieces. So one function describes a layout,
/// and is run once to measure and once to place:
///
///     ffi_block measure = {0};
///     place(&thing, &measure);
///     ffi_block memory = {.base = calloc(1, measure.used)};
///     place(&thing, &memory);
#ifndef FFI_BASE_BLOCK_H
#define FFI_BASE_BLOCK_H

#include <stddef.h>
#include <string.h>

typedef struct ffi_block {
  char *base;  ///< NULL: count only
  size_t used; ///< bytes handed out so far
} ffi_block;

enum { FFI_BLOCK_ALIGN = 64 }; ///< a cache line: every array starts on its own

/// Room for `count` items of `size` bytes, at a cache line relative to base; NULL while counting.
static inline void *ffi_block_take(ffi_block *block, size_t count, size_t size)
{
  size_t start = (block->used + FFI_BLOCK_ALIGN - 1) / FFI_BLOCK_ALIGN * FFI_BLOCK_ALIGN;
  block->used = start + count * size;
  return block->base ? block->base + start : NULL;
}

/// A copy of a string, packed without alignment; NULL while counting, and for NULL.
static inline const char *ffi_block_string(ffi_block *block, const char *text)
{
  if (!text)
    return NULL;
  size_t bytes = strlen(text) + 1;
  size_t start = block->used;
  block->used += bytes;
  return block->base ? memcpy(block->base + start, text, bytes) : NULL;
}

#endif
