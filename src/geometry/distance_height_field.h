/// distance_height_field.h: distances of convex solids to height fields, and to each other.
#ifndef FFI_GEOMETRY_DISTANCE_HEIGHT_FIELD_H
#define FFI_GEOMETRY_DISTANCE_HEIGHT_FIELD_H

#include "geometry/convex.h"
#include "geometry/distance.h"

#include <math.h>

/// Two convex solids; see ffi_distance_measure(). distance.c
void ffi_distance_convex(const ffi_convex *a, const ffi_convex *b, ffi_distance_memory *memory,
                         ffi_distance *out);

/// The places of a distance whose cores' value and normal are set, from the last simplex of the search. distance.c
void ffi_distance_from_simplex(const ffi_convex *a, const ffi_convex *b, const ffi_convex_simplex *simplex,
                               ffi_distance *out);

/// The distances that a caller asks for: more than `least`, less than `most`. The narrower, the shorter the search.
typedef struct ffi_distance_height_field_range {
  double least, most; ///< [m]
} ffi_distance_height_field_range;
#define FFI_DISTANCE_HEIGHT_FIELD_ANY ((ffi_distance_height_field_range){-HUGE_VAL, HUGE_VAL})

/// A convex solid and a height field at (p, R). 0: no part of the field is below or near the solid, or the distance is
/// outside the range.
int ffi_distance_height_field(const ffi_convex *a, const ffi_height_field *field, const double p[3],
                              const double R[9], ffi_distance_height_field_range within, ffi_distance *out);

#endif
