/// load_options.h: the options about reading a model, the same in every command that takes one.
///
///     enum { OPTION_JSON, OPTION_LOAD };   // they come last
///     static const ffi_option options[] = {[OPTION_JSON] = {"--json", .help = "..."}, [OPTION_LOAD] = FFI_LOAD_OPTIONS};
#ifndef FFI_APPS_LOAD_OPTIONS_H
#define FFI_APPS_LOAD_OPTIONS_H

#include "cli/words.h"

#include <footfall/load.h>

enum { FFI_LOAD_FIXED_BASE, FFI_LOAD_MIMIC, FFI_LOAD_MESH_PATH, FFI_LOAD_OPTION_COUNT };

// clang-format off
#define FFI_LOAD_OPTIONS                                                                                      \
  {"--fixed-base", .help = "URDF: fix the root to the world instead of letting it float"},                    \
  {"--mimic", "POLICY", .help = "URDF mimic joints: refuse (default), free or fix", FFI_TAKES_WORD, ffi_words_of_mimic}, \
  {"--mesh-path", "DIR", .help = "also look for meshes here; may be given several times", FFI_TAKES_FOLDER}
// clang-format on

typedef struct ffi_load_request {
  ff_load_def def;
  const char **mesh_paths; ///< [argc + 1] NULL-terminated, owned
  int mesh_path_count;
} ffi_load_request;

/// Room for the options of a command line of argc words.
void ffi_load_begin(ffi_load_request *load, int argc);
void ffi_load_end(ffi_load_request *load);

/// Take one of the options above, by its place among them. 0 after a complaint.
int ffi_load_option(ffi_load_request *load, int which, const char *value);

/// The posture that was asked for, by its name; NULL: 'standing', else the first, else none (-1). 0 after a complaint, about words: FFI_EXIT_USAGE.
int ffi_load_posture(const ff_model *model, const char *path, const char *name, int *posture);

/// NULL after a complaint.
ff_model *ffi_load_model(const ffi_load_request *load, const char *path);

#endif
