// From a file to plain data: the tree is read, changed by overrides, and filled into the structure.
#include "base/fail.h"
#include "io/files.h"
#include "io/scene/scene_schema.h"
#include "io/text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ff_status apply(const ff_scene_override *o, ffi_scene_source *source, ff_error *error)
{
  char said[300];
  const char *kept;
  if (!o->path || !o->value)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_load", "an override is NULL");
  snprintf(said, sizeof said, "%.120s=%.120s", o->path, o->value);
  kept = ffi_arena_string(&source->arena, o->said ? o->said : said);
  if (!kept)
    return ffi_fail(error, FF_ERROR_MEMORY, source->file, 0, NULL, "no memory for a scene");
  return ffi_yaml_edit_set(&source->arena, source->root, o->path, o->value, kept, error);
}

// The tree of a text; all that is not a map is no scene.
static ff_status read_tree(const char *text, size_t length, ffi_scene_source *source, ff_error *error)
{
  const char *guess = ffi_text_file_guess(text, length);
  if (guess)
    return ffi_fail(error, FF_ERROR_PARSE, source->file, 0, NULL, "no scene: it is %s, not YAML", guess);
  const ff_status status = ffi_yaml_read(&source->arena, source->file, text, length, &source->root, error);
  if (status == FF_OK && (!source->root || source->root->kind != FFI_YAML_MAP))
    return ffi_fail(error, FF_ERROR_PARSE, source->file, source->root ? source->root->line : 0, NULL,
                    "no scene: it must be a map of fields, such as 'model: robot.urdf'");
  return status;
}

static ff_status fill(ffi_scene_source *source, ff_scene_def **def, ff_error *error)
{
  ff_scene_def *filled = ffi_arena_take(&source->arena, 1, sizeof *filled);
  if (!filled)
    return ffi_fail(error, FF_ERROR_MEMORY, source->file, 0, NULL, "no memory for a scene");
  ffi_scene_def_default(filled);
  const ff_status status = ffi_scene_fill(source, filled, error);
  *def = status == FF_OK ? filled : NULL;
  return status;
}

// As it stands now, changes and all.
static ff_status keep_scene(const ffi_scene_source *source, ff_error *error)
{
  size_t length;
  char *text = ffi_yaml_write(source->root, &length);
  if (!text)
    return ffi_fail(error, FF_ERROR_MEMORY, source->file, 0, NULL, "no memory for a scene");
  const ff_file file = {
      .kind = FF_FILE_SCENE, .name = source->file, .path = source->file, .data = text, .size = length};
  const ff_status status = ff_files_add(source->keep, &file, error);
  free(text);
  return status;
}

ff_status ffi_scene_read(const char *path, const char *text, size_t length,
                         const ff_scene_override *overrides, int count, ffi_scene_source *source,
                         ff_scene_def **def, ff_error *error)
{
  char *own = NULL;
  ff_status status = FF_OK;
  *def = NULL;
  source->file = ffi_arena_string(&source->arena, path);
  if (!source->file)
    return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to read it");
  if (!text)
    status = ffi_files_read(NULL, source->from, FF_FILE_SCENE, NULL, path, &own, &length, error);
  if (status == FF_OK)
    status = read_tree(text ? text : own, length, source, error);
  free(own);
  if (status == FF_OK)
    status = ffi_scene_options_sort(source, error);
  for (int i = 0; i < count && status == FF_OK; ++i)
    status = apply(&overrides[i], source, error);
  if (status == FF_OK && count > 0)
    status = ffi_scene_options_sort(source, error);
  if (status == FF_OK && source->keep)
    status = keep_scene(source, error);
  return status == FF_OK ? fill(source, def, error) : status;
}
