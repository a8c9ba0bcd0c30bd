/// sim_judgement.h: judges each step by the energy that it leaves: E = kinetic + potential + elastic.
///
/// Contact, dampers and friction only take energy away. So between two states E may grow by the work that tau and
/// moving references put in, and by nothing else; the rest is an error of the integrator. The judgement keeps that
/// rest since its lowest value, `excess`. A step that brings it above one percent of the largest kinetic and elastic
/// energy so far reports `gained`, and counting begins again. A step that multiplies the energy is refused.
///
/// What is refused depends on the step alone; what is reported depends on the steps before it, and is not part of the
/// state. On ground that moves nothing is judged: the work of the ground is not known. docs/theory/energy.md
#ifndef FFI_SIM_JUDGEMENT_H
#define FFI_SIM_JUDGEMENT_H

#include "step/system/state.h"

#include <footfall/status.h>

typedef struct ffi_sim_judgement {
  uint64_t stamp; ///< of the state that total and storage belong to; 0: none
  double total;   ///< kinetic, potential and elastic energy [J]
  double storage; ///< kinetic and elastic energy [J]
  double mass;    ///< of all that moves [kg]
  double peak;    ///< largest storage since the last reset [J]
  double excess;  ///< gained since its lowest value and not yet reported [J]
  int is_late; ///< a step is not judged yet: total and storage are those of the state before it, stamp is its own
  double put_in; ///< in that step [J]
} ffi_sim_judgement;

/// After a reset, or with another state: nothing is known of earlier steps.
void ffi_sim_judgement_forget(ff_sim *sim);

/// Before a step: the energy of the present state, unless it is known. Judges the step before, if that was delayed, in
/// the present report.
void ffi_sim_judgement_begin(ff_sim *sim);

/// A robot whose step is judged: the report is filled.
typedef struct ffi_sim_judged {
  ffi_sim_judgement *judgement;
  ff_step_info *info;
  const ff_model *model; ///< with its masses and gravity
  double dt;
} ffi_sim_judged;

/// The same where the energy of the state with this stamp is known otherwise: total; kinetic and elastic.
void ffi_sim_judgement_begin_with(const ffi_sim_judged *of, uint64_t stamp, double total, double storage);

/// After a step that led to the state with this stamp: it will be judged with the next one, whose start shows its
/// energy. put_in: the work of its inputs [J].
void ffi_sim_judgement_delay(ffi_sim_judgement *j, uint64_t stamp, double put_in);

/// After a step: the energy of `next` of the workspace, with its own stamp. Fills gained and gain of the step's info.
/// FF_ERROR_NUMERIC and a cause for ffi_sim_failure() if the energy is absurd.
ff_status ffi_sim_judgement_end(ff_sim *sim, ff_error *cause);

#endif
