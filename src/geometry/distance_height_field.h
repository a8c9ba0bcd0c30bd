/// distance_field.h: distances to height fields, and what they share with other pairs.
#ifndef FFI_GEOMETRY_DISTANCE_FIELD_H
#define FFI_GEOMETRY_DISTANCE_FIELD_H

#include "geometry/convex.h"
#include "geometry/distance.h"

/// Two convex things; see ffi_distance_measure().
void ffi_distance_convex(const ffi_convex *a, const ffi_convex *b, ffi_distance_memory *memory,
                         ffi_distance *out);

/// A convex thing and a height field at (p, R). 0: there is no field.
int ffi_distance_height_field(const ffi_convex *a, const ffi_height_field *field, const double p[3],
                              const double R[9], ffi_distance *out);

#endif
