/// expo_frame.h: how the axes of a contact turn in a substep.  docs/theory/expo.md, section 3
///
/// A frozen contact has its offset, velocity and force in axes that turn with b and with its normal. At the end of the
/// substep these are turned to the world's axes there.
#ifndef FFI_STEP_EXPO_FRAME_H
#define FFI_STEP_EXPO_FRAME_H

#include "step/eval/evaluation.h"

/// x becomes Q x, with Q the turn of a contact's axes between two evaluations of it: from the axes at the start to
/// those at the end. Contacts whose shapes are far apart in either, or whose axes do not turn, keep the bits of x.
void ffi_expo_frame_forward(const ffi_system *s, const ffi_evaluation *from, const ffi_evaluation *to,
                            int contact, double x[3]);

/// x becomes Q' x.
void ffi_expo_frame_back(const ffi_system *s, const ffi_evaluation *from, const ffi_evaluation *to,
                         int contact, double x[3]);

#endif
