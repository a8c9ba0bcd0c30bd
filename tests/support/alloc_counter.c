// Wrappers of malloc and its relatives that count, and fail on request.
#include "support/alloc_counter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long allocations;
static atomic_long frees;
static atomic_long fail_after; // allocations until the one to fail; 0: none will
static atomic_int has_failed;

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
  return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
  return must_fail() ? NULL : __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return must_fail() ? NULL : __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
  return must_fail() ? ENOMEM : __real_posix_memalign(out, alignment, size);
}

void __wrap_free(void *block)
{
  if (block)
    atomic_fetch_add(&frees, 1);
  __real_free(block);
}
