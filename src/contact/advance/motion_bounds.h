/// motion.h: how fast the bodies of a robot can move, and how much their paths can bend, over a while of constant velocities.
///
/// Along a straight path (dynamics/path.h) each joint has a constant velocity, yet a link far out on a chain moves on a curve. What is known
/// exactly is the start: poses and velocities of all bodies. From there the bounds go down the tree. With w the angular velocity of the parent, a vector a fixed
/// in it and Alpha a bound of its angular acceleration,
///
///     |w x a| (t)  <=  |w x a| (0) + Alpha |a| t,
///
/// since the part of its rate that comes from a's own turning, w x (w x a), is normal to w x a and does not change its length. So what is parallel at the
/// start counts for nothing: joints of a planar mechanism have no angular acceleration, and get none here. docs/theory/advancement.md has the recursion.
///
/// Velocities may be known up to an error only. A point's place after t then is known up to t times `doubt` of its body and `doubt_turn` times its distance
/// from the body's origin.
#ifndef FFI_CONTACT_MOTION_H
#define FFI_CONTACT_MOTION_H

#include "contact/detect/colliders.h"

/// Of one body over [0, T]; all in the world.
typedef struct ffi_motion_bound {
  double speed; ///< of its origin [m/s]
  double bend;  ///< acceleration of its origin [m/s^2]
  double turn;  ///< angular velocity [rad/s]
  double twist; ///< angular acceleration [rad/s^2]
  double
      doubt; ///< velocity of its origin that the errors of the velocities can give, anywhere on the way [m/s]
  double doubt_turn; ///< and angular velocity [rad/s]
} ffi_motion_bound;

/// pose and velocity (linear of the origin, angular; world axes) [bodies] at the start. `error` [nv], of any sign, NULL: none; velocities have been wrong by it for
/// the time `since` before the start.
void ffi_motion_bounds(const ff_model *model, const ffi_pose *pose, const double (*velocity)[6],
                       const double *error, double since, double T, ffi_motion_bound *out);

/// How far a point at distance r from a body's origin accelerates at most [m/s^2].
static inline double ffi_motion_bounds_bend_at(const ffi_motion_bound *m, double r)
{
  return m->bend + (m->twist + m->turn * m->turn) * r;
}

#endif
