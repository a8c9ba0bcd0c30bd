/// impact_case.h: the impact map on the problems of hard_problems.h: memory for it, and answers by slow and plain means.
#ifndef FFI_TESTS_IMPACT_CASE_H
#define FFI_TESTS_IMPACT_CASE_H

#include "support/hard_problems.h"

#include "contact/impact/impact.h"

/// A problem of the family that has a solution by cones too: where each contact has its own restitution, tangents have none (of one plate two feet cannot be asked to slide in
/// different directions). `has_b` 0: no restitution, so that energy is kinetic energy.
ffi_hard_case *ffi_impact_case_create(ffi_hard_family family, double mu, double mass_ratio, int has_b,
                                      ffi_random *random);

ffi_hard_result ffi_impact_run(const ff_impact_def *def, ffi_hard_case *c,
                               const double *bounce); ///< from the impulses as they are, in memory of its own

/// Contacts become cones for ffi_hard_violation(), or contacts again.
void ffi_impact_state_law(ffi_hard_case *c, ffi_hard_law law, int faces);

/// H = W' M^-1 W + R [rows][rows] and c = W' u_free + b [rows], from M and W; free() both.
void ffi_impact_matrix(const ffi_hard_case *c, double **H, double **rest);

double ffi_impact_kinetic(const ffi_hard_case *c, const double *u);

/// The nearest impulse x that a block's law allows, in the usual metric: of contacts that of the round cone.
void ffi_impact_project(const ffi_hard_block *block, double *x);

#endif
