/// prox_relaxation.h: the relaxation factor alpha of JOR and SOR, and when it is lowered.
///
/// A sweep is measured by the kinetic energy of its change of velocities, row by row: sum of G_ll dLambda_l^2. Impulses
/// may drift among solutions with the same velocities, so this is what should decrease (the criterion that the Moreau
/// paper suggests against cycling). Windows of sweeps, each twice as long as the one before, are compared by the least
/// change in each. A window that is not clearly better than the one before is a cycle, unless the energy Lambda'(G
/// Lambda / 2 + c) decreased by a fair share of what the changes were worth: then impulses move along a direction that
/// G hardly resists, and will converge. A sweep far above all before is a divergence. docs/theory/hard-solvers.md,
/// section 2
#ifndef FFI_CONTACT_PROX_RELAXATION_H
#define FFI_CONTACT_PROX_RELAXATION_H

#include "contact/hard/hard_memory.h"

typedef struct ffi_prox_relaxation {
  double alpha;
  int is_automatic;
  int halvings;
  int strikes;      ///< consecutive windows that were not better
  int length, left; ///< sweeps of this window, and those left
  double low;       ///< least change in this window
  double work;      ///< sum of the changes in this window
  double previous;  ///< least change in the windows before; infinite at first
  double energy;    ///< at the start of this window
} ffi_prox_relaxation;

ffi_prox_relaxation ffi_prox_relaxation_begin(ffi_hard_memory *m, double alpha_if_automatic);

/// After a sweep. Returns 0 when the iteration has diverged and alpha is fixed or at its least. On divergence Lambda is
/// restored to the best end of a window, and *is_moved is 1.
int ffi_prox_relaxation_update(ffi_prox_relaxation *relaxation, ffi_hard_memory *m, double change,
                               int *is_moved);

#endif
