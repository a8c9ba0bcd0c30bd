/// impact_interior_program.h: the program of impact_interior.h in scaled impulses: its constraints, and P, A and A' as operators.
#ifndef FFI_CONTACT_IMPACT_INTERIOR_PROGRAM_H
#define FFI_CONTACT_IMPACT_INTERIOR_PROGRAM_H

#include "contact/impact/interior_point.h"

void ffi_interior_program(ffi_hard_memory *m, ffi_interior_point *w,
                          const ffi_interior_point_bound *bound); ///< S, sigma, cones and lines

void ffi_interior_program_gradient(ffi_hard_memory *m, ffi_interior_point *w); ///< P x + q
void ffi_interior_program_product(const ffi_hard_memory *m, const ffi_interior_point *w, const double *x,
                                  double *out); ///< P x

/// A x, with P x (or, if `has_a`, P x + q) given: then A x + a.
void ffi_interior_program_lines(const ffi_interior_point *w, const double *x, const double *Px, int has_a,
                                double *out);
void ffi_interior_program_transposed(const ffi_hard_memory *m, ffi_interior_point *w, const double *y,
                                     double *out); ///< A'y

/// Of cones and LOCAL lines only; adds to `out`.
void ffi_interior_program_transposed_local(const ffi_interior_point *w, const double *y, double *out);

/// The systems of all steps, impact_interior_matrix.c: (P + A'Theta A) dx = A'g - residual and g - Theta A dx of OPENING and SUM lines. Theta = 1 if `is_first`, else W^-2.
/// factor() returns 0 if there is nothing to be had; out is of the size of y, of which these lines are written.
int ffi_interior_matrix_factor(ffi_hard_memory *m, ffi_interior_point *w, int is_first);
void ffi_interior_matrix_step(ffi_hard_memory *m, ffi_interior_point *w, const double *g,
                              const double *residual, double *dx, double *out);
double ffi_interior_matrix_regular(const ffi_hard_memory *m, const ffi_interior_point *w,
                                   int row); ///< what is added to the diagonal of P

/// Lambda from x, brought into its sets, and `pressure` from y.
void ffi_interior_program_finish(ffi_hard_memory *m, ffi_interior_point *w);

#endif
