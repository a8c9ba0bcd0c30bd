/// joint_type.h: how many coordinates and velocities a type of joint has, and whether it has an axis.
#ifndef FFI_MODEL_JOINT_TYPE_H
#define FFI_MODEL_JOINT_TYPE_H

#include <footfall/builder.h>

int ffi_joint_type_nq(ff_joint_type type);
int ffi_joint_type_nv(ff_joint_type type);

/// Has the type an axis? (revolute, continuous, prismatic, planar)
int ffi_joint_type_has_axis(ff_joint_type type);

#endif
