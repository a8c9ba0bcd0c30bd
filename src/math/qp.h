/// qp.h: small dense convex quadratic programs, without allocation.
///
///     minimise  x'Hx/2 + g'x    such that    a_i'x = b_i  (i < equalities),    a_i'x >= b_i  (the others)
///
/// H symmetric positive definite. By the dual method of Goldfarb and Idnani (1983, Mathematical Programming 27): it
/// starts at the minimum without constraints, or at that with a guessed active set, and adds violated constraints one
/// by one, keeping all multipliers >= 0. So it needs no feasible point, detects infeasibility, and is quick when the
/// guess is nearly right, as the active set of a controller's last step is.
///
/// With H = LL' and N the active constraints, J = L^-T Q and R are kept so that J'HJ = 1 and J'N = (R, 0)'. In
/// coordinates y, x = Jy, the solution is the nearest point to -J'g; constraints come and go by Givens rotations.
#ifndef FFI_MATH_QP_H
#define FFI_MATH_QP_H

#include "base/block.h"

typedef struct ffi_qp {
  int n, constraints, equalities;
  const double *H; ///< [n][n]; its lower triangle is read
  const double *g; ///< [n]
  const double *A; ///< [constraints][n], equalities first
  const double *b; ///< [constraints]
} ffi_qp;

typedef enum ffi_qp_status {
  FFI_QP_SOLVED,
  FFI_QP_INFEASIBLE, ///< no x meets all constraints; `culprit` cannot be met together with the active ones
  FFI_QP_NOT_CONVEX, ///< H is not positive definite, or an input is NaN
  FFI_QP_STALLED,    ///< more iterations than allowed; x violates `culprit`
} ffi_qp_status;

typedef struct ffi_qp_work {
  double *x; ///< [n] out
  double
      *u; ///< [constraints] out: multipliers, Hx + g = sum u_i a_i; >= 0 but for equalities; 0 if not active
  int *active; ///< [n] out: the active constraints, in the order in which they came
  int active_count;
  int iterations; ///< constraints added and dropped, beside those of the guess
  int culprit;

  double *L; ///< [n][n]
  double *J; ///< [n][n], column by column
  double *R; ///< [n][n], column by column, upper triangular
  double *d, *z, *r, *y;
  double *own;     ///< [n] multipliers of the active ones, in their order
  double *sign;    ///< [n] -1: an equality that was met from above
  char *is_active; ///< [constraints]
} ffi_qp_work;

void ffi_qp_layout(int n, int constraints, ffi_block *block, ffi_qp_work *out);

/// guess [guess_count]: constraints that may be active, in any order; those that are not are dropped. Nothing is kept
/// from one call to the next.
ffi_qp_status ffi_qp_solve(const ffi_qp *p, const int *guess, int guess_count, int max_iterations,
                           ffi_qp_work *w);

#endif
