/// place.h: put a robot on its ground, and hold it there: how high its lowest point is, and motors that fit
/// what they move.
///
/// The ground is a plane, an ff_pose whose z axis is the normal; the dynamics are a workspace of the model's,
/// see dynamics.h. To let a robot stand without a controller:
///
///     const double gap = ff_place_gap(model, dynamics, q, &plane);     // of its lowest point above the plane
///     ff_place_lift(model, &plane, -gap, q);                           // now it touches
///     ff_element_def motors[12];                                       // at least as many as the model has joints
///     def.elements = motors;
///     def.element_count = ff_place_motors(model, dynamics, q, NAN, NAN, motors);
///
/// propose.h does all of this for a robot's file, and looks whether it stays where it is.
#ifndef FOOTFALL_PLACE_H
#define FOOTFALL_PLACE_H

#include <footfall/dynamics.h>
#include <footfall/element.h>
#include <footfall/model.h>
#include <footfall/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Signed distance of the lowest point of all collision shapes that move to the plane [m], at q [nq]; NAN if
/// there is none. Meshes and planes, whose points are not known, do not count. Moves `dynamics` to q.
double ff_place_gap(const ff_model *model, ff_dynamics *dynamics, const double *q, const ff_pose *plane);

/// Move all floating joints along the plane's normal by `height` [m], q [nq] in place. Returns how many there are.
int ff_place_lift(const ff_model *model, const ff_pose *plane, double height, double *q);

/// Turn and move all floating joints from where they are above z = 0 to the same place above the plane, q
/// [nq] in place. Returns how many there are.
int ff_place_tilt(const ff_model *model, const ff_pose *plane, double *q);

/// Motors that hold the joints at q [nq]: out [as many as the model has joints]. Returns how many they are:
/// one for every joint that is FF_DRIVE_MOTOR, see ff_model_drive(). Gains are `kp` [N m/rad or N/m] and `kd`
/// [N m s/rad or N s/m]; those that are NAN follow from a rule: alone, the joint would swing at 4 Hz, damped
/// by half,
///
///     kp = I (2 pi f)^2,   kd = 2 zeta sqrt(kp I)
///
/// where I is the inertia about its axis of what hangs on it, or of the rest of the robot if that is more and
/// the robot floats: a leg in the air moves the leg, a leg on the ground moves the robot. For sliding joints
/// I is a mass. Moves `dynamics` to q.
int ff_place_motors(const ff_model *model, ff_dynamics *dynamics, const double *q, double kp, double kd,
                    ff_element_def *out);

#ifdef __cplusplus
}
#endif
#endif
