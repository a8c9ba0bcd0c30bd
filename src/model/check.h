/// checks.h: what the builder accepts, one function per kind of thing.
///
/// Each returns FF_OK or fills the error with the source (the builder's current one) and the thing's name.
#ifndef FFI_MODEL_CHECKS_H
#define FFI_MODEL_CHECKS_H

#include "model/builder.h"

/// "link 'arm'", cut to fit.
typedef struct ffi_check_label {
  char text[128];
} ffi_check_label;

ffi_check_label ffi_check_make_label(const char *kind, const char *name);

/// How many coordinates and velocities a type of joint has.
int ffi_joint_type_nq(ff_joint_type type);
int ffi_joint_type_nv(ff_joint_type type);

/// Has the type an axis? (revolute, continuous, prismatic, planar)
int ffi_joint_type_has_axis(ff_joint_type type);

ff_status ffi_check_name(const ff_builder *b, const char *kind, const char *name, ff_error *error);

/// Refuse non-finite numbers and quaternions of no direction; make the quaternion one of unit length.
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
