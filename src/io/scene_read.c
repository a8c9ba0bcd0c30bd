// From a file to plain data: the tree is read, changed by overrides, checked and completed; libcyaml then fills the structure.
#include "base/error.h"
#include "io/files.h"
#include "io/scene_schema.h"
#include "io/text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct complaint {
  char text[400];
} complaint;

// What libcyaml has to say; the first line of it is the reason.
static void take_log(cyaml_log_t level, void *context, const char *format, va_list list)
{
  complaint *c = context;
  if (level >= CYAML_LOG_ERROR && !c->text[0]) {
    vsnprintf(c->text, sizeof c->text, format, list);
    c->text[strcspn(c->text, "\n")] = '\0';
  }
}

// So that libcyaml's memory is the program's: a test makes each allocation fail.
static void *resize(void *context, void *old, size_t size)
{
  (void)context;
  if (size == 0) {
    free(old);
    return NULL;
  }
  return realloc(old, size);
}

static const cyaml_config_t settings = {
    .log_level = CYAML_LOG_ERROR, .log_fn = take_log, .mem_fn = resize, .flags = CYAML_CFG_NO_ALIAS};

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
  return ffi_yaml_set(&source->arena, source->root, o->path, o->value, kept, error);
}

// The checked tree, filled into a structure by libcyaml, which finds nothing more to complain about but memory.
static ff_status fill(const ffi_scene_source *source, ff_scene_def **def, ff_error *error)
{
  size_t length;
  char *text = ffi_yaml_write(source->root, &length);
  complaint said = {0};
  cyaml_config_t config = settings;
  if (!text)
    return ffi_fail(error, FF_ERROR_MEMORY, source->file, 0, NULL, "no memory for a scene");
  config.log_ctx = &said;
  const cyaml_err_t result =
      cyaml_load_data((const uint8_t *)text, length, &config, &ffi_scene_schema, (cyaml_data_t **)def, NULL);
  free(text);
  if (result == CYAML_OK)
    return FF_OK;
  *def = NULL;
  if (result == CYAML_ERR_OOM || result == CYAML_ERR_INTERNAL_ERROR)
    return ffi_fail(error, FF_ERROR_MEMORY, source->file, 0, NULL, "no memory for a scene");
  return ffi_fail(error, FF_ERROR_PARSE, source->file, 0, NULL, "%s (%s)", said.text, cyaml_strerror(result));
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

// As it stands now, changes and all.
static ff_status keep_scene(const ffi_scene_source *source, ff_error *error)
{
  size_t length;
  char *text = ffi_yaml_print(source->root, &length);
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
  for (int i = 0; i < count && status == FF_OK; ++i)
    status = apply(&overrides[i], source, error);
  if (status == FF_OK && source->keep)
    status = keep_scene(source, error);
  if (status == FF_OK)
    status = ffi_scene_check(source, error);
  if (status == FF_OK)
    status = fill(source, def, error);
  return status;
}

void ffi_scene_def_free(ff_scene_def *def)
{
  cyaml_config_t config = settings;
  complaint said = {0};
  config.log_ctx = &said;
  if (def)
    cyaml_free(&config, &ffi_scene_schema, def, 0);
}
