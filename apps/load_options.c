// Options about reading a model; the model itself, and its postures.
#include "load_options.h"

#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/options/choices.h"
#include "cli/options/option_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ffi_load_options_begin(ffi_load_options *load, int argc)
{
  *load = (ffi_load_options){.def = ff_load_def_default()};
  load->mesh_paths = ffi_memory_need(NULL, ((size_t)argc + 1) * sizeof *load->mesh_paths);
  load->mesh_paths[0] = NULL;
}

void ffi_load_options_end(ffi_load_options *load)
{
  free(load->mesh_paths);
  *load = (ffi_load_options){0};
}

static int read_mimic(const char *word, ff_mimic_policy *out)
{
  static const ff_mimic_policy policies[] = {FF_MIMIC_REFUSE, FF_MIMIC_FREE, FF_MIMIC_FIX, FF_MIMIC_COUPLE};
  int index;
  if (!ffi_option_value_choice("--mimic", word, ffi_choices_mimic, &index))
    return 0;
  *out = policies[index];
  return 1;
}

static int read_softness(const char *word, ff_contact_parameters *out)
{
  int index;
  if (!ffi_option_value_choice("--contact-parameters", word, ffi_choices_softness, &index))
    return 0;
  *out = (ff_contact_parameters)index;
  return 1;
}

static int read_massless(const char *word, ff_massless_policy *out)
{
  int index;
  if (!ffi_option_value_choice("--massless", word, ffi_choices_massless, &index))
    return 0;
  *out = (ff_massless_policy)index;
  return 1;
}

int ffi_load_options_take(ffi_load_options *load, int which, const char *value)
{
  switch (which) {
  case FFI_LOAD_OPTIONS_FIXED_BASE: load->def.fixed_base = 1; return 1;
  case FFI_LOAD_OPTIONS_MIMIC: return read_mimic(value, &load->def.mimic);
  case FFI_LOAD_OPTIONS_SOFTNESS: return read_softness(value, &load->def.contact_parameters);
  case FFI_LOAD_OPTIONS_MASSLESS: return read_massless(value, &load->def.massless);
  case FFI_LOAD_OPTIONS_MESH_PATH:
    load->mesh_paths[load->mesh_path_count++] = value;
    load->mesh_paths[load->mesh_path_count] = NULL;
    return 1;
  case FFI_LOAD_OPTIONS_SRDF: load->def.srdf = value; return 1;
  default: return 0;
  }
}

int ffi_load_options_posture(const ff_model *model, const char *path, const char *name, int *posture)
{
  const int count = ff_model_get_size(model).postures;
  *posture = ff_model_find_posture(model, name ? name : "standing");
  if (*posture >= 0)
    return 1;
  if (!name) {
    *posture = count > 0 ? 0 : -1;
    return 1;
  }
  if (count == 0) {
    ffi_error_message("'--posture %s': %s has no postures", name, path);
    return 0;
  }
  const char **names = ffi_memory_need(NULL, (size_t)count * sizeof *names);
  for (int i = 0; i < count; ++i)
    names[i] = ff_model_posture_name(model, i);
  ffi_option_value_word("--posture", name, names, count, posture); // prints the message
  free(names);
  return 0;
}

// Logs and scenes, which people mistake for a robot. Returns 0 if it is neither.
static int is_something_else(const char *path)
{
  static const unsigned char hdf5[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char begin[sizeof hdf5] = {0};
  const char *dot = strrchr(path, '.');
  FILE *file = fopen(path, "rb");
  const size_t got = file ? fread(begin, 1, sizeof begin, file) : 0;
  if (file)
    fclose(file);
  if (got == sizeof begin && memcmp(begin, hdf5, sizeof begin) == 0)
    ffi_error_message(
        "%s: is a log, not a robot; 'footfall view FILE' shows it, 'footfall run --resume FILE' continues it",
        path);
  else if (got > 0 && begin[0] != '<' && dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
    ffi_error_message("%s: is not a robot; in a scene the field 'model' names the file of the robot", path);
  else
    return 0;
  return 1;
}

ff_model *ffi_load_options_model(const ffi_load_options *load, const char *path)
{
  ff_load_def def = load->def;
  ff_model *model;
  ff_error error;
  def.mesh_paths = load->mesh_paths;
  if (ff_model_load(path, &def, &model, &error) == FF_OK)
    return model;
  if (error.status != FF_ERROR_PARSE || !is_something_else(path))
    ffi_error_message_of_file(path, &error);
  return NULL;
}
