// A scene's file for tests of malformed scenes.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkstemps
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bad_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char ffi_bad_scene_path[64];

void ffi_bad_scene_write(const char *text, size_t length)
{
  FILE *file = fopen(ffi_bad_scene_path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  fclose(file);
}

int ffi_bad_scene_make(void **state)
{
  (void)state;
  strcpy(ffi_bad_scene_path, "/tmp/footfall_scene_XXXXXX.yaml");
  const int file = mkstemps(ffi_bad_scene_path, 5);
  return file < 0 || close(file);
}

int ffi_bad_scene_remove(void **state)
{
  (void)state;
  return remove(ffi_bad_scene_path);
}
