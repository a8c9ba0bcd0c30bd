/// hard_prox.h: the laws of hard contact as projections.          Moreau paper eqs 11-14
///
/// Every law says that -Lambda is in a convex set and xi in that set's normal cone, which is equivalent to
/// Lambda = -prox(-Lambda + r xi) for any r > 0. With the sign moved inside: Lambda = P(Lambda - r xi), P the nearest
/// point of the set of admissible impulses. The disc of friction belongs to the normal impulse that has just been
/// projected.
#ifndef FFI_CONTACT_HARD_PROX_H
#define FFI_CONTACT_HARD_PROX_H

#include "contact/hard/hard.h"
#include "contact/law/friction_cone.h"

#include <math.h>

/// A block's law and its rows in the solver's own order.
typedef struct ffi_hard_part {
  ffi_hard_law law;
  int row, rows;
  int block; ///< of the problem
  double mu, turning, bound;
  int faces; ///< of a cone
} ffi_hard_part;

/// Has the law the rows t1, t2, n?
static inline int ffi_hard_is_contact(ffi_hard_law law)
{
  return law == FFI_HARD_LAW_CONTACT || law == FFI_HARD_LAW_CONE;
}

/// Has a contact moments?
static inline int ffi_hard_turns(ffi_hard_law law, int rows)
{
  return rows == FFI_TURNING_CONE_ROWS && ffi_hard_is_contact(law);
}

/// x to the nearest point of -bound .. bound.
static inline double ffi_hard_prox_interval(double bound, double x)
{
  return x > bound ? bound : x < -bound ? -bound : x;
}

/// The moments of a contact, x to its limit: rows m1, m2 in a disc, m_n in an interval. x, out  [3]
static inline void ffi_hard_prox_moments(double limit, const double *x, double *out)
{
  double a = x[0], b = x[1];
  ffi_friction_cone_disc(limit, &a, &b);
  out[0] = a;
  out[1] = b;
  out[2] = ffi_hard_prox_interval(limit, x[2]);
}

/// P(x) of a contact or cone with moments. hard_prox.c
///   r, x, out  [6]
void ffi_hard_prox_turning(const ffi_hard_part *part, const double *r, const double *x, double *out);

/// The same of Lambda - r xi: out of line, so that the usual contact stays short.
void ffi_hard_prox_turning_part(const ffi_hard_part *part, const double *r, const double *xi,
                                const double *Lambda, double *out);

/// P(Lambda - r xi) of one block's rows, docs/theory/hard-solvers.md eq. 3.
///   r, xi, Lambda, out  [rows]; r of the two tangents is the same, and that of moments about them
static inline void ffi_hard_prox_part(const ffi_hard_part *part, const double *r, const double *xi,
                                      const double *Lambda, double *out)
{
  if (ffi_hard_turns(part->law, part->rows)) {
    ffi_hard_prox_turning_part(part, r, xi, Lambda, out);
    return;
  }
  switch (part->law) {
  case FFI_HARD_LAW_CONTACT: {
    const double push = Lambda[2] - r[2] * xi[2];
    if (!(push > 0)) {
      out[0] = out[1] = out[2] = push > 0 || push <= 0 ? 0 : push; // NaN stays NaN
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

/// One component of c = W' u_free + b, docs/theory/hard-solvers.md eq. 1: row `i` of a block.
static inline double ffi_hard_rest_row(const ffi_hard *problem, const ffi_hard_block *block, int i)
{
  const double *restrict W = block->W + i * block->columns, *restrict u = problem->u_free;
  double sum = problem->b[block->row + i];
  for (int k = 0; k < block->columns; ++k)
    sum += W[k] * u[block->dof[k]];
  return sum;
}

#endif
