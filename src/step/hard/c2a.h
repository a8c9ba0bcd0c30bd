/// c2a.h: what the files of the steppers `ca` and `c2a` share.
///
/// One step of the sim is one or many *pieces*, each a call of SIMULATE in the paper's words: from a moment on, as
/// far as nothing touches on the way. A piece ends with contacts, so the next one begins with velocities that close
/// no gap within h_min. Rows, motors and held elements are those of `moreau` (moreau.h), looked at where a piece
/// ends; impulses are those of the impact map (contact/impact.h). docs/theory/c2a.md
///
/// There is one look and one problem, those of the Euler step that came last. Of the steps before it their states are
/// all that is needed: `one`, `half` and `two`. Only what closes a piece reads the look and the problem again, and it
/// follows the step that ends the piece.
#ifndef FFI_STEP_C2A_H
#define FFI_STEP_C2A_H

#include "contact/advance/advance.h"
#include "step/hard/hard_step.h"

/// The impulses of a contact over a step of the sim.
typedef struct ffi_c2a_push {
  int id;
  double impulse[3]; ///< on a, world axes [N s]
} ffi_c2a_push;

/// What a body's origin does not exceed, in whatever posture.
typedef struct ffi_c2a_rate {
  double speed; ///< [m/s]
  double turn;  ///< angular speed [rad/s]
  double far;   ///< distance from the world's origin [m]
} ffi_c2a_rate;

typedef struct ffi_c2a {
  ffi_hard_step *piece; ///< look, problem and correction of the last Euler step or blow
  ffi_advance *advance;
  ffi_state *now;              ///< where the piece begins
  ffi_state *one, *half, *two; ///< after one Euler step; after half of it; after two halves
  double *displacement;        ///< [nv] of the piece, extrapolated, in coordinates at its beginning
  double *velocity_error;      ///< [nv] in the axes at the beginning
  double *way, *turned, *at;   ///< [nv], [nv], [nq] scratch
  double *change; ///< [nv] explicit scheme: of the velocity by tau and bias forces, in the axes of the end
  ffi_c2a_rate *rate; ///< [bodies] scratch
  int push_count;
  ffi_c2a_push *push; ///< [max_contacts] in increasing order of id
  double *held; ///< [held_count] impulses of held elements, motors and dry friction over the step of the sim
} ffi_c2a;

void *ffi_c2a_layout(const ffi_system *s, ffi_block *block);

/// What is asked of an Euler step of h from a state, dt = h, or of the blow that ends a piece of h, dt = 0.
ffi_hard_step_request ffi_c2a_substep_request(const ffi_system *s, const ffi_state *from, double h,
                                              double dt);

/// q1 = q0 + h v0, v1 = k(v0 + h f): one Euler step and its impact map. `to` becomes the state after it; c->piece has
/// its look and problem.
ff_status ffi_c2a_substep_euler(ffi_system *s, const ffi_hard_step_request *request, ffi_state *to,
                                ff_error *error);

/// c->now extrapolated from c->one and c->two, its velocity through the impact map, to `to`; after
/// ffi_c2a_substep_extrapolate(). The request is that of a blow, from c->two->
ff_status ffi_c2a_substep_finish(ffi_system *s, const ffi_hard_step_request *request, ffi_state *to,
                                 ff_error *error);

/// c->displacement, the way to 2 q'' - q', and c->velocity_error, v' - v''.
void ffi_c2a_substep_extrapolate(const ffi_system *s, double h);

/// How long nothing touches from q on with the velocity v, known up to `error` (NULL: exactly), at most T. All of T
/// where advancement is off.
double ffi_c2a_advance_free_time(ffi_system *s, const ffi_state *x, const double *v, const double *error,
                                 double T);

/// How long a piece is that has to be taken though nothing longer than `free` is known to be free.
double ffi_c2a_advance_forced_length(const ffi_system *s, double left, double free);

/// After the Euler step or blow that ended in x: contacts are moved apart to the skin (with `advancement`),
/// velocities dissipated.
void ffi_c2a_close(ffi_system *s, const ffi_hard_step_request *request, ffi_state *x);

/// Is a velocity beyond the sim's max_speed, or not a number? A step ends there, and is refused: what turns by a good
/// part of a radian within the shortest piece is nowhere that a row of its start could keep it.
int ffi_c2a_close_is_runaway(const ffi_system *s, const ffi_state *x);

/// After the last piece of a step of the sim: c->now to `to`, with the forces of all pieces.
void ffi_c2a_close_step(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to);

/// Forces of a step of the sim are gathered from its pieces: begin, add what pushed in an Euler step of h that ended
/// in `piece`, and write means over dt.
void ffi_c2a_forces_begin(const ffi_system *s);
void ffi_c2a_forces_add(const ffi_system *s, const ffi_state *piece, double h);
/// The same of the blow that ends a piece of h in x; its contacts then have the forces of the last half as well,
/// where the next piece starts from.
void ffi_c2a_forces_add_impact(const ffi_system *s, double h, ffi_state *x);
void ffi_c2a_forces_end(const ffi_system *s, double dt, ffi_state *to);

/// A try of a length that ended so, in the step's info.
void ffi_c2a_forces_record_try(const ffi_system *s, double length, ff_c2a_reason reason);

#endif
