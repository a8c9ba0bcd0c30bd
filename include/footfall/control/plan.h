/// plan.h: motions of four-legged robots with feedback gains, computed from a model.
///
/// A plan is what ff_feedback follows: states, torques, gains. It is made in three steps.
///
/// 1. **A motion.** A whole-body program (whole_body.h) moves the robot in a simulation with a fine step; each of its torques is held for an
///    `interval`. What was done, state by state and torque by torque, is the motion: it needs no feedback to be done again.
/// 2. **How it answers.** For each interval, derivatives of the state at its end by the state at its begin and by the torques, by central
///    differences through such a simulation. Feet that stand, stand where the changed state has them: that is how a foot which
///    came down elsewhere answers.
/// 3. **Gains.** Those that cost least, by Riccati's equation backwards in time from the motion's end: from standing after a jump, from
///    itself for a trot, which repeats.
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

/// What is planned; the names are those of `footfall plan`.
typedef enum ff_plan_motion {
  FF_PLAN_TROT, ///< "trot": from standing to 0.2 m/s, then one period that repeats
  FF_PLAN_JUMP, ///< "jump": straight up, feet in the air for some 0.63 s, and standing again
} ff_plan_motion;

enum { FF_PLAN_MOTION_COUNT = FF_PLAN_JUMP + 1 };                  ///< how many there are
const char *ff_plan_motion_name(ff_plan_motion motion);            ///< never NULL
int ff_plan_motion_find(const char *name, ff_plan_motion *motion); ///< 1 if there is one of that name

/// What deviations from the motion cost, per square: each for every interval.
typedef struct ff_plan_cost {
  double position;   ///< of the base, its own axes [1/m^2]
  double attitude;   ///< [1/rad^2]
  double joint;      ///< [1/rad^2]
  double velocity;   ///< of the base [s^2/m^2]
  double turning;    ///< of the base [s^2/rad^2]
  double joint_rate; ///< [s^2/rad^2]
  double torque;     ///< > 0 [1/(N m)^2]
} ff_plan_cost;

/// What to plan, for which parts of the robot. Start from ff_plan_def_default() and name base and feet.
typedef struct ff_plan_def {
  ff_plan_motion motion; ///< as given to ff_plan_def_default()
  int base;              ///< frame of the trunk
  int feet[4];       ///< frames whose origins touch the ground: fore left, fore right, hind left, hind right
  double interval;   ///< torques are held so long [s], default 0.01
  int steps;         ///< of the simulation in an interval, default 40
  int answer_steps;  ///< and of those that find out how it answers, default 10
  ff_plan_cost cost; ///< all >= 0
  /// Called now and then with the share that is done, 0..1; may be NULL. Return 0 to give up: FF_ERROR_ARGUMENT.
  int (*progress)(double share, void *user);
  void *user; ///< handed to `progress`
} ff_plan_def;

/// Intervals of 10 ms and costs that suit a robot of some kg; base and feet are still to be given.
ff_plan_def ff_plan_def_default(ff_plan_motion motion);

/// A motion with its torques and gains. The caller destroys it, before the model.
typedef struct ff_plan ff_plan;

/// For a robot of one tree that floats and stands on the plane z = 0 at q [nq]. Takes seconds. The model must outlive the result.
ff_status ff_plan_create(const ff_model *model, const ff_plan_def *def, const double *q, ff_plan **out,
                         ff_error *error);
void ff_plan_destroy(ff_plan *plan); ///< NULL is fine

/// What ff_feedback_create() takes; its arrays belong to the plan.
const ff_feedback_def *ff_plan_feedback(const ff_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
