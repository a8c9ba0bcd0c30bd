/// impact.h: the impact map k(.): impulses of contacts, stops, dry joints and bilateral rows, and the velocity after
/// them, all at once.  docs/theory/impact.md
///
/// The problem is the ffi_hard of hard.h, with contacts as FFI_HARD_LAW_CONTACT, and the results are those of
/// ffi_hard_solve(): impulse, xi, and u where W and Y are given. Only the law differs. With xi = G Lambda + R Lambda +
/// c, "dissipation" solves
///
///     minimise  Lambda'(G + R)Lambda / 2 + c'Lambda,
///     |Lambda_t| <= mu Lambda_n,  Lambda >= 0 of stops,  |Lambda| <= bound of dry rows                         eq. 1
///
/// which is the kinetic energy (plus b'Lambda). Its optimality conditions are the law `cone` of hard.h, and imply xi_n
/// >= mu |xi_t| >= 0. "bounded" adds xi_n >= 0 and sum xi_n <= kappa, island by island, kappa being that sum without
/// friction. "coulomb" is ffi_hard_solve() itself.
///
/// Poisson's restitution: the normal impulses times epsilon are added (less where that would add energy), and where a
/// contact is closing after that the map is applied again. Newton's restitution comes with b.
///
/// Everything but the cones is shared with hard.h: islands, elimination, Newton's method, sweeps, the residual, the
/// meaning of "converged". Where Newton does not converge, an interior point method does (interior_point.h). No call
/// allocates.
#ifndef FFI_CONTACT_IMPACT_H
#define FFI_CONTACT_IMPACT_H

#include "contact/hard/hard.h"

#include <footfall/impact.h>

typedef struct ffi_impact_memory ffi_impact_memory;
ffi_impact_memory *ffi_impact_layout(int max_nv, int max_rows, int max_blocks, ffi_block *block);

double ffi_impact_take_work(ffi_impact_memory *memory);             ///< as ffi_hard_take_work()
void ffi_impact_limit_work(ffi_impact_memory *memory, double most); ///< as ffi_hard_limit_work()

/// `converged`: within the tolerances as in hard.h; with Poisson's restitution in both impacts. impulse is then their
/// sum.
///   bounce  [block_count] epsilon of contacts and stops, 0..1, if the def says "poisson"; NULL: none
void ffi_impact_solve(const ff_impact_def *def, const ffi_hard *problem, const double *bounce,
                      ffi_impact_memory *memory, ffi_hard_result *result);

#endif
