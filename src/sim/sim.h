/// sim.h: the inside of a simulation: a world, one robot and one thread's workspace.
///
/// The state is in one place for the whole life of the sim. A step reads it and writes `next` of the workspace; if
/// that is sound it is copied over. Nothing else lasts from one step to the next: the rest is scratch, reports and
/// counts.
///
/// Queries about the present state (contacts, energy, forces of elements) share one evaluation of it, `present`, made
/// when it is first needed. It carries the stamp of the state, and the next step begins with it.
#ifndef FFI_SIM_SIM_H
#define FFI_SIM_SIM_H

#include "sim/sim_judgement.h"
#include "sim/sim_workspace.h"

struct ff_sim {
  ff_world *world;
  ff_parameters *parameters;
  ffi_sim_workspace *workspace;
  ffi_system *system; ///< the workspace's, bound to these parameters
  ffi_state *state;

  double *tau;     ///< [nv] of the last step: tau of the caller, pushes and controls
  double *push;    ///< [nv] of forces on links, for the next step
  double *control; ///< [nv] of controls that are torques, for the next step
  int has_push, has_control;

  ffi_evaluation present;
  uint64_t stamps;         ///< given to states so far
  uint64_t contacts_stamp; ///< of the state that `contacts` belong to
  ff_contact *contacts;    ///< [max_contacts] for the user
  int contact_count;

  ff_step_info info;
  ffi_system_history history;
  ff_sim_totals totals;
  ffi_sim_judgement judgement;
  struct {
    int id;             ///< -1: none since the last reset
    double force, time; ///< mean over the step that ended then [N], [s]
  } last_push;          ///< the largest force of the last step that had contacts, for messages

  ffi_early_stop interrupt;

  void *memory; ///< the block of state, present, torques and contacts
};

/// No number of a state is larger than this: squares of them, and products of squares, are finite.
#define FFI_SIM_LARGEST 1e60

/// Find the pairs of shapes that tunnelled from the state to `next` of the workspace: to info and totals.
void ffi_sim_tunnelling(ff_sim *sim);

/// A user's def, complete, whatever version the user was compiled for; NULL is the default.
ff_status ffi_sim_def_take(const ff_sim_def *def, ff_sim_def *out, ff_error *error);

/// Check a def. Elements and ground are checked where they are made.
ff_status ffi_sim_def_check(const ff_model *model, const ff_sim_def *def, ff_error *error);

/// Are velocities finite, and none beyond max_speed?
int ffi_sim_def_allows_velocity(const ff_sim_def *def, const double *velocity, int size);

/// The stepper of this number.
const ffi_stepper *ffi_step_find_stepper(ff_stepper stepper);

/// Bind the sim's robot to its workspace, as it is now.
void ffi_sim_bind(ff_sim *sim);

/// Clear the inputs of one step: pushes, and controls that are torques.
void ffi_sim_state_clear_inputs(ff_sim *sim);

/// Bytes of a sim beside its state: the evaluation, contacts, torques.
size_t ffi_sim_evaluation_bytes(const ff_world *world);

/// sum [nv] += the generalised force of a wrench, force [N] and torque [N m], at a point that moves, in the present
/// state; in world axes, or in those of the point's frame.
void ffi_sim_push_add(ff_sim *sim, const ff_point *at, int in_frame, const double wrench[6], double *sum);

/// The first PD element on a joint that is not a spring of the model; -1: none.
int ffi_sim_controls_motor(const ff_world *world, int joint);

/// Fill world->controls, once its elements are there.
ff_status ffi_sim_controls_list(ff_world *world, ff_error *error);

/// Become one more owner of a world; ff_world_destroy() ends it.
ff_world *ffi_sim_world_retain(ff_world *world);

/// Hash of model, ground and elements; states with the same hash fit.
double ffi_sim_state_vector_fingerprint(const ff_world *world);

/// In the state x, apply the pending references of motors with a delay that are due; how many.
int ffi_sim_elements_take_due(const ff_world *world, ffi_state *x);

/// Add a step's report to the totals.
void ffi_sim_info_add(const ff_step_info *info, ff_sim_totals *totals);

/// Time 0, neutral, at rest, references and ground as defined, no contacts, counts at zero.
void ffi_sim_state_start(ff_sim *sim);

/// Put joints that follow others by rigid couplings where their leaders want them. v may be NULL.
void ffi_sim_state_place_followers(const ffi_system *s, double *q, double *v);

/// The present state has changed: evaluations made so far are of another state.
void ffi_sim_state_changed(ff_sim *sim);

/// Energy in the springs of a state: motors and limits of joints, and with its evaluation (else NULL) contacts and
/// constraints. Rigid ones store nothing.
double ffi_sim_energy_elastic(const ffi_system *s, const ffi_state *x, const ffi_evaluation *report);

/// The evaluation of the present state.
ffi_evaluation *ffi_sim_state_present(ff_sim *sim);

/// The two sides of a contact, for messages.
typedef struct ffi_sim_contact_label {
  char text[256]; ///< "link 'foot' on the ground", "link 'hand' on link 'box'"
} ffi_sim_contact_label;

ffi_sim_contact_label ffi_sim_contacts_label(const ff_sim *sim, const ffi_collider_pair *pair);

/// Message for a failed step from the state to `next`. cause: the error of the stepper, or NULL if its result is not
/// finite or runs away.
ff_status ffi_sim_failure(ff_sim *sim, const ff_error *cause, ff_error *error);

/// Message for a step that was interrupted.
ff_status ffi_sim_interrupt_failure(const ff_sim *sim, ff_error *error);

/// Largest eigenvalues of M^-1 J' K J and M^-1 J' B J of the present contacts and elements, [1/s^2] and [1/s]:
/// stiffness and damping of the fastest motion. If nothing touches, of the pairs that could. Both 0 if there are none
/// or the mass matrix is singular.
void ffi_sim_stiffness(ff_sim *sim, double *stiffness, double *damping);

#endif
