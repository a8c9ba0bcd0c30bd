// Wrappers of malloc and its relatives that count, and fail on request.
#include "support/alloc_counter.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long allocations;
static atomic_long frees;
static atomic_long fail_after; // allocations until the one to fail; 0: none will
static atomic_int has_failed;
static atomic_long held, most_held; // bytes

int ffi_test_alloc_works(void)
{
  return FFI_TEST_STATIC;
}

long ffi_test_alloc_count(void)
{
  return atomic_load(&allocations);
}

long ffi_test_free_count(void)
{
  return atomic_load(&frees);
}

void ffi_test_alloc_fail_at(long n)
{
  atomic_store(&has_failed, 0);
  atomic_store(&fail_after, n > 0 ? n : 0);
}

int ffi_test_alloc_failed(void)
{
  atomic_store(&fail_after, 0);
  return atomic_load(&has_failed);
}

long ffi_test_alloc_most_bytes(void)
{
  atomic_store(&held, 0);
  return atomic_exchange(&most_held, 0);
}

static void *hold(void *block)
{
  const long now = atomic_fetch_add(&held, (long)malloc_usable_size(block)) + (long)malloc_usable_size(block);
  long most = atomic_load(&most_held);
  while (now > most && !atomic_compare_exchange_weak(&most_held, &most, now))
    ;
  return block;
}

static void release(long size)
{
  atomic_fetch_sub(&held, size);
}

// Count one allocation; 1 if it is the one to fail.
static int must_fail(void)
{
  atomic_fetch_add(&allocations, 1);
  if (atomic_load(&fail_after) == 0 || atomic_fetch_sub(&fail_after, 1) != 1)
    return 0;
  atomic_store(&has_failed, 1);
  errno = ENOMEM;
  return 1;
}

// The linker sends malloc to __wrap_malloc, and __real_malloc to malloc; the names are its own.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void __real_free(void *block);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
  return must_fail() ? NULL : hold(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
  return must_fail() ? NULL : hold(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
  if (must_fail())
    return NULL;
  const long before = (long)malloc_usable_size(block);
  void *moved = __real_realloc(block, size);
  if (moved)
    hold(moved);
  if (moved || size == 0)
    release(before);
  return moved;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return must_fail() ? NULL : hold(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
  const int error = must_fail() ? ENOMEM : __real_posix_memalign(out, alignment, size);
  if (error == 0)
    hold(*out);
  return error;
}

void __wrap_free(void *block)
{
  if (block)
    atomic_fetch_add(&frees, 1);
  release((long)malloc_usable_size(block));
  __real_free(block);
}
