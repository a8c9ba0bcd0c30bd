/// sim_judgement.h: judges each step by the energy that it leaves: E = kinetic + potential + elastic.
///
/// Contact, dampers and friction only take energy away. So between two states E may grow by the work that tau, moving
/// references and moving ground put in, and by nothing else; the rest is an error of the integrator. The judgement
/// keeps that rest since its lowest value, `excess`. A step that brings it above one percent of the largest kinetic and
/// elastic energy so far reports `gained`, and counting begins again. A step that multiplies the energy is refused.
///
/// Calm steps, in which nothing moves by more than a thousandth of a radian or metre, are judged together, four at a
/// time: the sums would cost a twentieth of a step.
///
/// It decides what is reported, and what is refused by one step alone, so it is not part of the state.
/// docs/theory/energy.md
#ifndef FFI_SIM_JUDGEMENT_H
#define FFI_SIM_JUDGEMENT_H

#include "step/system/state.h"

#include <footfall/status.h>

typedef struct ffi_sim_judgement {
  uint64_t stamp; ///< of the state up to which it judged or counted
  double total;   ///< kinetic, potential and elastic energy of the last state that was measured [J]
  double storage; ///< kinetic and elastic energy of it [J]
  int calm;       ///< steps since then
  double put_in;  ///< work put in by them [J]
  double speed;   ///< largest component of the velocity after the step [m/s], [rad/s]; the caller sets it
  double travel;  ///< largest change of a coordinate in the step [m], [rad]; the caller sets it
  double peak;    ///< largest storage since the last reset [J]
  double excess;  ///< gained since its lowest value and not yet reported [J]
} ffi_sim_judgement;

/// After a reset, or with another state: nothing is known of earlier steps.
void ffi_sim_judgement_forget(ff_sim *sim);

/// Before a step: the energy of the present state, unless it is known.
void ffi_sim_judgement_begin(ff_sim *sim);

/// After a step: the energy of `next` of the workspace, with its own stamp. Fills gained and gain of the step's info.
/// FF_ERROR_NUMERIC and a cause for ffi_sim_failure() if the energy is absurd.
ff_status ffi_sim_judgement_end(ff_sim *sim, ff_error *cause);

#endif
