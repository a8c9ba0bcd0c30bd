/// physics.h: motions with closed forms that every stepper must follow, each to its own order; and properties that
/// all must have.
#ifndef FFI_TESTS_STEP_PHYSICS_H
#define FFI_TESTS_STEP_PHYSICS_H

#include "step/rig.h"

/// Orders of convergence, each against rk4 with steps a sixteenth of the smallest (or, for rk4, an eighth), printed.
/// Each returns the order between the two finest.
///
/// solo12 tumbling freely.
double ffi_physics_flight(ff_stepper stepper);
/// solo12 on soft ground, all feet sticking, motors whose references move.
double ffi_physics_stance(ff_stepper stepper);
/// A block that slides and turns, all four points slipping; anchors are compared too.
double ffi_physics_slip(ff_stepper stepper);
/// A ball that rolls and spins without slipping on moving ground.
double ffi_physics_roll(ff_stepper stepper);

/// A mass of 1 kg on a floor of 400 N/m and 8 N s/m, let go where the spring is relaxed. Largest difference from the
/// closed form in x [m] and v / 20 [m] in one second with steps of dt.
double ffi_physics_mass_on_floor(ff_stepper stepper, double dt);

/// A block on a slope of 20 degrees with mu = 0.5 > tan 20, after it has settled: how far it moves in one more second
/// [m], and that the anchors' bits stay.
double ffi_physics_creep(ff_stepper stepper, double dt, double B);

/// The same with mu = 0.25: relative error of its acceleration, which is g (sin 20 - mu cos 20).
double ffi_physics_sliding(ff_stepper stepper, double dt, double B);

/// A step gives the same bits again after the stepper has been used for something else.
void ffi_physics_nothing_lingers(ff_stepper stepper);

/// What of this a stepper is held to.
typedef struct ffi_physics_slope {
  double damping; ///< B of the block's contacts [N s/m]
  double bound;   ///< of ffi_physics_creep [m] or ffi_physics_sliding
} ffi_physics_slope;

typedef struct ffi_physics_bar {
  ff_stepper stepper;
  double order;                           ///< of convergence
  double slack, stance_slack;             ///< how far the orders found may be from it; in stance
  double floor_error;                     ///< bound of ffi_physics_mass_on_floor with steps of 5 ms [m]
  double dt;                              ///< on the slope [s]
  ffi_physics_slope creep[4], sliding[4]; ///< up to a bound of 0
} ffi_physics_bar;

/// All of it as a group of tests, nothing_lingers too. Returns how many failed.
int ffi_physics_run(const ffi_physics_bar *bar);

#endif
