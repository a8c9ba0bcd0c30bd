// A growing arena: a list of chunks, the newest one in use.
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ffi_arena_chunk {
  struct ffi_arena_chunk *next;
  size_t size; // of data
  size_t used;
  max_align_t data[];
};

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

// A chunk with room for at least `bytes`; sizes double up to a bound, so waste stays below a half.
static struct ffi_arena_chunk *add_chunk(ffi_arena *arena, size_t bytes)
{
  size_t size = arena->chunks ? 2 * arena->chunks->size : FIRST_CHUNK;
  if (size > LARGEST_CHUNK)
    size = LARGEST_CHUNK;
  if (size < bytes)
    size = bytes;
  struct ffi_arena_chunk *chunk = malloc(sizeof *chunk + size);
  if (!chunk)
    return NULL;
  *chunk = (struct ffi_arena_chunk){.next = arena->chunks, .size = size};
  arena->chunks = chunk;
  return chunk;
}

void *ffi_arena_take(ffi_arena *arena, size_t count, size_t size)
{
  const size_t unit = sizeof(max_align_t);
  if (size && count > (SIZE_MAX / 4) / size)
    return NULL;
  size_t bytes = (count * size + unit - 1) / unit * unit;
  struct ffi_arena_chunk *chunk = arena->chunks;
  if (!chunk || chunk->size - chunk->used < bytes)
    chunk = add_chunk(arena, bytes);
  if (!chunk)
    return NULL;
  void *piece = (char *)chunk->data + chunk->used;
  chunk->used += bytes;
  return memset(piece, 0, bytes);
}

char *ffi_arena_string(ffi_arena *arena, const char *text)
{
  size_t bytes = strlen(text) + 1;
  char *copy = ffi_arena_take(arena, bytes, 1);
  return copy ? memcpy(copy, text, bytes) : NULL;
}

void ffi_arena_free(ffi_arena *arena)
{
  while (arena->chunks) {
    struct ffi_arena_chunk *chunk = arena->chunks;
    arena->chunks = chunk->next;
    free(chunk);
  }
}
