#define _POSIX_C_SOURCE 200809L
#include "late_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// What is there is held open, as it may be a pipe whose reader waits for the end. What is not is made and removed again.
int bench_late_file_check(bench_late_file *late, const char *path)
{
  *late = (bench_late_file){.path = path};
  if (strcmp(path, "-") == 0) {
    late->file = stdout;
    return 1;
  }
  FILE *made = fopen(path, "wx");
  if (made) {
    fclose(made);
    return remove(path) == 0;
  }
  if (errno == EEXIST)
    late->file = fopen(path, "a"); // keeps what is in it
  return late->file != NULL;
}

FILE *bench_late_file_begin(bench_late_file *late)
{
  if (!late->file)
    late->file = fopen(late->path, "w");
  else if (late->file != stdout && ftruncate(fileno(late->file), 0) != 0 && errno != EINVAL) {
    bench_late_file_forget(late); // EINVAL: a pipe or a device, which has no length
    return NULL;
  }
  return late->file;
}

int bench_late_file_end(bench_late_file *late)
{
  FILE *file = late->file;
  late->file = NULL;
  if (file == stdout)
    return 1;
  const int is_written = fflush(file) == 0 && !ferror(file);
  const int reason = errno;
  const int is_closed = fclose(file) == 0;
  if (!is_written)
    errno = reason;
  return is_written && is_closed;
}

void bench_late_file_forget(bench_late_file *late)
{
  if (late->file && late->file != stdout)
    fclose(late->file);
  late->file = NULL;
}
