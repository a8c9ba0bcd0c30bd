// Checks before a file is written: is it the input, does it exist already?
#define _POSIX_C_SOURCE 200809L
#include "cli/overwrite.h"

#include "cli/error_message.h"
#include "cli/file_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int stat_folder(const char *path, struct stat *out)
{
  char *folder = ffi_file_path_folder(path);
  const int is_there = stat(folder, out) == 0;
  free(folder);
  return is_there;
}

int ffi_overwrite_is_same_file(const char *one, const char *other)
{
  struct stat a, b;
  const int is_there = stat(one, &a) == 0;
  if (is_there != (stat(other, &b) == 0))
    return 0;
  if (!is_there && (strcmp(ffi_file_path_name(one), ffi_file_path_name(other)) != 0 ||
                    !stat_folder(one, &a) || !stat_folder(other, &b)))
    return strcmp(one, other) == 0;
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int ffi_overwrite_spares_file(const char *path, const char *kind, const char *file, const char *output)
{
  if (!path || !file || strcmp(path, "-") == 0 || !ffi_overwrite_is_same_file(path, file))
    return 1;
  ffi_error_message("%s: is the %s, which %s would overwrite; choose another name", path, kind, output);
  return 0;
}

int ffi_overwrite_spares_model(const char *path, const char *model, const char *output)
{
  return ffi_overwrite_spares_file(path, "model", model, output);
}

int ffi_overwrite_is_allowed(const char *path, int is_forced)
{
  struct stat about;
  if (!*path) {
    ffi_error_message("the name of the output file is empty");
    return 0;
  }
  if (stat(path, &about) != 0)
    return 1; // writing it will show errors
  if (S_ISDIR(about.st_mode)) {
    ffi_error_message("%s: is a folder, not a file", path);
    return 0;
  }
  if (!S_ISREG(about.st_mode)) {
    ffi_error_message("%s: is not a regular file, and is not replaced", path);
    return 0;
  }
  if (!is_forced) {
    ffi_error_message("%s: already exists; '--force' replaces it", path);
    return 0;
  }
  if (access(path, W_OK) == 0)
    return 1;
  ffi_error_message("%s: cannot be written: %s", path, strerror(errno));
  return 0;
}
