/// ground.h: a piece of ground as it was defined, and how moving ground moves.
#ifndef FFI_CONTACT_GROUND_H
#define FFI_CONTACT_GROUND_H

#include "math/pose.h"

#include <footfall/sim.h>

/// Where the ground is at some moment, and how it moves, belongs to a state.
typedef struct ffi_ground {
  ff_ground_def def;
  ffi_pose start; ///< pose after a reset
} ffi_ground;

/// Velocity of the point x of a ground that is at `pose` and moves with `motion` [6], world axes.
void ffi_ground_velocity(const ffi_pose *pose, const double *motion, const double x[3], double velocity[3]);

/// Pose of a ground with a constant velocity [6] after dt.
void ffi_ground_move(const ffi_pose *from, const double velocity[6], double dt, ffi_pose *to);

#endif
