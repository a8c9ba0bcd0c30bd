/// whole_body.h: whole-body control by inverse dynamics.
///
/// An ff_whole_body computes the joint torques that best fulfil several tasks at once. For a state (q, v) it solves
/// one convex quadratic program in the accelerations vdot and the forces f at the contact points:
///
///     minimise   sum of  weight |J vdot + Jdot v - a|^2  over the weighted tasks
///                + force_weight |f|^2 + acceleration_weight |vdot|^2
///     such that  M vdot + h = tau + sum J' f        with tau zero where there is no motor (free joints)
///                J vdot + Jdot v = a                for strict tasks
///                f inside pyramids that are inside the friction cones; normal forces and torques within their limits
///
/// The reference acceleration of a task, a = a_ref + kd (v_ref - v) + kp (x_ref (-) x), makes its error decay like a
/// damped oscillator.
///
///     ff_whole_body_def def = ff_whole_body_def_default();
///     def.contacts = feet, def.contact_count = 4;
///     def.com.weight = 1;
///     ff_whole_body *body;
///     if (ff_whole_body_create(model, &def, &body, &error) != FF_OK) ...
///     ff_whole_body_hold(body, ff_sim_q(sim));                      // all references: the present posture
///     for (...) {
///       ff_whole_body_set_com(body, position, velocity, NULL);
///       if (ff_whole_body_solve(body, ff_sim_q(sim), ff_sim_v(sim), &error) != FF_OK) ...
///       ff_sim_step(sim, ff_whole_body_tau(body), &error);
///     }
///     ff_whole_body_destroy(body);
///
/// Use an object from one thread at a time. It allocates all memory at creation. Contacts can be switched on and off
/// at any time. The result of a solve depends only on the references, the active contacts, q and v, unless
/// `warm_start` is set.
#ifndef FOOTFALL_CONTROL_WHOLE_BODY_H
#define FOOTFALL_CONTROL_WHOLE_BODY_H

#include <footfall/dynamics.h>
#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A whole-body program for one model: tasks, references and working memory. The caller destroys it.
typedef struct ff_whole_body ff_whole_body;

/// Weight and gains of a task.
typedef struct ff_task {
  double weight; ///< >= 0; 0 (default): the task is ignored, unless it is strict
  int is_strict; ///< 1: an equality constraint, `weight` is not used; default 0
  double kp;     ///< [1/s^2], >= 0, default 10
  double kd;     ///< [1/s], >= 0; default -1: 2 sqrt(kp), critical damping
} ff_task;

/// Weight 0 (ignored), kp 10, critical damping.
ff_task ff_task_default(void);

/// A link in contact. With one point the task keeps that point in place (3 rows, world axes), with more it keeps the
/// frame's pose (6 rows). Each point carries a force.
typedef struct ff_contact_task {
  int frame;            ///< of the model, fixed to a moving body
  int point_count;      ///< 1..64
  const double *points; ///< [point_count][3] in the frame [m]; copied
  double normal[3];     ///< of the ground, world axes, default (0, 0, 1); it is normalised at creation
  /// mu, > 0, default 1; tangential forces are limited to mu/sqrt(2) of the normal force along each of two tangents
  double friction;
  double min_force; ///< lower bound of the sum of the normal forces [N], >= 0, default 0
  double max_force; ///< upper bound of the sum of the normal forces [N], default infinity
  ff_task task;     ///< default strict, kp 10
  int is_on;        ///< 1 (default): active at creation
} ff_contact_task;

/// Level ground, mu = 1, strict. The caller must set frame and points.
ff_contact_task ff_contact_task_default(void);

/// Pose task of a frame. Its error is the logarithm of the relative pose from the frame to its reference, in world
/// axes.
typedef struct ff_frame_task {
  int frame;    ///< of the model, fixed to a moving body
  int mask[6];  ///< active rows: linear x y z, angular x y z, world axes; default all 1
  ff_task task; ///< default weight 1, kp 10
} ff_frame_task;

/// All six rows with weight 1. The caller must set the frame.
ff_frame_task ff_frame_task_default(void);

/// Tasks, weights and limits of a program. Start from ff_whole_body_def_default().
typedef struct ff_whole_body_def {
  const ff_contact_task *contacts; ///< [contact_count], copied; default NULL
  int contact_count;               ///< default 0
  const ff_frame_task *frames;     ///< [frame_count], copied; default NULL
  int frame_count;                 ///< default 0
  ff_task com;                     ///< of the centre of mass, default weight 0
  ff_task posture;                 ///< of all joints but free ones, default weight 1e-3, kp 10
  /// Damps the angular momentum about the centre of mass, with kd alone; default weight 0. For robots with one
  /// floating tree
  ff_task momentum;
  /// Weight of |f|^2, > 0, default 1e-7; with forces of some hundred N it is 1e-3 beside a task of weight 1
  double force_weight;
  /// Weight of |vdot|^2, > 0, default 1e-8: makes vdot unique where the tasks do not determine it
  double acceleration_weight;
  const double *torque_limits; ///< [nv] largest |tau|, infinity: no limit; copied. Default NULL: no limits
  /// Time for which tau will be held constant [s], >= 0, default 0. If > 0, the program is solved twice: for the
  /// given state and for the state predicted half that time later, so that tau is right in the middle. References
  /// should be those of the middle too.
  double hold;
  /// 1: start the solver from the last solution: faster, the same result up to rounding; default 0
  int warm_start;
  int max_iterations; ///< of the solver, default 1000
} ff_whole_body_def;

/// A posture task of small weight; no contacts, no frames, no limits.
ff_whole_body_def ff_whole_body_def_default(void);

/// Create a program. The model must outlive it. All references are those of the neutral configuration;
/// ff_whole_body_hold() changes them.
ff_status ff_whole_body_create(const ff_model *model, const ff_whole_body_def *def, ff_whole_body **out,
                               ff_error *error);
void ff_whole_body_destroy(ff_whole_body *body); ///< NULL is fine

// ---- References, for all following solves; indices are those of the def ---------------------------------------------

/// Set all references to the configuration q [nq], at rest.
void ff_whole_body_hold(ff_whole_body *body, const double *q);

/// Set the reference of the centre of mass, world axes. velocity and acceleration may be NULL for zero.
void ff_whole_body_set_com(ff_whole_body *body, const double position[3], const double velocity[3],
                           const double acceleration[3]);

void ff_whole_body_set_posture(ff_whole_body *body, const double *q); ///< q [nq]; free joints are ignored

/// Set the reference of a frame task. velocity, acceleration [6]: linear at the frame's origin, angular, world axes;
/// NULL for zero.
void ff_whole_body_set_frame(ff_whole_body *body, int frame_task, const ff_pose *pose, const double *velocity,
                             const double *acceleration);
/// >= 0; for tasks that are not strict
void ff_whole_body_set_frame_weight(ff_whole_body *body, int frame_task, double weight);

/// Switch a contact on or off from the next solve on. A contact that is switched on takes its pose at q [nq] as its
/// reference; with q NULL it keeps its old reference.
void ff_whole_body_set_contact(ff_whole_body *body, int contact, int is_on, const double *q);
/// 1 if the contact is on.
int ff_whole_body_contact_is_on(const ff_whole_body *body, int contact);

// ---- Solving --------------------------------------------------------------------------------------------------------

/// Outcome of a solve.
typedef enum ff_program_status {
  FF_PROGRAM_SOLVED,     ///< tau is optimal
  FF_PROGRAM_INFEASIBLE, ///< strict tasks and limits are contradictory
  FF_PROGRAM_NOT_CONVEX, ///< a number is not finite, or the weights differ too much
  FF_PROGRAM_STALLED,    ///< max_iterations was reached
} ff_program_status;

/// Compute tau for the state q [nq], v [nv]. Without a solution it returns FF_ERROR_NUMERIC with the reason; tau,
/// vdot and forces remain those of the last solution (zero before the first).
ff_status ff_whole_body_solve(ff_whole_body *body, const double *q, const double *v, ff_error *error);

/// Torques [nv]; exactly zero where there is no motor
const double *ff_whole_body_tau(const ff_whole_body *body);
const double *ff_whole_body_vdot(const ff_whole_body *body); ///< accelerations [nv]
/// Forces on the robot at the contact's points, [point_count][3], world axes [N]; zero while the contact is off.
const double *ff_whole_body_force(const ff_whole_body *body, int contact);

/// Report of the last solve. Residuals are the largest |J vdot + Jdot v - a| of each kind of task, in SI units.
typedef struct ff_whole_body_info {
  ff_program_status status; ///< FF_PROGRAM_SOLVED, or why it failed
  int iterations;           ///< changes of the active set
  int limits;               ///< active limits of friction, normal force and torque
  double unmoved;           ///< largest |M vdot + h - sum J' f| where there is no motor [N, N m]
  double com;               ///< residual [m/s^2]
  double contacts;          ///< residual of active contacts [m/s^2, rad/s^2]
  double frames;            ///< residual of frame tasks [m/s^2, rad/s^2]
  double posture;           ///< residual [rad/s^2], [m/s^2] for prismatic joints
  double momentum;          ///< residual [N m]
} ff_whole_body_info;

/// Report of the last solve. It belongs to `body`; the next solve overwrites it.
const ff_whole_body_info *ff_whole_body_get_info(const ff_whole_body *body);

#ifdef __cplusplus
}
#endif
#endif
