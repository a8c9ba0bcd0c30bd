#include "complain.h"

#include "terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

void ffi_complain(const char *format, ...)
{
  char text[2048]; // more than an ff_error holds
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ffi_text_tame(&(ffi_terminal){.unicode = 1}, text); // file names may hold anything
  fprintf(stderr, "footfall: %s\n", text);
}

void *ffi_need_memory(void *old, size_t size)
{
  void *memory = realloc(old, size ? size : 1);
  if (!memory) {
    ffi_complain("out of memory");
    exit(FFI_EXIT_FAILED);
  }
  return memory;
}

int ffi_finish(int status)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  if (status == FFI_EXIT_OK)
    ffi_complain("the output could not be written");
  return status == FFI_EXIT_OK ? FFI_EXIT_FAILED : status;
}

int ffi_spare_file(const char *path, const char *kind, const char *file, const char *output)
{
  struct stat a, b;
  if (!path || stat(path, &a) != 0 || stat(file, &b) != 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
    return 1;
  ffi_complain("%s: is the %s; %s would replace it", path, kind, output);
  return 0;
}

int ffi_spare_model(const char *path, const char *model, const char *output)
{
  return ffi_spare_file(path, "model", model, output);
}
