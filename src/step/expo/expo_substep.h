/// expo_substep.h: the parts of one substep: freeze, predict, evaluate, correct, finish. docs/theory/expo.md, section
/// 3.
#ifndef FFI_STEP_EXPO_SUBSTEP_H
#define FFI_STEP_EXPO_SUBSTEP_H

#include "step/expo/expo.h"

/// One substep while it is taken.
typedef struct ffi_expo_substep {
  int is_first, has_events;
  double event_window; ///< events nearer to its start than this count as at the start [s]
  /// It is not shortened below this for its correction, so that those left reach the end of the step [s]
  double min_length;
  double h;          ///< its length, at first the most that it may have [s]
  double event;      ///< when e->events has found a change at its end [s]; infinite: none
  int was_shortened; ///< other than by an event
  int is_passive;    ///< its corrected motion was found to gain no energy
} ffi_expo_substep;

/// The frozen system of e->start in its modes.
void ffi_expo_substep_freeze(ffi_system *s, ffi_expo *e);

/// Motion over h by the frozen system, to e->frozen. with_events: search for events in it, to e->events.
ff_status ffi_expo_substep_predict(ffi_system *s, ffi_expo *e, double h, int with_events, ff_error *error);

/// e->end_state and e->end: the end of that motion, with the contacts of the start and the candidates near there.
ff_status ffi_expo_substep_evaluate(ffi_system *s, ffi_expo *e, double h, ff_error *error);

/// After that: the motion again, with the slopes of forces and of contact accelerations over the substep. *share: how
/// much it changed the velocity, relative to the velocity's change.
ff_status ffi_expo_substep_correct(ffi_system *s, ffi_expo *e, double h, double *share, ff_error *error);

/// Velocities, configuration and contacts at the end of the substep, to e->end_state. Contacts of e->end that have
/// separated are dropped.
void ffi_expo_substep_finish(ffi_system *s, ffi_expo *e, double h);

#endif
