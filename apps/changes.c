#include "changes.h"

#include "complain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *between, const char *b)
{
  char *text = ffi_need_memory(NULL, strlen(a) + strlen(between) + strlen(b) + 3);
  sprintf(text, "'%s%s%s'", a, between, b); // quoted, as other complaints about options are
  return text;
}

static void add(ffi_changes *changes, char *path, const char *value, char *said)
{
  changes->list = ffi_need_memory(changes->list, (size_t)(changes->count + 1) * sizeof *changes->list);
  changes->list[changes->count++] = (ff_scene_override){.path = path, .value = value, .said = said};
}

void ffi_change(ffi_changes *changes, const char *path, const char *option, const char *value)
{
  char *copy = ffi_need_memory(NULL, strlen(path) + 1);
  memcpy(copy, path, strlen(path) + 1);
  add(changes, copy, value ? value : "true", join(option, value ? " " : "", value ? value : ""));
}

int ffi_change_field(ffi_changes *changes, const char *text)
{
  const char *equals = strchr(text, '=');
  const size_t length = equals ? (size_t)(equals - text) : 0;
  if (length == 0) {
    ffi_complain("'--set %s' must be a field and its value, such as controller.period=10ms", text);
    return 0;
  }
  char *path = ffi_need_memory(NULL, length + 1);
  memcpy(path, text, length);
  path[length] = '\0';
  add(changes, path, equals + 1, join("--set", " ", text));
  return 1;
}

// A message about a change begins with what was said.
int ffi_changes_status(const ffi_changes *changes, const ff_error *error)
{
  for (int i = 0; i < changes->count && error->status != FF_ERROR_FILE; ++i)
    if (strncmp(error->message, changes->list[i].said, strlen(changes->list[i].said)) == 0)
      return FFI_EXIT_USAGE;
  return FFI_EXIT_FAILED;
}

void ffi_changes_free(ffi_changes *changes)
{
  for (int i = 0; i < changes->count; ++i) {
    free((char *)changes->list[i].path);
    free((char *)changes->list[i].said);
  }
  free(changes->list);
  *changes = (ffi_changes){0};
}
