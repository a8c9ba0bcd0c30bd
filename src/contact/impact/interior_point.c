// Memory, starting point, predictor and corrector of the interior point method.
#include "contact/impact/interior_point.h"

#include "contact/impact/interior_program.h"

#include <footfall/impact.h>

#include <math.h>
#include <string.h>

enum { MOST_FACES = 2 * FF_IMPACT_MAX_EDGES - 4 };
enum {
  STEPS = 100, // random problems need 8 to 25, those with hardly any interior up to 60
};
static const double stay_inside = 0.99, ask_below = 1e-6, least_tau = 1e-24, least_length = 1e-9;
static const double within = 0.1; // of the tolerances, as in hard_exact.c

void ffi_interior_point_layout(ffi_interior_point *w, int max_rows, int max_blocks, ffi_block *block)
{
  const int dense = max_rows < FFI_HARD_DENSE_ROWS ? max_rows : FFI_HARD_DENSE_ROWS;
  const int blocks = max_blocks < dense ? max_blocks : dense;
  const size_t rows = (size_t)dense + 7; // whole rounds of the product
  w->max_lines = dense / 3 * MOST_FACES + 4 * dense + 4;
  const size_t lines = (size_t)w->max_lines, size = rows + lines, both = 2 * (size_t)dense;
  w->matrix = ffi_block_take(block, both * both, sizeof *w->matrix);
  w->right = ffi_block_take(block, both, sizeof *w->right);
  w->below = ffi_block_take(block, rows, sizeof *w->below);
  double **const by_row[] = {&w->S,        &w->x,    &w->dx,  &w->gradient, &w->product,
                             &w->residual, &w->room, &w->sum, &w->carry,    &w->pressure};
  double **const by_size[] = {&w->w, &w->y, &w->dw, &w->dy, &w->off, &w->l, &w->want, &w->spare};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i)
    *by_row[i] = ffi_block_take(block, rows, sizeof(double));
  for (size_t i = 0; i < sizeof by_size / sizeof *by_size; ++i)
    *by_size[i] = ffi_block_take(block, size, sizeof(double));
  w->cone = ffi_block_take(block, 2 * (size_t)blocks, sizeof *w->cone);
  w->line = ffi_block_take(block, lines, sizeof *w->line);
  w->group = ffi_block_take(block, rows, sizeof *w->group);
  w->scaling.cone = ffi_block_take(block, 2 * (size_t)blocks, sizeof *w->scaling.cone);
  w->scaling.line = ffi_block_take(block, lines, sizeof *w->scaling.line);
}

// ---- The program ------------------------------------------------------------------------------------------

static int size_of(const ffi_interior_point *w)
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

// The starting point: x with (P + A'A) x = -q - A'a, w = A x + a and y = -w; then w and y are moved inside.
static int begin(ffi_hard_memory *m, ffi_interior_point *w)
{
  const int size = size_of(w);
  memset(w->x, 0, (size_t)m->n * sizeof *w->x);
  if (!ffi_interior_matrix_factor(m, w, 1))
    return 0;
  ffi_interior_program_gradient(m, w);
  ffi_interior_program_lines(w, w->x, w->gradient, 1, w->want);
  for (int i = 0; i < size; ++i)
    w->want[i] = -w->want[i];
  ffi_interior_matrix_step(m, w, w->want, w->gradient, w->x, w->dy);
  ffi_interior_program_gradient(m, w);
  ffi_interior_program_lines(w, w->x, w->gradient, 1, w->w);
  for (int i = 0; i < size; ++i)
    w->y[i] = -w->w[i];
  double *const both[2] = {w->w, w->y};
  for (int k = 0; k < 2; ++k) {
    const double outside = ffi_nt_scaling_outside(&w->scaling, both[k]);
    if (outside > -1e-3)
      ffi_nt_scaling_shift(&w->scaling, 1 + outside, both[k]);
  }
  return 1;
}

// (dx, dw, dy) for W dy + W^-1 dw = want.
static void find_step(ffi_hard_memory *m, ffi_interior_point *w)
{
  const int size = size_of(w), local = 3 * w->scaling.cones + w->first_sum;
  double *g = w->dw;
  ffi_nt_scaling_remove(&w->scaling, w->off, g);
  for (int i = 0; i < size; ++i)
    g[i] = w->want[i] - g[i];
  ffi_nt_scaling_remove(&w->scaling, g, g);
  ffi_interior_matrix_step(m, w, g, w->residual, w->dx, w->dy);
  ffi_interior_program_product(m, w, w->dx, w->room);
  ffi_interior_program_lines(w, w->dx, w->room, 0, w->dw);
  for (int i = 0; i < size; ++i)
    w->dw[i] += w->off[i];
  ffi_nt_scaling_remove(&w->scaling, w->dw, w->spare);
  for (int i = 0; i < size; ++i)
    w->spare[i] = w->want[i] - w->spare[i];
  ffi_nt_scaling_remove(&w->scaling, w->spare, w->spare);
  memcpy(w->dy, w->spare, (size_t)local * sizeof *w->dy);
}

static double longest(const ffi_interior_point *w)
{
  return fmin(ffi_nt_scaling_length(&w->scaling, w->w, w->dw),
              ffi_nt_scaling_length(&w->scaling, w->y, w->dy));
}

// Predictor: towards w o y = 0. Corrector: towards centre * tau, less the second-order term of the predictor's step.
static double predict_and_correct(ffi_hard_memory *m, ffi_interior_point *w, double tau)
{
  const int size = size_of(w);
  const ffi_nt_scaling *s = &w->scaling;
  ffi_nt_scaling_apply(s, w->y, w->l);
  for (int i = 0; i < size; ++i)
    w->want[i] = -w->l[i];
  find_step(m, w);
  const double reach = longest(w), centre = (1 - reach) * (1 - reach) * (1 - reach);
  ffi_nt_scaling_remove(s, w->dw, w->dw);
  ffi_nt_scaling_apply(s, w->dy, w->dy);
  ffi_nt_scaling_jordan_product(s, w->dw, w->dy, w->want);
  for (int i = 0; i < size; ++i)
    w->want[i] = -w->want[i];
  ffi_nt_scaling_shift(s, centre * tau, w->want);
  ffi_nt_scaling_jordan_divide(s, w->l, w->want, w->want);
  for (int i = 0; i < size; ++i)
    w->want[i] -= w->l[i];
  find_step(m, w);
  return fmin(1, stay_inside * longest(w));
}

static int take_step(ffi_hard_memory *m, ffi_interior_point *w, double length)
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

int ffi_interior_point_solve(ffi_hard_memory *m, ffi_interior_point *w, const ffi_interior_point_bound *bound,
                             int (*is_done)(ffi_hard_memory *m, ffi_hard_result *result),
                             ffi_hard_result *result)
{
  ffi_interior_program(m, w, bound);
  const int size = size_of(w), degree = w->scaling.cones + w->scaling.lines;
  if (!(w->sigma > 0) || !begin(m, w))
    return 0;
  for (int k = 0; k < STEPS && !ffi_early_stop_found(m->problem->interrupt); ++k) {
    const double tau = degree > 0 ? dot(size, w->w, w->y) / degree : 0;
    ffi_interior_program_gradient(m, w);
    if (tau < ask_below) {
      ffi_interior_program_finish(m, w);
      if (is_done(m, result) && (result->excess <= within || tau < least_tau))
        return 1;
    }
    if (tau < least_tau || !ffi_nt_scaling_set(&w->scaling, w->w, w->y) ||
        !ffi_interior_matrix_factor(m, w, 0))
      break;
    ffi_interior_program_transposed(m, w, w->y, w->residual);
    ffi_interior_program_lines(w, w->x, w->gradient, 1, w->off);
    for (int i = 0; i < m->n; ++i)
      w->residual[i] = w->gradient[i] + ffi_interior_matrix_regular(m, w, i) * w->x[i] - w->residual[i];
    for (int i = 0; i < size; ++i)
      w->off[i] -= w->w[i];
    const double length = predict_and_correct(m, w, tau);
    ++result->iterations;
    m->work += ffi_hard_work_of(size);
    if (m->most_work > 0 && m->work > m->most_work) {
      m->work = INFINITY;
      return 0;
    }
    if (!(length > least_length) || !take_step(m, w, length))
      break;
  }
  ffi_interior_program_finish(m, w);
  return is_done(m, result);
}
