/// run_mcap.h: the messages of a run in MCAP.
///
///     run_mcap.c         the log, and the numbers of every row
///     run_mcap_scene.c   poses, shapes and forces
///     run_mcap_schema.c  the JSON schema of each channel
#ifndef FFI_APPS_RUN_MCAP_H
#define FFI_APPS_RUN_MCAP_H

#include "run/run.h"

enum {
  FFI_RUN_MCAP_STATE,
  FFI_RUN_MCAP_ENERGY,
  FFI_RUN_MCAP_CONTACTS,
  FFI_RUN_MCAP_TRANSFORMS,
  FFI_RUN_MCAP_SCENE
};

// JSON schemas of the channels.
char *ffi_run_mcap_schema_state(
    const ff_model *model); ///< q, v and tau by name; the caller frees it; NULL: no memory
extern const char ffi_run_mcap_schema_energy[], ffi_run_mcap_schema_contacts[],
    ffi_run_mcap_schema_transforms[], ffi_run_mcap_schema_scene[];

void ffi_run_mcap_scene_vector(ffi_mcap *mcap, const double v[3]); ///< an object with x, y, z

const char *ffi_run_mcap_link_name(const ff_model *model, int link); ///< "world" if there is none

/// Once, before all else: the shapes of all links and of the ground.
void ffi_run_mcap_scene_shapes(ffi_mcap *mcap, const ffi_run_scene *scene, uint64_t time);
/// Poses of links, and forces on them.
void ffi_run_mcap_scene_transforms(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time);
void ffi_run_mcap_scene_forces(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time);

#endif
