// Overrides as the scene reader takes them, and as options of the sim.
#include "cli/options/overrides.h"

#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/program.h"

#include <footfall/option.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *between, const char *b)
{
  char *text = ffi_memory_need(NULL, strlen(a) + strlen(between) + strlen(b) + 3);
  sprintf(text, "'%s%s%s'", a, between, b); // quoted, as in other messages about options
  return text;
}

static void add(ffi_overrides *overrides, char *path, const char *value, char *said)
{
  overrides->list =
      ffi_memory_need(overrides->list, (size_t)(overrides->count + 1) * sizeof *overrides->list);
  overrides->list[overrides->count++] = (ff_scene_override){.path = path, .value = value, .said = said};
}

void ffi_overrides_add(ffi_overrides *overrides, const char *path, const char *option, const char *value)
{
  char *copy = ffi_memory_need(NULL, strlen(path) + 1);
  memcpy(copy, path, strlen(path) + 1);
  add(overrides, copy, value ? value : "true", join(option, value ? " " : "", value ? value : ""));
}

int ffi_overrides_add_field(ffi_overrides *overrides, const char *text)
{
  const char *equals = strchr(text, '=');
  const size_t length = equals ? (size_t)(equals - text) : 0;
  if (length == 0) {
    ffi_error_message("'--set %s' must be FIELD=VALUE, such as controller.period=10ms", text);
    return 0;
  }
  char *path = ffi_memory_need(NULL, length + 1);
  memcpy(path, text, length);
  path[length] = '\0';
  add(overrides, path, equals + 1, join("--set", " ", text));
  return 1;
}

// A message about an override begins with its text on the command line.
int ffi_overrides_exit_status(const ffi_overrides *overrides, const ff_error *error)
{
  for (int i = 0; i < overrides->count && error->status != FF_ERROR_FILE; ++i)
    if (strncmp(error->message, overrides->list[i].said, strlen(overrides->list[i].said)) == 0)
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

int ffi_overrides_check(const ffi_overrides *overrides, ff_stepper stepper)
{
  for (int i = 0; i < overrides->count; ++i) {
    ff_option option;
    char owners[FF_OPTION_TEXT];
    if (!options_at(overrides->list[i].path, &option) || ff_option_is_of(&option, stepper))
      continue;
    ff_option_owners(&option, owners);
    ffi_error_message("%s is an option of %s, not of %s", overrides->list[i].said, owners,
                      ff_stepper_name(stepper));
    return 0;
  }
  return 1;
}

static int is_set(const ff_scene_override *override)
{
  return strncmp(override->said, "'--set ", 7) == 0;
}

int ffi_overrides_apply(const ffi_overrides *overrides, const char *model, ff_sim_def *def)
{
  static const char below[] = "stepper.";
  for (int i = 0; i < overrides->count; ++i) {
    const ff_scene_override *override = &overrides->list[i];
    const int is_below = strncmp(override->path, below, strlen(below)) == 0;
    ff_option option;
    ff_error error;
    if (!is_set(override))
      continue;
    if (!is_below && !options_at(override->path, &option)) {
      ffi_error_message(
          "%s: %s is a model, not a scene; for a model '--set' takes the options that 'footfall "
          "help options' lists, such as stepper.max_speed",
          override->said, model);
      return 0;
    }
    const char *key = options_at(override->path, &option) && strcmp(option.scene, override->path) == 0
                          ? option.key
                          : override->path + (is_below ? strlen(below) : 0);
    if (ff_sim_def_set(def, key, override->value, &error) == FF_OK)
      continue;
    const char *text =
        strncmp(error.message, "ff_sim_def_set: ", 16) == 0 ? error.message + 16 : error.message;
    ffi_error_message("%s: %s", override->said, text);
    return 0;
  }
  return 1;
}

void ffi_overrides_print_warnings(const ff_scene *scene)
{
  for (int i = 0; i < ff_scene_warning_count(scene); ++i)
    ffi_error_message("%s", ff_scene_warning(scene, i));
}

void ffi_overrides_free(ffi_overrides *overrides)
{
  for (int i = 0; i < overrides->count; ++i) {
    free((char *)overrides->list[i].path);
    free((char *)overrides->list[i].said);
  }
  free(overrides->list);
  *overrides = (ffi_overrides){0};
}
