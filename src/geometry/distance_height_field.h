/// distance_height_field.h: distances of convex solids to height fields, and to each other.
#ifndef FFI_GEOMETRY_DISTANCE_HEIGHT_FIELD_H
#define FFI_GEOMETRY_DISTANCE_HEIGHT_FIELD_H

#include "geometry/convex.h"
#include "geometry/distance.h"

/// Two convex solids; see ffi_distance_measure(). distance.c
void ffi_distance_convex(const ffi_convex *a, const ffi_convex *b, ffi_distance_memory *memory,
                         ffi_distance *out);

/// A convex solid and a height field at (p, R). 0: no part of the field is below or near the solid.
int ffi_distance_height_field(const ffi_convex *a, const ffi_height_field *field, const double p[3],
                              const double R[9], ffi_distance *out);

#endif
