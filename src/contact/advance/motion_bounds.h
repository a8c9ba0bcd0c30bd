/// motion_bounds.h: bounds of the velocities and accelerations of a robot's bodies along a straight path.
///
/// Along a straight path (dynamics/straight_path.h) each joint has a constant velocity, yet a link far out on a chain
/// moves on a curve. Poses and velocities of all bodies are known exactly at the start. From there the bounds go down
/// the tree, docs/theory/advancement.md eqs 2 to 5. With w the angular velocity of the parent, a vector a fixed in it
/// and alpha a bound of its angular acceleration, they rest on eq. 6,
///
///     |w x a| (t)  <=  |w x a| (0) + alpha |a| t,
///
/// because w x (w x a), the part of the rate that comes from the turning of a, is normal to w x a and does not change
/// its length. So vectors that are parallel at the start add nothing: joints of a planar mechanism have no angular
/// acceleration here either.
///
/// Velocities may be known up to an error only. The position of a point after t is then known up to t times
/// `error_rate` of its body plus `angular_error` times its distance from the body's origin: eq. 11.
#ifndef FFI_CONTACT_MOTION_BOUNDS_H
#define FFI_CONTACT_MOTION_BOUNDS_H

#include "math/pose.h"

#include <footfall/model.h>

/// Bounds for one body over [0, T]; all in the world.
typedef struct ffi_motion_bound {
  double speed;         ///< of its origin [m/s]
  double accel;         ///< acceleration of its origin [m/s^2]
  double turn;          ///< angular velocity [rad/s]
  double alpha;         ///< angular acceleration [rad/s^2]
  double error_rate;    ///< error of its origin's velocity, anywhere on the path [m/s]
  double angular_error; ///< and of its angular velocity [rad/s]
} ffi_motion_bound;

/// The robot at the start of a path.
typedef struct ffi_motion_start {
  const ffi_pose *pose;        ///< [bodies]
  const double (*velocity)[6]; ///< [bodies] linear of the origin, angular; world axes
  const double *error;         ///< [nv] bounds of the error of the velocities, of any sign; NULL: exact
  double since;                ///< for how long before the start the velocities had this error [s]
} ffi_motion_start;

/// Bounds of all bodies for a path of duration T from `start`.
void ffi_motion_bounds(const ff_model *model, const ffi_motion_start *start, double T, ffi_motion_bound *out);

#endif
