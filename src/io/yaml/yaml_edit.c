// Changes of a YAML tree: overrides by path.
#include "base/fail.h"
#include "io/yaml/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ffi_yaml_edit_enlist(ffi_arena *arena, ffi_yaml_node *node)
{
  ffi_yaml_node *only = ffi_yaml_make(arena, node->kind, NULL);
  if (!only)
    return 0;
  const char *key = node->key;
  ffi_yaml_node *next = node->next;
  *only = *node;
  only->key = NULL;
  only->next = NULL;
  *node = (ffi_yaml_node){.kind = FFI_YAML_LIST, .line = only->line, .said = only->said, .text = ""};
  node->key = key;
  node->next = next;
  ffi_yaml_append(node, only);
  return 1;
}

// ---- Changes --------------------------------------------------------------------------------------------------------

static void mark(ffi_yaml_node *node, const char *said)
{
  node->said = said;
  node->line = 0;
  for (ffi_yaml_node *child = node->first; child; child = child->next)
    mark(child, said);
}

// A child of that name or place, made if there is room for one; NULL with *status.
static ffi_yaml_node *need_child(ffi_arena *arena, ffi_yaml_node *holder, const char *part, const char *said,
                                 ff_status *status, ff_error *error)
{
  ffi_yaml_node *child = ffi_yaml_step_into(holder, part);
  long long index = -1;
  if (child)
    return child;
  if (holder->kind == FFI_YAML_LIST && (!ffi_yaml_as_index(part, &index) || index != holder->count)) {
    *status = ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, said,
                       "'%s' is not an entry of this list, whose length is %d", part, holder->count);
    return NULL;
  }
  const char *key = holder->kind == FFI_YAML_MAP ? ffi_arena_string(arena, part) : NULL;
  child = ffi_yaml_make(arena, FFI_YAML_MAP, key);
  if (!child || (holder->kind == FFI_YAML_MAP && !key)) {
    *status = ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a scene");
    return NULL;
  }
  child->said = said;
  ffi_yaml_append(holder, child);
  return child;
}

// A word that must become a map is its `type`: "stepper: expo" is {type: expo}. 0: no memory.
static int open_up(ffi_arena *arena, ffi_yaml_node *node, const char *said)
{
  ffi_yaml_node *type = ffi_yaml_make(arena, FFI_YAML_SCALAR, "type");
  if (!type)
    return 0;
  type->text = node->text;
  type->line = node->line;
  type->said = node->said;
  node->kind = FFI_YAML_MAP;
  if (*node->text)
    ffi_yaml_append(node, type);
  else
    node->said = said;
  return 1;
}

// A node that a path leads into becomes a map or a list. 0: no memory.
static int make_room(ffi_arena *arena, ffi_yaml_node *node, int is_index, const char *said)
{
  const int is_empty = node->count == 0 && (node->kind != FFI_YAML_SCALAR || !*node->text);
  if (!is_index || node->kind == FFI_YAML_LIST)
    return node->kind != FFI_YAML_SCALAR || open_up(arena, node, said);
  if (!is_empty && !ffi_yaml_edit_enlist(arena, node))
    return 0;
  node->kind = FFI_YAML_LIST;
  node->said = said;
  return 1;
}

ff_status ffi_yaml_edit_set(ffi_arena *arena, ffi_yaml_node *root, const char *path, const char *value,
                            const char *said, ff_error *error)
{
  ffi_yaml_node *node = root, *put;
  char part[FFI_YAML_PART];
  ff_status status = ffi_yaml_read(arena, NULL, value, strlen(value), &put, error);
  if (status != FF_OK && error) {
    const ff_error old = *error;
    ffi_fail(error, status, NULL, 0, said, "%s", old.message);
  }
  if (status != FF_OK)
    return status;
  if (!put)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, said, "there is no value");
  for (const char *at = path; *at;) {
    const int is_index = *at == '[';
    at = ffi_yaml_path_part(at, part);
    if (!at)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, said,
                      "'%s' is not a path, such as ground[0].friction", path);
    if (!make_room(arena, node, is_index, said))
      return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a scene");
    node = need_child(arena, node, part, said, &status, error);
    if (!node)
      return status;
    at += strspn(at, "]");
  }
  if (node == root)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, said, "names no field");
  mark(put, said);
  put->key = node->key;
  put->next = node->next;
  *node = *put;
  return FF_OK;
}
