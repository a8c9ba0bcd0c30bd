/// cap.h: how the witnesses of a cap stand, from its tilt: the rules of round.c for all that touch caps.
#ifndef FFI_GEOMETRY_CAP_H
#define FFI_GEOMETRY_CAP_H

/// Sine of the tilt below which a cap stands, 1.1 degrees. Then a point of the rim that no witness stands on can be lower than all
/// of them by at most 0.02 (1 - cos 45) = 0.6 % of the radius.
#define FFI_CAP_FLAT 0.02

/// How far out the rolling witness is, in radii.
static inline double ffi_cap_drawn(double tilt)
{
  const double part = tilt / FFI_CAP_FLAT;
  return part < 1 ? part * (2 - part) : 1;
}

#endif
