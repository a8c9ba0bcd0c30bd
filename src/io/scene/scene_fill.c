// A scene's tree becomes plain data: every key known, none missing, every value of its kind and within its range,
// numbers in SI units. Fields that are left out keep their default. Lists and texts live in the tree's arena.
#include "io/scene/scene_fill.h"
#include "base/value.h"

#include <footfall/option.h>
#include <footfall/scene_load.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MOST = 4096 }; // bytes

// ---- Failing --------------------------------------------------------------------------------------------------------

static __attribute__((format(printf, 3, 4))) ff_status refuse(ffi_scene_fill *f, const ffi_yaml_node *node,
                                                              const char *format, ...)
{
  char text[1000];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return ffi_scene_file_fail_at(f->file, FF_ERROR_PARSE, node, f->path, text, f->error);
}

static ff_status no_memory(ffi_scene_fill *f)
{
  return ffi_scene_file_no_memory(f->file, f->error);
}

size_t ffi_scene_fill_enter(ffi_scene_fill *f, const char *key, int index)
{
  const size_t before = strlen(f->path);
  if (key)
    snprintf(f->path + before, FFI_SCENE_SCHEMA_PATH - before, "%s%s", before > 0 ? "." : "", key);
  else
    snprintf(f->path + before, FFI_SCENE_SCHEMA_PATH - before, "[%d]", index);
  return before;
}

// ---- Scalars --------------------------------------------------------------------------------------------------------

static ff_status need_scalar(ffi_scene_fill *f, const ffi_yaml_node *node)
{
  if (node->kind == FFI_YAML_SCALAR)
    return FF_OK;
  return refuse(f, node, "must be one value, not a %s", node->kind == FFI_YAML_MAP ? "map" : "list");
}

ff_status ffi_scene_fill_value(ffi_scene_fill *f, const ffi_yaml_node *node, const ff_value_rule *rule,
                               double *value)
{
  char why[FFI_VALUE_WHY];
  const ff_status status = need_scalar(f, node);
  if (status != FF_OK)
    return status;
  return ffi_value_read(rule, node->text, value, why) ? FF_OK : refuse(f, node, "%s", why);
}

static ff_status fill_value(ffi_scene_fill *f, const ffi_yaml_node *node, const ffi_scene_schema_field *field,
                            char *at)
{
  double value;
  const ff_status status = ffi_scene_fill_value(f, node, &field->value, &value);
  if (status != FF_OK)
    return status;
  if (field->value.type == FF_VALUE_NUMBER) {
    memcpy(at, &value, sizeof value);
  } else {
    const int whole = field->numbers ? field->numbers[(int)value] : (int)value;
    memcpy(at, &whole, sizeof whole);
  }
  return FF_OK;
}

static ff_status fill_text(ffi_scene_fill *f, const ffi_yaml_node *node, int least, char *at)
{
  const ff_status status = need_scalar(f, node);
  if (status != FF_OK)
    return status;
  if (strlen(node->text) < (size_t)least || strlen(node->text) > TEXT_MOST)
    return refuse(f, node, "must be a text of %d to %d bytes", least, TEXT_MOST);
  memcpy(at, &node->text, sizeof node->text);
  return FF_OK;
}

static ff_status fill_option(ffi_scene_fill *f, const ffi_yaml_node *node, const char *key)
{
  double value;
  const ff_status status = ffi_scene_fill_value(f, node, &ff_option_find(key)->value, &value);
  return status == FF_OK ? ff_sim_def_set(&f->def->sim, key, node->text, f->error) : status;
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

static ff_status fill_map(ffi_scene_fill *f, ffi_yaml_node *node, const ffi_scene_schema_map *map, char *at);

// {knee: 0.5} in place of [{name: knee, position: 0.5}].
static ff_status list_from_names(ffi_scene_fill *f, ffi_yaml_node *node, const ffi_scene_schema_field *fields)
{
  ffi_yaml_node *child = node->first, *next;
  node->kind = FFI_YAML_LIST;
  node->first = node->last = NULL;
  node->count = 0;
  for (; child; child = next) {
    ffi_yaml_node *entry = ffi_yaml_make(&f->file->arena, FFI_YAML_MAP, NULL);
    ffi_yaml_node *name = ffi_yaml_make(&f->file->arena, FFI_YAML_SCALAR, fields[0].key);
    if (!entry || !name)
      return no_memory(f);
    next = child->next;
    child->next = NULL;
    entry->line = name->line = child->line;
    entry->said = name->said = child->said;
    name->text = child->key;
    if (ffi_yaml_get(child, fields[0].key))
      return refuse(f, child, "'%.60s' has a second %s", child->key, fields[0].key);
    if (child->kind == FFI_YAML_MAP) { // {knee: {position: 0.5, velocity: 1}}
      name->next = child->first;
      entry->first = name;
      entry->last = child->last ? child->last : name;
      entry->count = child->count + 1;
    } else {
      child->key = fields[1].key;
      ffi_yaml_append(entry, name);
      ffi_yaml_append(entry, child);
    }
    ffi_yaml_append(node, entry);
  }
  return FF_OK;
}

// A map or a word in place of a list becomes one. *is_one: its entry has no index in paths.
static ff_status open_list(ffi_scene_fill *f, ffi_yaml_node *node, const ffi_scene_schema_field *field,
                           int *is_one)
{
  const char *first = field->map ? field->map->fields[0].key : "";
  const int is_map = node->kind == FFI_YAML_MAP && *first, is_named = strcmp(first, "name") == 0;
  const int is_word = node->kind == FFI_YAML_SCALAR && *node->text && strcmp(first, "type") == 0;
  ff_status status = FF_OK;
  *is_one = is_word || (is_map && !is_named);
  if (*is_one) // a map, or a word for it, in place of a list of one
    status = ffi_yaml_edit_enlist(&f->file->arena, node) ? FF_OK : no_memory(f);
  else if (is_map)
    status = list_from_names(f, node, field->map->fields);
  if (status != FF_OK)
    return status;
  if (node->kind != FFI_YAML_LIST)
    return refuse(f, node, "must be a list");
  if (node->count >= field->least && node->count <= field->most)
    return FF_OK;
  if (field->least == field->most)
    return refuse(f, node, "must be a list of %d, not of %d", field->least, node->count);
  return refuse(f, node, "must be a list of %d to %d, not of %d", field->least, field->most, node->count);
}

static size_t entry_size(const ffi_scene_schema_field *field)
{
  return field->kind == FFI_SCENE_MAPS    ? field->map->size
         : field->kind == FFI_SCENE_TEXTS ? sizeof(char *)
                                          : sizeof(double);
}

static ff_status fill_entry(ffi_scene_fill *f, ffi_yaml_node *node, const ffi_scene_schema_field *field,
                            char *at)
{
  switch (field->kind) {
  case FFI_SCENE_TEXTS: return fill_text(f, node, 1, at);
  case FFI_SCENE_MAPS:
    if (field->map->initial)
      memcpy(at, field->map->initial, field->map->size);
    return fill_map(f, node, field->map, at);
  default: return fill_value(f, node, field, at);
  }
}

static ff_status fill_list(ffi_scene_fill *f, ffi_yaml_node *node, const ffi_scene_schema_field *field,
                           char *base)
{
  const size_t size = entry_size(field);
  char *at = base + field->offset;
  int is_one, index = 0;
  ff_status status = open_list(f, node, field, &is_one);
  if (status != FF_OK)
    return status;
  if (field->kind != FFI_SCENE_VALUES) {
    char *entries = node->count > 0 ? ffi_arena_take(&f->file->arena, (size_t)node->count, size) : NULL;
    if (node->count > 0 && !entries)
      return no_memory(f);
    memcpy(at, &entries, sizeof entries);
    memcpy(base + field->count_offset, &node->count, sizeof node->count);
    at = entries;
  }
  for (ffi_yaml_node *child = node->first; at && child && status == FF_OK; child = child->next, ++index) {
    const size_t before = is_one ? strlen(f->path) : ffi_scene_fill_enter(f, NULL, index);
    status = fill_entry(f, child, field, at + (size_t)index * size);
    f->path[before] = '\0';
  }
  return status;
}

// ---- Maps -----------------------------------------------------------------------------------------------------------

// A field of that name in another map: the least deep, the first of those. 0: there is none.
static int find_elsewhere(const char *key, char out[FF_SCENE_FIELD_SIZE])
{
  char path[FF_SCENE_FIELD_SIZE];
  int least = 0;
  for (int i = 0; ff_scene_field(i, path); ++i) {
    const char *dot = strrchr(path, '.');
    int depth = 1;
    for (const char *c = path; *c; ++c)
      depth += *c == '.';
    if (!dot || strcmp(dot + 1, key) != 0 || (least > 0 && depth >= least))
      continue;
    least = depth;
    memcpy(out, path, sizeof path);
  }
  return least > 0;
}

ff_status ffi_scene_fill_unknown(ffi_scene_fill *f, const ffi_yaml_node *child, const char *meant,
                                 const char *all)
{
  char elsewhere[FF_SCENE_FIELD_SIZE];
  if (!meant && find_elsewhere(child->key, elsewhere))
    return refuse(f, child, "there is no field '%.60s'; did you mean '%s'? Known here are %s", child->key,
                  elsewhere, all);
  if (meant)
    return refuse(f, child, "there is no field '%.60s'; did you mean '%s'? Known are %s", child->key, meant,
                  all);
  return refuse(f, child, "there is no field '%.60s'; known are %s", child->key, all);
}

static int has_field(const ffi_scene_schema_field *fields, const char *key)
{
  while (fields->key && strcmp(fields->key, key) != 0)
    ++fields;
  return fields->key != NULL;
}

static ff_status refuse_unknown(ffi_scene_fill *f, const ffi_yaml_node *map,
                                const ffi_scene_schema_field *fields)
{
  for (const ffi_yaml_node *child = map->first; child; child = child->next) {
    char all[500] = "";
    ff_nearest nearest = {.word = child->key};
    if (has_field(fields, child->key))
      continue;
    for (const ffi_scene_schema_field *field = fields; field->key; ++field) {
      const size_t used = strlen(all);
      snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", " : "", field->key);
      ff_nearest_try(&nearest, field->key);
    }
    return ffi_scene_fill_unknown(f, child, nearest.meant, all);
  }
  return FF_OK;
}

// "stepper: expo" in place of {type: expo}.
static ff_status map_from_word(ffi_scene_fill *f, ffi_yaml_node *node, const char *first)
{
  ffi_yaml_node *word = ffi_yaml_make(&f->file->arena, FFI_YAML_SCALAR, first);
  if (!word)
    return no_memory(f);
  word->line = node->line;
  word->said = node->said;
  word->text = node->text;
  node->kind = FFI_YAML_MAP;
  ffi_yaml_append(node, word);
  return FF_OK;
}

ff_status ffi_scene_fill_open(ffi_scene_fill *f, ffi_yaml_node *node, const char *first)
{
  if (node->kind == FFI_YAML_MAP)
    return FF_OK;
  if (node->kind == FFI_YAML_SCALAR && *node->text && first)
    return map_from_word(f, node, first);
  return refuse(f, node, "must be a map of fields, not %s",
                node->kind == FFI_YAML_LIST ? "a list"
                : *node->text               ? "one value"
                                            : "nothing");
}

static ff_status fill_field(ffi_scene_fill *f, ffi_yaml_node *node, const ffi_scene_schema_field *field,
                            char *base)
{
  switch (field->kind) {
  case FFI_SCENE_VALUE: return fill_value(f, node, field, base + field->offset);
  case FFI_SCENE_TEXT: return fill_text(f, node, !field->can_be_empty, base + field->offset);
  case FFI_SCENE_MAP: return fill_map(f, node, field->map, base + field->offset);
  case FFI_SCENE_OPTION: return fill_option(f, node, field->key);
  case FFI_SCENE_OPTIONS: return ffi_scene_options_fill(f, node);
  default: return fill_list(f, node, field, base);
  }
}

static ff_status fill_map(ffi_scene_fill *f, ffi_yaml_node *node, const ffi_scene_schema_map *map, char *at)
{
  const char *first = map->fields[0].key;
  ff_status status = ffi_scene_fill_open(f, node, strcmp(first, "type") == 0 ? first : NULL);
  if (status == FF_OK)
    status = refuse_unknown(f, node, map->fields);
  for (const ffi_scene_schema_field *field = map->fields; field->key && status == FF_OK; ++field) {
    const size_t before = ffi_scene_fill_enter(f, field->key, 0);
    ffi_yaml_node *child = ffi_yaml_get(node, field->key);
    if (child)
      status = fill_field(f, child, field, at);
    else if (field->is_needed)
      status = refuse(f, node, "is missing");
    f->path[before] = '\0';
  }
  return status;
}

ff_status ffi_scene_fill_def(ffi_scene_file *file, ff_scene_def *def, ff_error *error)
{
  ffi_scene_fill f = {.file = file, .def = def, .error = error};
  return fill_map(&f, file->root, &ffi_scene_schema, (char *)def);
}
