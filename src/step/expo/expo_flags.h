/// expo_flags.h: the law with a slip flag (contact/law/flag_law.h) in substeps.
///
/// The flag is a contact's mode, and changes at events: from sticking to sliding where the spring's force reaches mu
/// lambda_n, from sliding to sticking where the speed falls to 1 mm/s or the contact reverses. That is the limit of
/// the law of one decision per step as steps become short. P_0 moves with the point of every contact that does not
/// stick, so it is in place when the contact sticks again. docs/theory/contact.md, section 9.
#ifndef FFI_STEP_EXPO_FLAGS_H
#define FFI_STEP_EXPO_FLAGS_H

#include "step/expo/expo.h"

/// At the start of a substep, poses those of e->start_state: save the contacts.
void ffi_expo_flags_begin(const ffi_system *s, ffi_expo *e);
/// Before modes are chosen again: restore the saved contacts.
void ffi_expo_flags_restore(ffi_expo *e);
/// Set flags, P_0 and changed laws of the contacts of e->start and e->start_state by e->mode.
void ffi_expo_flags_apply_modes(ffi_expo *e);

/// Tangential elongation of a contact at the end of the substep.
void ffi_expo_flags_elongation(const ffi_expo *e, int i, double out[3]);

/// Its law at the end of the substep, at an offset x; b: its block, sliding.
void ffi_expo_flags_sliding_law(const ffi_contact *c, const ffi_frozen_block *b, const double x[3],
                                ffi_contact_law_result *law);

/// After the prediction of a substep without events: predict again with the contacts that reversed as contacts that
/// stop (frozen_flag_slide.h).
ff_status ffi_expo_flags_stop(ffi_system *s, ffi_expo *e, double h, ff_error *error);

#endif
