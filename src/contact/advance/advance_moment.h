/// advance_moment.h: one moment of a path: poses and velocities of everything, and bounds of the motion from there on.
/// docs/theory/advancement.md, section 2
#ifndef FFI_CONTACT_ADVANCE_MOMENT_H
#define FFI_CONTACT_ADVANCE_MOMENT_H

#include "contact/advance/advance.h"
#include "contact/advance/motion_bounds.h"

/// Sizes of a collider and of its core (geometry/convex.h).
typedef struct ffi_advance_extent {
  double core; ///< greatest distance of the core from the shape's origin [m]
  double far;  ///< and from the body's origin [m]
  double arm;  ///< distance of the shape's origin from the body's [m]
} ffi_advance_extent;

/// Where a collider is at one moment and how it goes on. Points are those of a frame that carries the shape but does
/// not spin with it: a sphere counts as one that does not turn, a wheel as one that does not roll.
typedef struct ffi_advance_course {
  ffi_pose pose;
  double v[3], w[3];       ///< velocity of its origin; angular velocity of the frame that does not spin
  double accel, top_speed; ///< bounds for any point of the core
  double error_rate;       ///< bound of the velocity error of any point of the core
  ffi_motion_bound frame;  ///< of the shape's own frame, spin included
} ffi_advance_course;

typedef struct ffi_advance_moment {
  double time;
  ffi_pose *pose;             ///< [bodies + grounds]
  double (*velocity)[6];      ///< [bodies + grounds] of origins, angular; world
  ffi_motion_bound *bound;    ///< [bodies + grounds]
  ffi_advance_course *course; ///< [colliders]; only `pose` is set before ffi_advance_moment_bound()
} ffi_advance_moment;

/// Places its arrays (run twice: counting, placing).
void ffi_advance_moment_layout(const ffi_colliders *colliders, ffi_block *block, ffi_advance_moment *m);

void ffi_advance_moment_extent(const ffi_collider *collider, ffi_advance_extent *out);

/// Poses and velocities at time t.
void ffi_advance_moment_evaluate(ffi_advance *a, const ffi_advance_path *path, double t,
                                 ffi_advance_moment *out);

/// Bounds of the motion from the moment to the end of the path.
void ffi_advance_moment_bound(const ffi_advance *a, const ffi_advance_path *path, ffi_advance_moment *m);

#endif
