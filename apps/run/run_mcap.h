/// run_mcap.h: what the messages of a run are made of.
///
///     run_mcap.c        the log, and numbers of every row
///     run_mcap_scene.c  poses, shapes and forces
#ifndef FFI_APPS_RUN_MCAP_H
#define FFI_APPS_RUN_MCAP_H

#include "run/run.h"

enum { FFI_MCAP_STATE, FFI_MCAP_ENERGY, FFI_MCAP_CONTACTS, FFI_MCAP_TRANSFORMS, FFI_MCAP_SCENE };

// Schemas of JSON.
#define FFI_OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"
#define FFI_LIST(items) "{\"type\":\"array\",\"items\":" items "}"
#define FFI_NUMBER "{\"type\":\"number\"}"
#define FFI_INTEGER "{\"type\":\"integer\"}"
#define FFI_TEXT "{\"type\":\"string\"}"
#define FFI_VECTOR FFI_OBJECT("\"x\":" FFI_NUMBER ",\"y\":" FFI_NUMBER ",\"z\":" FFI_NUMBER)
#define FFI_QUATERNION                                                                                       \
  FFI_OBJECT("\"x\":" FFI_NUMBER ",\"y\":" FFI_NUMBER ",\"z\":" FFI_NUMBER ",\"w\":" FFI_NUMBER)
#define FFI_TIME FFI_OBJECT("\"sec\":" FFI_INTEGER ",\"nsec\":" FFI_INTEGER)
#define FFI_POSE FFI_OBJECT("\"position\":" FFI_VECTOR ",\"orientation\":" FFI_QUATERNION)
#define FFI_COLOR                                                                                            \
  FFI_OBJECT("\"r\":" FFI_NUMBER ",\"g\":" FFI_NUMBER ",\"b\":" FFI_NUMBER ",\"a\":" FFI_NUMBER)
#define FFI_SOLID FFI_OBJECT("\"pose\":" FFI_POSE ",\"size\":" FFI_VECTOR ",\"color\":" FFI_COLOR)
#define FFI_CYLINDER                                                                                         \
  FFI_OBJECT("\"pose\":" FFI_POSE ",\"size\":" FFI_VECTOR ",\"bottom_scale\":" FFI_NUMBER                    \
             ",\"top_scale\":" FFI_NUMBER ",\"color\":" FFI_COLOR)
#define FFI_ARROW                                                                                            \
  FFI_OBJECT("\"pose\":" FFI_POSE ",\"shaft_length\":" FFI_NUMBER ",\"shaft_diameter\":" FFI_NUMBER          \
             ",\"head_length\":" FFI_NUMBER ",\"head_diameter\":" FFI_NUMBER ",\"color\":" FFI_COLOR)

void ffi_mcap_vector(ffi_mcap *mcap, const double v[3]); ///< an object with x, y, z

extern const char ffi_mcap_transforms_schema[], ffi_mcap_scene_schema[];

const char *ffi_mcap_link_name(const ff_model *model, int link); ///< "world" if there is none

/// Once, before all else: what everything looks like.
void ffi_mcap_shapes(ffi_mcap *mcap, const ffi_run_scene *scene, uint64_t time);
/// Where links are, and what forces act on them.
void ffi_mcap_transforms(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time);
void ffi_mcap_forces(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time);

#endif
