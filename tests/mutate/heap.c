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
#include <sys/mman.h>
#include <unistd.h>

static atomic_llong used; // in small blocks
static long long start, most, sampled;

// Large blocks in use. A process of a case has one thread that allocates large ones.
enum { MOST_BLOCKS = 256 };
static struct {
  const void *at; // NULL: free
  size_t size;
} large[MOST_BLOCKS];
static int is_counting;

// Pages of a block that are in memory.
static long long touched(const void *at, size_t size)
{
  enum { AT_ONCE = 4096 };
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)at + size;
  unsigned char pages[AT_ONCE];
  long long sum = 0;
  for (uintptr_t from = (uintptr_t)at / page * page; from < end; from += AT_ONCE * page) {
    const size_t length = end - from < AT_ONCE * page ? end - from : AT_ONCE * page;
    if (mincore((void *)from, length, pages) != 0)
      return (long long)size; // not mapped in pages of its own
    for (size_t i = 0; i < (length + page - 1) / page; ++i)
      sum += (pages[i] & 1) * (long long)page;
  }
  return sum < (long long)size ? sum : (long long)size;
}

static void sample(void)
{
  long long sum = atomic_load(&used) - start;
  sampled = atomic_load(&used);
  for (int i = 0; i < MOST_BLOCKS; ++i)
    sum += large[i].at ? touched(large[i].at, large[i].size) : 0;
  most = sum > most ? sum : most;
}

// ---- All blocks -----------------------------------------------------------------------------------------------------

// A sample is taken whenever small blocks have grown by a large one's size, and before a large one ends.
static void add(long long size)
{
  const long long now = atomic_fetch_add(&used, size) + size;
  if (is_counting && now > sampled + HEAP_LARGE)
    sample();
  sampled = now < sampled - HEAP_LARGE ? now : sampled;
}

static void add_block(const void *block, size_t size)
{
  for (int i = 0; size >= HEAP_LARGE && is_counting && i < MOST_BLOCKS; ++i)
    if (!large[i].at) {
      large[i].at = block;
      large[i].size = size;
      return;
    }
  add((long long)size);
}

static void remove_block(const void *block, size_t size)
{
  for (int i = 0; size >= HEAP_LARGE && is_counting && i < MOST_BLOCKS; ++i)
    if (large[i].at == block) {
      sample();
      large[i].at = NULL;
      return;
    }
  add(-(long long)size);
}

void heap_begin(void)
{
  start = sampled = atomic_load(&used);
  most = 0;
  is_counting = 1;
}

size_t heap_peak(void)
{
  sample();
  return (size_t)most;
}

#if defined(__SANITIZE_ADDRESS__)

// From sanitizer/allocator_interface.h, which not every compiler brings along.
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
int __sanitizer_get_ownership(const volatile void *block);
size_t __sanitizer_get_allocated_size(const volatile void *block);

static void on_malloc(const volatile void *block, size_t size)
{
  add_block((const void *)block, size);
}

static void on_free(const volatile void *block)
{
  if (block && __sanitizer_get_ownership(block))
    remove_block((const void *)block, __sanitizer_get_allocated_size(block));
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
    add_block(block, malloc_usable_size(block));
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
  const size_t before = block ? malloc_usable_size(block) : 0;
  if (block)
    remove_block(block, before);
  void *other = __libc_realloc(block, size);
  if (!other && size > 0 && block)
    add_block(block, before); // it stays
  return counted(other);
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
    remove_block(block, malloc_usable_size(block));
  __libc_free(block);
}
#endif
