/// tally.h: the energy of a sim's state, added up from public getters, independent of ff_sim_energy().
///
/// Kinetic and potential energy are sums over the recipe's links, from the poses and velocities of their frames. The
/// springs of elements follow from poses and coordinates. The springs of contacts and stops are bounded by the
/// geometry: a spring as long as shapes overlap, and as far as its anchor is away. The sim's own may be shorter (a
/// first-touch anchor, springs that were relaxed, a stop that is left too fast), never longer.
#ifndef FFI_TESTS_TALLY_H
#define FFI_TESTS_TALLY_H

#include "campaign/recipe.h"

#include <footfall/dynamics.h>

typedef struct ffi_tally {
  double kinetic, potential;
  double elements; ///< in springs of motors, points, welds, couplings and joints that stick
  double pushers;  ///< the most that contacts and stops, which do not pull, and friction of tendons can store
  double size;     ///< sum of the sizes of all terms, for tolerances
} ffi_tally;

/// `dynamics` is one of made->model.
ffi_tally ffi_tally_energy(const ffi_recipe *recipe, const ffi_recipe_made *made, ff_dynamics *dynamics,
                           ff_sim *sim);

#endif
