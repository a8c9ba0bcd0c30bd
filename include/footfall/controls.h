/// controls.h: which numbers a controller gives.
///
/// A world defines its controls once: one number for every joint that somebody drives, in the order of the joints. What
/// it means depends on who drives the joint:
///
///     FF_CONTROL_TORQUE     nobody but tau: the joint's torque or force over the next step
///     FF_CONTROL_REFERENCE  a motor (a PD element): where it pulls to, from now on
///     FF_CONTROL_RATE       a motor without stiffness, a velocity servo: how fast it turns, from now on
///
/// So a policy with nu outputs drives any robot, whoever made its file:
///
///     int nu = ff_world_control_count(world);
///     for (...) {
///       policy(ff_sim_q(sim), ff_sim_v(sim), u);          // u [nu]
///       ff_sim_set_controls(sim, u, &error);
///       ff_sim_step(sim, NULL, &error);
///     }
///
/// Joints that float, spring back by themselves or have no actuator in a model that declares some (FF_DRIVE_NONE in
/// model.h) have no control. tau [nv] of ff_sim_step() reaches every joint,
/// and is added to what controls say.
#ifndef FOOTFALL_CONTROLS_H
#define FOOTFALL_CONTROLS_H

#include <footfall/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a control is.
typedef enum ff_control_kind {
  FF_CONTROL_TORQUE,    ///< [N m] or [N], over the next step
  FF_CONTROL_REFERENCE, ///< of a motor [rad] or [m]
  FF_CONTROL_RATE,      ///< of a motor without stiffness [rad/s] or [m/s]
} ff_control_kind;

/// One control.
typedef struct ff_control_info {
  const char *name;     ///< the joint's; belongs to the model
  ff_control_kind kind; ///< what the number is
  int joint;            ///< of the model
  int v;                ///< its velocity
  int element;          ///< the motor, -1: none
  double lower,
      upper; ///< effort of the joint, its limits, or its greatest speed; infinite where there is none. Not enforced
} ff_control_info;

int ff_world_control_count(const ff_world *world); ///< nu
/// FF_ERROR_ARGUMENT if there is no such control.
ff_status ff_world_control(const ff_world *world, int control, ff_control_info *out);
int ff_world_find_control(const ff_world *world,
                          const char *joint); ///< by the joint's name; -1 if it has none

/// u [nu], finite: references from now on, torques for the next step, in place of those that an earlier call gave. A
/// step that is taken uses torques up; one that fails does not.
ff_status ff_sim_set_controls(ff_sim *sim, const double *u, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
