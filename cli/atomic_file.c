// Writes FILE.part and renames it to FILE.
#define _XOPEN_SOURCE 700 // realpath
#include "cli/atomic_file.h"

#include "cli/error_message.h"
#include "cli/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Places ---------------------------------------------------------------------------------------------------------

static char *copy_of(const char *text)
{
  char *copy = ffi_memory_need(NULL, strlen(text) + 1);
  strcpy(copy, text);
  return copy;
}

char *ffi_atomic_file_target(const char *path)
{
  char *real = realpath(path, NULL);
  return real ? real : copy_of(path); // nothing there yet
}

char *ffi_atomic_file_part(const char *path)
{
  char *place = ffi_atomic_file_target(path);
  place = ffi_memory_need(place, strlen(place) + sizeof ".part");
  return strcat(place, ".part");
}

int ffi_atomic_file_has_part(const char *path)
{
  struct stat about;
  return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

int ffi_atomic_file_move(const char *part, const char *to)
{
  struct stat about;
  char *place = ffi_atomic_file_target(to);
  if (stat(place, &about) == 0)
    chmod(part, about.st_mode & 07777); // who may read the old one may read the new one
  const int is_written = rename(part, place) == 0, code = errno;
  if (!is_written)
    remove(part);
  free(place);
  errno = code;
  return is_written;
}

// ---- Streams --------------------------------------------------------------------------------------------------------

int ffi_atomic_file_open(ffi_atomic_file *file, const char *path)
{
  if (!*path) { // or ".part" would be written
    errno = ENOENT;
    return 0;
  }
  *file = (ffi_atomic_file){.target = copy_of(path)};
  if (ffi_atomic_file_has_part(path)) {
    file->part = ffi_atomic_file_part(path);
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0) // rename() would replace it nevertheless
      goto fail;
  }
  file->stream = fopen(file->part ? file->part : path, "wb");
  if (file->stream)
    return 1;
fail:
  free(file->target);
  free(file->part);
  *file = (ffi_atomic_file){0};
  return 0;
}

// errno of what is wrong with a stream, 0: nothing. It may have failed long ago: one more byte tells why.
static int reason_of(FILE *stream)
{
  if (!ferror(stream))
    return fflush(stream) == 0 ? 0 : errno;
  errno = EIO;
  clearerr(stream);
  fputc('\n', stream);
  fflush(stream);
  return errno;
}

int ffi_atomic_file_close(ffi_atomic_file *file, int is_wanted)
{
  int code = is_wanted ? reason_of(file->stream) : ECANCELED;
  if (fclose(file->stream) != 0 && code == 0)
    code = errno;
  int is_written = code == 0;
  if (file->part && is_written) {
    is_written = ffi_atomic_file_move(file->part, file->target);
    code = errno;
  } else if (file->part) {
    remove(file->part);
  }
  free(file->target);
  free(file->part);
  *file = (ffi_atomic_file){0};
  errno = code;
  return is_written;
}

int ffi_atomic_file_check(const char *path)
{
  struct stat about;
  ffi_atomic_file file;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
    errno = EISDIR;
    return !S_ISDIR(about.st_mode) && access(path, W_OK) == 0;
  }
  if (!ffi_atomic_file_open(&file, path))
    return 0;
  ffi_atomic_file_close(&file, 0);
  return 1;
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

int ffi_atomic_file_write_part(const char *path, const char *text, size_t length)
{
  char *part = ffi_atomic_file_part(path);
  FILE *file = fopen(part, "wb");
  int code = file ? 0 : errno;
  if (file && fwrite(text, 1, length, file) != length)
    code = errno;
  if (file && fclose(file) != 0 && code == 0)
    code = errno;
  if (code != 0) {
    ffi_error_message("%s: cannot be written: %s", path, strerror(code));
    if (file)
      remove(part);
  }
  free(part);
  return code == 0;
}

int ffi_atomic_file_commit(const char *path)
{
  char *part = ffi_atomic_file_part(path);
  const int is_written = ffi_atomic_file_move(part, path);
  if (!is_written)
    ffi_error_message("%s: cannot be written: %s", path, strerror(errno));
  free(part);
  return is_written;
}

void ffi_atomic_file_discard(const char *path)
{
  char *part = ffi_atomic_file_part(path);
  remove(part);
  free(part);
}

int ffi_atomic_file_write(const char *path, const char *text, size_t length)
{
  return ffi_atomic_file_write_part(path, text, length) && ffi_atomic_file_commit(path);
}
