// Finds the warning about missing meshes.
#include "cli/warn_meshes.h"

#include "cli/error_message.h"

#include <string.h>

void ffi_warn_meshes(const ff_model *model, int is_scene)
{
  const int count = ff_model_get_size(model).warnings;
  for (int i = 0; i < count; ++i) {
    const char *warning = ff_model_warning(model, i);
    if (!strstr(warning, "touches nothing") && !strstr(warning, "touch nothing"))
      continue;
    ffi_error_message("%s; %s adds a folder to search", warning,
                      is_scene ? "'load: {mesh_paths: [DIR]}' in the scene" : "'--mesh-path DIR'");
    return;
  }
}
