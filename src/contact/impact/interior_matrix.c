// The linear systems of the interior point method.  docs/theory/impact.md sections 4 and 5
//
// Without a bound: P + A'Theta A by Cholesky, Theta being small diagonal blocks. Lines over all impulses would put
// Theta of 10^14 and more into the whole matrix, so with a bound they stay outside,
//
//     [ T    A' ] [ dx ]   [ A_local'g - residual ]
//     [ A  -1/Theta ] [ -dy ] = [ g / Theta ],         T = P + A_local'Theta A_local
//
// which is quasidefinite and has an L D L'.
#include "contact/impact/interior_program.h"
#include "math/dense.h"

#include <string.h>

enum { TRIALS = 5 };
static const double regular = 1e-11, rounding = 1e-15, more = 100;

double ffi_interior_matrix_regular(const ffi_hard_memory *m, const ffi_interior_point *w, int row)
{
  return regular * w->S[row] * w->S[row] * m->weight[row];
}

static int bound_lines(const ffi_interior_point *w)
{
  return w->scaling.lines - w->first_sum;
}

// Row of A of an OPENING or a SUM.
static void row_of(const ffi_hard_memory *m, const ffi_interior_point *w, const ffi_interior_point_line *line,
                   double *a)
{
  if (line->kind == FFI_INTERIOR_OPENING) {
    const double *G = m->G + (size_t)line->at * (size_t)m->stride;
    for (int j = 0; j < m->n; ++j)
      a[j] = w->S[line->at] * w->S[j] * G[j];
  } else {
    for (int j = 0; j < m->n; ++j)
      a[j] = w->group[j] == line->at ? w->sum[j] : 0;
  }
}

static void add_cones(const ffi_interior_point *w, int is_first, size_t stride, double *T)
{
  for (int k = 0; k < w->scaling.cones; ++k) {
    double theta[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (!is_first)
      ffi_nt_scaling_square(&w->scaling.cone[k], theta);
    const size_t at = (size_t)w->cone[k].at, axis = (size_t)w->cone[k].axis, row[3] = {at, at + 1, axis};
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j)
        if (row[j] <= row[i]) // the lower half; the axis of moments is before them
          T[row[i] * stride + row[j]] += theta[3 * i + j];
  }
}

static void add_lines(const ffi_interior_point *w, int is_first, size_t stride, double *T)
{
  for (int k = 0; k < w->first_sum; ++k) {
    const ffi_interior_point_line *line = &w->line[k];
    const double theta = is_first ? 1 : 1 / (w->scaling.line[k] * w->scaling.line[k]);
    for (int i = 0; i < line->count; ++i)
      for (int j = 0; j <= i; ++j)
        T[(size_t)(line->at + i) * stride + (size_t)(line->at + j)] +=
            theta * line->coefficient[i] * line->coefficient[j];
  }
}

static void fill(const ffi_hard_memory *m, const ffi_interior_point *w, int is_first, double add,
                 size_t stride, double *T)
{
  const size_t n = (size_t)m->n;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j)
      T[i * stride + j] = w->S[i] * w->S[j] * m->G[i * (size_t)m->stride + j];
    T[i * stride + i] = w->S[i] > 0 ? T[i * stride + i] + ffi_interior_matrix_regular(m, w, (int)i) : 1;
  }
  add_cones(w, is_first, stride, T);
  add_lines(w, is_first, stride, T);
  for (size_t i = 0; i < n; ++i)
    T[i * stride + i] *= 1 + add;
}

static int factor_bounded(ffi_hard_memory *m, ffi_interior_point *w, int is_first)
{
  const int d = bound_lines(w), size = m->n + d;
  fill(m, w, is_first, 0, (size_t)size, w->matrix);
  for (int k = 0; k < d; ++k) {
    const double scale = is_first ? 1 : w->scaling.line[w->first_sum + k];
    double *row = w->matrix + (size_t)(m->n + k) * (size_t)size;
    row_of(m, w, &w->line[w->first_sum + k], row);
    memset(row + m->n, 0, (size_t)d * sizeof *row);
    row[m->n + k] = w->below[k] = -scale * scale;
  }
  m->work += ffi_hard_factor_work_of(size);
  return ffi_dense_ldl(size, size, w->matrix) == FFI_FACTORED;
}

int ffi_interior_matrix_factor(ffi_hard_memory *m, ffi_interior_point *w, int is_first)
{
  if (w->is_bound)
    return factor_bounded(m, w, is_first);
  double add = 0;
  for (int k = 0; k < TRIALS; ++k, add = k == 1 ? rounding : more * add) {
    fill(m, w, is_first, add, (size_t)m->n, m->factor);
    m->work += ffi_hard_factor_work_of(m->n);
    if (ffi_dense_cholesky(m->n, m->n, m->factor) == FFI_FACTORED)
      return 1;
  }
  return 0;
}

void ffi_interior_matrix_step(ffi_hard_memory *m, ffi_interior_point *w, const double *g,
                              const double *residual, double *dx, double *out)
{
  const int n = m->n, d = bound_lines(w), first = 3 * w->scaling.cones + w->first_sum;
  double *right = w->right;
  for (int i = 0; i < n; ++i)
    right[i] = -residual[i];
  ffi_interior_program_transposed_local(w, g, right);
  for (int i = 0; i < n; ++i)
    right[i] = w->S[i] > 0 ? right[i] : 0;
  if (!w->is_bound) {
    ffi_dense_cholesky_solve(n, n, m->factor, right);
    memcpy(dx, right, (size_t)n * sizeof *dx);
    return;
  }
  for (int k = 0; k < d; ++k)
    right[n + k] = -g[first + k] * w->below[k];
  ffi_dense_ldl_solve(n + d, n + d, w->matrix, right);
  memcpy(dx, right, (size_t)n * sizeof *dx);
  for (int k = 0; k < d; ++k)
    out[first + k] = -right[n + k];
}
