/// expo_joint_limits.h: joint limits that a substep runs into without an event.
///
/// A light link between stiff limits changes its regime a hundred times in a step. When events are merged, or when no
/// modes fit at the start of a substep, a joint may be free in a substep and deep in its limit at the end: a spring
/// that no work has loaded. Such substeps are taken again with the limit as a spring all the time, unloaded at first
/// if the joint is not beyond it yet. expo_energy.h does the same with contacts.
#ifndef FFI_STEP_EXPO_JOINT_LIMITS_H
#define FFI_STEP_EXPO_JOINT_LIMITS_H

#include "step/expo/expo.h"

/// Is there one, in the substep from e->start_state to e->end_state?
int ffi_expo_joint_limits_are_missed(const ffi_system *s, const ffi_expo *e);

/// Marks them in e->event_regime. Returns how many were not marked before.
int ffi_expo_joint_limits_mark(const ffi_system *s, ffi_expo *e);

/// Marked limits act from e->start on.
void ffi_expo_joint_limits_apply(const ffi_system *s, ffi_expo *e);

#endif
