/// expo.h: the memory of the exponential step of second order, which its parts share.
///
/// Events cut a step into substeps. Within a substep every contact keeps its mode: released, sticking or sliding. A
/// substep is predicted with the frozen system of its start, evaluated at the predicted end, and corrected with the
/// slopes that the comparison of the two evaluations gives (expo_substep.h). docs/theory/expo.md derives it.
///
/// Two public names are older than these words: ff_step_info.pieces counts substeps, and ff_step_info.substeps counts
/// the subintervals of a frozen solve.
#ifndef FFI_STEP_EXPO_H
#define FFI_STEP_EXPO_H

#include "step/expo/expo_events.h"
#include "step/frozen/frozen_exact.h"
#include "step/frozen/frozen_forces.h"

/// Instead of a mode: a contact follows its law, or it begins with the next substep, its anchor where its point is
/// then.
enum { FFI_MODE_BY_LAW = -1, FFI_MODE_BEGINS = -2 };

/// A contact with a flag as it is at the start of a substep.
typedef struct ffi_expo_flag {
  ffi_contact contact;
  ffi_state_contact state;
  double point_anchor[3]; ///< where its point is, as an anchor
} ffi_expo_flag;

typedef struct ffi_expo {
  ffi_evaluation *start; ///< of the substep: the system's present evaluation
  ffi_evaluation end;    ///< of the substep, at the predicted state
  ffi_evaluation middle; ///< half way, for substeps with a layer: expo_layer.h
  ffi_frozen frozen;
  ffi_frozen_exact exact;
  ffi_expo_events events;
  ffi_state *start_state;  ///< of the substep, contacts included
  ffi_state *end_state;    ///< of the substep
  ffi_state *middle_state; ///< the state of `middle`
  int may_have_layer;      ///< velocities may change early in the substep, which is then shortened
  ff_contact_mode *mode;   ///< [max_contacts] of the contacts of `start`
  int *event_mode; ///< [max_contacts] mode that an event gave a contact of `start_state`, or one of the above
  int *event_regime;   ///< [law_count] regime that an event gave an element, or FFI_REGIME_BY_LAW
  int *contact_block;  ///< [max_contacts] block of each contact in the frozen system, -1: none
  int is_braked;       ///< the substep's motion was scaled down: it is not that of its springs
  double *stops;       ///< [max_contacts] with a flag: normal force with which it stops in the substep, or 0
  ffi_expo_flag *flag; ///< [max_contacts] with a flag: see expo_flags.h
  double
      correction; ///< largest change of a displacement or velocity by the corrector; negative: no corrector
  double error;   ///< of the step: the sum over its substeps, see expo_adaptive.h
  /// With an error tolerance: where the present step begins. Its contacts have impulses in place of mean forces.
  ffi_state *step_start;
  double last_length;   ///< of the substep before this one, in the same step [s]
  double *f, *f1;       ///< [nv] forces that are not springs, and their slope
  double *acceleration; ///< [nv] at the end of the substep
  double *predicted;    ///< [nv] displacement of the prediction
  double *scratch;      ///< [2 nv]
  double (*shift)[3];   ///< [max_contacts] of anchors
  double (*moment)[3];  ///< [2 max_contacts] scratch of turning.h, if the world has it
  double (*impulse)[3]; ///< [max_contacts] since the start of the step, of the contacts of `start`
} ffi_expo;

/// One step of dt, in substeps. e->error: its error by its correctors.
ff_status ffi_expo_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error);

#endif
