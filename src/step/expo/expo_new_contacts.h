/// expo_new_contacts.h: contacts that begin inside a step.
///
/// They join x->touching in the order of their ids, and e->event_mode with them: FFI_MODE_BEGINS until a substep has
/// begun with them. FF_ERROR_LIMIT if there are more than max_contacts; vanished ones do not count.
#ifndef FFI_STEP_EXPO_NEW_CONTACTS_H
#define FFI_STEP_EXPO_NEW_CONTACTS_H

#include "step/expo/expo.h"

/// At a feature of the evaluation `seen`, unless x has a contact there. Its anchor is where the feature is.
ff_status ffi_expo_new_contacts_add(ffi_system *s, ffi_expo *e, const ffi_evaluation *seen,
                                    const ffi_detect_candidate *near, ffi_state *x, ff_error *error);

/// At the end of a substep of length h: all features that overlap there, or would within `window` [s].
ff_status ffi_expo_new_contacts_add_touchdowns(ffi_system *s, ffi_expo *e, double h, double window,
                                               ff_error *error);

/// At the start of a substep: the correction may have carried a feature into a surface that it had not reached in the
/// prediction.
ff_status ffi_expo_new_contacts_add_overlaps(ffi_system *s, ffi_expo *e, ff_error *error);

/// Set the anchors of new contacts at the start of a substep: they were found at the predicted state, and the
/// correction has moved them. Anchors that the passivity limit moved are stored as well.
void ffi_expo_new_contacts_place_anchors(ffi_system *s, ffi_expo *e);

#endif
