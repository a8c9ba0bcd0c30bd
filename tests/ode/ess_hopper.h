/// ess_hopper.h: a mass that hops on a massless leg, with its motion in closed form.
///
///     x'' = -g in flight,    x'' = -g + preload + w^2 (1 - x) on the ground (x < 1), all per unit mass.
///
/// Guards: touch-down 1 - x, lift-off x - 1. Without a preload the field is continuous at the guards.
#ifndef FFI_TESTS_ESS_HOPPER_H
#define FFI_TESTS_ESS_HOPPER_H

#include <footfall/ess.h>

typedef struct ffi_hopper {
  double g, w, preload;
} ffi_hopper;

extern const ff_ess_rearm ffi_hopper_rearm[2]; ///< touch-down arms lift-off, and the other way round

ff_ess_system ffi_hopper_system(ffi_hopper *hopper);

/// (x, v) at time t >= 0 of the motion that is dropped at height x0 > 1.
void ffi_hopper_exact(const ffi_hopper *hopper, double x0, double t, double x[2]);
double ffi_hopper_period(const ffi_hopper *hopper, double x0);
double ffi_hopper_energy(const ffi_hopper *hopper, const double x[2]);

#endif
