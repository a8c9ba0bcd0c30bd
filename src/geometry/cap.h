/// cap.h: where the rolling witness of a cap is, from its tilt: the rule of collide_caps.c for all that touch caps.
/// docs/theory/detection.md, section 1
#ifndef FFI_GEOMETRY_CAP_H
#define FFI_GEOMETRY_CAP_H

/// Sine of the tilt below which a cap stands, 1.1 degrees. Then a point of the rim between two witnesses can be lower
/// than all of them by at most 0.02 (1 - cos 45) = 0.6 % of the radius.
#define FFI_CAP_FLAT 0.02

/// Distance of the rolling witness from the middle of the cap, in radii.
static inline double ffi_cap_drawn(double tilt)
{
  const double part = tilt / FFI_CAP_FLAT;
  return part < 1 ? part * (2 - part) : 1;
}

#endif
