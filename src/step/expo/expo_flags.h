/// expo_flags.h: the law with a slip flag (contact/flag_law.h) in pieces of a step.
///
/// The flag is a contact's mode, and changes at events: from sticking to sliding where the spring's force comes to mu lambda_n, from sliding to sticking where the speed comes down to 1 mm/s
/// or the contact turns around. That is what the law of one decision a step tends to as steps become short. P_0 goes with the point of every contact that does not stick, so it is
/// where it should be when the contact sticks again. docs/theory/contact.md, section 9.
#ifndef FFI_STEP_EXPO_FLAGS_H
#define FFI_STEP_EXPO_FLAGS_H

#include "step/expo/expo.h"

/// At the start of a piece, poses those of e->now: remember the contacts as they are.
void ffi_expo_flags_begin(const ffi_system *s, ffi_expo *e);
/// Before the first modes are given (again): contacts as they were.
void ffi_expo_flags_restore(ffi_expo *e);
/// Contacts of e->start and e->now as e->mode has them: flags, P_0, and the laws of those that change.
void ffi_expo_flags_apply_modes(ffi_expo *e);

/// Tangential elongation of a contact at the end of the piece.
void ffi_expo_flags_elongation(const ffi_expo *e, int i, double out[3]);

/// Its law at the end of the piece, at an offset x; b: its block, sliding.
void ffi_expo_flags_sliding_law(const ffi_contact *c, const ffi_frozen_block *b, const double x[3],
                                ffi_contact_law_result *law);

/// A piece without events, predicted: again with those that turned around as contacts that stop (flag_slide.h).
ff_status ffi_expo_flags_stop(ffi_system *s, ffi_expo *e, double h, ff_error *error);

#endif
