/// c2a.h: what the files of the steppers `ca` and `c2a` share. c2a.md
///
/// One step of the sim is one or many *substeps*, each a call of SIMULATE in the paper: from a moment on, as far as
/// nothing touches on the way. A substep ends with contacts, so the next one begins with velocities that close no gap
/// within h_min. Rows, motors and constraints are those of `moreau` (hard_step.h), evaluated where a substep ends.
/// Impulses are those of the impact map (contact/impact/impact.h).
///
/// There is one evaluation and one problem, those of the last Euler step. Of the steps before it only their states
/// are needed: `one`, `half` and `two`. What closes a substep reads the evaluation and the problem again, and it
/// follows the step that ends the substep.
#ifndef FFI_STEP_HARD_C2A_H
#define FFI_STEP_HARD_C2A_H

#include "contact/advance/advance.h"
#include "step/hard/hard_step.h"

/// The impulses of a contact over a step of the sim.
typedef struct ffi_c2a_push {
  int id;
  double impulse[3]; ///< on a, world axes [N s]
} ffi_c2a_push;

/// Bounds on the motion of a body, in any posture.
typedef struct ffi_c2a_rate {
  double speed; ///< of the body's origin [m/s]
  double turn;  ///< angular speed [rad/s]
  double far;   ///< distance from the world's origin [m]
} ffi_c2a_rate;

typedef struct ffi_c2a {
  ffi_hard_step *substep; ///< evaluation, problem and correction of the last Euler step or impact
  ffi_advance *advance;
  ffi_state *now;              ///< where the substep begins
  ffi_state *one, *half, *two; ///< after one Euler step; after half of it; after two halves
  double *displacement;        ///< [nv] of the substep, extrapolated, in coordinates at its beginning
  double *velocity_error;      ///< [nv] in the axes at the beginning
  double *delta, *turned, *at; ///< [nv], [nv], [nq] scratch
  double *change; ///< [nv] explicit scheme: of the velocity by tau and bias forces, in the axes of the end
  ffi_c2a_rate *rate; ///< [bodies] scratch
  double work;        ///< of solvers, detection and advancement, in this step of the sim
  int euler_steps;    ///< evaluations with an impact map, in this step of the sim
  int failed_lifts;   ///< corrections of positions that were not found, in this step of the sim
  int lift_pause;     ///< substeps until the next one is tried
  int push_count;
  ffi_c2a_push *push; ///< [max_contacts] in increasing order of id
  double *
      element_impulse; ///< [element_force_count] impulses of elements and dry friction over the step of the sim
} ffi_c2a;

void *ffi_c2a_layout(const ffi_system *s, ffi_block *block);

/// The request of an Euler step of h from a state, dt = h, or of the impact that ends a substep of h, dt = 0.
ffi_hard_step_request ffi_c2a_substep_request(const ffi_system *s, const ffi_state *from, double h,
                                              double dt);

/// q1 = q0 + h v0, v1 = k(v0 + h f): one Euler step and its impact map (c2a paper eqs 1, 2). `to` becomes the state
/// after it; c->substep has its evaluation and problem.
ff_status ffi_c2a_substep_euler(ffi_system *s, const ffi_hard_step_request *request, ffi_state *to,
                                ff_error *error);

/// c->now extrapolated from c->one and c->two, its velocity through the impact map, to `to`; after
/// ffi_c2a_substep_extrapolate(). The request is that of an impact, from c->two.
ff_status ffi_c2a_substep_finish(ffi_system *s, const ffi_hard_step_request *request, ffi_state *to,
                                 ff_error *error);

/// c->displacement, to 2 q'' - q', and c->velocity_error, v'' - v', in the axes of the beginning.
void ffi_c2a_substep_extrapolate(const ffi_system *s, double h);

/// How long nothing touches from q on with the velocity v, known up to `error` (NULL: exactly), at most T. All of T
/// where advancement is off.
double ffi_c2a_advance_free_time(ffi_system *s, const ffi_state *x, const double *v, const double *error,
                                 double T);

/// Length of a substep that has to be taken though only `free` is known to be free.
double ffi_c2a_advance_forced_length(const ffi_system *s, double left, double free);

/// After the Euler step or impact that ended in x: move contacts apart to the skin (with `advancement`), and apply
/// the dissipation of velocities.
void ffi_c2a_close(ffi_system *s, const ffi_hard_step_request *request, ffi_state *x);

/// Is a velocity beyond the sim's max_speed, or not a number? A step ends there, and is refused: a body that turns by
/// a good part of a radian within the shortest substep goes where no row of its start could keep it.
int ffi_c2a_close_is_runaway(const ffi_system *s, const ffi_state *x);

/// After the last substep of a step of the sim: c->now to `to`, with the forces of all substeps.
void ffi_c2a_close_step(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to);

/// Begin a step of the sim from a state: c->now, sums of forces, counts.
void ffi_c2a_tries_begin(ffi_system *s, const ffi_state *from);

/// If c->now was placed by hand: move contacts that are nearer than half the skin apart to it, in positions alone.
ff_status ffi_c2a_start(ffi_system *s, ff_error *error);

/// Before each Euler step: count it, and the work of the step so far, to its info. FF_ERROR_NUMERIC if that is more
/// than c2a.max_work allows.
ff_status ffi_c2a_tries_count(ffi_system *s, ff_error *error);

/// Forces of a step of the sim are summed over its substeps: begin, add h times the mean forces in `substep` (h is a
/// weight, and may be negative), and write means over dt.
void ffi_c2a_forces_begin(const ffi_system *s);
void ffi_c2a_forces_add(const ffi_system *s, const ffi_state *substep, double h);
/// The same for the impact that ends a substep of h in x. Its contacts then also have the forces of the last half,
/// where the next substep starts from.
void ffi_c2a_forces_add_impact(const ffi_system *s, double h, ffi_state *x);
void ffi_c2a_forces_end(const ffi_system *s, double dt, ffi_state *to);

/// Record a try of this length and its outcome in the step's info and history.
void ffi_c2a_tries_record(const ffi_system *s, double length, ff_c2a_reason reason);

#endif
