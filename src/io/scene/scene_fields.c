// The fields that scenes have, listed for those who offer them: shells that complete '--set FIELD=VALUE'.
#include "io/scene/scene_schema.h"

#include <footfall/option.h>

#include <stdio.h>
#include <string.h>

typedef struct search {
  int left;           // fields to pass before the wanted one
  const char *wanted; // or its path; NULL: by number
  char *path;         // out [FF_SCENE_FIELD_SIZE]
  const ff_value_rule *found;
} search;

static void try(search *s, const char *path, const ff_value_rule *rule)
{
  if (s->found || !(s->wanted ? strcmp(s->wanted, path) == 0 : s->left-- == 0))
    return;
  snprintf(s->path, FF_SCENE_FIELD_SIZE, "%s", path);
  s->found = rule;
}

static void try_options(search *s, const char *beginning)
{
  const ff_option *option;
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i)
    if (option->scene && strncmp(option->scene, beginning, strlen(beginning)) == 0)
      try(s, option->scene, &option->value);
}

// Fields below `prefix`, depth first. Lists of lengths that only a file knows are left out.
static void look_through(search *s, const ffi_scene_schema_field *fields, const char *prefix)
{
  for (; fields->key && !s->found; ++fields) {
    char path[FF_SCENE_FIELD_SIZE];
    const int length = snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", fields->key);
    if (length < 0 || length >= (int)sizeof path)
      continue;
    switch (fields->kind) {
    case FFI_SCENE_MAP: look_through(s, fields->map->fields, path); break;
    case FFI_SCENE_OPTION: try_options(s, path); break;
    case FFI_SCENE_OPTIONS: try_options(s, "stepper."); break;
    case FFI_SCENE_VALUE:
    case FFI_SCENE_VALUES:
    case FFI_SCENE_TEXT: try(s, path, &fields->value); break;
    default: break;
    }
  }
}

int ff_scene_field(int index, char path[FF_SCENE_FIELD_SIZE])
{
  search s = {.left = index, .path = path};
  look_through(&s, ffi_scene_schema.fields, "");
  return s.found != NULL;
}

const char *ff_scene_field_word(const char *path, int index)
{
  static const char *const flags[] = {"true", "false"};
  char same[FF_SCENE_FIELD_SIZE];
  search s = {.wanted = path, .path = same};
  look_through(&s, ffi_scene_schema.fields, "");
  if (s.found && s.found->type == FF_VALUE_FLAG)
    return index >= 0 && index < 2 ? flags[index] : NULL;
  return s.found && s.found->type == FF_VALUE_WORD ? s.found->word(index) : NULL;
}
