// realloc() or the end of the program.
#include "cli/memory.h"

#include "cli/error_message.h"
#include "cli/program.h"

#include <stdlib.h>

void *ffi_memory_need(void *old, size_t size)
{
  void *memory = realloc(old, size ? size : 1);
  if (!memory) {
    ffi_error_message("out of memory");
    exit(FFI_EXIT_FAILED);
  }
  return memory;
}
