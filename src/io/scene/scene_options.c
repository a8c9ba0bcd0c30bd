// `stepper` of a scene: its fields are the table of options. An option of one kind of steppers stands below the
// kind's name, {type: expo, moreau: {solver: sor}}, and is kept for when another stepper is chosen. The last part of
// a key alone, {type: expo, order: 1}, is how scenes were written before: it still loads, with a warning, beside a
// type that has it, and is refused beside one that has not.
#include "io/scene/scene_fill.h"

#include <footfall/option.h>

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 32 }; // of a kind of steppers, and more

static const char below[] = "stepper.";

// ---- Keys -----------------------------------------------------------------------------------------------------------

// Is it a field of `stepper` beside `type`?
static int is_field(const ff_option *option)
{
  return option->scene && strncmp(option->scene, below, strlen(below)) == 0 &&
         strcmp(option->key, "stepper") != 0;
}

// "expo" of "expo.order"; "" of an option of several kinds.
static void kind_of(const ff_option *option, char kind[NAME_SIZE])
{
  const char *dot = strchr(option->key, '.');
  snprintf(kind, NAME_SIZE, "%.*s", dot ? (int)(dot - option->key) : 0, option->key);
}

static int is_of_kind(const ff_option *option, const char *kind)
{
  char own[NAME_SIZE];
  kind_of(option, own);
  return is_field(option) && strcmp(own, kind) == 0;
}

static int is_kind(const char *word)
{
  const ff_option *option;
  for (int i = 0; *word && (option = ff_option_at(i)) != NULL; ++i)
    if (is_of_kind(option, word))
      return 1;
  return 0;
}

// All that have this last part of their key, as one that belongs to all of their steppers; its `scene` is NULL if
// they are several. 0: there is none.
static int find_all(const char *name, ff_option *out)
{
  const ff_option *option;
  *out = (ff_option){0};
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i)
    if (is_field(option) && strcmp(ff_option_name(option), name) == 0) {
      const ff_option before = *out;
      *out = *option;
      out->steppers |= before.steppers;
      out->scene = before.key ? NULL : option->scene;
    }
  return out->key != NULL;
}

// ---- Sorting --------------------------------------------------------------------------------------------------------

static ff_status warn(ffi_scene_file *file, const ffi_yaml_node *node, const ff_option *option,
                      ff_error *error)
{
  char text[400];
  if (node->said)
    snprintf(text, sizeof text, "%.150s: stepper.%s is now written %s", node->said, node->was, option->scene);
  else
    snprintf(text, sizeof text, "%.150s:%d: stepper.%s is now written %s", file->path, node->line, node->was,
             option->scene);
  return ffi_scene_file_warn(file, text, error);
}

static ff_status refuse(const ffi_scene_file *file, const ffi_yaml_node *node, const ff_option *option,
                        ff_stepper type, ff_error *error)
{
  char path[FFI_SCENE_SCHEMA_PATH], owners[FF_OPTION_TEXT], hint[FF_OPTION_TEXT] = "";
  const char *name = ff_stepper_name(type);
  snprintf(path, sizeof path, "stepper.%s", node->key);
  ff_option_owners(option, owners);
  if (!node->said && option->scene &&
      strchr(option->key, '.')) // an override would have no effect there either
    snprintf(hint, sizeof hint, "; to keep it for others, write %s", option->scene);
  return ffi_scene_file_fail(file, FF_ERROR_ARGUMENT, path, error, "is an option of %s, not of %s%s", owners,
                             name, hint);
}

static void take_out(ffi_yaml_node *map, const ffi_yaml_node *node)
{
  ffi_yaml_node *before = NULL;
  for (ffi_yaml_node *child = map->first; child && child != node; child = child->next)
    before = child;
  if (before)
    before->next = node->next;
  else
    map->first = node->next;
  if (map->last == node)
    map->last = before;
  --map->count;
}

// Move a node below its kind; an override replaces the file's value.
static ff_status move(ffi_scene_file *file, ffi_yaml_node *stepper, ffi_yaml_node *node,
                      const ff_option *option, ff_error *error)
{
  char kind[NAME_SIZE], path[FFI_SCENE_SCHEMA_PATH];
  kind_of(option, kind);
  ffi_yaml_node *group = ffi_yaml_get(stepper, kind);
  if (group && group->kind != FFI_YAML_MAP)
    return FF_OK; // refused where it is filled
  ffi_yaml_node *there = group ? ffi_yaml_get(group, ff_option_name(option)) : NULL;
  snprintf(path, sizeof path, "stepper.%s", node->key);
  if (there && (!node->said || there->said))
    return ffi_scene_file_fail(file, FF_ERROR_PARSE, path, error, "%s is set too; keep one of them",
                               option->scene);
  if (!group) {
    const char *name = ffi_arena_string(&file->arena, kind);
    group = name ? ffi_yaml_make(&file->arena, FFI_YAML_MAP, name) : NULL;
    if (!group)
      return ffi_scene_file_no_memory(file, error);
    group->line = node->line;
    group->said = node->said;
    ffi_yaml_append(stepper, group);
  }
  take_out(stepper, node);
  if (there)
    take_out(group, there);
  node->next = NULL;
  node->was = node->key;
  node->key = ff_option_name(option);
  ffi_yaml_append(group, node);
  return file->from ? FF_OK : warn(file, node, option, error);
}

// An option of several kinds beside a type that lacks it. If an override changed the type, the file's option is
// dropped.
static ff_status leave_out(ffi_scene_file *file, ffi_yaml_node *stepper, ffi_yaml_node *node,
                           const ff_option *option, ff_stepper type, ff_error *error)
{
  const ffi_yaml_node *chosen = ffi_yaml_get(stepper, "type");
  if (node->said || !chosen || !chosen->said)
    return refuse(file, node, option, type, error);
  take_out(stepper, node);
  return FF_OK;
}

// Logs of earlier versions hold the scenes of then, with options that had no effect; they are read as they were then.
static const ff_option *as_before(const char *name)
{
  static const char *const kinds[] = {"implicit", "moreau", "expo", "ess", "c2a"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
    char key[FFI_SCENE_SCHEMA_PATH];
    snprintf(key, sizeof key, "%s.%.60s", kinds[i], name);
    if (ff_option_find(key))
      return ff_option_find(key);
  }
  return NULL;
}

static ff_status sort_one(ffi_scene_file *file, ffi_yaml_node *stepper, ffi_yaml_node *node, ff_stepper type,
                          ff_error *error)
{
  const ff_option *common = ff_option_find(node->key), *own = ff_option_of_stepper(type, node->key);
  ff_option all;
  if (strcmp(node->key, "type") == 0 || is_kind(node->key) || (common && strchr(node->key, '.')))
    return FF_OK;
  if (common && is_field(common))
    return ff_option_is_of(common, type) || file->from ? FF_OK
                                                       : leave_out(file, stepper, node, common, type, error);
  if (!own && file->from)
    own = as_before(node->key);
  if (own && is_field(own))
    return move(file, stepper, node, own, error);
  return find_all(node->key, &all) ? refuse(file, node, &all, type, error) : FF_OK;
}

ff_status ffi_scene_options_sort(ffi_scene_file *file, ff_error *error)
{
  ffi_yaml_node *stepper = ffi_yaml_get(file->root, "stepper"), *next;
  if (!stepper || stepper->kind != FFI_YAML_MAP)
    return FF_OK;
  const ffi_yaml_node *word = ffi_yaml_get(stepper, "type");
  ff_stepper type = FF_STEPPER_EXPO;
  if (word && (word->kind != FFI_YAML_SCALAR || !ff_stepper_find(word->text, &type)))
    return FF_OK; // refused where it is filled
  ff_status status = FF_OK;
  for (ffi_yaml_node *node = stepper->first; node && status == FF_OK; node = next) {
    next = node->next;
    status = sort_one(file, stepper, node, type, error);
  }
  return status;
}

// ---- Filling --------------------------------------------------------------------------------------------------------

static void add_word(const char *word, char all[FFI_SCENE_SCHEMA_PATH * 4], ff_nearest *nearest)
{
  const size_t used = strlen(all);
  snprintf(all + used, (size_t)FFI_SCENE_SCHEMA_PATH * 4 - used, "%s%s", used > 0 ? ", " : "", word);
  ff_nearest_try(nearest, word);
}

// Names of kinds, for a message; there are at most as many as steppers.
typedef struct kinds {
  char name[FF_STEPPER_COUNT][NAME_SIZE];
  int count;
} kinds;

// The known keys below a kind, or with "" below `stepper` itself, where `type` and the kinds stand too.
static void list_keys(const char *kind, char all[FFI_SCENE_SCHEMA_PATH * 4], kinds *names,
                      ff_nearest *nearest)
{
  const ff_option *option;
  char own[NAME_SIZE];
  all[0] = '\0';
  names->count = 0;
  if (!*kind)
    add_word("type", all, nearest);
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i) {
    kind_of(option, own);
    const int is_new = names->count == 0 || strcmp(own, names->name[names->count - 1]) != 0;
    if (is_of_kind(option, kind))
      add_word(ff_option_name(option), all, nearest);
    else if (!*kind && *own && is_new && names->count < FF_STEPPER_COUNT)
      add_word(strcpy(names->name[names->count++], own), all, nearest);
  }
}

// Unknown keys. Options of one kind that were not sorted are beside a malformed type, which is refused next.
static ff_status refuse_unknown(ffi_scene_fill *f, const ffi_yaml_node *map, const char *kind)
{
  for (const ffi_yaml_node *child = map->first; child; child = child->next) {
    char all[FFI_SCENE_SCHEMA_PATH * 4], key[FFI_SCENE_SCHEMA_PATH];
    ff_option any;
    kinds names;
    ff_nearest nearest = {.word = child->key};
    snprintf(key, sizeof key, "%s%s%.100s", kind, *kind ? "." : "", child->key);
    const ff_option *option = ff_option_find(key);
    if ((option && is_of_kind(option, kind)) ||
        (!*kind && (strcmp(key, "type") == 0 || is_kind(key) || find_all(key, &any))))
      continue;
    list_keys(kind, all, &names, &nearest);
    return ffi_scene_fill_unknown(f, child, nearest.meant, all);
  }
  return FF_OK;
}

static ff_status fill_one(ffi_scene_fill *f, const ffi_yaml_node *map, const ff_option *option,
                          const char *key)
{
  const ffi_yaml_node *node = ffi_yaml_get(map, key);
  double value;
  if (!node)
    return FF_OK;
  const size_t before = strlen(f->path);
  if (node->was) // as it stands in the file
    f->path[strlen("stepper")] = '\0';
  ffi_scene_fill_enter(f, node->was ? node->was : key, 0);
  ff_status status = ffi_scene_fill_value(f, node, &option->value, &value);
  if (status == FF_OK)
    status = ff_sim_def_set(&f->def->sim, option->key, node->text, f->error);
  snprintf(f->path, before + 1, "%s", option->scene); // "stepper" or "stepper.expo" again
  return status;
}

static ff_status fill_kind(ffi_scene_fill *f, const ffi_yaml_node *map, const char *kind)
{
  const ff_option *option;
  ff_status status = refuse_unknown(f, map, kind);
  if (!*kind && status == FF_OK)
    status = fill_one(f, map, ff_option_find("stepper"), "type");
  for (int i = 0; status == FF_OK && (option = ff_option_at(i)) != NULL; ++i)
    if (is_of_kind(option, kind))
      status = fill_one(f, map, option, ff_option_name(option));
  return status;
}

ff_status ffi_scene_options_fill(ffi_scene_fill *f, ffi_yaml_node *node)
{
  ff_status status = ffi_scene_fill_open(f, node, "type");
  if (status == FF_OK)
    status = fill_kind(f, node, "");
  for (ffi_yaml_node *child = node->first; child && status == FF_OK; child = child->next) {
    if (!is_kind(child->key))
      continue;
    const size_t before = ffi_scene_fill_enter(f, child->key, 0);
    status = ffi_scene_fill_open(f, child, NULL);
    if (status == FF_OK)
      status = fill_kind(f, child, child->key);
    f->path[before] = '\0';
  }
  return status;
}
