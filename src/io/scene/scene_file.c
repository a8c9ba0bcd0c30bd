// From a file to plain data: the tree is read, changed by overrides, and filled into the structure.
#include "io/scene/scene_file.h"

#include "base/fail.h"
#include "io/file/files.h"
#include "io/file/text_file.h"
#include "io/scene/scene_fill.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Messages -------------------------------------------------------------------------------------------------------

ff_status ffi_scene_file_fail_at(const ffi_scene_file *file, ff_status status, const ffi_yaml_node *node,
                                 const char *path, const char *text, ff_error *error)
{
  if (node && node->said)
    return ffi_fail(error, status, NULL, 0, node->said, "%s%s%s", path, *path ? ": " : "", text);
  return ffi_fail(error, status, file->path, node ? node->line : 0, path, "%s", text);
}

ff_status ffi_scene_file_fail(const ffi_scene_file *file, ff_status status, const char *path, ff_error *error,
                              const char *format, ...)
{
  char text[700];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return ffi_scene_file_fail_at(file, status, ffi_yaml_nearest(file->root, path), path, text, error);
}

ff_status ffi_scene_file_no_memory(const ffi_scene_file *file, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, file->path, 0, NULL, "no memory for a scene");
}

ff_status ffi_scene_file_warn(ffi_scene_file *file, const char *text, ff_error *error)
{
  ffi_scene_file_warning *warning = ffi_arena_take(&file->arena, 1, sizeof *warning);
  if (!warning || !(warning->text = ffi_arena_string(&file->arena, text)))
    return ffi_scene_file_no_memory(file, error);
  if (file->last_warning)
    file->last_warning->next = warning;
  else
    file->warnings = warning;
  file->last_warning = warning;
  return FF_OK;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

static ff_status apply(const ff_scene_override *o, ffi_scene_file *file, ff_error *error)
{
  char said[300];
  const char *kept;
  if (!o->path || !o->value)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_load", "an override is NULL");
  snprintf(said, sizeof said, "%.120s=%.120s", o->path, o->value);
  kept = ffi_arena_string(&file->arena, o->said ? o->said : said);
  if (!kept)
    return ffi_scene_file_no_memory(file, error);
  return ffi_yaml_edit_set(&file->arena, file->root, o->path, o->value, kept, error);
}

// The tree of a text, which must be a map.
static ff_status read_tree(const char *text, size_t length, ffi_scene_file *file, ff_error *error)
{
  const char *guess = ffi_text_file_guess(text, length);
  if (guess)
    return ffi_fail(error, FF_ERROR_PARSE, file->path, 0, NULL, "not a scene: it is %s, not YAML%s", guess,
                    *text == '<' ? "; 'footfall new' writes a scene for a robot" : "");
  const ff_status status = ffi_yaml_read(&file->arena, file->path, text, length, &file->root, error);
  if (status == FF_OK && (!file->root || file->root->kind != FFI_YAML_MAP))
    return ffi_fail(error, FF_ERROR_PARSE, file->path, file->root ? file->root->line : 0, NULL,
                    "not a scene: it must be a map of fields, such as 'model: robot.urdf'");
  return status;
}

static ff_status fill(ffi_scene_file *file, ff_scene_def **def, ff_error *error)
{
  ff_scene_def *filled = ffi_arena_take(&file->arena, 1, sizeof *filled);
  if (!filled)
    return ffi_scene_file_no_memory(file, error);
  ff_scene_def_init(filled, sizeof *filled);
  const ff_status status = ffi_scene_fill_def(file, filled, error);
  *def = status == FF_OK ? filled : NULL;
  return status;
}

// The tree with all overrides.
static ff_status keep_scene(const ffi_scene_file *file, ff_error *error)
{
  size_t length;
  char *text = ffi_yaml_write(file->root, &length);
  if (!text)
    return ffi_scene_file_no_memory(file, error);
  const ff_file kept = {
      .kind = FF_FILE_SCENE, .name = file->path, .path = file->path, .data = text, .size = length};
  const ff_status status = ff_files_add(file->keep, &kept, error);
  free(text);
  return status;
}

ff_status ffi_scene_file_parse(ffi_scene_file *file, const char *text, size_t length,
                               const ffi_scene_file_overrides *overrides, ff_scene_def **def, ff_error *error)
{
  *def = NULL;
  ff_status status = read_tree(text, length, file, error);
  if (status == FF_OK)
    status = ffi_scene_options_sort(file, error);
  for (int i = 0; i < overrides->count && status == FF_OK; ++i)
    status = apply(&overrides->list[i], file, error);
  if (status == FF_OK && overrides->count > 0)
    status = ffi_scene_options_sort(file, error);
  if (status == FF_OK && file->keep)
    status = keep_scene(file, error);
  return status == FF_OK ? fill(file, def, error) : status;
}

ff_status ffi_scene_file_read(ffi_scene_file *file, const char *path,
                              const ffi_scene_file_overrides *overrides, ff_scene_def **def, ff_error *error)
{
  char *text = NULL;
  size_t length;
  *def = NULL;
  file->path = ffi_arena_string(&file->arena, path);
  if (!file->path)
    return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to read it");
  const ffi_files_request request = {.from = file->from, .kind = FF_FILE_SCENE, .path = path};
  ff_status status = ffi_files_read(&request, &text, &length, error);
  if (status == FF_OK)
    status = ffi_scene_file_parse(file, text, length, overrides, def, error);
  free(text);
  return status;
}
