// The fields that scenes have, listed for those who offer them: shells that complete '--set FIELD=VALUE'.
#include "io/scene_schema.h"

#include <stdio.h>
#include <string.h>

typedef struct search {
  int left;           // fields to pass before the wanted one
  const char *wanted; // or its path; NULL: by number
  char *path;         // out [FF_SCENE_FIELD_SIZE]
  const cyaml_schema_value_t *found;
} search;

// Fields below `prefix`, depth first. Lists are left out: what is in them has numbers, which only a file knows.
static void look_through(search *s, const cyaml_schema_field_t *fields, const char *prefix)
{
  for (; fields->key && !s->found; ++fields) {
    char path[FF_SCENE_FIELD_SIZE];
    const int length = snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", fields->key);
    if (length < 0 || length >= (int)sizeof path || fields->value.type == CYAML_SEQUENCE)
      continue;
    if (fields->value.type == CYAML_MAPPING) {
      look_through(s, fields->value.mapping.fields, path);
    } else if (s->wanted ? strcmp(s->wanted, path) == 0 : s->left-- == 0) {
      memcpy(s->path, path, sizeof path);
      s->found = &fields->value;
    }
  }
}

int ff_scene_field(int index, char path[FF_SCENE_FIELD_SIZE])
{
  search s = {.left = index, .path = path};
  look_through(&s, ffi_scene_schema.mapping.fields, "");
  return s.found != NULL;
}

const char *ff_scene_field_word(const char *path, int index)
{
  static const char *const switches[] = {"true", "false"};
  char same[FF_SCENE_FIELD_SIZE];
  search s = {.wanted = path, .path = same};
  look_through(&s, ffi_scene_schema.mapping.fields, "");
  if (s.found && s.found->type == CYAML_BOOL)
    return index >= 0 && index < 2 ? switches[index] : NULL;
  if (s.found && s.found->type == CYAML_ENUM && index >= 0 && index < (int)s.found->enumeration.count)
    return s.found->enumeration.strings[index].str;
  return NULL;
}
