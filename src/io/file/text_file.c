// A whole file is read into memory, or refused with a reason.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // the strerror_r that returns its text
#endif

#include "io/file/text_file.h"

#include "base/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ff_status fail_errno(ff_error *error, const char *path, const char *what, int code)
{
  char buffer[128];
  return ffi_fail(error, FF_ERROR_FILE, path, 0, NULL, "cannot be %s: %s", what,
                  strerror_r(code, buffer, sizeof buffer));
}

ff_status ffi_text_file_read(const char *path, char **text, size_t *length, ff_error *error)
{
  size_t capacity = 1 << 16;
  size_t used = 0;
  char *data = NULL;
  ff_status status = FF_OK;
  FILE *file = fopen(path, "rb");
  if (!file)
    return fail_errno(error, path, "opened", errno);
  data = malloc(capacity + 1);
  if (!data) {
    status = ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to read it");
    goto fail;
  }
  for (;;) {
    used += fread(data + used, 1, capacity - used, file);
    if (ferror(file)) {
      status = fail_errno(error, path, "read", errno);
      goto fail;
    }
    if (used < capacity)
      break;
    if (capacity >= FFI_TEXT_FILE_MAX) {
      status = ffi_fail(error, FF_ERROR_LIMIT, path, 0, NULL, "larger than %d MiB", FFI_TEXT_FILE_MAX >> 20);
      goto fail;
    }
    char *larger = realloc(data, 4 * capacity + 1);
    if (!larger) {
      status = ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to read it");
      goto fail;
    }
    data = larger;
    capacity *= 4;
  }
  fclose(file);
  data[used] = 0;
  *text = data;
  *length = used;
  return FF_OK;
fail:
  free(data);
  fclose(file);
  return status;
}

const char *ffi_text_file_guess(const char *text, size_t length)
{
  static const struct {
    const char *bytes, *name;
    size_t size;
  } known[] = {
      {"\x89HDF\r\n\x1a\n", "an HDF5 file, such as a log", 8},
      {"\x89MCAP0\r\n", "an MCAP log", 8},
      {"\x89PNG\r\n\x1a\n", "a PNG picture", 8},
      {"\xff\xd8\xff", "a JPEG picture", 3},
      {"%PDF", "a PDF document", 4},
      {"PK\3\4", "a ZIP archive", 4},
      {"\x1f\x8b", "a file compressed by gzip", 2},
      {"<?xml", "XML, such as a robot", 5},
      {"<!--", "XML, such as a robot", 4},
      {"<robot", "a robot in URDF", 6},
      {"<mujoco", "a robot in MJCF", 7},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (length >= known[i].size && memcmp(text, known[i].bytes, known[i].size) == 0)
      return known[i].name;
  return NULL;
}
