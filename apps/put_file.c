#define _POSIX_C_SOURCE 200809L
#include "put_file.h"

#include "complain.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ffi_may_put(const char *path, int is_forced)
{
  struct stat about;
  if (stat(path, &about) != 0)
    return 1; // writing will tell
  if (S_ISDIR(about.st_mode)) {
    ffi_complain("%s: is a folder", path);
    return 0;
  }
  if (!S_ISREG(about.st_mode)) {
    ffi_complain("%s: is not a plain file, and is not replaced by one", path);
    return 0;
  }
  if (!is_forced) {
    ffi_complain("%s: is there already; '--force' replaces it", path);
    return 0;
  }
  if (access(path, W_OK) == 0)
    return 1;
  ffi_complain("%s: cannot be written: %s", path, strerror(errno));
  return 0;
}

char *ffi_part_of(const char *path)
{
  const size_t size = strlen(path) + sizeof ".part";
  char *part = ffi_need_memory(NULL, size);
  snprintf(part, size, "%s.part", path);
  return part;
}

int ffi_put_part(const char *path, const char *text, size_t length)
{
  char *part = ffi_part_of(path);
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a failed write
  FILE *file = fopen(part, "wb");
  int code = file ? 0 : errno;
  if (file && fwrite(text, 1, length, file) != length)
    code = errno;
  if (file && fclose(file) != 0 && code == 0)
    code = errno;
  if (code != 0) {
    ffi_complain("%s: cannot be written: %s", path, strerror(code));
    if (file)
      remove(part);
  }
  free(part);
  return code == 0;
}

int ffi_put_whole(const char *path)
{
  char *part = ffi_part_of(path);
  const int is_put = rename(part, path) == 0;
  if (!is_put) {
    ffi_complain("%s: cannot be written: %s", path, strerror(errno));
    remove(part);
  }
  free(part);
  return is_put;
}

void ffi_put_drop(const char *path)
{
  char *part = ffi_part_of(path);
  remove(part);
  free(part);
}

int ffi_put_file(const char *path, const char *text, size_t length)
{
  return ffi_put_part(path, text, length) && ffi_put_whole(path);
}
