#include "load_options.h"

#include "cli/complain.h"
#include "cli/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ffi_load_begin(ffi_load_request *load, int argc)
{
  *load = (ffi_load_request){.def = ff_load_def_default()};
  load->mesh_paths = ffi_need_memory(NULL, ((size_t)argc + 1) * sizeof *load->mesh_paths);
  load->mesh_paths[0] = NULL;
}

void ffi_load_end(ffi_load_request *load)
{
  free(load->mesh_paths);
  *load = (ffi_load_request){0};
}

static int read_mimic(const char *word, ff_mimic_policy *out)
{
  static const ff_mimic_policy policies[] = {FF_MIMIC_REFUSE, FF_MIMIC_FREE, FF_MIMIC_FIX};
  int index;
  if (!ffi_words_read("--mimic", word, ffi_words_of_mimic, &index))
    return 0;
  *out = policies[index];
  return 1;
}

int ffi_load_option(ffi_load_request *load, int which, const char *value)
{
  switch (which) {
  case FFI_LOAD_FIXED_BASE: load->def.fixed_base = 1; return 1;
  case FFI_LOAD_MIMIC: return read_mimic(value, &load->def.mimic);
  case FFI_LOAD_MESH_PATH:
    load->mesh_paths[load->mesh_path_count++] = value;
    load->mesh_paths[load->mesh_path_count] = NULL;
    return 1;
  default: return 0;
  }
}

int ffi_load_posture(const ff_model *model, const char *path, const char *name, int *posture)
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
    ffi_complain("'--posture %s': %s has no postures", name, path);
    return 0;
  }
  const char **names = ffi_need_memory(NULL, (size_t)count * sizeof *names);
  for (int i = 0; i < count; ++i)
    names[i] = ff_model_posture_name(model, i);
  ffi_read_word("--posture", name, names, count, posture); // complains
  free(names);
  return 0;
}

// What people take for a robot. Returns 0 if it is none of these.
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
    ffi_complain("%s: is a log, no robot; 'footfall view' shows it, 'footfall run --resume' goes on with it",
                 path);
  else if (got > 0 && begin[0] != '<' && dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
    ffi_complain("%s: is no robot; if it is a scene, its robot is in the file that 'model' names in it",
                 path);
  else
    return 0;
  return 1;
}

ff_model *ffi_load_model(const ffi_load_request *load, const char *path)
{
  ff_load_def def = load->def;
  ff_model *model;
  ff_error error;
  def.mesh_paths = load->mesh_paths;
  if (ff_model_load(path, &def, &model, &error) == FF_OK)
    return model;
  if (error.status != FF_ERROR_PARSE || !is_something_else(path))
    ffi_complain_of_file(path, &error);
  return NULL;
}
