/// surface.h: how far a point is from a plane, a box or a height field. Everything in the surface's own frame.
#ifndef FFI_GEOMETRY_SURFACE_H
#define FFI_GEOMETRY_SURFACE_H

#include "geometry/solid.h"

/// The signed distance of x from a box of half lengths `half`, negative inside, and the unit direction away from it.
/// Outside it is the distance to the nearest point. Inside it is the way out through the nearest face. If x is a corner
/// of a body, `centre` is the middle of that body; a face that the middle lies farther behind than x is penalised by
/// half of the difference. So a corner that is flush with a box's side, right above it, still leaves through the top,
/// even from slightly outside. NULL: no preference. Of two equal faces the first of z+, z-, x+, x-, y+, y-. NaN if x is
/// not finite.  docs/theory/detection.md, section 2, eq. 1
double ffi_box_distance(const double half[3], const double x[3], const double *centre, double normal[3]);

/// The same for low <= x <= high, some of which may be infinite, but not all; without a preference. box_distance.c
double ffi_box_distance_bounds(const double low[3], const double high[3], const double x[3],
                               double normal[3]);

/// The same for a solid, which is a plane, a box or a height field. Returns 0 where there is nothing.
int ffi_surface_distance(const ffi_solid *solid, const double x[3], const double *centre, double normal[3],
                         double *distance);

#endif
