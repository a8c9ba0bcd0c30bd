/// expo_stops.h: stops of joints that a piece runs into unseen.
///
/// A light link between stiff stops changes its regime a hundred times in a step. When events are taken as one, or when modes cannot be agreed on at the start
/// of a piece, a joint may be free in a piece and deep in its stop at the end: a spring loaded by nothing. Such pieces are taken again with the stop as
/// a spring all the time, unloaded at first if the joint is not beyond it yet: see expo_absorb.h, which does the same with contacts.
#ifndef FFI_STEP_EXPO_STOPS_H
#define FFI_STEP_EXPO_STOPS_H

#include "step/expo/expo.h"

/// Is there one, in the piece from e->now to e->there?
int ffi_expo_joint_limits_are_missed(const ffi_system *s, const ffi_expo *e);

/// Marks them in e->forced_joint. Returns how many were not marked before.
int ffi_expo_joint_limits_mark(const ffi_system *s, ffi_expo *e);

/// Those that are marked act from e->start on.
void ffi_expo_joint_limits_apply(const ffi_system *s, ffi_expo *e);

#endif
