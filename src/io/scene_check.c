// A scene's tree against its schema: every key known, none missing, every value of its kind and within its range. What is left out is filled in, so
// that libcyaml finds every field, and numbers lose their units.
#include "base/error.h"
#include "io/scene_schema.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256 };

typedef struct checker {
  ffi_scene_source *source;
  ff_error *error;
  char shown[PATH_SIZE]; // with indices, for people
  char plain[PATH_SIZE]; // without, for rules
} checker;

static ff_status check_value(checker *c, ffi_yaml_node *node, const cyaml_schema_value_t *schema);

// ---- Failing --------------------------------------------------------------------------------------------------------

static ff_status fail_text(const ffi_scene_source *source, ff_status status, const ffi_yaml_node *node,
                           const char *path, ff_error *error, const char *text)
{
  if (node && node->said)
    return ffi_fail(error, status, NULL, 0, node->said, "%s%s%s", path, *path ? ": " : "", text);
  return ffi_fail(error, status, source->file, node ? node->line : 0, path, "%s", text);
}

static ff_status fail(checker *c, ff_status status, const ffi_yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static ff_status fail(checker *c, ff_status status, const ffi_yaml_node *node, const char *format, ...)
{
  char text[600];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return fail_text(c->source, status, node, c->shown, c->error, text);
}

ff_status ffi_scene_fail(const ffi_scene_source *source, ff_status status, const char *path, ff_error *error,
                         const char *format, ...)
{
  char text[700];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return fail_text(source, status, ffi_yaml_nearest(source->root, path), path, error, text);
}

static ff_status no_memory(checker *c)
{
  return ffi_fail(c->error, FF_ERROR_MEMORY, c->source->file, 0, NULL, "no memory for a scene");
}

// ---- Paths ----------------------------------------------------------------------------------------------------------

typedef struct place {
  size_t shown, plain;
} place;

// One level down: to a key, or with key NULL to an entry of a list.
static place enter(checker *c, const char *key, int index)
{
  const place before = {strlen(c->shown), strlen(c->plain)};
  const char *dot = before.shown > 0 ? "." : "", *plain_dot = before.plain > 0 ? "." : "";
  if (key) {
    snprintf(c->shown + before.shown, PATH_SIZE - before.shown, "%s%s", dot, key);
    snprintf(c->plain + before.plain, PATH_SIZE - before.plain, "%s%s", plain_dot, key);
  } else {
    snprintf(c->shown + before.shown, PATH_SIZE - before.shown, "[%d]", index);
  }
  return before;
}

static void leave(checker *c, place before)
{
  c->shown[before.shown] = '\0';
  c->plain[before.plain] = '\0';
}

// ---- Scalars --------------------------------------------------------------------------------------------------------

static ff_status set_text(checker *c, ffi_yaml_node *node, const char *text)
{
  node->text = ffi_arena_string(&c->source->arena, text);
  return node->text ? FF_OK : no_memory(c);
}

static ff_status check_range(checker *c, const ffi_yaml_node *node, double value)
{
  const ffi_scene_rule *rule = ffi_scene_rule_of(c->plain);
  if (value < rule->least || (rule->is_open && value == rule->least)) {
    const char *words = rule->is_open ? "be above" : "not be below";
    return fail(c, FF_ERROR_PARSE, node, "'%.60s' must %s %g", node->text, words, rule->least);
  }
  if (value > rule->most)
    return fail(c, FF_ERROR_PARSE, node, "'%.60s' must not be above %g", node->text, rule->most);
  return FF_OK;
}

static ff_status check_number(checker *c, ffi_yaml_node *node)
{
  const ffi_scene_rule *rule = ffi_scene_rule_of(c->plain);
  ff_error why;
  double value;
  char text[40];
  if (ff_quantity_read(node->text, rule->quantity, 0, &value, &why) != FF_OK)
    return fail(c, FF_ERROR_PARSE, node, "'%.60s': %s", node->text, why.message);
  if (value != 0 && fabs(value) < DBL_MIN) // strtod, in libcyaml, calls it out of range
    return fail(c, FF_ERROR_PARSE, node, "'%.60s': that number is too small", node->text);
  const ff_status status = check_range(c, node, value);
  if (status != FF_OK)
    return status;
  snprintf(text, sizeof text, "%.17g", value);
  return set_text(c, node, text);
}

static ff_status check_whole(checker *c, ffi_yaml_node *node)
{
  char *end;
  const long long value = strtoll(node->text, &end, 10);
  if (end == node->text || *end || value > 2000000000 || value < -2000000000)
    return fail(c, FF_ERROR_PARSE, node, "'%.60s' must be a whole number", node->text);
  return check_range(c, node, (double)value);
}

static ff_status check_switch(checker *c, ffi_yaml_node *node)
{
  static const char *const words[2][3] = {{"false", "no", "off"}, {"true", "yes", "on"}};
  for (int value = 0; value < 2; ++value)
    for (int i = 0; i < 3; ++i)
      if (strcmp(node->text, words[value][i]) == 0)
        return set_text(c, node, words[value][0]);
  return fail(c, FF_ERROR_PARSE, node, "'%.60s' must be true or false", node->text);
}

static ff_status check_word(checker *c, ffi_yaml_node *node, const cyaml_schema_value_t *schema)
{
  char all[300] = "";
  ff_nearest nearest = {.word = node->text};
  for (uint32_t i = 0; i < schema->enumeration.count; ++i) {
    const char *word = schema->enumeration.strings[i].str;
    const size_t used = strlen(all);
    if (strcmp(node->text, word) == 0)
      return FF_OK;
    snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", word);
    ff_nearest_try(&nearest, word);
  }
  if (nearest.meant)
    return fail(c, FF_ERROR_PARSE, node, "'%.60s' is not known; did you mean '%s'? Known are %s", node->text,
                nearest.meant, all);
  return fail(c, FF_ERROR_PARSE, node, "'%.60s' is not known; known are %s", node->text, all);
}

static ff_status check_scalar(checker *c, ffi_yaml_node *node, const cyaml_schema_value_t *schema)
{
  if (node->kind != FFI_YAML_SCALAR)
    return fail(c, FF_ERROR_PARSE, node, "must be one value, not a %s",
                node->kind == FFI_YAML_MAP ? "map" : "list");
  switch (schema->type) {
  case CYAML_FLOAT: return check_number(c, node);
  case CYAML_INT: return check_whole(c, node);
  case CYAML_BOOL: return check_switch(c, node);
  case CYAML_ENUM: return check_word(c, node, schema);
  default: break;
  }
  if (strlen(node->text) < schema->string.min || strlen(node->text) > schema->string.max)
    return fail(c, FF_ERROR_PARSE, node, "must be a text of %u to %u bytes", schema->string.min,
                schema->string.max);
  return FF_OK;
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

// {knee: 0.5} in place of [{name: knee, position: 0.5}].
static ff_status list_from_names(checker *c, ffi_yaml_node *node, const cyaml_schema_field_t *fields)
{
  ffi_yaml_node *child = node->first, *next;
  node->kind = FFI_YAML_LIST;
  node->first = node->last = NULL;
  node->count = 0;
  for (; child; child = next) {
    ffi_yaml_node *entry = ffi_yaml_make(&c->source->arena, FFI_YAML_MAP, NULL);
    ffi_yaml_node *name = ffi_yaml_make(&c->source->arena, FFI_YAML_SCALAR, fields[0].key);
    if (!entry || !name)
      return no_memory(c);
    next = child->next;
    child->next = NULL;
    entry->line = name->line = child->line;
    entry->said = name->said = child->said;
    name->text = child->key;
    if (ffi_yaml_get(child, fields[0].key))
      return fail(c, FF_ERROR_PARSE, child, "'%.60s' has a second %s", child->key, fields[0].key);
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

static ff_status check_list(checker *c, ffi_yaml_node *node, const cyaml_schema_value_t *schema)
{
  const cyaml_schema_value_t *entry = schema->sequence.entry;
  const char *first = entry->type == CYAML_MAPPING ? entry->mapping.fields[0].key : "";
  const int is_map = node->kind == FFI_YAML_MAP && *first, is_named = strcmp(first, "name") == 0;
  const int is_word = node->kind == FFI_YAML_SCALAR && *node->text && strcmp(first, "type") == 0;
  const int is_one = is_word || (is_map && !is_named);
  ff_status status = FF_OK;
  if (is_one) // a map, or a word for it, in place of a list of one
    status = ffi_yaml_enlist(&c->source->arena, node) ? FF_OK : no_memory(c);
  else if (is_map)
    status = list_from_names(c, node, entry->mapping.fields);
  if (status != FF_OK)
    return status;
  if (node->kind != FFI_YAML_LIST)
    return fail(c, FF_ERROR_PARSE, node, "must be a list");
  if ((uint32_t)node->count < schema->sequence.min || (uint32_t)node->count > schema->sequence.max) {
    if (schema->sequence.min == schema->sequence.max)
      return fail(c, FF_ERROR_PARSE, node, "must be a list of %u, not of %d", schema->sequence.min,
                  node->count);
    return fail(c, FF_ERROR_PARSE, node, "must be a list of %u to %u, not of %d", schema->sequence.min,
                schema->sequence.max, node->count);
  }
  int index = 0;
  for (ffi_yaml_node *child = node->first; child && status == FF_OK; child = child->next, ++index) {
    const place before = {strlen(c->shown), strlen(c->plain)};
    if (!is_one)
      enter(c, NULL, index);
    status = check_value(c, child, entry);
    leave(c, before);
  }
  return status;
}

// ---- Maps -----------------------------------------------------------------------------------------------------------

static int has_field(const cyaml_schema_field_t *fields, const char *key)
{
  for (; fields->key; ++fields)
    if (strcmp(fields->key, key) == 0)
      return 1;
  return 0;
}

static ff_status refuse_unknown(checker *c, const ffi_yaml_node *map, const cyaml_schema_field_t *fields)
{
  for (const ffi_yaml_node *child = map->first; child; child = child->next) {
    char all[500] = "";
    ff_nearest nearest = {.word = child->key};
    if (has_field(fields, child->key))
      continue;
    for (const cyaml_schema_field_t *field = fields; field->key; ++field) {
      const size_t used = strlen(all);
      snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", " : "", field->key);
      ff_nearest_try(&nearest, field->key);
    }
    if (nearest.meant)
      return fail(c, FF_ERROR_PARSE, child, "there is no field '%.60s'; did you mean '%s'? Known are %s",
                  child->key, nearest.meant, all);
    return fail(c, FF_ERROR_PARSE, child, "there is no field '%.60s'; known are %s", child->key, all);
  }
  return FF_OK;
}

// The n-th word of a list of words, or the last one there is.
static const char *nth_word(const char *words, uint32_t n, char out[40])
{
  const char *at = words, *space;
  for (; n > 0 && (space = strchr(at, ' ')) != NULL; --n)
    at = space + 1;
  snprintf(out, 40, "%.*s", (int)strcspn(at, " "), at);
  return out;
}

// A field that the map lacks.
static ff_status fill_in(checker *c, ffi_yaml_node *map, const cyaml_schema_field_t *field)
{
  const ffi_scene_rule *rule = ffi_scene_rule_of(c->plain);
  const cyaml_schema_value_t *schema = &field->value;
  ffi_arena *arena = &c->source->arena;
  char word[40];
  if (!(schema->flags & CYAML_FLAG_OPTIONAL))
    return fail(c, FF_ERROR_PARSE, map, "is missing");
  const int is_list = schema->type == CYAML_SEQUENCE_FIXED, is_map = schema->type == CYAML_MAPPING;
  if (!is_map && !rule->fallback)
    return FF_OK; // stays NULL or empty
  ffi_yaml_node *node = ffi_yaml_make(arena,
                                      is_map    ? FFI_YAML_MAP
                                      : is_list ? FFI_YAML_LIST
                                                : FFI_YAML_SCALAR,
                                      field->key);
  if (!node)
    return no_memory(c);
  node->line = map->line;
  node->said = map->said;
  ffi_yaml_append(map, node);
  if (is_map)
    return check_value(c, node, schema);
  if (!is_list)
    return node->text = rule->fallback, FF_OK;
  for (uint32_t i = 0; i < schema->sequence.max; ++i) {
    ffi_yaml_node *entry = ffi_yaml_make(arena, FFI_YAML_SCALAR, NULL);
    if (!entry || set_text(c, entry, nth_word(rule->fallback, i, word)) != FF_OK)
      return no_memory(c);
    ffi_yaml_append(node, entry);
  }
  return FF_OK;
}

// "stepper: expo" in place of {type: expo}.
static ff_status map_from_word(checker *c, ffi_yaml_node *node, const cyaml_schema_field_t *fields)
{
  ffi_yaml_node *word = ffi_yaml_make(&c->source->arena, FFI_YAML_SCALAR, fields[0].key);
  if (!word)
    return no_memory(c);
  word->line = node->line;
  word->said = node->said;
  word->text = node->text;
  node->kind = FFI_YAML_MAP;
  ffi_yaml_append(node, word);
  return FF_OK;
}

static ff_status check_map(checker *c, ffi_yaml_node *node, const cyaml_schema_value_t *schema)
{
  const cyaml_schema_field_t *fields = schema->mapping.fields;
  ff_status status = FF_OK;
  if (node->kind == FFI_YAML_SCALAR && *node->text && strcmp(fields[0].key, "type") == 0)
    status = map_from_word(c, node, fields);
  if (status == FF_OK && node->kind != FFI_YAML_MAP)
    return fail(c, FF_ERROR_PARSE, node, "must be a map of fields, not %s",
                node->kind == FFI_YAML_LIST ? "a list"
                : *node->text               ? "one value"
                                            : "nothing");
  if (status == FF_OK)
    status = refuse_unknown(c, node, fields);
  for (const cyaml_schema_field_t *field = fields; field->key && status == FF_OK; ++field) {
    const place before = enter(c, field->key, 0);
    ffi_yaml_node *child = ffi_yaml_get(node, field->key);
    status = child ? check_value(c, child, &field->value) : fill_in(c, node, field);
    leave(c, before);
  }
  return status;
}

static ff_status check_value(checker *c, ffi_yaml_node *node, const cyaml_schema_value_t *schema)
{
  switch (schema->type) {
  case CYAML_MAPPING: return check_map(c, node, schema);
  case CYAML_SEQUENCE:
  case CYAML_SEQUENCE_FIXED: return check_list(c, node, schema);
  default: return check_scalar(c, node, schema);
  }
}

ff_status ffi_scene_check(ffi_scene_source *source, ff_error *error)
{
  checker c = {.source = source, .error = error};
  return check_value(&c, source->root, &ffi_scene_schema);
}
