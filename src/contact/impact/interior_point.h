/// interior_point.h: an interior point method for the convex programs of impact.h, where Newton's method on the natural
/// map does not converge or cannot begin.  docs/theory/impact.md section 4
///
///     minimise  L'GL/2 + c'L    over L in the sets of the parts and, if given,  xi_n >= 0  and  sum xi_n <= kappa
///
/// with xi = GL + c. G, c and the parts are those of ffi_hard_memory in the impulse form, bilateral rows eliminated. In
/// scaled impulses x, L = sigma S x, the cones are |x_t| <= x_n, the diagonal of the normals is 1, and all constraints
/// are w = A x + a in a product of half lines and round cones, with multipliers y in the same product:
///
///     P x + q = A'y,   w = A x + a,   w o y = tau e,   tau -> 0                                                eq. 5
///
/// by Mehrotra's predictor and corrector with the scaling of Nesterov and Todd (nt_scaling.h). One factorisation a
/// step. 10^-11 of P's diagonal is added to P against a singular G; that is below any tolerance above 10^-10.
#ifndef FFI_CONTACT_INTERIOR_POINT_H
#define FFI_CONTACT_INTERIOR_POINT_H

#include "contact/hard/hard_memory.h"
#include "contact/impact/nt_scaling.h"

/// One half line: w >= 0.
typedef enum ffi_interior_point_kind {
  FFI_INTERIOR_LOCAL,   ///< over `count` impulses from `at` on
  FFI_INTERIOR_OPENING, ///< xi of the row `at`
  FFI_INTERIOR_SUM,     ///< kappa less the sum of xi of the group `at`
} ffi_interior_point_kind;
typedef struct ffi_interior_point_line {
  ffi_interior_point_kind kind;
  int at, count; ///< OPENING: count = 1: it is in its group's sum
  double coefficient[4];
  double a;
} ffi_interior_point_line;

/// One round cone: the rows of its disc, at and at + 1, and that of its axis. A contact with moments has two on the
/// same axis.
typedef struct ffi_interior_point_cone {
  int at, axis;
} ffi_interior_point_cone;

/// The bound on opening: the group of each part, and the largest sum of xi_n of each group.
typedef struct ffi_interior_point_bound {
  const int *group;    ///< [parts]
  const double *kappa; ///< [groups]
  int groups;
} ffi_interior_point_bound;

typedef struct ffi_interior_point {
  int max_lines;
  int is_bound; ///< are there OPENING and SUM lines?
  double sigma;
  double *S, *x, *dx, *gradient, *product, *residual, *room, *sum, *carry; ///< [rows]
  ffi_interior_point_cone *cone;                                           ///< [2 blocks]
  ffi_interior_point_line *line;                                           ///< [lines]
  int *group;    ///< [rows] of each row, if there is a bound
  int first_sum; ///< the line of the group 0
  ffi_nt_scaling scaling;
  double *w, *y, *dw, *dy, *off, *l, *want, *spare; ///< [3 * cones + lines]
  double *matrix, *right, *below; ///< [2 rows][2 rows], [2 rows], [rows] of a program with a bound
  double *pressure;               ///< [rows] out: xi of the Lagrangian is G (Lambda - pressure) + c
} ffi_interior_point;

void ffi_interior_point_layout(ffi_interior_point *w, int max_rows, int max_blocks, ffi_block *block);

/// Ignores the present Lambda. Leaves Lambda and `pressure`, and counts iterations in the result. Calls `is_done` once
/// tau is small; returns 1 if it returned 1.
///   bound  NULL: none
int ffi_interior_point_solve(ffi_hard_memory *m, ffi_interior_point *w, const ffi_interior_point_bound *bound,
                             int (*is_done)(ffi_hard_memory *m, ffi_hard_result *result),
                             ffi_hard_result *result);

#endif
