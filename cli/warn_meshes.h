/// warn_meshes.h: a warning about mesh files that were not found, for commands that do not list all warnings of a
/// model.
#ifndef FFI_CLI_WARN_MESHES_H
#define FFI_CLI_WARN_MESHES_H

#include <footfall/model.h>

/// If a mesh file was not found, one line on stderr that names the first, and what helps: a field if the user gave a
/// scene, an option if a model.
void ffi_warn_meshes(const ff_model *model, int is_scene);

#endif
