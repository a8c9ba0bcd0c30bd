// Whatever the bytes are, a scene's reader returns plain data or an error. The last line may be an override,
// "field=value". The model is not loaded. Seeds are scenes, the dictionary is tests/fuzz/scene.dict.
#include "io/scene/scene_schema.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  char *line = strrchr(text, '\n'), *equals = line ? strchr(line, '=') : NULL;
  ff_scene_override override = {0};
  if (equals) {
    *equals = '\0';
    override = (ff_scene_override){.path = line + 1, .value = equals + 1};
  }
  const size_t length = equals ? (size_t)(line + 1 - text) : size;
  ffi_scene_source source = {0};
  ff_scene_def *def = NULL;
  ff_error error = {0};
  const ff_status status =
      ffi_scene_read("fuzz", text, length, &override, equals != NULL, &source, &def, &error);
  const int is_consistent =
      status == FF_OK ? def != NULL : def == NULL && error.status == status && error.message[0];
  if (!is_consistent)
    abort();
  ffi_arena_free(&source.arena);
  free(text);
  return 0;
}
