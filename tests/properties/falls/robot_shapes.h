/// robot_shapes.h: the shipped robots with something to fall on.
///
/// The robots in models/ touch the ground with points only: their feet, starleth's joints. Here they have a trunk,
/// thighs, shanks and arms of boxes, capsules and spheres as well, as large as what is drawn and clear of the ground in
/// the postures they stand in.
#ifndef FFI_TESTS_ROBOT_SHAPES_H
#define FFI_TESTS_ROBOT_SHAPES_H

#include <footfall/model.h>

enum { FFI_ROBOT_SHAPES_ROBOTS = 3 };

/// "solo12", "romeo", "starleth".
const char *ffi_robot_shapes_name(int robot);

/// A file that does not load is a failed test. Destroy the result.
ff_model *ffi_robot_shapes_load(int robot);

#endif
