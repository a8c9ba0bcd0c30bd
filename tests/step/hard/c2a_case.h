/// c2a_case.h: what the tests of `ca` and `c2a` share: definitions, and a ball on its own.
#ifndef FFI_TESTS_C2A_CASE_H
#define FFI_TESTS_C2A_CASE_H

#include "support/hard_scene.h"

#define FFI_C2A_CASE_GRAVITY 9.81

extern const ff_stepper ffi_c2a_case_steppers[2]; ///< ca, c2a

/// Steps of dt, impulses to rounding.
ff_sim_def ffi_c2a_case_def(ff_stepper stepper, double dt);

/// A ball of 1 kg and a radius of 0.1 m.
ffi_loose ffi_c2a_case_ball(double friction, double restitution);

#endif
