/// plan.h: plan motions of four-legged robots with feedback gains from a model.
///
/// A plan is the input of ff_feedback: states, torques, gains. It is computed in three steps.
///
/// 1. **Motion.** A whole-body program (whole_body.h) moves the robot in a simulation with short steps; its torques
///    are constant over each `interval`. The recorded states and torques are the motion, which needs no feedback to
///    be repeated.
/// 2. **Sensitivities.** For each interval, the derivatives of the final state by the initial state and by the
///    torques, by central differences through such a simulation. Feet on the ground stand where the perturbed state
///    has them, as after a landing elsewhere.
/// 3. **Gains.** The gains of least cost, from Riccati's equation backwards in time from the end of the motion:
///    standing after a jump, the repeating period itself for a trot.
///
///     ff_plan_def def = ff_plan_def_default(FF_PLAN_JUMP);
///     def.base = ff_model_find_frame(model, "base_link"), def.feet[0] = ...;
///     ff_plan *plan;
///     if (ff_plan_create(model, &def, q, &plan, &error) != FF_OK) ...
///     ff_trajectory_save("jump.txt", model, ff_plan_feedback(plan), NULL, &error);
///     ff_plan_destroy(plan);
#ifndef FOOTFALL_CONTROL_PLAN_H
#define FOOTFALL_CONTROL_PLAN_H

#include <footfall/control/feedback.h>
#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Planned motion; the names are those of `footfall plan`.
typedef enum ff_plan_motion {
  FF_PLAN_TROT, ///< "trot": from standing to 0.2 m/s, then one repeating period
  FF_PLAN_JUMP, ///< "jump": straight up, about 0.63 s in the air, then standing
} ff_plan_motion;

enum { FF_PLAN_MOTION_COUNT = FF_PLAN_JUMP + 1 };                  ///< number of motions
const char *ff_plan_motion_name(ff_plan_motion motion);            ///< never NULL
int ff_plan_motion_find(const char *name, ff_plan_motion *motion); ///< 1 if a motion has that name

/// Quadratic costs of deviations from the motion, per interval.
typedef struct ff_plan_cost {
  double position;   ///< position of the base, its own axes [1/m^2]
  double attitude;   ///< orientation of the base [1/rad^2]
  double joint;      ///< joint positions [1/rad^2]
  double velocity;   ///< linear velocity of the base [s^2/m^2]
  double turning;    ///< angular velocity of the base [s^2/rad^2]
  double joint_rate; ///< joint velocities [s^2/rad^2]
  double torque;     ///< torques, > 0 [1/(N m)^2]
} ff_plan_cost;

/// What to plan. Start from ff_plan_def_default() and set base and feet.
typedef struct ff_plan_def {
  ff_plan_motion motion; ///< as passed to ff_plan_def_default()
  int base;              ///< frame of the trunk
  int feet[4];       ///< frames whose origins touch the ground: fore left, fore right, hind left, hind right
  double interval;   ///< time for which torques are constant [s], default 0.01
  int steps;         ///< simulation steps per interval, for the motion, default 40
  int answer_steps;  ///< simulation steps per interval, for the sensitivities, default 10
  ff_plan_cost cost; ///< all >= 0
  /// Called from time to time with the fraction done, 0..1; may be NULL. Return 0 to stop with FF_ERROR_ARGUMENT.
  int (*progress)(double share, void *user);
  void *user; ///< passed to `progress`
} ff_plan_def;

/// Intervals of 10 ms and costs for a robot of some kg. The caller must set base and feet.
ff_plan_def ff_plan_def_default(ff_plan_motion motion);

/// A motion with its torques and gains. The caller destroys it before the model.
typedef struct ff_plan ff_plan;

/// Plan a motion for a robot of one floating tree that stands on the plane z = 0 at q [nq]. This takes seconds. The
/// model must outlive the result.
ff_status ff_plan_create(const ff_model *model, const ff_plan_def *def, const double *q, ff_plan **out,
                         ff_error *error);
void ff_plan_destroy(ff_plan *plan); ///< NULL is fine

/// The input of ff_feedback_create(); its arrays belong to the plan.
const ff_feedback_def *ff_plan_feedback(const ff_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
