#include "load_options.h"

#include "complain.h"

#include <stdlib.h>

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

ff_model *ffi_load_model(const ffi_load_request *load, const char *path)
{
  ff_load_def def = load->def;
  ff_model *model;
  ff_error error;
  def.mesh_paths = load->mesh_paths;
  if (ff_model_load(path, &def, &model, &error) == FF_OK)
    return model;
  ffi_complain("%s", error.message);
  return NULL;
}
