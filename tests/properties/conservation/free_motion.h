/// free_motion.h: a model set in motion, with a fourth-order Runge-Kutta method on its configuration space.
///
/// q lives in a product of groups, where q (+) u composes instead of adding. The method is the
/// commutator-free one of Celledoni, Marthinsen and Owren (2003): the classical fourth-order stages, and two
/// compositions at the end.
#ifndef FFI_TESTS_FREE_MOTION_H
#define FFI_TESTS_FREE_MOTION_H

#include <footfall/dynamics.h>

typedef struct ffi_free_motion {
  const ff_model *model;
  ff_dynamics *dynamics;
  int nq, nv;
  double *q, *v;
  const double *tau; ///< [nv] constant joint forces
  double work;       ///< integral of tau'v - damping v^2 so far [J]
} ffi_free_motion;

/// Neither model nor tau is copied.
ffi_free_motion ffi_free_motion_begin(const ff_model *model, const double *q, const double *v,
                                      const double *tau);
void ffi_free_motion_end(ffi_free_motion *motion);

/// Advance by `steps` steps of h [s].
void ffi_free_motion_run(ffi_free_motion *motion, int steps, double h);

/// Kinetic plus potential energy.
double ffi_free_motion_energy(ffi_free_motion *motion);

/// Power of tau and of damping at a velocity.
double ffi_free_motion_power(const ffi_free_motion *motion, const double *v);

#endif
