/// expo_adaptive.h: steps of `expo` as long as an error tolerance allows (the option `accuracy`).
///
/// The user's step, of dt, is divided into steps whose error is below ff_sim_def.accuracy. Each is an ordinary step
/// of `expo`, with its events and substeps. The last one ends with the user's, so torques are constant over dt, and
/// no step passes a time at which a controller is called.
///
/// **The error** of a step is a tenth of the sum over its substeps of the largest change of any displacement or
/// velocity by the corrector: m, rad, m/s and rad/s alike. A correction is the local error of the prediction, of
/// order h^2, and leaves no more than a tenth of itself. With steps of accuracy^(1/2) the error over a motion, of
/// order h^2, is proportional to the accuracy. A substep without a corrector (projected forces, absorbed impacts)
/// counts with its whole change of velocity. docs/theory/expo.md, section 10.
///
/// **What persists** from one step to the next is the length to try and the last error: in ffi_state, so that a
/// resumed run has the same bits.
#ifndef FFI_STEP_EXPO_ADAPTIVE_H
#define FFI_STEP_EXPO_ADAPTIVE_H

#include "step/expo/expo.h"

/// The error of the present substep, as it counts in that of its step.
double ffi_expo_adaptive_error(const ffi_expo *e, int was_absorbed);

/// dt in steps that meet the error tolerance.
ff_status ffi_expo_adaptive_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to,
                                 ff_error *error);

#endif
