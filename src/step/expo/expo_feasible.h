/// expo_sound.h: pieces whose forces no contact could give, and what is done about them.
///
/// With the right modes all mean forces of a piece lie in their cones, but for what an event at its end, found by interpolation, leaves. They do not where
/// the watch gave up, or where sliding friction feeds on the normal force it makes (mu J_d M^-1 J_n' against J_n M^-1 J_n'), whose frozen
/// motion grows without bound. A shorter piece may have modes that fit. At last a piece is taken as the published scheme would.
#ifndef FFI_STEP_EXPO_SOUND_H
#define FFI_STEP_EXPO_SOUND_H

#include "step/expo/expo.h"

int ffi_expo_feasible_means(const ffi_expo *e);

/// Contacts that push stick, and mean forces are brought into their cones. The mass matrix is that of the start.
ff_status ffi_expo_feasible_fallback(ffi_system *s, ffi_expo *e, double h, ff_error *error);

/// A correction can spoil a piece that cannot be shortened any more, to below `least`: then the same.
ff_status ffi_expo_feasible_restore(ffi_system *s, ffi_expo *e, double least, double h, ff_error *error);

#endif
