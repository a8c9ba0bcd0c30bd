// Checks before a run that a file can be written, and writes it afterwards.
#define _POSIX_C_SOURCE 200809L
#include "common/output_file.h"

#include "cli/files/atomic_file.h"
#include <errno.h>
#include <string.h>

// A pipe or a device is opened at once and kept open, since its reader waits for the end. A regular file is written
// beside its place once there is something to write.
int bench_output_file_check(bench_output_file *late, const char *path)
{
  *late = (bench_output_file){.path = path};
  if (strcmp(path, "-") == 0)
    late->file = stdout;
  else if (!ffi_atomic_file_has_part(path))
    late->file = fopen(path, "a"); // sets errno for a folder
  else
    return ffi_atomic_file_check(path);
  return late->file != NULL;
}

FILE *bench_output_file_begin(bench_output_file *late)
{
  if (!late->file && ffi_atomic_file_open(&late->put, late->path))
    late->file = late->put.stream;
  return late->file;
}

int bench_output_file_end(bench_output_file *late)
{
  FILE *file = late->file;
  late->file = NULL;
  if (file == stdout)
    return 1;
  if (late->put.stream)
    return ffi_atomic_file_close(&late->put, 1);
  const int is_written = fflush(file) == 0 && !ferror(file);
  const int reason = errno;
  const int is_closed = fclose(file) == 0;
  if (!is_written)
    errno = reason;
  return is_written && is_closed;
}

void bench_output_file_forget(bench_output_file *late)
{
  if (late->put.stream)
    ffi_atomic_file_close(&late->put, 0);
  else if (late->file && late->file != stdout)
    fclose(late->file);
  late->file = NULL;
}
