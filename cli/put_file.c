#define _XOPEN_SOURCE 700 // realpath
#include "cli/put_file.h"

#include "cli/complain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ffi_may_put(const char *path, int is_forced)
{
  struct stat about;
  if (!*path) {
    ffi_complain("an empty name: no file can be written there");
    return 0;
  }
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

// ---- Places ---------------------------------------------------------------------------------------------------------

static char *copy_of(const char *text)
{
  char *copy = ffi_need_memory(NULL, strlen(text) + 1);
  strcpy(copy, text);
  return copy;
}

char *ffi_put_place(const char *path)
{
  char *real = realpath(path, NULL);
  return real ? real : copy_of(path); // nothing there yet
}

char *ffi_part_of(const char *path)
{
  char *place = ffi_put_place(path);
  place = ffi_need_memory(place, strlen(place) + sizeof ".part");
  return strcat(place, ".part");
}

int ffi_put_is_beside(const char *path)
{
  struct stat about;
  return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

int ffi_put_move(const char *part, const char *to)
{
  struct stat about;
  char *place = ffi_put_place(to);
  if (stat(place, &about) == 0)
    chmod(part, about.st_mode & 07777); // who may read the old one may read the new one
  const int is_put = rename(part, place) == 0, code = errno;
  if (!is_put)
    remove(part);
  free(place);
  errno = code;
  return is_put;
}

// ---- Streams --------------------------------------------------------------------------------------------------------

int ffi_put_open(ffi_put *put, const char *path)
{
  if (!*path) { // its part would have a name
    errno = ENOENT;
    return 0;
  }
  *put = (ffi_put){.place = copy_of(path)};
  if (ffi_put_is_beside(path)) {
    put->part = ffi_part_of(path);
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0) // else it would be replaced
      goto fail;
  }
  put->file = fopen(put->part ? put->part : path, "wb");
  if (put->file)
    return 1;
fail:
  free(put->place);
  free(put->part);
  *put = (ffi_put){0};
  return 0;
}

// What is wrong with a stream, 0: nothing. It may have failed long ago: one more byte tells why.
static int reason_of(FILE *file)
{
  if (!ferror(file))
    return fflush(file) == 0 ? 0 : errno;
  errno = EIO;
  clearerr(file);
  fputc('\n', file);
  fflush(file);
  return errno;
}

int ffi_put_close(ffi_put *put, int is_wanted)
{
  int code = is_wanted ? reason_of(put->file) : ECANCELED;
  if (fclose(put->file) != 0 && code == 0)
    code = errno;
  int is_put = code == 0;
  if (put->part && is_put) {
    is_put = ffi_put_move(put->part, put->place);
    code = errno;
  } else if (put->part) {
    remove(put->part);
  }
  free(put->place);
  free(put->part);
  *put = (ffi_put){0};
  errno = code;
  return is_put;
}

int ffi_put_check(const char *path)
{
  struct stat about;
  ffi_put put;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
    errno = EISDIR;
    return !S_ISDIR(about.st_mode) && access(path, W_OK) == 0;
  }
  if (!ffi_put_open(&put, path))
    return 0;
  ffi_put_close(&put, 0);
  return 1;
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

int ffi_put_part(const char *path, const char *text, size_t length)
{
  char *part = ffi_part_of(path);
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
  const int is_put = ffi_put_move(part, path);
  if (!is_put)
    ffi_complain("%s: cannot be written: %s", path, strerror(errno));
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
