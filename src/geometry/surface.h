/// surface.h: how far a point is from a plane, a box or a height field. Everything in the surface's own frame.
#ifndef FFI_GEOMETRY_SURFACE_H
#define FFI_GEOMETRY_SURFACE_H

#include "geometry/collide.h"

/// The signed distance of x from a box of half lengths `half`, negative inside, and the unit direction away from it.
/// Outside that is the distance to the nearest point. Inside it is the way out through one of the faces: the nearest. If
/// x is a corner of something, `centre` is the middle of that thing, and a face that the middle lies farther behind
/// than x is a bad way out: half of the difference counts against it. So a corner that is flush with a box's side,
/// right above it, still leaves through the top, even from a hair outside. NULL: no such preference. Of two equal faces
/// the first of z+, z-, x+, x-, y+, y-. NaN if x is no number.
double ffi_box_distance(const double half[3], const double x[3], const double *centre, double normal[3]);

/// The same for low <= x <= high, some of which may be infinite, but not all; without a preference.
double ffi_box_distance_bounds(const double low[3], const double high[3], const double x[3],
                               double normal[3]);

/// The same for a height field: along the normal of the triangle right above or below x. Returns 0, and sets
/// nothing, outside the grid.
int ffi_height_field_distance(const ffi_height_field *field, const double x[3], double normal[3],
                              double *distance);

/// The same for a solid, which is a plane, a box or a height field. Returns 0 where there is nothing.
int ffi_surface_distance(const ffi_solid *solid, const double x[3], const double *centre, double normal[3],
                         double *distance);

#endif
