#define _POSIX_C_SOURCE 200809L
#include "common/late_file.h"

#include <errno.h>
#include <string.h>

// A pipe or a device is held open: its reader waits for the end. A file is written beside its place, when there is something to write.
int bench_late_file_check(bench_late_file *late, const char *path)
{
  *late = (bench_late_file){.path = path};
  if (strcmp(path, "-") == 0)
    late->file = stdout;
  else if (!ffi_put_is_beside(path))
    late->file = fopen(path, "a"); // says what is wrong with a folder
  else
    return ffi_put_check(path);
  return late->file != NULL;
}

FILE *bench_late_file_begin(bench_late_file *late)
{
  if (!late->file && ffi_put_open(&late->put, late->path))
    late->file = late->put.file;
  return late->file;
}

int bench_late_file_end(bench_late_file *late)
{
  FILE *file = late->file;
  late->file = NULL;
  if (file == stdout)
    return 1;
  if (late->put.file)
    return ffi_put_close(&late->put, 1);
  const int is_written = fflush(file) == 0 && !ferror(file);
  const int reason = errno;
  const int is_closed = fclose(file) == 0;
  if (!is_written)
    errno = reason;
  return is_written && is_closed;
}

void bench_late_file_forget(bench_late_file *late)
{
  if (late->put.file)
    ffi_put_close(&late->put, 0);
  else if (late->file && late->file != stdout)
    fclose(late->file);
  late->file = NULL;
}
