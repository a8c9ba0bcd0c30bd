/// sim.h: what a simulation looks like inside: a world, and one of each of a robot's and a thread's things.
///
/// The state is in one place for the sim's whole life. A step reads it and writes the workspace's `next`; if that is
/// good it is copied over. Nothing else lasts from one step to
/// the next: the rest is scratch, reports and counts.
///
/// Questions about the present state (contacts, energy, forces of elements) share one evaluation of it, `present`, made
/// when it is first asked for. It carries the state's stamp, and the next
/// step begins with it.
#ifndef FFI_SIM_SIM_H
#define FFI_SIM_SIM_H

#include "step/system/step_workspace.h"

struct ff_sim {
  ff_world *world;
  ff_parameters *parameters;
  ffi_step_workspace *workspace;
  ffi_system *system; ///< the workspace's, bound to these parameters
  ffi_state *state;

  double *tau;     ///< [nv] of the last step: what the caller, pushes and controls gave
  double *push;    ///< [nv] of forces on links, for the next step
  double *control; ///< [nv] of controls that are torques, for the next step
  int has_push, has_control;

  ffi_evaluation present;
  uint64_t stamps;         ///< given to states so far
  uint64_t contacts_stamp; ///< of the state that `contacts` are of
  ff_contact *contacts;    ///< [max_contacts] for the user
  int contact_count;

  ff_step_info info;
  ffi_stepper_history history;
  ff_sim_totals totals;
  struct {
    int id;             ///< -1: none since the last reset
    double force, time; ///< mean over the step that ended then [N], [s]
  } last_push;          ///< the hardest contact of the last step that had any, for messages

  void *memory; ///< the block that holds state, present, torques and contacts
};

/// Which shapes went right through each other from the state to the workspace's `next`: to info and totals.
void ffi_sim_tunnelling(ff_sim *sim);

/// A user's def, whole, whatever version the user was compiled for; NULL is the default.
ff_status ffi_sim_def_take(const ff_sim_def *def, ff_sim_def *out, ff_error *error);

/// Is the def one that a sim can have? Elements and ground are checked where they are made.
ff_status ffi_sim_def_check(const ff_model *model, const ff_sim_def *def, ff_error *error);

/// Are velocities finite, and none beyond max_speed?
int ffi_sim_def_allows_velocity(const ff_sim_def *def, const double *velocity, int size);

/// The stepper of a name's number.
const ffi_stepper *ffi_step_find_stepper(ff_stepper stepper);

/// Bind the sim's robot to its workspace, as it is now.
void ffi_sim_bind(ff_sim *sim);

/// What was given for the next step alone: pushes, and controls that are torques.
void ffi_sim_state_clear_inputs(ff_sim *sim);

/// Bytes of a sim beside its state: the evaluation of it, contacts, torques.
size_t ffi_sim_evaluation_bytes(const ff_world *world);

/// world->controls, once its elements are there.
ff_status ffi_sim_controls_list(ff_world *world, ff_error *error);

/// One more hold on a world, given up by ff_world_destroy().
ff_world *ffi_sim_world_retain(ff_world *world);

/// Of model, ground and elements: whose states fit.
double ffi_sim_state_vector_fingerprint(const ff_world *world);

/// References that motors with a delay were told and whose time has come, in the state x.
void ffi_sim_elements_take_due(const ff_sim *sim, ffi_state *x);

/// Time 0, neutral, at rest, references and ground as defined, no contacts, counts at zero.
void ffi_sim_state_start(ff_sim *sim);

/// The present state has changed: evaluations of it are of another from now on.
void ffi_sim_state_changed(ff_sim *sim);

/// The evaluation of the present state.
ffi_evaluation *ffi_sim_state_present(ff_sim *sim);

/// What touches, for messages.
typedef struct ffi_sim_contact_label {
  char text[256]; ///< "link 'foot' on the ground", "link 'hand' on link 'box'"
} ffi_sim_contact_label;

ffi_sim_contact_label ffi_sim_contacts_label(const ff_sim *sim, const ffi_collider_pair *pair);

/// The step from the state to `next` went wrong. cause: what the stepper said, or NULL if it gave a state that is not
/// finite or runs away.
ff_status ffi_sim_failure(ff_sim *sim, const ff_error *cause, ff_error *error);

/// Largest eigenvalues of M^-1 J' K J and M^-1 J' B J of the present contacts and elements, [1/s^2] and [1/s]: how stiff and how damped
/// the fastest motion is. If nothing touches, of the pairs that could. Both 0 if there are none or the mass matrix is singular.
void ffi_sim_stiffness(ff_sim *sim, double *stiffness, double *damping);

#endif
