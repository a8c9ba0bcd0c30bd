/// expo_layer.h: substeps with a layer at their start, in which velocities change early.
///
/// The corrector assumes that the error of freezing grows linearly over a substep. After a touch-down it does not: a
/// light foot on a damper loses its velocity within microseconds. Bias forces and the rows' own accelerations then
/// have their end values nearly from the start, and the push on the foot is over before the rows have turned. So the
/// slopes are those of a linear growth with the same integral, from the mean motion. docs/theory/expo.md, section 3,
/// eq. 2.
#ifndef FFI_STEP_EXPO_LAYER_H
#define FFI_STEP_EXPO_LAYER_H

#include "step/expo/expo.h"

/// How unevenly the predicted motion changes velocities, 0: like a constant force, 1: all at once, at the start.
/// Relative to the largest change of a velocity, or to that by gravity.
double ffi_expo_layer_unevenness(const ffi_expo *e, double h);

/// e->middle: half way through the predicted motion, at its mean velocity.
ff_status ffi_expo_layer_evaluate_midpoint(ffi_system *s, ffi_expo *e, double h, ff_error *error);

/// 2 mean - double mean: the constant force whose product with a linear growth from zero has the integral of the true
/// one. docs/theory/expo.md, below eq. 2.
static inline double ffi_expo_layer_late_part(double mean, double double_mean)
{
  return 2 * mean - double_mean;
}

#endif
