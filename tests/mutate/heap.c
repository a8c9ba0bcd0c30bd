// The allocator, counted. Without sanitizers malloc and its relatives are replaced by functions that keep the sum of
// what is in use, for every library of the process. AddressSanitizer has hooks for that.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_llong used, most, start;

static void add(long long size)
{
  const long long now = atomic_fetch_add(&used, size) + size;
  if (now > atomic_load(&most))
    atomic_store(&most, now);
}

void heap_begin(void)
{
  atomic_store(&start, atomic_load(&used));
  atomic_store(&most, atomic_load(&used));
}

size_t heap_peak(void)
{
  const long long above = atomic_load(&most) - atomic_load(&start);
  return above > 0 ? (size_t)above : 0;
}

#if defined(__SANITIZE_ADDRESS__)

// From sanitizer/allocator_interface.h, which not every compiler brings along.
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
int __sanitizer_get_ownership(const volatile void *block);
size_t __sanitizer_get_allocated_size(const volatile void *block);

static void on_malloc(const volatile void *block, size_t size)
{
  (void)block;
  add((long long)size);
}

static void on_free(const volatile void *block)
{
  if (block && __sanitizer_get_ownership(block))
    add(-(long long)__sanitizer_get_allocated_size(block));
}

__attribute__((constructor)) static void install(void)
{
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

#elif !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

// glibc's own, under the names that it keeps for this purpose.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void *counted(void *block)
{
  if (block)
    add((long long)malloc_usable_size(block));
  return block;
}

void *malloc(size_t size)
{
  return counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
  return counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
  const long long before = block ? (long long)malloc_usable_size(block) : 0;
  void *larger = __libc_realloc(block, size);
  if (larger || size == 0)
    add(-before);
  return counted(larger);
}

void *memalign(size_t alignment, size_t size)
{
  return counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
  void *block = counted(__libc_memalign(alignment, size));
  if (!block)
    return ENOMEM;
  *out = block;
  return 0;
}

void free(void *block)
{
  if (block)
    add(-(long long)malloc_usable_size(block));
  __libc_free(block);
}
#endif
