/// svg_solid.h: convex solids with flat faces, as a picture needs them.
#ifndef FFI_APPS_SVG_SOLID_H
#define FFI_APPS_SVG_SOLID_H

#include <footfall/shape.h>

/// A convex solid. Corners of a face go counterclockwise seen from outside; face f has corners[first[f]] to
/// corners[first[f + 1] - 1]. A disk is a solid of no height.
typedef struct ffi_solid {
  int point_count, face_count;
  double *points; ///< [point_count x 3], in the world [m], owned
  int *corners;   ///< indices of points, owned
  int *first;     ///< [face_count + 1], owned
  double rgba[4];
} ffi_solid;

enum { FFI_SOLID_SEGMENTS = 40 }; ///< most flat sides of something round

/// Is this a shape that can be drawn as a solid? Points, planes, meshes and height fields are not.
int ffi_solid_is_possible(ff_shape_type type);

/// The solid of a shape in a link at `position` with axes R [3 x 3]. Round shapes get as many sides as they need when a
/// metre is drawn as `pixels_per_metre` pixels. A hull is drawn as the box around it.
ffi_solid ffi_solid_from_shape(const ff_shape_def *shape, const double position[3], const double R[9],
                               double pixels_per_metre);

void ffi_solid_free(ffi_solid *solid);

#endif
