/// expo_joints.h: does a joint's stop or motor change its regime inside a piece?
///
/// A stop begins to push where the joint runs into it and ceases where it would pull; a motor saturates or comes back from it. The law of each
/// is held over a piece as it was at its start, so the piece ends near the first change.
#ifndef FFI_STEP_EXPO_JOINTS_H
#define FFI_STEP_EXPO_JOINTS_H

#include "step/instant.h"

/// Fraction of a piece from `from` to `to` after which the first element changes, by linear interpolation; 1: none does. start, end: the instants
/// of the two states.
double ffi_joints_first_change(const ffi_system *s, const ffi_instant *start, const ffi_instant *end,
                               const ffi_state *from, const ffi_state *to);

#endif
