/// controls.h: the control vector of a world.
///
/// A world defines its control vector u once: one number for every driven joint, in the order of the joints, then one
/// for every driven tendon, then one for every motor that pushes a frame, in the order of the actuators. Its meaning
/// depends on what drives the joint or tendon:
///
///     FF_CONTROL_TORQUE     only tau: the torque or force over the next step; of a tendon its tension; of a motor on a
///                           frame a factor on ff_actuator_info.wrench, which is computed where the frame is now, and
///                           constant over the step in the axes of the joints: with a floating body it turns
///     FF_CONTROL_REFERENCE  a motor (a PD element): its target position, from now on
///     FF_CONTROL_RATE       a motor without stiffness (a velocity servo): its target velocity, from now on
///
/// So a policy with nu outputs can drive any robot:
///
///     int nu = ff_world_control_count(world);
///     for (...) {
///       policy(ff_sim_q(sim), ff_sim_v(sim), u);          // u [nu]
///       ff_sim_set_controls(sim, u, &error);
///       ff_sim_step(sim, NULL, &error);
///     }
///
/// Joints with FF_DRIVE_NONE (model.h) have no control: those that float, have a spring of their own, or lack an
/// actuator in a model that declares some. tau [nv] of ff_sim_step() acts on every joint and adds to the controls.
#ifndef FOOTFALL_CONTROLS_H
#define FOOTFALL_CONTROLS_H

#include <footfall/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kind of a control.
typedef enum ff_control_kind {
  FF_CONTROL_TORQUE,    ///< torque or force over the next step [N m] or [N]
  FF_CONTROL_REFERENCE, ///< target position of a motor [rad] or [m]
  FF_CONTROL_RATE,      ///< target velocity of a motor without stiffness [rad/s] or [m/s]
} ff_control_kind;

/// One control.
typedef struct ff_control_info {
  const char
      *name; ///< of the joint or tendon, or of a motor on a frame, else of its frame; belongs to the model
  ff_control_kind kind; ///< meaning of the number
  int joint;            ///< of the model, -1: none
  int v;                ///< index of its velocity in v, -1: none
  int element;          ///< its motor, -1: none
  double lower; ///< lower bound: joint effort, position or speed limit; -infinity if none. Not enforced
  double upper; ///< upper bound: joint effort, position or speed limit; +infinity if none. Not enforced
  int tendon;   ///< of the model, -1: none
  int actuator; ///< of the model: a motor on a frame, -1: none
} ff_control_info;

int ff_world_control_count(const ff_world *world); ///< nu, the number of controls
/// Describe a control. FF_ERROR_ARGUMENT if it does not exist.
ff_status ff_world_control(const ff_world *world, int control, ff_control_info *out);
/// The control of a joint, tendon or motor on a frame, by its name; the first of this name, -1: none.
int ff_world_find_control(const ff_world *world, const char *name);

/// Set the controls u [nu], finite: references from now on, torques for the next step. They replace those of an
/// earlier call. A successful step uses torques up; a failed step does not.
ff_status ff_sim_set_controls(ff_sim *sim, const double *u, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
