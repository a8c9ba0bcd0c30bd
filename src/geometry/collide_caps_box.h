/// cap_box.h: cylinders and disks against boxes, beyond the witnesses that they have against any surface.
#ifndef FFI_GEOMETRY_CAP_BOX_H
#define FFI_GEOMETRY_CAP_BOX_H

#include "geometry/narrow_phase.h"

enum {
  FFI_COLLIDE_CAPS_BOX = 8 + 24, ///< features of ffi_collide_caps_box
  FFI_COLLIDE_RIM_BOX = 6        ///< and of ffi_collide_rim_box
};

/// The corners and edges of the box under the caps of A, whose pose in the box's frame is p and R. Features begin at `first`.
void ffi_collide_caps_box(ffi_narrow_phase *meeting, const double p[3], const double R[9], int first);

/// The rim of one cap, in the box's frame.
typedef struct ffi_collide_caps_box_rim {
  const double *centre, *axis;
  double radius;
  double flat;           ///< sine of the tilt below which it has no lowest point
  const double *rolling; ///< the witness that it has already
} ffi_collide_caps_box_rim;

/// The lowest points of a rim over the faces of the box; `middle` is A's. Features begin at `first`.
void ffi_collide_rim_box(ffi_narrow_phase *meeting, const ffi_collide_caps_box_rim *rim,
                         const double middle[3], int first);

#endif
