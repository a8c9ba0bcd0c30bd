/// expo.h: the parts of the second-order exponential step that expo.c puts together.
///
/// A step is cut into pieces at contact events. Within a piece every contact keeps its mode: released, sticking or sliding. A piece is
/// predicted with the frozen system of its start, evaluated at the predicted end, and corrected with the slopes that the comparison of
/// the two evaluations gives. docs/theory/expo.md derives it.
#ifndef FFI_STEP_EXPO_H
#define FFI_STEP_EXPO_H

#include "step/expo/expo_events.h"
#include "step/frozen/frozen_exact.h"
#include "step/frozen/frozen_forces.h"

/// Instead of a mode: a contact that follows its law, and one that begins with the next piece, its anchor where its point is then.
enum { FFI_MODE_BY_LAW = -1, FFI_MODE_BEGINS = -2 };

/// A contact with a flag as the start of a piece found it.
typedef struct ffi_expo_flag {
  ffi_contact contact;
  ffi_state_contact touching;
  double put_down[3]; ///< where its point is, as an anchor
} ffi_expo_flag;

typedef struct ffi_expo {
  ffi_evaluation *start; ///< of the piece: the system's present instant
  ffi_evaluation end;    ///< of the piece, where the prediction leads
  ffi_evaluation middle; ///< half way, where the motion is uneven: expo_layer.h
  ffi_frozen frozen;
  ffi_frozen_exact reference;
  ffi_expo_events watch;
  ffi_state *now;        ///< start of the piece, contacts included
  ffi_state *there;      ///< its end
  ffi_state *halfway;    ///< the state of `middle`
  int follows_layers;    ///< the piece may be uneven, and shortened for it: one with events
  ff_contact_mode *mode; ///< [max_contacts] of the contacts of `start`
  int *forced;           ///< [max_contacts] mode that an event gave a contact of `now`, or one of those below
  int *forced_joint;     ///< [element_count] regime that an event gave an element, or FFI_REGIME_BY_LAW
  int *contact_block;    ///< [max_contacts] block of each contact in the frozen system, -1: none
  double *stops;         ///< [max_contacts] with a flag: normal force with which it stops in the piece, or 0
  ffi_expo_flag *flag;   ///< [max_contacts] with a flag: see expo_flags.h
  double
      correction; ///< most that the piece's corrector changed of a displacement or velocity; negative: there was none
  double error; ///< of the step: the sum over its pieces, see expo_accuracy.h
  ffi_state
      *at; ///< with an accuracy: where the present step begins; its contacts have impulses for mean forces
  double before;        ///< length of the piece before this one, in the same step [s]
  double *f, *f1;       ///< [nv]
  double *acceleration; ///< [nv]
  double *predicted;    ///< [nv] displacement of the prediction
  double *scratch;      ///< [2 nv]
  double (*shift)[3];   ///< [max_contacts]
  double (*impulse)[3]; ///< [max_contacts] since the start of the step, of the contacts of `start`
} ffi_expo;

/// One step of dt, in pieces. e->error: what its correctors say of it.
ff_status ffi_expo_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error);

/// The frozen system of e->start in its modes.
void ffi_expo_substep_freeze(ffi_system *s, ffi_expo *e);

/// Motion over h by the frozen system, to e->frozen. watched: look for events on the way, to e->watch.
ff_status ffi_expo_substep_predict(ffi_system *s, ffi_expo *e, double h, int watched, ff_error *error);

/// e->there and e->end: the end of that motion, with the contacts of the start and what is near there.
ff_status ffi_expo_substep_evaluate(ffi_system *s, ffi_expo *e, double h, ff_error *error);

/// After that: the motion again, with the slopes of forces and of contact accelerations over the piece. *share: how much it changed the
/// velocity, relative to the velocity's change.
ff_status ffi_expo_substep_correct(ffi_system *s, ffi_expo *e, double h, double *share, ff_error *error);

/// Velocities, configuration and contacts at the end of the piece, to e->there; contacts of e->end that have parted are dropped.
void ffi_expo_substep_finish(ffi_system *s, ffi_expo *e, double h);

#endif
