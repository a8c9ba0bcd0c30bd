/// warn_model.h: what a model's file says that is not simulated, for commands that run it.
#ifndef FFI_CLI_WARN_MODEL_H
#define FFI_CLI_WARN_MODEL_H

#include <footfall/model.h>

/// Its warnings on stderr, one line each, the first six of those that are about the motion. `path` is for the hint
/// where the others are; NULL if there is no such file.
void ffi_warn_model(const ff_model *model, const char *path);

#endif
