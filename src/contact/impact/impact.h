/// impact.h: the impact map k(.): impulses of contacts, stops, dry joints and bilateral rows, and the velocity after them, all at once.
///
/// The problem is the ffi_hard of hard.h, contacts as FFI_HARD_LAW_CONTACT, and what comes back is what ffi_hard_solve() gives: impulse, xi, and u where W and Y are given. Only the
/// law differs. With xi = G Lambda + R Lambda + c, "dissipation" asks for
///
///     minimise  Lambda'(G + R)Lambda / 2 + c'Lambda,    |Lambda_t| <= mu Lambda_n,  Lambda >= 0 of stops,  |Lambda| <= bound of dry rows
///
/// which is the kinetic energy (and b'Lambda); its conditions are the law `cone` of hard.h, and xi_n >= mu |xi_t| >= 0 among them. "bounded" adds xi_n >= 0 and sum xi_n <= kappa, island
/// by island, kappa being that sum without friction. "coulomb" is ffi_hard_solve() itself.
///
/// Poisson's restitution: the normal impulses times epsilon are added (fewer of them if that would bring in energy), and where that leaves a contact closing the map is applied again.
/// Newton's comes with b.
///
/// Everything but the cones is shared with hard.h: islands, elimination, Newton's method, sweeps, the residual, what "converged" means. Where Newton does not end, an interior
/// point method does (impact_interior.h). No call allocates. docs/theory/impact.md
#ifndef FFI_CONTACT_IMPACT_H
#define FFI_CONTACT_IMPACT_H

#include "contact/hard/hard.h"

#include <footfall/impact.h>

typedef struct ffi_impact_memory ffi_impact_memory;
ffi_impact_memory *ffi_impact_layout(int max_nv, int max_rows, int max_blocks, ffi_block *block);

/// `converged`: within the tolerances as in hard.h; with Poisson's restitution both times. impulse is then the sum of all.
///   bounce  [block_count] epsilon of each block, of contacts and stops, 0..1, if the def says "poisson"; NULL: none
void ffi_impact_solve(const ff_impact_def *def, const ffi_hard *problem, const double *bounce,
                      ffi_impact_memory *memory, ffi_hard_result *result);

#endif
