/// mjcf.h: robots described in MuJoCo's XML (MJCF).
///
/// What is read, converted, ignored and refused is told to users in docs/guide/mjcf.md. In short: the kinematic tree,
/// its inertias, shapes, sites, actuators and keyframes become a model with the same motion as in MuJoCo; what would
/// change the motion but has no counterpart here is named in the model's warnings; what would make another mechanism
/// of it is refused.
///
/// How the work is split, in the order of a reading:
///
///     mjcf_include.c    included files, and walking the elements as if they were one file
///     mjcf_compiler.c   <compiler> and <option>: how numbers are meant
///     mjcf_class.c      <default>: classes, the settings that elements start from
///     mjcf_asset.c      <asset>: meshes and materials by name
///     mjcf_body.c       <worldbody>: bodies, frames and their contents, collected in document order
///     mjcf_joint.c, mjcf_geom.c, mjcf_actuator.c, mjcf_keyframe.c    one kind of element each
///     mjcf_inertia.c    inertias from geoms, and the compiler's corrections
///     mjcf_build.c      all of it to the builder
///     mjcf_value.c, mjcf_ignored.c, mjcf_name.c                      attributes, the list of what was ignored, names
#ifndef FFI_IO_MJCF_H
#define FFI_IO_MJCF_H

#include "io/xml/xml.h"

#include <footfall/load.h>

/// Make a model of an open document whose root is <mujoco>. `def` may be NULL; `*out` is set on success only.
/// `xml` stays open and the caller's; its `status` is that of the result.
ff_status ffi_mjcf_read(ffi_xml *xml, const ff_load_def *def, ff_model **out, ff_error *error);

#endif
