/// controller.h: a controller as a function of time and state.
///
/// An ff_controller says which joint torques a robot needs at time t in the state (q, v). What it says depends on these and on nothing
/// else: it may be asked for any times in any order, and twice the same question has the same answer, bit for bit. Whoever runs it
/// holds the torques for a `period`.
///
///     ff_controller_def def = ff_controller_def_default();
///     def.type = FF_CONTROLLER_SQUAT;
///     def.squat.feet = feet, def.squat.feet_count = 4;
///     ff_controller *controller;
///     if (ff_controller_create(model, &def, q0, &controller, &error) != FF_OK) ...
///     for (int k = 0; k < 100; ++k) {
///       if (ff_controller_tau(controller, k * def.period, ff_sim_q(sim), ff_sim_v(sim), tau, &error) != FF_OK) ...
///       for (...) ff_sim_step(sim, tau, &error);    // for one period
///     }
///     ff_controller_destroy(controller);
///
/// One object is for one thread. It owns its memory from creation on; nothing else allocates.
#ifndef FOOTFALL_CONTROL_CONTROLLER_H
#define FOOTFALL_CONTROL_CONTROLLER_H

#include <footfall/control/whole_body.h>
#include <footfall/control/feedback.h>
#include <footfall/control/reference.h>
#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which controller; the names are those of `controller.type` in scenes.
typedef enum ff_controller_type {
  FF_CONTROLLER_NONE,       ///< "none": no torques (default)
  FF_CONTROLLER_POSTURE_PD, ///< "posture-pd": motors of the sim hold the start's posture; no torques beside them
  FF_CONTROLLER_SQUAT,      ///< "squat": whole-body control, the centre of mass swings
  FF_CONTROLLER_WALK,       ///< "walk": whole-body control along a pendulum's plan
  FF_CONTROLLER_FEEDBACK, ///< "feedback": along a stored trajectory with its gains
  FF_CONTROLLER_POSTURE,  ///< "posture": torques kp (q0 - q) - kd v of all motors, held over a period
  FF_CONTROLLER_TROT,     ///< "trot": whole-body control, diagonal pairs of feet step in turn
} ff_controller_type;

enum { FF_CONTROLLER_COUNT = FF_CONTROLLER_TROT + 1 };   ///< how many types there are
const char *ff_controller_name(ff_controller_type type); ///< as scenes write it; never NULL

/// Tasks and weights of whole-body control, see whole_body.h.
typedef struct ff_tasks_def {
  ff_task com;                ///< default weight 1, kp 10
  ff_task posture;            ///< default weight 1e-3, kp 10
  ff_task contact;            ///< of feet on the ground, default strict, kp 10
  ff_task foot;               ///< poses of feet, of a walk alone, default weight 1, kp 10
  ff_task base;               ///< orientation of the base, of a walk alone, default weight 1e-2, kp 10
  double force_weight;        ///< > 0, default 1e-7
  double acceleration_weight; ///< > 0, default 1e-8
  double friction;            ///< mu that forces keep to, > 0, default 1
  double min_force;           ///< least normal force of a foot on the ground [N], default 0
  double max_force;           ///< and most [N], default infinity
  int torque_limits;          ///< 1: torques keep within the joints' effort limits; default 0
} ff_tasks_def;

/// Squat: the centre of mass swings about where it was at the start, see ff_squat.
typedef struct ff_squat_def {
  const char **feet;   ///< [feet_count] frames whose origins stand on the ground
  int feet_count;      ///< at least 1
  double offset[3];    ///< of the centre [m], default 0
  double amplitude[3]; ///< [m], default 0
  double rate[3];      ///< [rad/s], default 0
  double rise;         ///< [s], default 0
} ff_squat_def;

/// Walk: feet are two frames with flat soles, see ff_walk_def for the rest.
typedef struct ff_walk_task_def {
  const char *right_foot; ///< frame of the right foot
  const char *left_foot;  ///< frame of the left foot
  const char *base;       ///< frame of the trunk, which is kept upright
  double sole[4];         ///< about the feet's frames: from x, to x, from y, to y [m]
  double sole_height;     ///< of the feet's frames above the sole [m]
  double ground;          ///< height of the level ground [m], default 0
  int steps;              ///< 1..1000, the closing one included, default 4
  ff_side first_swing;    ///< which foot steps first, default left
  double step_time;       ///< a foot is in the air [s], default 1
  double both_time;       ///< both stand between steps [s], default 0.2
  double start_time;      ///< both stand before the first step [s], default 1
  double end_time;        ///< both stand after the last [s], default 1.5
  double step_length;     ///< each foot ahead of the other along x [m], default 0.05
  double step_height;     ///< [m], default 0.05
  double margin;          ///< the centre of pressure keeps this far inside the soles [m], default 0.02
  double interval;        ///< it is held so long [s], default 0.1
  double pressure_weight; ///< cost of its way from the soles' centres, > 0, default 100
  double speed_weight;    ///< cost of the centre of mass's speed, >= 0, default 0.1
} ff_walk_task_def;

/// Trot: see ff_trot_def for what it does. A foot's lift is taken to have been where a steady trot would have it, so that nothing is remembered.
typedef struct ff_trot_task_def {
  const char *base; ///< frame of the trunk
  /// [4] frames whose origins touch the ground: fore left, fore right, hind left, hind right
  const char **feet;
  int feet_count;     ///< 4
  double frequency;   ///< of the gait: each foot steps once in a period [Hz], > 0, default 2
  double duty;        ///< part of the period that a foot stands, 0.5..0.95, default 0.6
  double speed;       ///< along x [m/s], default 0.2
  double step_height; ///< [m], >= 0, default 0.05
  double height;      ///< of the trunk above the ground [m]; default NAN: 5 mm below that at the start
  double start_time;  ///< it stands before [s], >= 0, default 0.3
  double ramp_time;   ///< from rest to its speed [s], > 0, default 0.5
  double placement;   ///< feet come down so much farther for each m/s that is too fast [s], default 0.05
} ff_trot_task_def;

/// Start from ff_controller_def_default(). Strings and lists are read at creation only.
typedef struct ff_controller_def {
  ff_controller_type type; ///< default FF_CONTROLLER_NONE
  double period;           ///< torques are held so long [s], > 0
  int middle; ///< 1: torques are right in the middle of the period, not at its beginning; squat, walk and trot, default 0
  ff_tasks_def tasks;    ///< squat, walk, trot: what counts how much
  double kp;             ///< posture-pd, posture: of all motors [N m/rad, N/m where joints slide], >= 0
  double kd;             ///< the same on velocities [N m s/rad, N s/m], >= 0
  ff_squat_def squat;    ///< read by FF_CONTROLLER_SQUAT alone
  ff_walk_task_def walk; ///< read by FF_CONTROLLER_WALK alone
  ff_trot_task_def trot; ///< read by FF_CONTROLLER_TROT alone
  const ff_feedback_def *feedback; ///< the trajectory; copied. Default NULL
} ff_controller_def;

/// No controller, with the defaults of all of them should a type be chosen; names of feet and base are still to be given.
ff_controller_def ff_controller_def_default(void);

/// A controller of one model. The caller destroys it, before the model.
typedef struct ff_controller ff_controller;

/// q0 [nq]: the state it starts from, at rest. The model must outlive the result. An error's `thing` is the field, such as "walk.base".
ff_status ff_controller_create(const ff_model *model, const ff_controller_def *def, const double *q0,
                               ff_controller **out, ff_error *error);
void ff_controller_destroy(ff_controller *controller); ///< NULL is fine

/// tau [nv] for the period that begins at `time` in the state q [nq], v [nv]. FF_ERROR_NUMERIC where a whole-body program has no solution.
ff_status ff_controller_tau(ff_controller *controller, double time, const double *q, const double *v,
                            double *tau, ff_error *error);

/// Where the centre of mass should be at a time [m]; 0 if this controller does not say.
int ff_controller_com(const ff_controller *controller, double time, double com[3]);

#ifdef __cplusplus
}
#endif
#endif
