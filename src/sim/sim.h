/// sim.h: what a simulation looks like inside.
///
/// Two states: `now`, which the user sees, and `next`, which a step writes and which becomes `now` if it is good. Nothing else
/// lasts from one step to the next: the rest is working memory, reports and counts.
///
/// Questions about the present state (contacts, energy, forces of elements) share one ffi_instant, `report`, computed when first asked
/// for and thrown away when the state changes.
#ifndef FFI_SIM_SIM_H
#define FFI_SIM_SIM_H

#include "contact/advance.h"
#include "contact/skip.h"
#include "step/instant.h"

struct ff_sim {
  void *memory;   ///< the block that holds all of it
  ff_sim_def def; ///< checked and complete; ground and elements are NULL here, the system has them
  ffi_system system;
  const ffi_stepper *stepper;

  ffi_state states[2];
  ffi_state *now, *next;
  double fingerprint; ///< of model, ground and elements: whose states fit

  double *tau;    ///< [nv] of the last step
  double *asked;  ///< [nv] tau that a callback of ff_sim_run() fills
  double *change; ///< [nv] scratch
  double *other;  ///< [nv] scratch

  ffi_instant report;
  int has_report;       ///< is `report` that of the present state?
  ff_contact *contacts; ///< [max_contacts] for the user
  int contact_count;    ///< of them at the present state, -1: they were not asked for yet
  ff_step_info aside;   ///< what reports write where steps write their info

  ff_step_info info;
  ff_sim_totals totals;
  struct {
    int id;             ///< -1: none since the last reset
    double force, time; ///< mean over the step that ended then [N], [s]
  } last_push;          ///< the hardest contact of the last step that had any, for messages

  struct {
    ffi_skip skip;
    ffi_advance *advance;
    double *v; ///< [nv] scratch
  } watch;     ///< with def.watch_passing; else nothing
};

/// Places what watching for passing shapes needs, if it is asked for.
void ffi_sim_watch_layout(ff_sim *sim, ffi_block *block);

/// Which shapes went right through each other from `now` to `next`: to info and totals.
void ffi_sim_watch_passing(ff_sim *sim);

/// Is the def one that a sim can have? Elements and ground are checked where they are made.
ff_status ffi_sim_check(const ff_model *model, const ff_sim_def *def, ff_error *error);

/// Are velocities finite, and none beyond max_speed?
int ffi_sim_is_slow(const ff_sim_def *def, const double *velocity, int size);

/// The stepper of a name's number.
const ffi_stepper *ffi_sim_find_stepper(ff_stepper stepper);

/// Compute sim->fingerprint.
void ffi_sim_take_fingerprint(ff_sim *sim);

/// Time 0, neutral, at rest, references and ground as defined, no contacts, counts at zero.
void ffi_sim_start(ff_sim *sim);

/// The present state has changed: what was reported of it is history.
void ffi_sim_changed(ff_sim *sim);

/// The instant of the present state.
const ffi_instant *ffi_sim_report(ff_sim *sim);

/// What touches, for messages.
typedef struct ffi_contact_name {
  char text[256]; ///< "link 'foot' on the ground", "link 'hand' on link 'box'"
} ffi_contact_name;

ffi_contact_name ffi_sim_contact_name(const ff_sim *sim, const ffi_pair *pair);

/// The step from `now` to `next` went wrong. cause: what the stepper said, or NULL if it gave a state that is not finite or runs away.
ff_status ffi_sim_blame(ff_sim *sim, const ff_error *cause, ff_error *error);

/// Largest eigenvalues of M^-1 J' K J and M^-1 J' B J of the present contacts and elements, [1/s^2] and [1/s]: how stiff and how damped
/// the fastest motion is. If nothing touches, of the pairs that could. Both 0 if there are none or the mass matrix is singular.
void ffi_sim_stiffness(ff_sim *sim, double *stiffness, double *damping);

#endif
