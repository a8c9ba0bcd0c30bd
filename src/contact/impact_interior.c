#include "contact/impact_interior.h"

#include "contact/impact_interior_program.h"
#include "math/dense.h"

#include <string.h>

enum {
  STEPS = 100, // random problems need 8 to 25, those with hardly any inside up to 60
  TRIALS = 5,  // of a factorisation
};
static const double stay_inside = 0.99, regular = 1e-11, more_regular = 100, ask_below = 1e-6,
                    least_tau = 1e-24, least_length = 1e-9;
static const double within = 0.1; // of the tolerances, as in hard_exact.c

static int size_of(const ffi_interior *w)
{
  return 3 * w->scaling.cones + w->scaling.lines;
}

static double dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

// P + A'Theta A, factored; more is added to the diagonal until it can be.
static int factor(ffi_hard_memory *m, ffi_interior *w, int is_first)
{
  double add = regular;
  for (int k = 0; k < TRIALS; ++k, add *= more_regular) {
    ffi_interior_matrix(m, w, is_first, add);
    if (ffi_cholesky(m->n, m->n, m->factor) == FFI_FACTORED)
      return 1;
  }
  return 0;
}

// x with (P + A'A) x = -q - A'a, w = A x + a and y = -w: the nearest to the constraints that the energy lets them be; then both moved inside.
static int begin(ffi_hard_memory *m, ffi_interior *w)
{
  const int size = size_of(w);
  memset(w->x, 0, (size_t)m->n * sizeof *w->x);
  if (!factor(m, w, 1))
    return 0;
  ffi_interior_gradient(m, w);
  ffi_interior_lines(w, w->x, w->gradient, 1, w->w);
  ffi_interior_transposed(m, w, w->w, w->residual);
  for (int i = 0; i < m->n; ++i)
    w->x[i] = -w->gradient[i] - w->residual[i];
  ffi_cholesky_solve(m->n, m->n, m->factor, w->x);
  ffi_interior_gradient(m, w);
  ffi_interior_lines(w, w->x, w->gradient, 1, w->w);
  for (int i = 0; i < size; ++i)
    w->y[i] = -w->w[i];
  double *const both[2] = {w->w, w->y};
  for (int k = 0; k < 2; ++k) {
    const double outside = ffi_scaling_outside(&w->scaling, both[k]);
    if (outside > -1e-3)
      ffi_scaling_shift(&w->scaling, 1 + outside, both[k]);
  }
  return 1;
}

static double regular_of(const ffi_hard_memory *m, const ffi_interior *w, int i)
{
  return regular * w->S[i] * w->S[i] * m->weight[i];
}

// (dx, dw, dy) for W dy + W^-1 dw = want.
static void find_step(ffi_hard_memory *m, ffi_interior *w)
{
  const int size = size_of(w);
  double *t = w->dy;
  ffi_scaling_remove(&w->scaling, w->off, t);
  for (int i = 0; i < size; ++i)
    t[i] = w->want[i] - t[i];
  ffi_scaling_remove(&w->scaling, t, t);
  ffi_interior_transposed(m, w, t, w->dx);
  for (int i = 0; i < m->n; ++i)
    w->dx[i] -= w->residual[i];
  ffi_cholesky_solve(m->n, m->n, m->factor, w->dx);
  ffi_interior_product(m, w, w->dx, w->room);
  ffi_interior_lines(w, w->dx, w->room, 0, w->dw);
  for (int i = 0; i < size; ++i)
    w->dw[i] += w->off[i];
  ffi_scaling_remove(&w->scaling, w->dw, w->dy);
  for (int i = 0; i < size; ++i)
    w->dy[i] = w->want[i] - w->dy[i];
  ffi_scaling_remove(&w->scaling, w->dy, w->dy);
}

static double longest(const ffi_interior *w)
{
  return fmin(ffi_scaling_length(&w->scaling, w->w, w->dw), ffi_scaling_length(&w->scaling, w->y, w->dy));
}

// Predictor: towards w o y = 0. Corrector: towards centre * tau, less what the predictor's step would leave of second order.
static double predict_and_correct(ffi_hard_memory *m, ffi_interior *w, double tau)
{
  const int size = size_of(w);
  const ffi_scaling *s = &w->scaling;
  ffi_scaling_apply(s, w->y, w->l);
  for (int i = 0; i < size; ++i)
    w->want[i] = -w->l[i];
  find_step(m, w);
  const double reach = longest(w), centre = (1 - reach) * (1 - reach) * (1 - reach);
  ffi_scaling_remove(s, w->dw, w->dw);
  ffi_scaling_apply(s, w->dy, w->dy);
  ffi_jordan_product(s, w->dw, w->dy, w->want);
  for (int i = 0; i < size; ++i)
    w->want[i] = -w->want[i];
  ffi_scaling_shift(s, centre * tau, w->want);
  ffi_jordan_divide(s, w->l, w->want, w->want);
  for (int i = 0; i < size; ++i)
    w->want[i] -= w->l[i];
  find_step(m, w);
  return fmin(1, stay_inside * longest(w));
}

static int take_step(ffi_hard_memory *m, ffi_interior *w, double length)
{
  double sum = 0;
  for (int i = 0; i < m->n; ++i)
    sum += w->x[i] += length * w->dx[i];
  for (int i = 0; i < size_of(w); ++i) {
    w->w[i] += length * w->dw[i];
    sum += w->y[i] += length * w->dy[i];
  }
  return isfinite(sum);
}

int ffi_interior_solve(ffi_hard_memory *m, ffi_interior *w, const ffi_interior_bound *bound,
                       int (*is_done)(ffi_hard_memory *m, ffi_hard_result *result), ffi_hard_result *result)
{
  ffi_interior_program(m, w, bound);
  const int size = size_of(w), degree = w->scaling.cones + w->scaling.lines;
  if (!(w->sigma > 0) || !begin(m, w))
    return 0;
  for (int k = 0; k < STEPS; ++k) {
    const double tau = degree > 0 ? dot(size, w->w, w->y) / degree : 0;
    ffi_interior_gradient(m, w);
    if (tau < ask_below) {
      ffi_interior_finish(m, w);
      if (is_done(m, result) && (result->excess <= within || tau < least_tau))
        return 1;
    }
    if (tau < least_tau || !ffi_scaling_set(&w->scaling, w->w, w->y) || !factor(m, w, 0))
      break;
    ffi_interior_transposed(m, w, w->y, w->residual);
    ffi_interior_lines(w, w->x, w->gradient, 1, w->off);
    for (int i = 0; i < m->n; ++i)
      w->residual[i] = w->gradient[i] + regular_of(m, w, i) * w->x[i] - w->residual[i];
    for (int i = 0; i < size; ++i)
      w->off[i] -= w->w[i];
    const double length = predict_and_correct(m, w, tau);
    ++result->iterations;
    if (!(length > least_length) || !take_step(m, w, length))
      break;
  }
  ffi_interior_finish(m, w);
  return is_done(m, result);
}
