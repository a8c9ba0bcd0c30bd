/// qp.h: small dense convex quadratic programs, without allocation.
///
///     minimise  x'Hx/2 + g'x    such that    a_i'x = b_i  (i < equalities),    a_i'x >= b_i  (the others)
///
/// H symmetric positive definite. By the dual method of Goldfarb and Idnani (1983): it starts at the minimum without constraints, or at that with a guess
/// of which ones are active, and takes in violated constraints one by one, keeping all multipliers >= 0. So it needs no point that is
/// feasible, finds out by itself whether there is one, and is quick when a guess is nearly right, as that of the last step of a controller is.
///
/// With H = LL' and N the active constraints, J = L^-T Q and R are kept so that J'HJ = 1 and J'N = (R, 0)'. In coordinates y, x = Jy, the program asks for
/// the nearest point to -J'g, and constraints come and go by Givens rotations.
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
  FFI_QP_INFEASIBLE, ///< no x meets all constraints; `culprit` is one that cannot be met with those that are active
  FFI_QP_NOT_CONVEX, ///< H is not positive definite, or something is not a number
  FFI_QP_STALLED,    ///< more iterations than allowed; x violates `culprit`
} ffi_qp_status;

typedef struct ffi_qp_work {
  double *x; ///< [n] out
  double *
      u; ///< [constraints] out: multipliers, Hx + g = sum u_i a_i; >= 0 but for equalities; 0 of what is not active
  int *active; ///< [n] out: which constraints are, in the order in which they came
  int active_count;
  int iterations; ///< constraints taken in and let go, beside those of the guess
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

/// guess [guess_count]: constraints that may be active, in any order; those that are not are let go. Nothing is kept from one call to the next.
ffi_qp_status ffi_qp_solve(const ffi_qp *p, const int *guess, int guess_count, int max_iterations,
                           ffi_qp_work *w);

#endif
