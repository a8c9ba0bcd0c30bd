#include "cli/warn_meshes.h"

#include "cli/complain.h"

#include <string.h>

void ffi_warn_meshes(const ff_model *model)
{
  const int count = ff_model_get_size(model).warnings;
  for (int i = 0; i < count; ++i) {
    const char *warning = ff_model_warning(model, i);
    if (!strstr(warning, "kept by name"))
      continue;
    ffi_complain("%s; '--mesh-path DIR' says where to look", warning);
    return;
  }
}
