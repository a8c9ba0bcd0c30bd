/// expo_touchdown.h: when does a feature that is not in contact reach a surface? docs/theory/expo.md, section 4.
#ifndef FFI_STEP_EXPO_TOUCHDOWN_H
#define FFI_STEP_EXPO_TOUCHDOWN_H

#include "step/expo/expo.h"

/// Shorten the predicted substep *h to the first touch-down in it; e->end_state and e->end are then at that time. A
/// touch-down is the one event at which forces jump (by B times the speed), so it is found to 1e-7 of the distance that
/// the feature moves.
ff_status ffi_expo_touchdown_search(ffi_system *s, ffi_expo *e, double *h, ff_error *error);

/// When does the corrected motion carry a feature through a surface that it had not reached in the prediction? The
/// earliest time by linear interpolation. Returns `h` if there is none, or only within `min_length` of the end, which
/// ffi_expo_new_contacts_add_overlaps() handles. Call after ffi_expo_substep_correct().
double ffi_expo_touchdown_missed(const ffi_system *s, ffi_expo *e, double h, double min_length);

/// The gap of a feature at the start of the substep; `otherwise` if it was too far to be listed.
double ffi_expo_touchdown_gap_at_start(const ffi_expo *e, int id, double otherwise);

#endif
