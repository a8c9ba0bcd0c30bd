/// check.h: what the builder accepts, one function per kind of thing.
///
/// Each returns FF_OK or fills the error with the source (the builder's current one) and the thing's name.
#ifndef FFI_MODEL_CHECK_H
#define FFI_MODEL_CHECK_H

#include "model/builder.h"
#include "model/joint_type.h"

/// What a message is about, shortened to fit: "link 'arm'".
typedef struct ffi_check_label {
  char text[128];
} ffi_check_label;

ffi_check_label ffi_check_make_label(const char *kind, const char *name);

ff_status ffi_check_name(const ff_builder *b, const char *kind, const char *name, ff_error *error);

/// Refuses numbers that are not finite and quaternions of no direction; normalises the quaternion.
ff_status ffi_check_pose(const ffi_source *at, const char *thing, ff_pose *pose, ff_error *error);

ff_status ffi_check_inertia(const ff_builder *b, const char *thing, const ff_inertia *inertia,
                            ff_error *error);

/// Checks the joint and normalises its pose and axis. `parent` is in range.
ff_status ffi_check_joint(const ff_builder *b, const char *thing, int parent, ff_joint_def *joint,
                          ff_error *error);

/// Checks the type, the sizes, vertices or file it needs, and the pose, which is normalised.
ff_status ffi_check_shape_geometry(const ffi_source *at, const char *thing, ff_shape_def *shape,
                                   ff_error *error);

/// Checks geometry, material, purpose and colour.
ff_status ffi_check_shape(const ffi_source *at, const char *thing, ff_shape_def *shape, ff_error *error);

ff_status ffi_check_actuator(const ff_builder *b, const char *thing, const ff_actuator_def *def,
                             ff_error *error);

#endif
