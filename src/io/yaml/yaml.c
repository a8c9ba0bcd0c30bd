// A YAML document is parsed by libyaml into a tree; paths lead into it.
#include "io/yaml/yaml.h"

#include "base/fail.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

typedef struct reader {
  yaml_parser_t parser;
  ffi_arena *arena;
  const char *file, *text;
  size_t length; ///< of the text
  int nodes;
  ff_error *error;
} reader;

// ---- The tree -------------------------------------------------------------------------------------------------------

ffi_yaml_node *ffi_yaml_make(ffi_arena *arena, ffi_yaml_kind kind, const char *key)
{
  ffi_yaml_node *node = ffi_arena_take(arena, 1, sizeof *node);
  if (node) {
    node->kind = kind;
    node->text = "";
    node->key = key;
  }
  return node;
}

void ffi_yaml_append(ffi_yaml_node *holder, ffi_yaml_node *child)
{
  if (holder->last)
    holder->last->next = child;
  else
    holder->first = child;
  holder->last = child;
  ++holder->count;
}

ffi_yaml_node *ffi_yaml_get(const ffi_yaml_node *map, const char *key)
{
  ffi_yaml_node *child = map->kind == FFI_YAML_MAP ? map->first : NULL;
  while (child && strcmp(child->key, key) != 0)
    child = child->next;
  return child;
}

static ffi_yaml_node *entry_at(const ffi_yaml_node *list, long long index)
{
  ffi_yaml_node *child = list->kind == FFI_YAML_LIST && index >= 0 ? list->first : NULL;
  for (; child && index > 0; --index)
    child = child->next;
  return child;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

static ff_status no_memory(reader *r)
{
  return ffi_fail(r->error, FF_ERROR_MEMORY, r->file, 0, NULL, "no memory to read it");
}

static int line_of(const yaml_event_t *event)
{
  return (int)event->start_mark.line + 1;
}

// The line of a byte.
static int line_at(const reader *r, size_t offset)
{
  int line = 1;
  for (size_t i = 0; i < offset && i < r->length; ++i)
    line += r->text[i] == '\n';
  return line;
}

static ff_status next_event(reader *r, yaml_event_t *event)
{
  if (yaml_parser_parse(&r->parser, event))
    return FF_OK;
  const yaml_parser_t *p = &r->parser;
  if (p->error == YAML_MEMORY_ERROR)
    return no_memory(r);
  const int line = (int)p->problem_mark.line + 1;
  if (p->error == YAML_READER_ERROR)
    return ffi_fail(r->error, FF_ERROR_PARSE, r->file, line_at(r, p->problem_offset), NULL,
                    "not valid YAML: byte %zu: %s", p->problem_offset, p->problem ? p->problem : "bad text");
  return ffi_fail(r->error, FF_ERROR_PARSE, r->file, line, NULL, "not valid YAML: %s",
                  p->problem ? p->problem : "bad text");
}

// A scalar's text; one with a zero byte would end early.
static ff_status take_text(reader *r, const yaml_event_t *event, const char **out)
{
  const char *text = (const char *)event->data.scalar.value;
  if (strlen(text) != event->data.scalar.length)
    return ffi_fail(r->error, FF_ERROR_PARSE, r->file, line_of(event), NULL, "a text has a zero byte");
  *out = ffi_arena_string(r->arena, text);
  return *out ? FF_OK : no_memory(r);
}

static ff_status read_node(reader *r, yaml_event_t *event, const char *key, int depth, ffi_yaml_node **out);

static ff_status read_list(reader *r, ffi_yaml_node *list, int depth)
{
  for (;;) {
    yaml_event_t event;
    ffi_yaml_node *child = NULL;
    ff_status status = next_event(r, &event);
    if (status != FF_OK)
      return status;
    const int is_end = event.type == YAML_SEQUENCE_END_EVENT;
    if (!is_end)
      status = read_node(r, &event, NULL, depth, &child);
    yaml_event_delete(&event);
    if (status != FF_OK || is_end)
      return status;
    ffi_yaml_append(list, child);
  }
}

// The entries of a map by their keys, so that maps of many keys take no time that grows with their square: open
// addressing, half of the places free.
typedef struct key_table {
  const ffi_yaml_node **place; ///< [room], malloc
  size_t room, count;          ///< room: a power of two
} key_table;

static size_t hash_of(const char *key)
{
  uint64_t hash = 1469598103934665603u; // FNV-1a
  assert(key);                          // only maps have tables
  for (; *key; ++key)
    hash = (hash ^ (unsigned char)*key) * 1099511628211u;
  return (size_t)(hash ^ hash >> 32);
}

// Where a key is, or where it would go.
static const ffi_yaml_node **place_of(const key_table *table, const char *key)
{
  size_t at = hash_of(key) & (table->room - 1);
  while (table->place[at] && strcmp(table->place[at]->key, key) != 0)
    at = (at + 1) & (table->room - 1);
  return &table->place[at];
}

// Room for one more. 0: no memory.
static int make_room(key_table *table)
{
  if (2 * (table->count + 1) <= table->room)
    return 1;
  const key_table old = *table;
  table->room = old.room ? 2 * old.room : 32;
  table->place = calloc(table->room, sizeof(void *));
  for (size_t i = 0; table->place && i < old.room; ++i)
    if (old.place[i])
      *place_of(table, old.place[i]->key) = old.place[i];
  free(old.place);
  return table->place != NULL;
}

static ff_status read_key(reader *r, key_table *table, const yaml_event_t *event, const char **key)
{
  const int line = line_of(event);
  if (event->type != YAML_SCALAR_EVENT)
    return ffi_fail(r->error, FF_ERROR_PARSE, r->file, line, NULL, "a key must be a word");
  if (table->count >= FFI_YAML_KEYS)
    return ffi_fail(r->error, FF_ERROR_LIMIT, r->file, line, NULL, "more than %d keys", FFI_YAML_KEYS);
  const ff_status status = take_text(r, event, key);
  if (status != FF_OK)
    return status;
  if (!make_room(table))
    return no_memory(r);
  const ffi_yaml_node *before = *place_of(table, *key);
  if (before)
    return ffi_fail(r->error, FF_ERROR_PARSE, r->file, line, *key, "is given twice, first in line %d",
                    before->line);
  return FF_OK;
}

// One key and its value; *is_end: there was none.
static ff_status read_entry(reader *r, ffi_yaml_node *map, key_table *table, int depth, int *is_end)
{
  yaml_event_t event;
  const char *key = NULL;
  ffi_yaml_node *child = NULL;
  ff_status status = next_event(r, &event);
  if (status != FF_OK)
    return status;
  const int line = line_of(&event);
  *is_end = event.type == YAML_MAPPING_END_EVENT;
  if (!*is_end)
    status = read_key(r, table, &event, &key);
  yaml_event_delete(&event);
  if (status != FF_OK || *is_end)
    return status;
  status = next_event(r, &event);
  if (status != FF_OK)
    return status;
  status = read_node(r, &event, key, depth, &child);
  yaml_event_delete(&event);
  if (status != FF_OK)
    return status;
  if (child->kind != FFI_YAML_SCALAR)
    child->line = line; // of the key: what it holds may begin a line later
  ffi_yaml_append(map, child);
  *place_of(table, key) = child;
  ++table->count;
  return FF_OK;
}

static ff_status read_map(reader *r, ffi_yaml_node *map, int depth)
{
  key_table table = {0};
  ff_status status = FF_OK;
  for (int is_end = 0; status == FF_OK && !is_end;)
    status = read_entry(r, map, &table, depth, &is_end);
  free(table.place);
  return status;
}

// The node that an event begins; its other events are read too.
static ff_status read_node(reader *r, yaml_event_t *event, const char *key, int depth, ffi_yaml_node **out)
{
  const int line = line_of(event);
  const ffi_yaml_kind kind = event->type == YAML_MAPPING_START_EVENT    ? FFI_YAML_MAP
                             : event->type == YAML_SEQUENCE_START_EVENT ? FFI_YAML_LIST
                                                                        : FFI_YAML_SCALAR;
  if (event->type == YAML_ALIAS_EVENT)
    return ffi_fail(r->error, FF_ERROR_UNSUPPORTED, r->file, line, key,
                    "aliases (*name) are not supported; write it out");
  if (depth >= FFI_YAML_DEPTH)
    return ffi_fail(r->error, FF_ERROR_LIMIT, r->file, line, key, "nested more than %d deep", FFI_YAML_DEPTH);
  if (++r->nodes > FFI_YAML_NODES)
    return ffi_fail(r->error, FF_ERROR_LIMIT, r->file, line, key, "more than %d values", FFI_YAML_NODES);
  *out = ffi_yaml_make(r->arena, kind, key);
  if (!*out)
    return no_memory(r);
  (*out)->line = line;
  if (kind == FFI_YAML_MAP)
    return read_map(r, *out, depth + 1);
  if (kind == FFI_YAML_LIST)
    return read_list(r, *out, depth + 1);
  return take_text(r, event, &(*out)->text);
}

// One document from the stream's start to its end.
static ff_status read_stream(reader *r, ffi_yaml_node **root)
{
  yaml_event_t event;
  for (;;) {
    ff_status status = next_event(r, &event);
    if (status != FF_OK)
      return status;
    const yaml_event_type_t type = event.type;
    const int line = line_of(&event);
    if (type != YAML_STREAM_START_EVENT && type != YAML_STREAM_END_EVENT &&
        type != YAML_DOCUMENT_START_EVENT && type != YAML_DOCUMENT_END_EVENT)
      status = read_node(r, &event, NULL, 0, root);
    yaml_event_delete(&event);
    if (status != FF_OK)
      return status;
    if (type == YAML_DOCUMENT_START_EVENT && *root)
      return ffi_fail(r->error, FF_ERROR_PARSE, r->file, line, NULL, "there is a second document");
    if (type == YAML_STREAM_END_EVENT)
      return FF_OK;
  }
}

ff_status ffi_yaml_read(ffi_arena *arena, const char *file, const char *text, size_t length,
                        ffi_yaml_node **root, ff_error *error)
{
  reader r = {.arena = arena, .file = file, .text = text, .length = length, .error = error};
  *root = NULL;
  if (!yaml_parser_initialize(&r.parser))
    return no_memory(&r);
  yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, length);
  const ff_status status = read_stream(&r, root);
  yaml_parser_delete(&r.parser);
  return status;
}

// ---- Paths ----------------------------------------------------------------------------------------------------------

const char *ffi_yaml_path_part(const char *path, char part[FFI_YAML_PART])
{
  path += strspn(path, ".[]");
  const size_t length = strcspn(path, ".[]");
  if (length == 0 || length >= FFI_YAML_PART)
    return NULL;
  memcpy(part, path, length);
  part[length] = '\0';
  return path + length;
}

int ffi_yaml_as_index(const char *part, long long *index)
{
  char *end;
  *index = strtoll(part, &end, 10);
  return end != part && !*end;
}

ffi_yaml_node *ffi_yaml_step_into(const ffi_yaml_node *node, const char *part)
{
  long long index;
  if (node->kind == FFI_YAML_LIST)
    return ffi_yaml_as_index(part, &index) ? entry_at(node, index) : NULL;
  return ffi_yaml_get(node, part);
}

const ffi_yaml_node *ffi_yaml_nearest(const ffi_yaml_node *root, const char *path)
{
  char part[FFI_YAML_PART];
  const ffi_yaml_node *next;
  while ((path = ffi_yaml_path_part(path, part)) != NULL && (next = ffi_yaml_step_into(root, part)) != NULL)
    root = next;
  return root;
}
