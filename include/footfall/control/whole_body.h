/// whole_body.h: whole-body control by inverse dynamics.
///
/// An ff_whole_body finds the joint torques with which a robot does best what several tasks ask for at once. For a state
/// (q, v) it solves one convex quadratic program in the accelerations vdot and the forces f at the points that stand on something:
///
///     minimise   sum of  weight |J vdot + Jdot v - a|^2  over the weighted tasks
///                + force_weight |f|^2 + acceleration_weight |vdot|^2
///     such that  M vdot + h = tau + sum J' f        with tau zero where there is no motor: a free joint
///                J vdot + Jdot v = a                for strict tasks
///                f inside pyramids that are inside the friction cones; normal forces and torques within their limits
///
/// A task's a = a_ref + kd (v_ref - v) + kp (x_ref (-) x) lets its error die out as a damped oscillator would.
///
///     ff_whole_body_def def = ff_whole_body_def_default();
///     def.contacts = feet, def.contact_count = 4;
///     def.com.weight = 1;
///     ff_whole_body *body;
///     if (ff_whole_body_create(model, &def, &body, &error) != FF_OK) ...
///     ff_whole_body_hold(body, ff_sim_q(sim));                      // all references: as it stands
///     for (...) {
///       ff_whole_body_set_com(body, position, velocity, NULL);
///       if (ff_whole_body_solve(body, ff_sim_q(sim), ff_sim_v(sim), &error) != FF_OK) ...
///       ff_sim_step(sim, ff_whole_body_tau(body), &error);
///     }
///     ff_whole_body_destroy(body);
///
/// One object is for one thread. It owns its memory from creation on; nothing else allocates. Contacts go on and off at any time.
/// What a call of solve gives depends on the references, the contacts that are on, q and v, and nothing else, unless `warm_start` is set.
#ifndef FOOTFALL_CONTROL_WHOLE_BODY_H
#define FOOTFALL_CONTROL_WHOLE_BODY_H

#include <footfall/dynamics.h>
#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A whole-body program for one model: tasks, references and working memory. The caller owns it.
typedef struct ff_whole_body ff_whole_body;

/// How much a task counts and how its error dies out.
typedef struct ff_task {
  double weight; ///< >= 0; 0 (default): the task is left out, unless it is strict
  int is_strict; ///< 1: met exactly; `weight` then has no meaning. Default 0
  double kp;     ///< [1/s^2], >= 0, default 10
  double kd;     ///< [1/s], >= 0; default -1: 2 sqrt(kp), the error dies out without a swing
} ff_task;

/// Left out (weight 0), with kp 10 and critical damping should it be given a weight.
ff_task ff_task_default(void);

/// A part of the robot that stands on something. With one point it keeps the point where it is (3 rows, world axes), with more it keeps
/// the frame's pose (6 rows). Each point carries a force.
typedef struct ff_contact_task {
  int frame;            ///< of the model, fixed to a moving body
  int point_count;      ///< 1..64
  const double *points; ///< [point_count][3] in the frame [m]; copied
  double normal[3];     ///< of the ground, world axes, default (0, 0, 1); creation makes it a unit vector
  /// mu, > 0, default 1; tangential forces stay within mu/sqrt(2) along each of two tangents
  double friction;
  double min_force; ///< of the sum of the normal forces [N], >= 0, default 0
  double max_force; ///< default infinity
  ff_task task;     ///< default strict, kp 10
  int is_on;        ///< at creation, default 1
} ff_contact_task;

/// On level ground, mu = 1, strict; frame and points are still to be given.
ff_contact_task ff_contact_task_default(void);

/// A frame that should be somewhere. Its error is the logarithm of the pose that leads from where it is to where it should be, turned into
/// world axes.
typedef struct ff_frame_task {
  int frame;    ///< of the model, fixed to a moving body
  int mask[6];  ///< which rows count: linear x y z, angular x y z, world axes; default all 1
  ff_task task; ///< default weight 1, kp 10
} ff_frame_task;

/// All six rows with weight 1; the frame is still to be given.
ff_frame_task ff_frame_task_default(void);

/// Tasks, weights and limits of a program. Start from ff_whole_body_def_default().
typedef struct ff_whole_body_def {
  const ff_contact_task *contacts; ///< [contact_count], copied; default NULL
  int contact_count;               ///< default 0
  const ff_frame_task *frames;     ///< [frame_count], copied; default NULL
  int frame_count;                 ///< default 0
  ff_task com;                     ///< centre of mass, default absent
  ff_task posture;                 ///< all velocities but those of free joints, default weight 1e-3, kp 10
  ff_task momentum; ///< angular momentum about the centre of mass, kept small with kd alone; default absent.
                    ///< For robots with one tree that floats
  /// > 0, default 1e-7; a force is some hundred N, so even this is 1e-3 beside a task of weight 1
  double force_weight;
  /// > 0, default 1e-8: so that there is one best vdot whatever the tasks leave open
  double acceleration_weight;
  const double *torque_limits; ///< [nv] largest |tau|, infinity: none; copied. Default NULL: none at all
  /// tau will be held for so long [s]. > 0: solved twice, for the state given and for the one that it leads to in half that
  /// time, so that tau is right in the middle; references should be those of the middle too. Default 0
  double hold;
  int warm_start; ///< 1: begin the search where the last one ended: quicker, the same but for rounding. Default 0
  int max_iterations; ///< of the search, default 1000
} ff_whole_body_def;

/// A posture of little weight and nothing else: no contacts, no frames, no limits.
ff_whole_body_def ff_whole_body_def_default(void);

/// The model must outlive the result. All references are as in the neutral configuration; see hold.
ff_status ff_whole_body_create(const ff_model *model, const ff_whole_body_def *def, ff_whole_body **out,
                               ff_error *error);
void ff_whole_body_destroy(ff_whole_body *body); ///< NULL is fine

// ---- References: what is asked for from now on; indices are those of the def ----------------------------------------

/// All references become what they are at q [nq], at rest.
void ff_whole_body_hold(ff_whole_body *body, const double *q);

/// World axes; velocity and acceleration may be NULL for zero.
void ff_whole_body_set_com(ff_whole_body *body, const double position[3], const double velocity[3],
                           const double acceleration[3]);

void ff_whole_body_set_posture(ff_whole_body *body, const double *q); ///< [nq]; free joints are ignored

/// velocity, acceleration [6]: of the frame's origin, and angular, world axes; may be NULL for zero.
void ff_whole_body_set_frame(ff_whole_body *body, int frame_task, const ff_pose *pose, const double *velocity,
                             const double *acceleration);
void ff_whole_body_set_frame_weight(ff_whole_body *body, int frame_task, double weight); ///< >= 0, not strict

/// On or off from the next solve on. What goes on stands where it is at q [nq]; with q NULL its reference stays as it was.
void ff_whole_body_set_contact(ff_whole_body *body, int contact, int is_on, const double *q);
/// 1 if the contact, one of the def's, carries force in the next solve.
int ff_whole_body_contact_is_on(const ff_whole_body *body, int contact);

// ---- Solving --------------------------------------------------------------------------------------------------------

/// How the search for tau ended.
typedef enum ff_program_status {
  FF_PROGRAM_SOLVED,     ///< tau is the best there is
  FF_PROGRAM_INFEASIBLE, ///< strict tasks and limits contradict each other
  FF_PROGRAM_NOT_CONVEX, ///< something is not a number, or weights are too far apart
  FF_PROGRAM_STALLED,    ///< more than max_iterations
} ff_program_status;

/// Find tau for the state q [nq], v [nv]. Where there is no solution: FF_ERROR_NUMERIC with the reason, and tau, vdot and forces stay those
/// of the last solution (zero before the first).
ff_status ff_whole_body_solve(ff_whole_body *body, const double *q, const double *v, ff_error *error);

const double *ff_whole_body_tau(const ff_whole_body *body);  ///< [nv]; exactly zero where there is no motor
const double *ff_whole_body_vdot(const ff_whole_body *body); ///< [nv]
/// [points of the contact][3], world axes, on the robot [N]; zero while it is off.
const double *ff_whole_body_force(const ff_whole_body *body, int contact);

/// What the last call of solve did. Residuals are |J vdot + Jdot v - a| in SI units, the largest of its kind.
typedef struct ff_whole_body_info {
  ff_program_status status; ///< FF_PROGRAM_SOLVED, or why there is no new tau
  int iterations;           ///< limits taken in and let go
  int limits;               ///< friction, normal force and torque limits that are reached
  double unmoved;           ///< largest |M vdot + h - sum J' f| where there is no motor [N, N m]
  double com;               ///< [m/s^2]
  double contacts;          ///< of those that are on [m/s^2, rad/s^2]
  double frames;            ///< of all frame tasks [m/s^2, rad/s^2]
  double posture;           ///< [rad/s^2], [m/s^2] where joints slide
  double momentum;          ///< [N m]
} ff_whole_body_info;

/// Belongs to `body`; the next solve overwrites it.
const ff_whole_body_info *ff_whole_body_get_info(const ff_whole_body *body);

#ifdef __cplusplus
}
#endif
#endif
