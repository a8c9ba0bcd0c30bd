/// expo_friction.h: springs of joints' dry friction at the end of a substep. joint-friction.md
#ifndef FFI_STEP_EXPO_FRICTION_H
#define FFI_STEP_EXPO_FRICTION_H

#include "step/expo/expo.h"

/// e->end_state: forces in the springs of dry friction after the substep's motion over h.
void ffi_expo_friction_finish(const ffi_system *s, ffi_expo *e, double h);

/// What the substep's motion over h adds to the energy in these springs [J].
double ffi_expo_friction_gain(const ffi_system *s, const ffi_expo *e, double h);

#endif
