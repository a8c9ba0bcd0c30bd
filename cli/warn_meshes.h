/// warn_meshes.h: a robot is read without the meshes that are not there; commands that do not list its warnings say so at least.
#ifndef FFI_APPS_WARN_MESHES_H
#define FFI_APPS_WARN_MESHES_H

#include <footfall/model.h>

/// One line on stderr that names the first of them, if there are any.
void ffi_warn_meshes(const ff_model *model);

#endif
