#include "cli/changes.h"

#include "cli/complain.h"

#include <footfall/option.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *between, const char *b)
{
  char *text = ffi_need_memory(NULL, strlen(a) + strlen(between) + strlen(b) + 3);
  sprintf(text, "'%s%s%s'", a, between, b); // quoted, as other complaints about options are
  return text;
}

static void add(ffi_changes *changes, char *path, const char *value, char *said)
{
  changes->list = ffi_need_memory(changes->list, (size_t)(changes->count + 1) * sizeof *changes->list);
  changes->list[changes->count++] = (ff_scene_override){.path = path, .value = value, .said = said};
}

void ffi_change(ffi_changes *changes, const char *path, const char *option, const char *value)
{
  char *copy = ffi_need_memory(NULL, strlen(path) + 1);
  memcpy(copy, path, strlen(path) + 1);
  add(changes, copy, value ? value : "true", join(option, value ? " " : "", value ? value : ""));
}

int ffi_change_field(ffi_changes *changes, const char *text)
{
  const char *equals = strchr(text, '=');
  const size_t length = equals ? (size_t)(equals - text) : 0;
  if (length == 0) {
    ffi_complain("'--set %s' must be a field and its value, such as controller.period=10ms", text);
    return 0;
  }
  char *path = ffi_need_memory(NULL, length + 1);
  memcpy(path, text, length);
  path[length] = '\0';
  add(changes, path, equals + 1, join("--set", " ", text));
  return 1;
}

// A message about a change begins with what was said.
int ffi_changes_status(const ffi_changes *changes, const ff_error *error)
{
  for (int i = 0; i < changes->count && error->status != FF_ERROR_FILE; ++i)
    if (strncmp(error->message, changes->list[i].said, strlen(changes->list[i].said)) == 0)
      return FFI_EXIT_USAGE;
  return FFI_EXIT_FAILED;
}

// The options at or below a path, "stepper.c2a.impact" or "stepper.c2a", as one that belongs to all of their
// steppers. 0: there is none.
static int options_at(const char *path, ff_option *out)
{
  const size_t length = strlen(path);
  const ff_option *option;
  *out = (ff_option){0};
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i)
    if (option->scene && strncmp(option->scene, path, length) == 0 &&
        (option->scene[length] == '\0' || option->scene[length] == '.')) {
      const unsigned others = out->steppers;
      *out = *option;
      out->steppers |= others;
    }
  return out->key != NULL;
}

int ffi_changes_check(const ffi_changes *changes, ff_stepper stepper)
{
  for (int i = 0; i < changes->count; ++i) {
    ff_option option;
    char owners[FF_OPTION_TEXT];
    if (!options_at(changes->list[i].path, &option) || ff_option_is_of(&option, stepper))
      continue;
    ff_option_owners(&option, owners);
    ffi_complain("%s is an option of %s, not of %s", changes->list[i].said, owners, ff_stepper_name(stepper));
    return 0;
  }
  return 1;
}

static int is_set(const ff_scene_override *change)
{
  return strncmp(change->said, "'--set ", 7) == 0;
}

int ffi_changes_apply(const ffi_changes *changes, const char *model, ff_sim_def *def)
{
  static const char below[] = "stepper.";
  for (int i = 0; i < changes->count; ++i) {
    const ff_scene_override *change = &changes->list[i];
    const int is_below = strncmp(change->path, below, strlen(below)) == 0;
    ff_option option;
    ff_error error;
    if (!is_set(change))
      continue;
    if (!is_below && !options_at(change->path, &option)) {
      ffi_complain(
          "%s changes a field of a scene, FILE.yaml; %s is a model, which has the options that 'footfall help "
          "options' lists, such as stepper.max_speed",
          change->said, model);
      return 0;
    }
    const char *key = options_at(change->path, &option) && strcmp(option.scene, change->path) == 0
                          ? option.key
                          : change->path + (is_below ? strlen(below) : 0);
    if (ff_sim_def_set(def, key, change->value, &error) == FF_OK)
      continue;
    const char *text =
        strncmp(error.message, "ff_sim_def_set: ", 16) == 0 ? error.message + 16 : error.message;
    ffi_complain("%s: %s", change->said, text);
    return 0;
  }
  return 1;
}

void ffi_changes_warn(const ff_scene *scene)
{
  for (int i = 0; i < ff_scene_warning_count(scene); ++i)
    ffi_complain("%s", ff_scene_warning(scene, i));
}

void ffi_changes_free(ffi_changes *changes)
{
  for (int i = 0; i < changes->count; ++i) {
    free((char *)changes->list[i].path);
    free((char *)changes->list[i].said);
  }
  free(changes->list);
  *changes = (ffi_changes){0};
}
