/// block.h: many arrays in one block of memory, laid out by running the same code twice.
///
/// With base NULL a block only counts; with a base it hands out memory. So one function describes a layout, and is run
/// once to measure and once to place:
///
///     ffi_block measure = {0};
///     place(&thing, &measure);
///     void *memory = calloc(1, ffi_block_bytes(&measure));
///     ffi_block block = ffi_block_in(memory, &measure);
///     place(&thing, &block);
///
/// A block has two parts. Memory that is *taken* is scratch: nobody may read it before writing it. Memory that is
/// *kept* holds tables, lists and pointers into the block: it is set while the block is placed, or zero, and has the
/// same content whenever no call is using the block. So the owner of a workspace may fill the first part with anything,
/// and restore the second, between two calls.
#ifndef FFI_BASE_BLOCK_H
#define FFI_BASE_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ffi_block {
  char *base;      ///< of scratch; NULL: count only
  size_t used;     ///< bytes of scratch handed out so far
  char *kept_base; ///< of what is kept
  size_t kept;     ///< bytes of it handed out so far
} ffi_block;

enum { FFI_BLOCK_ALIGN = 64 }; ///< a cache line: every array starts on its own

static inline size_t ffi_block_round(size_t bytes)
{
  return (bytes + FFI_BLOCK_ALIGN - 1) / FFI_BLOCK_ALIGN * FFI_BLOCK_ALIGN;
}

/// Room for `count` items of `size` bytes, at a cache line relative to base; NULL while counting.
static inline void *ffi_block_take(ffi_block *block, size_t count, size_t size)
{
  size_t start = ffi_block_round(block->used);
  block->used = start + count * size;
  return block->base ? block->base + start : NULL;
}

/// The same of the part that is kept.
static inline void *ffi_block_keep(ffi_block *block, size_t count, size_t size)
{
  size_t start = ffi_block_round(block->kept);
  block->kept = start + count * size;
  return block->base ? block->kept_base + start : NULL;
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

/// Bytes that hold both parts wherever malloc() puts them.
static inline size_t ffi_block_bytes(const ffi_block *measure)
{
  return ffi_block_round(measure->kept) + ffi_block_round(measure->used) + FFI_BLOCK_ALIGN;
}

/// The block that places in `memory`, of ffi_block_bytes(): what is kept comes first, both begin at a cache line.
static inline ffi_block ffi_block_in(void *memory, const ffi_block *measure)
{
  char *start = (char *)memory + (FFI_BLOCK_ALIGN - (uintptr_t)memory % FFI_BLOCK_ALIGN) % FFI_BLOCK_ALIGN;
  return (ffi_block){.base = start + ffi_block_round(measure->kept), .kept_base = start};
}

#endif
