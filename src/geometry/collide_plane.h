/// plane.h: a point against a plane, for whoever has many of them.
#ifndef FFI_GEOMETRY_PLANE_H
#define FFI_GEOMETRY_PLANE_H

/// Height of x above the plane through p with the unit normal n.
static inline double ffi_collide_plane_gap(const double p[3], const double n[3], const double x[3])
{
  return n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) + n[2] * (x[2] - p[2]);
}

#endif
