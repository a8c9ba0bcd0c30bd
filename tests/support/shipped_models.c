// Lists the folder of shipped models.
#include "support/shipped_models.h"

#include <footfall/load.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int is_model(const struct dirent *entry)
{
  const char *ending = strrchr(entry->d_name, '.');
  return ending && (strcmp(ending, ".urdf") == 0 || strcmp(ending, ".xml") == 0);
}

// Walks the folder; copies the path of the index-th file, and returns how many there are.
static int scan(int index, char *path)
{
  struct dirent **entries = NULL;
  const int count = scandir(FFI_TEST_SOURCE_DIR "/models", &entries, is_model, alphasort);
  for (int i = 0; i < count; ++i) {
    if (i == index)
      snprintf(path, FFI_SHIPPED_PATH, "%s/models/%s", FFI_TEST_SOURCE_DIR, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  return count;
}

int ffi_shipped_count(void)
{
  const int count = scan(-1, NULL);
  if (count <= 0)
    fail_msg("no models in %s/models", FFI_TEST_SOURCE_DIR);
  return count;
}

void ffi_shipped_path(int index, char *path)
{
  path[0] = 0;
  scan(index, path);
}

ff_model *ffi_shipped_load(int index)
{
  char path[FFI_SHIPPED_PATH];
  ff_model *model = NULL;
  ff_error error;
  ffi_shipped_path(index, path);
  if (ff_model_load(path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}
