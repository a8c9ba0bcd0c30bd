/// grow.h: arrays that grow by doubling.
#ifndef FFI_BASE_GROW_H
#define FFI_BASE_GROW_H

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/// Make room for one more item behind `count`. Returns the array, moved or not, and updates `capacity`; NULL
/// if there is no memory, and then the array and its capacity are as before.
static inline void *ffi_grow(void *items, int count, int *capacity, size_t size)
{
  if (count < *capacity)
    return items;
  if (*capacity > INT_MAX / 2)
    return NULL;
  int larger = *capacity > 0 ? 2 * *capacity : 16;
  if ((size_t)larger > SIZE_MAX / size)
    return NULL;
  void *moved = realloc(items, (size_t)larger * size);
  if (moved)
    *capacity = larger;
  return moved;
}

/// Give back the room behind `count` items, of an array that will not grow any more. Returns the array, moved or not;
/// NULL if there is no memory, and then the array and its capacity are as before.
static inline void *ffi_grow_trim(void *items, int count, int *capacity, size_t size)
{
  if (count <= 0 || count >= *capacity)
    return items;
  void *moved = realloc(items, (size_t)count * size);
  if (moved)
    *capacity = count;
  return moved;
}

#endif
