/// alloc_counter.h: how often the library asks for memory, and what it does when it gets none.
///
/// Every test is linked with --wrap for malloc, calloc, realloc, aligned_alloc, posix_memalign and free, so
/// calls made by code linked statically (the tests, footfall, footfall_io) pass through here; calls made
/// inside shared libraries (libc's strdup, libxml2) do not. It works under ASan, TSan and valgrind. Where the
/// library under test is shared (FFI_TEST_STATIC is 0) nothing is counted and ffi_test_alloc_works() is 0.
///
///     long before = ffi_test_alloc_count();
///     ff_dynamics_rnea(...);
///     assert_int_equal(ffi_test_alloc_count(), before);
///
///     for (long n = 1; ; ++n) {             // fail every single allocation in turn
///       ffi_test_alloc_fail_at(n);
///       status = ff_builder_finish(...);
///       if (!ffi_test_alloc_failed()) break; // fewer than n allocations: all of them were tried
///       assert_int_equal(status, FF_ERROR_MEMORY);
///     }
#ifndef FFI_TESTS_ALLOC_COUNTER_H
#define FFI_TESTS_ALLOC_COUNTER_H

/// Does the counter see the library's allocations in this build?
int ffi_test_alloc_works(void);

/// Allocations (malloc, calloc, realloc, aligned_alloc, posix_memalign) since the program began, all threads.
long ffi_test_alloc_count(void);

/// Calls of free with a pointer that is not NULL, since the program began.
long ffi_test_free_count(void);

/// Make the n-th allocation from now fail, once; 1 is the next one. 0 or less: none.
void ffi_test_alloc_fail_at(long n);

/// Did the failure asked for last take place? Asking also calls off a failure that has not.
int ffi_test_alloc_failed(void);

/// Count bytes from now on; returns the most that were held at once since the last call. What is freed must have been
/// taken since then, too. A block that is moved counts twice while it is.
long ffi_test_alloc_most_bytes(void);

#endif
