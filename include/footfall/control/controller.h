/// controller.h: a controller as a function of time and state.
///
/// An ff_controller computes the joint torques of a robot at time t in the state (q, v). The result depends on these
/// arguments only: times may come in any order, and the same arguments give the same bits. The caller holds the
/// torques constant for a `period`.
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
/// Use an object from one thread at a time. It allocates all memory at creation.
#ifndef FOOTFALL_CONTROL_CONTROLLER_H
#define FOOTFALL_CONTROL_CONTROLLER_H

#include <footfall/control/feedback.h>
#include <footfall/control/reference.h>
#include <footfall/control/whole_body.h>
#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Type of a controller; the names are those of `controller.type` in scenes.
typedef enum ff_controller_type {
  FF_CONTROLLER_NONE, ///< "none": no torques (default)
  /// "posture-pd": motors (PD elements) of the sim hold the posture of the start; no torques, unless `gravity` is set
  FF_CONTROLLER_POSTURE_PD,
  FF_CONTROLLER_SQUAT,    ///< "squat": whole-body control, the centre of mass follows a sine
  FF_CONTROLLER_WALK,     ///< "walk": whole-body control along a linear inverted pendulum plan
  FF_CONTROLLER_FEEDBACK, ///< "feedback": linear feedback along a stored trajectory
  FF_CONTROLLER_POSTURE,  ///< "posture": torques kp (q0 - q) - kd v of all motors, constant over a period
  FF_CONTROLLER_TROT,     ///< "trot": whole-body control, diagonal pairs of feet step in turn
} ff_controller_type;

enum { FF_CONTROLLER_COUNT = FF_CONTROLLER_TROT + 1 };   ///< number of types
const char *ff_controller_name(ff_controller_type type); ///< as in scenes; never NULL

/// Tasks and weights of whole-body control, see whole_body.h.
typedef struct ff_tasks_def {
  ff_task com;                ///< default weight 1, kp 10
  ff_task posture;            ///< default weight 1e-3, kp 10
  ff_task contact;            ///< feet on the ground, default strict, kp 10
  ff_task foot;               ///< walk: poses of feet, default weight 1, kp 10
  ff_task base;               ///< walk: orientation of the base, default weight 1e-2, kp 10
  double force_weight;        ///< > 0, default 1e-7
  double acceleration_weight; ///< > 0, default 1e-8
  double friction;            ///< mu, friction coefficient of contact forces, > 0, default 1
  double min_force;           ///< lower bound of the normal force of a foot [N], default 0
  double max_force;           ///< upper bound of the normal force of a foot [N], default infinity
  int torque_limits;          ///< 1: limit torques to the joints' efforts; default 0
} ff_tasks_def;

/// Squat: a sinusoidal motion of the centre of mass about its start, see ff_squat.
typedef struct ff_squat_def {
  const char **feet;   ///< [feet_count] frames whose origins touch the ground
  int feet_count;      ///< at least 1
  double offset[3];    ///< of the centre from the start [m], default 0
  double amplitude[3]; ///< [m], default 0
  double rate[3];      ///< [rad/s], default 0
  double rise;         ///< see ff_squat [s], default 0
} ff_squat_def;

/// Walk with two flat soles; ff_walk_def explains the parameters.
typedef struct ff_walk_task_def {
  const char *right_foot; ///< frame of the right foot
  const char *left_foot;  ///< frame of the left foot
  const char *base;       ///< frame of the trunk, which stays upright
  double sole[4];         ///< in the feet's frames: least x, largest x, least y, largest y [m]
  double sole_height;     ///< height of the feet's frames above the sole [m]
  double ground;          ///< height of the level ground [m], default 0
  int steps;              ///< number of steps, the closing one included, 1..1000, default 4
  ff_side first_swing;    ///< foot that steps first, default left
  double step_time;       ///< time that a foot is in the air [s], default 1
  double both_time;       ///< time with both feet on the ground between steps [s], default 0.2
  double start_time;      ///< time of standing before the first step [s], default 1
  double end_time;        ///< time of standing after the last step [s], default 1.5
  double step_length;     ///< distance of a foot ahead of the other along x [m], default 0.05
  double step_height;     ///< height of the swing [m], default 0.05
  double margin;   ///< distance of the centre of pressure from the edges of the soles [m], default 0.02
  double interval; ///< time for which the centre of pressure is constant [s], default 0.1
  double pressure_weight; ///< cost of its distance from the soles' centres, > 0, default 100
  double speed_weight;    ///< cost of the centre of mass's speed, >= 0, default 0.1
} ff_walk_task_def;

/// Trot, see ff_trot_def. It takes the lift-off position of a foot from a steady trot, so that the controller needs
/// no memory.
typedef struct ff_trot_task_def {
  const char *base; ///< frame of the trunk
  /// [4] frames whose origins touch the ground: fore left, fore right, hind left, hind right
  const char **feet;
  int feet_count;     ///< 4
  double frequency;   ///< steps of each foot per second [Hz], > 0, default 2
  double duty;        ///< duty factor: fraction of the gait period that a foot stands, 0.5..0.95, default 0.6
  double speed;       ///< along x [m/s], default 0.2
  double step_height; ///< height of the swing [m], >= 0, default 0.05
  double height;      ///< of the trunk above the ground [m]; default NAN: 5 mm below its height at the start
  double start_time;  ///< time of standing before the motion [s], >= 0, default 0.3
  double ramp_time;   ///< time from rest to full speed [s], > 0, default 0.5
  double placement;   ///< foot displacement per excess speed [s], default 0.05
} ff_trot_task_def;

/// Options of a controller. Start from ff_controller_def_default(). Strings and lists are read at creation only.
typedef struct ff_controller_def {
  ff_controller_type type; ///< default FF_CONTROLLER_NONE
  double period;           ///< time for which torques are constant [s], > 0
  /// Squat, walk, trot: 1: torques are those of the middle of the period, 0 (default): of its beginning
  int middle;
  ff_tasks_def tasks; ///< squat, walk, trot: tasks and weights
  double kp;          ///< posture-pd, posture: position gain of all motors [N m/rad or N/m], >= 0
  double kd;          ///< posture-pd, posture: velocity gain of all motors [N m s/rad or N s/m], >= 0
  /// posture-pd: 1: torques carry the robot's weight, in addition to the motors, so that these need not give way to
  /// pull. A robot that floats also needs `feet`, loose things beside it do not; default 0
  int gravity;
  /// posture-pd with gravity: [feet_count] links that stand. Their forces carry the weight, pull the centre of mass
  /// back to where it is above them at the start, and the base back upright
  const char *const *feet;
  int feet_count;                  ///< 0..64, default 0
  ff_squat_def squat;              ///< read by FF_CONTROLLER_SQUAT only
  ff_walk_task_def walk;           ///< read by FF_CONTROLLER_WALK only
  ff_trot_task_def trot;           ///< read by FF_CONTROLLER_TROT only
  const ff_feedback_def *feedback; ///< feedback: the trajectory; copied. Default NULL
} ff_controller_def;

/// No controller, and the defaults of all types. After choosing a type the caller must set the names of feet and
/// base.
ff_controller_def ff_controller_def_default(void);

/// A controller of one model. The caller destroys it before the model.
typedef struct ff_controller ff_controller;

/// Create a controller for a start at q0 [nq], at rest. The model must outlive the result. An error's `thing` is the
/// field, such as "walk.base".
ff_status ff_controller_create(const ff_model *model, const ff_controller_def *def, const double *q0,
                               ff_controller **out, ff_error *error);
void ff_controller_destroy(ff_controller *controller); ///< NULL is fine

/// Compute tau [nv] for the period that begins at `time` in the state q [nq], v [nv]. FF_ERROR_NUMERIC if a
/// whole-body program has no solution.
ff_status ff_controller_tau(ff_controller *controller, double time, const double *q, const double *v,
                            double *tau, ff_error *error);

/// The trajectory that a controller of type FF_CONTROLLER_FEEDBACK follows, its own copy, as to create another one; 0:
/// it follows none.
int ff_controller_get_feedback(const ff_controller *controller, ff_feedback_def *out);

/// Get the reference of the centre of mass at a time [m]. Returns 0 if the controller has none.
int ff_controller_com(const ff_controller *controller, double time, double com[3]);

#ifdef __cplusplus
}
#endif
#endif
