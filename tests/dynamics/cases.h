/// cases.h: what the tests of the kernels run on: random forests and the shipped models.
///
/// Velocities have different units and sizes (the base of a robot moves its whole weight, a finger a few
/// grams), so errors are measured in the units that the mass matrix gives: with w_i = sqrt(M_ii),
///     M      |dM_ij| / (w_i w_j)                        of M's own scale, 1 on the diagonal
///     force  |df_i| / w_i   over the largest |f_i| / w_i
///     motion |dx_i| w_i     over the largest |x_i| w_i
/// None of these changes if a mass, a length or a time is measured in another unit.
#ifndef FFI_TESTS_CASES_H
#define FFI_TESTS_CASES_H

#include "support/near.h"
#include "support/random_model.h"

#include <footfall/builder.h>
#include <footfall/dynamics.h>

typedef struct ffi_case {
  const ff_model *model;
  const ffi_forest *forest; ///< its description, NULL for a shipped model
  ff_dynamics *dynamics;    ///< one lane
  ffi_random random;
  int number; ///< 0, 1, ... the forests, then the shipped models from 1000
  int nq, nv, links, frames;
  double *q, *v, *vdot, *tau; ///< a random state
  double *M;                  ///< [nv x nv] by crba at q
  double *w;                  ///< [nv] sqrt(M_ii)
  double *G;                  ///< [nv x nv] dense Cholesky factor of M
  double condition;           ///< of M in these units, M_ij / (w_i w_j), Frobenius
} ffi_case;

/// Run a check on the first `forests` random forests and all shipped models. Fresh dynamics each, nothing
/// computed at q yet.
void ffi_for_each_case(int forests, void (*check)(ffi_case *c, void *data), void *data);

/// A chain of a few links, the first on the world and each other one on the link before; `parent` is ignored.
ff_model *ffi_chain(int count, const ff_link_def *links);

/// Room for count doubles, all zero, exactly that much (so that sanitizers see one too many); never NULL.
double *ffi_doubles(int count);

/// Rounding that a backward stable solve with M may cost: condition, times eps, times the length of its sums.
double ffi_solve_rounding(const ffi_case *c);

double ffi_force_error(const ffi_case *c, const double *got, const double *want);
double ffi_motion_error(const ffi_case *c, const double *got, const double *want);
double ffi_matrix_error(const ffi_case *c, const double *got, const double *want);

#endif
