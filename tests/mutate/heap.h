/// heap.h: bytes that this process has allocated, by any library in it, and the most there were.
#ifndef FFI_TESTS_HEAP_H
#define FFI_TESTS_HEAP_H

#include <stddef.h>

void heap_begin(void);  ///< count from here
size_t heap_peak(void); ///< the most bytes at once since then, beyond what there was

#endif
