/// prox_watch.h: the relaxation of JOR and SOR, and the watch that lowers it.
///
/// A sweep is judged by the kinetic energy of its change of velocities, row by row: sum of G_ll dLambda_l^2. Impulses may wander among solutions that
/// give the same velocities, so this is what should go down (the criterion that the Moreau paper suggests against cycling). Windows of sweeps, each
/// twice as long as the one before, are compared by the least change in each. A window that is not clearly better than the one before is a cycle,
/// unless the energy Lambda'(G Lambda / 2 + c) went down by a fair share of what the changes were worth: then impulses are on their way
/// along a direction that G hardly resists, and will arrive. A sweep far above all before is a divergence.
#ifndef FFI_CONTACT_PROX_WATCH_H
#define FFI_CONTACT_PROX_WATCH_H

#include "contact/hard/hard_memory.h"

typedef struct ffi_prox_relaxation {
  double alpha;
  int is_automatic;
  int halvings;
  int strikes;      ///< windows in a row that were no better
  int length, left; ///< sweeps of this window, and those to come
  double low;       ///< least change in this window
  double work;      ///< sum of the changes in this window
  double previous;  ///< least change in the windows before; infinite at first
  double energy;    ///< at the start of this window
} ffi_prox_relaxation;

ffi_prox_relaxation ffi_prox_relaxation_begin(ffi_hard_memory *m, double alpha_if_automatic);

/// After a sweep. Returns 0 when there is no sense in going on: the iteration has left all bounds and alpha is fixed or at its least. When it
/// has, Lambda is back where it was best at the end of a window. `is_moved` says that Lambda is no longer the sweep's.
int ffi_prox_relaxation_update(ffi_prox_relaxation *watch, ffi_hard_memory *m, double change, int *is_moved);

#endif
