/// memory.h: memory for a command, which ends the program if there is none: a command has nothing to save then.
#ifndef FFI_CLI_MEMORY_H
#define FFI_CLI_MEMORY_H

#include <stddef.h>

/// realloc() that never returns NULL: without memory the program ends with FFI_EXIT_FAILED.
void *ffi_memory_need(void *old, size_t size);

#endif
