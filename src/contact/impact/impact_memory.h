/// impact_work.h: what the files of the impact map share. ffi_impact_memory is the `context` of its ffi_hard_memory, so each method finds it.
#ifndef FFI_CONTACT_IMPACT_WORK_H
#define FFI_CONTACT_IMPACT_WORK_H

#include "contact/impact/impact.h"
#include "contact/impact/interior_point.h"

struct ffi_impact_memory {
  ffi_hard_memory *hard;
  ffi_interior_point interior;
  const ff_impact_def *def;
  ff_moreau_def hard_def;
  ffi_hard_block *block;   ///< [max_blocks] the problem's, with their cones
  ffi_hard_method *method; ///< without restitution
  int has_bounce;
  double *bounce;         ///< [max_rows] epsilon of the block that begins in a row
  double *mu;             ///< [max_blocks] of the parts, while they are without friction
  int *group, *number;    ///< [max_blocks] of each part
  double *start, *judged; ///< [max_rows] of the bounded impact
  double *kappa;          ///< [max_blocks]
  int groups;
  double *first, *first_xi;         ///< [max_rows] the impact without restitution
  double share;                     ///< of the bounce
  double *shift, *impulse, *xi, *b; ///< [max_rows] of Poisson's second impact
  double *u_free, *u;               ///< [max_nv]
};

static inline ffi_impact_memory *ffi_impact_of(const ffi_hard_memory *m)
{
  return m->context;
}

/// Impacts without restitution, impact_convex.c and impact_bounded.c.
void ffi_impact_convex(ffi_hard_memory *m, ffi_hard_result *result);
void ffi_impact_bounded(ffi_hard_memory *m, ffi_hard_result *result);

/// Poisson's on top of that, impact_poisson.c.
void ffi_impact_poisson(ffi_hard_memory *m, ffi_hard_result *result);

#endif
