/// expo_touchdown.h: when does a feature that is not in contact reach a surface?
#ifndef FFI_STEP_EXPO_TOUCHDOWN_H
#define FFI_STEP_EXPO_TOUCHDOWN_H

#include "step/expo/expo.h"

/// Shorten the predicted piece *h until the first feature that touches down in it just does so; e->there and e->end are then that moment. A touch-down is
/// the one event at which forces jump (by B times the speed), so it is found to a ten-millionth of the way that the feature goes.
ff_status ffi_expo_touchdown_search(ffi_system *s, ffi_expo *e, double *h, ff_error *error);

/// When does the corrected motion carry a feature through a surface that the prediction left it above, by linear interpolation? The earliest; `h` if it is
/// none, or late by less than `slack` only: begin_overlaps() takes that. After ffi_expo_substep_correct().
double ffi_expo_touchdown_missed(const ffi_system *s, ffi_expo *e, double h, double slack);

/// The gap of a feature at the start of the piece; `otherwise` if it was too far to be listed.
double ffi_expo_touchdown_gap_at_start(const ffi_expo *e, int id, double otherwise);

#endif
