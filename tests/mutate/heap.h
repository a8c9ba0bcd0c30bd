/// heap.h: the allocator of the process, counted: how much memory reading a file takes.
///
/// Large blocks count by the pages that were touched, others by their size: a simulation reserves the most that it may
/// need, and a page that is never used takes no memory.
#ifndef FFI_TESTS_HEAP_H
#define FFI_TESTS_HEAP_H

#include <stddef.h>

enum { HEAP_LARGE = 1 << 20 }; ///< bytes of a large block

/// Count from here on: what is in use now does not count.
void heap_begin(void);

/// The most that was in use at once since heap_begin() [bytes], to within HEAP_LARGE.
size_t heap_peak(void);

#endif
