/// expo_accuracy.h: steps of `expo` that are as long as a tolerance allows.
///
/// The user's step, of dt, is cut into steps whose error is below ff_sim_def.accuracy. Each is an ordinary step of `expo`, with its events and pieces; the last one
/// ends with the user's, so that torques that are held over dt are, and no step passes a moment at which a controller is asked.
///
/// **The error** of a step is a tenth of the sum over its pieces of the most that the corrector changed of any displacement or velocity: m, rad, m/s and rad/s, all alike. A
/// correction is the local error of the prediction, of order h^2, and leaves no more than a tenth of itself. With steps of accuracy^(1/2) the error over a motion,
/// of order h^2, goes with the accuracy. A piece without a corrector (forces that were brought into their cones, impacts that were absorbed) counts with all of its
/// change of velocity. docs/theory/expo.md, section 10.
///
/// **What lasts** from one step to the next is the length to try and the last error: in ffi_state, so a run that is taken up again has the same bits.
#ifndef FFI_STEP_EXPO_ACCURACY_H
#define FFI_STEP_EXPO_ACCURACY_H

#include "step/expo/expo.h"

/// What the piece that is about to arrive adds to the error of its step.
double ffi_expo_adaptive_error(const ffi_expo *e, int was_absorbed);

/// dt in steps that meet the accuracy.
ff_status ffi_expo_adaptive_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to,
                                 ff_error *error);

#endif
