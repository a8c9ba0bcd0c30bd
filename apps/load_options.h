/// load_options.h: the options about reading a model, the same in every command that takes one.
///
///     enum { OPTION_JSON, OPTION_LOAD };   // they come last
///     static const ffi_option options[] = {[OPTION_JSON] = {"--json", .help = "..."},
///                                          [OPTION_LOAD] = FFI_LOAD_OPTIONS};
#ifndef FFI_APPS_LOAD_OPTIONS_H
#define FFI_APPS_LOAD_OPTIONS_H

#include "cli/options/choices.h"

#include <footfall/load.h>

enum {
  FFI_LOAD_OPTIONS_FIXED_BASE,
  FFI_LOAD_OPTIONS_MIMIC,
  FFI_LOAD_OPTIONS_SOFTNESS,
  FFI_LOAD_OPTIONS_MASSLESS,
  FFI_LOAD_OPTIONS_MESH_PATH,
  FFI_LOAD_OPTIONS_SRDF,
  FFI_LOAD_OPTIONS_COUNT
};

// clang-format off
#define FFI_LOAD_OPTIONS                                                                                      \
  {"--fixed-base", .help = "URDF: fix the root to the world instead of letting it float"},                    \
  {"--mimic", "POLICY", .help = "URDF mimic joints: couple (default), free, fix or refuse", FFI_OPTION_WORD,          \
   ffi_choices_mimic},                                                                                        \
  {"--contact-parameters", "WHOSE", .help = "MJCF: contacts as soft as in MuJoCo where the file states it "     \
   "(stated, default), everywhere (mujoco) or nowhere (footfall)", FFI_OPTION_WORD,        \
   ffi_choices_softness},                                                                                     \
  {"--massless", "POLICY", .help = "links that move but neither have nor carry mass: 1 g (least-inertia, default), "  \
   "fix (URDF) or refuse", FFI_OPTION_WORD, ffi_choices_massless},                                            \
  {"--mesh-path", "DIR", .help = "also search for meshes in this folder; may be given several times",   \
   FFI_OPTION_FOLDER},                                                                                        \
  {"--srdf", "FILE", .help = "URDF: its SRDF file; default: NAME.srdf beside NAME.urdf; '' for none",         \
   FFI_OPTION_FILE}
// clang-format on

typedef struct ffi_load_options {
  ff_load_def def;
  const char **mesh_paths; ///< [argc + 1] NULL-terminated, owned
  int mesh_path_count;
} ffi_load_options;

/// Storage for the options of a command line of argc words.
void ffi_load_options_begin(ffi_load_options *load, int argc);
void ffi_load_options_end(ffi_load_options *load);

/// Take one of the options above, by its place among them. 0 after an error message.
int ffi_load_options_take(ffi_load_options *load, int which, const char *value);

/// The posture of this name; NULL: 'standing', else the first, else none (-1). 0 after an error message; the exit
/// status is FFI_EXIT_USAGE then.
int ffi_load_options_posture(const ff_model *model, const char *path, const char *name, int *posture);

/// NULL after an error message.
ff_model *ffi_load_options_model(const ffi_load_options *load, const char *path);

#endif
