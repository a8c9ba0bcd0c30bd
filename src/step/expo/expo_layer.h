/// expo_layer.h: pieces in which velocities change early.
///
/// The corrector takes what was frozen wrongly as growing evenly over a piece. After a touch-down it does not: a light foot on a damper loses its velocity within
/// microseconds, and with it bias forces and the rows' own accelerations are what they will be at the end right from the start, while the push on the foot is over
/// before the rows have turned. Slopes are then those of an even growth with the same integral, from the mean motion. docs/theory/expo.md, section 3.
#ifndef FFI_STEP_EXPO_LAYER_H
#define FFI_STEP_EXPO_LAYER_H

#include "step/expo/expo.h"

/// How unevenly the predicted motion changes velocities, 0: like a constant force, 1: all at once, at the start. Relative to the largest change of a velocity, or
/// to what gravity gives.
double ffi_expo_layer_unevenness(const ffi_expo *e, double h);

/// e->middle: half way through the predicted motion, at its mean velocity. Poses are those of the end again afterwards, as after ffi_expo_substep_evaluate().
ff_status ffi_expo_layer_evaluate_midpoint(ffi_system *s, ffi_expo *e, double h, ff_error *error);

/// A force whose product with something that grows evenly from zero has the integral that the true one has: from its mean and double mean.
static inline double ffi_expo_layer_late_part(double mean, double double_mean)
{
  return 2 * mean - double_mean;
}

#endif
