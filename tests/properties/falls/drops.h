/// drops.h: one robot thrown many times at a floor or at stairs, and what a fall may come to.
#ifndef FFI_TESTS_DROPS_H
#define FFI_TESTS_DROPS_H

#include <footfall/sim.h>

/// A robot of robot_shapes.h and the stiffness of what it falls on.
typedef struct ffi_drops_cast {
  int robot;
  double stiffness; ///< [N/m]
  int starts;       ///< usual number, see support/samples.h; 0: two hundred
  ff_contact_law contact_law;
} ffi_drops_cast;

/// The test: `*state` is a `drops_cast`. Half of its falls end on a flat floor, half on stairs. Pushed over, dropped on
/// its back, thrown any way up: no step fails, none gains energy, none sinks.
void ffi_drops_throw_all(void **state);

#endif
