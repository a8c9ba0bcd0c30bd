/// motion.h: a model set in motion, with a fourth-order Runge-Kutta method on its configuration space.
///
/// q lives in a product of groups, where q (+) u composes instead of adding. The method is the
/// commutator-free one of Celledoni, Marthinsen and Owren (2003): the classical fourth-order stages, and two
/// compositions at the end.
#ifndef FFI_TESTS_MOTION_H
#define FFI_TESTS_MOTION_H

#include <footfall/dynamics.h>

typedef struct ffi_motion_state {
  const ff_model *model;
  ff_dynamics *dynamics;
  int nq, nv;
  double *q, *v;
  const double *tau; ///< [nv] constant joint forces
  double work;       ///< integral of tau'v - damping v^2 so far [J]
} ffi_motion_state;

/// Neither model nor tau is copied.
ffi_motion_state ffi_motion_begin(const ff_model *model, const double *q, const double *v, const double *tau);
void ffi_motion_end(ffi_motion_state *motion);

/// Advance by `steps` steps of h [s].
void ffi_motion_run(ffi_motion_state *motion, int steps, double h);

/// Kinetic plus potential energy.
double ffi_motion_total_energy(ffi_motion_state *motion);

/// Power of tau and of damping at a velocity.
double ffi_motion_power(const ffi_motion_state *motion, const double *v);

#endif
