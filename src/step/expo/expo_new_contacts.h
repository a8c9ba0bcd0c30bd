/// expo_begin.h: contacts that begin inside a step.
///
/// They join x->touching in the order of their ids, and e->forced goes along: FFI_MODE_BEGINS until a piece has begun with them. FF_ERROR_LIMIT if there
/// are more than max_contacts; those that have vanished do not count.
#ifndef FFI_STEP_EXPO_BEGIN_H
#define FFI_STEP_EXPO_BEGIN_H

#include "step/expo/expo.h"

/// At a feature of the instant `seen`, unless x has one there. Its anchor is where the feature is.
ff_status ffi_expo_new_contacts_add(ffi_system *s, ffi_expo *e, const ffi_evaluation *seen,
                                    const ffi_detect_candidate *near, ffi_state *x, ff_error *error);

/// At the end of a piece of length h: all features that overlap there, and those that would within `window`.
ff_status ffi_expo_new_contacts_add_touchdowns(ffi_system *s, ffi_expo *e, double h, double window,
                                               ff_error *error);

/// At the start of a piece: the correction may have carried a feature into a surface that the prediction had left it just above.
ff_status ffi_expo_new_contacts_add_overlaps(ffi_system *s, ffi_expo *e, ff_error *error);

/// New contacts were found where the prediction led to; the correction has moved them. Springs at rest begin where they are now. Those that were
/// eased are written down as well.
void ffi_expo_new_contacts_place_anchors(ffi_system *s, ffi_expo *e);

#endif
