/// hard_prox.h: the laws of hard contact as projections.          Moreau paper eqs 11-14
///
/// Every law says -Lambda is in a convex set and xi in that set's normal cone, which is the same as Lambda = -prox(-Lambda + r xi) for any r > 0.
/// With the sign moved inside: Lambda = P(Lambda - r xi), P the nearest point of the set of admissible impulses. The disc of friction belongs to
/// the normal impulse that has just been projected.
#ifndef FFI_CONTACT_HARD_PROX_H
#define FFI_CONTACT_HARD_PROX_H

#include "contact/hard/hard.h"

#include <math.h>

/// A block's law and its place in the solver's own order of rows.
typedef struct ffi_hard_part {
  ffi_hard_law law;
  int row, rows;
  int block; ///< of the problem
  double mu, bound;
  int faces; ///< of a cone
} ffi_hard_part;

/// Rows t1, t2, n, whatever the law.
static inline int ffi_hard_is_contact(ffi_hard_law law)
{
  return law == FFI_HARD_LAW_CONTACT || law == FFI_HARD_LAW_CONE;
}

/// The point of a cone that is nearest to x in the metric 1/r, and its derivative, hard_cone.c. Where r_n = 0 nothing is pressed, where r_t = 0 nothing rubs.
///   r, x, out  [3]; r of the two tangents is the same
///   D          [3][3] out, d out / d x
void ffi_friction_cone_nearest(double mu, int faces, const double *r, const double *x, double *out);
int ffi_friction_cone_derivative(double mu, int faces, const double *r, const double *x,
                                 double *D); ///< returns how many rows are not fixed: 0, 1 (the normal) or 3

/// (x, y) to the nearest point of the disc of this radius, >= 0.
static inline void ffi_friction_cone_disc(double radius, double *x, double *y)
{
  const double squared = *x * *x + *y * *y;
  if (squared > radius * radius) {
    const double shorter = radius / sqrt(squared);
    *x *= shorter;
    *y *= shorter;
  }
}

static inline double ffi_hard_prox_interval(double bound, double x)
{
  return x > bound ? bound : x < -bound ? -bound : x;
}

/// P(Lambda - r xi) of one block's rows.
///   r, xi, Lambda, out  [rows]; r of the two tangents is the same
static inline void ffi_hard_prox_part(const ffi_hard_part *part, const double *r, const double *xi,
                                      const double *Lambda, double *out)
{
  switch (part->law) {
  case FFI_HARD_LAW_CONTACT: {
    const double push = Lambda[2] - r[2] * xi[2];
    if (!(push > 0)) {
      out[0] = out[1] = out[2] = push > 0 || push <= 0 ? 0 : push; // what is not a number is not hidden
      return;
    }
    double x = Lambda[0] - r[0] * xi[0], y = Lambda[1] - r[1] * xi[1];
    ffi_friction_cone_disc(part->mu * push, &x, &y);
    out[0] = x;
    out[1] = y;
    out[2] = push;
    return;
  }
  case FFI_HARD_LAW_STOP: {
    const double push = Lambda[0] - r[0] * xi[0];
    out[0] = push < 0 ? 0 : push;
    return;
  }
  case FFI_HARD_LAW_DRY: out[0] = ffi_hard_prox_interval(part->bound, Lambda[0] - r[0] * xi[0]); return;
  case FFI_HARD_LAW_CONE: {
    const double x[3] = {Lambda[0] - r[0] * xi[0], Lambda[1] - r[1] * xi[1], Lambda[2] - r[2] * xi[2]};
    ffi_friction_cone_nearest(part->mu, part->faces, r, x, out);
    return;
  }
  case FFI_HARD_LAW_BILATERAL:
    for (int i = 0; i < part->rows; ++i)
      out[i] = Lambda[i] - r[i] * xi[i];
    return;
  }
}

/// One component of c = W' u_free + b: row `i` of a block.
static inline double ffi_hard_rest_row(const ffi_hard *problem, const ffi_hard_block *block, int i)
{
  const double *restrict W = block->W + i * block->columns, *restrict u = problem->u_free;
  double sum = problem->b[block->row + i];
  for (int k = 0; k < block->columns; ++k)
    sum += W[k] * u[block->dof[k]];
  return sum;
}

#endif
