/// place.h: place a robot on the ground, and create motors that hold its posture.
///
/// The ground is a plane: an ff_pose whose z axis is the normal. `dynamics` is a workspace of the model, see
/// dynamics.h. To let a robot stand without a controller:
///
///     const double gap = ff_place_gap(model, dynamics, q, &plane);     // of its lowest point above the plane
///     ff_place_lift(model, &plane, -gap, q);                           // now it touches
///     ff_element_def motors[12];                                       // at least as many as the model has joints
///     def.elements = motors;
///     def.element_count = ff_place_motors(model, dynamics, q, NAN, NAN, motors);
///
/// propose.h does all of this for a model file, and checks that the robot stays at rest.
#ifndef FOOTFALL_PLACE_H
#define FOOTFALL_PLACE_H

#include <footfall/dynamics.h>
#include <footfall/element.h>
#include <footfall/model.h>
#include <footfall/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Signed distance [m] from the plane to the lowest point of all moving collision shapes at q [nq]; NAN if there is
/// none. Meshes and planes have no known points and are ignored. The call leaves `dynamics` at q.
double ff_place_gap(const ff_model *model, ff_dynamics *dynamics, const double *q, const ff_pose *plane);

/// Move all floating joints along the plane's normal by `height` [m], q [nq] in place. Returns their number.
int ff_place_lift(const ff_model *model, const ff_pose *plane, double height, double *q);

/// Transform all floating joints from z = 0 to the plane, so that their poses relative to the ground stay the same, q
/// [nq] in place. Returns their number.
int ff_place_tilt(const ff_model *model, const ff_pose *plane, double *q);

/// Create motors that hold the joints at q [nq], one for every joint that is FF_DRIVE_MOTOR, see ff_model_drive().
/// `out` has room for as many as the model has joints. Returns their number. Gains are `kp` [N m/rad or N/m] and `kd`
/// [N m s/rad or N s/m]. A gain of NAN follows from a natural frequency f of 4 Hz and a damping ratio zeta of 0.5:
///
///     kp = I (2 pi f)^2,   kd = 2 zeta sqrt(kp I)
///
/// I is the inertia about the joint's axis of everything that the joint carries, or, if the robot floats and that is
/// more, of the rest of the robot: a leg in the air moves the leg, a leg on the ground moves the robot. For prismatic
/// joints I is a mass. The call leaves `dynamics` at q.
int ff_place_motors(const ff_model *model, ff_dynamics *dynamics, const double *q, double kp, double kd,
                    ff_element_def *out);

/// The same with gains that one would begin with on a machine, for robots whose weight something else carries, see
/// `gravity` in control/controller.h. A motor uses its whole effort no earlier than 0.2 rad or 2 cm from q:
///
///     kp = min(I (2 pi f)^2, effort / 0.2 rad),   kd = 2 zeta kp / (2 pi f)
///
/// and I is the inertia of the rest of the robot only if the joint carries the robot: if the robot floats, and a link
/// that the joint carries reaches down as far as the robot does. So an arm's motors move the arm. For a joint without
/// limits, as of a wheel, the rest counts by its mass at the height of the axis above the ground, if that is less.
int ff_place_bounded_motors(const ff_model *model, ff_dynamics *dynamics, const double *q,
                            ff_element_def *out);

#ifdef __cplusplus
}
#endif
#endif
