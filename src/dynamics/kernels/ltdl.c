// M = L' D L with L unit lower triangular, in the sparsity of the tree (no fill-in), and solves with it.
// docs/theory/dynamics.md section 5, eq. 7
// Rows hold the entries of ancestors, root first, so row k and the row of any ancestor of k line up entry by entry:
// elimination is a product of a number and the front of a row. No square roots: D is kept as 1/D on the diagonal.
//
// Under a free root the first six entries of every row belong to it. They are left until all other rows are done; then
// the root's 6 x 6 block is updated with all rows in one pass, in registers.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

#include <float.h>

// A pivot counts as positive above this share of the entry it came from: below, it is rounding.
// Elimination loses a few units of the last place per ancestor; a chain of a thousand links is still far from it.
static double least_share(const ffi_work *w)
{
  return 4 * DBL_EPSILON * (w->model->size.nv + 8);
}

// The smaller one; NaN stays NaN.
FFI_ALWAYS real smaller(real a, real b)
{
#if FFI_LANES == 1
  return a < b || a != a ? a : b;
#else
  const real_bits mask = (real_bits)(a < b) | (real_bits)(a != a);
  return select_bits(mask, a, b);
#endif
}

// Eliminate row k from the rows of its ancestors at positions >= from.
FFI_ALWAYS void eliminate(const ffi_work *w, int k, const int from, double share, real *margin)
{
  const ff_model *m = w->model;
  real *row = w->M + m->dof_row[k];
  const int *path = w->path + m->dof_row[k];
  const int depth = m->dof_depth[k];
  *margin = smaller(row[depth] - share * w->diagonal[k], *margin);
  const real inverse = 1.0 / row[depth];
  row[depth] = inverse;
  for (int a = depth - 1; a >= from; --a) {
    real *restrict other = w->M + m->dof_row[path[a]];
    const real l = row[a] * inverse;
    for (int j = 0; j < from; ++j)
      other[j] = other[j] - l * row[j];
    for (int j = from; j <= a; ++j)
      other[j] = other[j] - l * row[j];
    row[a] = l;
  }
}

// The free root's own block, once all rows [first, last) under it are eliminated down to it.
static void factor_root(const ffi_work *w, int root, int last, double share, real *margin)
{
  const ff_model *m = w->model;
  real *block = w->M + m->dof_row[root];
  real B[21];
#pragma GCC unroll 21
  for (int j = 0; j < 21; ++j)
    B[j] = block[j];
  for (int k = root + 6; k < last; ++k) {
    real *row = w->M + m->dof_row[k];
    const real inverse = row[m->dof_depth[k]];
    real x[6], l[6];
    for (int j = 0; j < 6; ++j)
      x[j] = row[j];
    for (int j = 0; j < 6; ++j)
      l[j] = x[j] * inverse;
#pragma GCC unroll 6
    for (int a = 0; a < 6; ++a)
#pragma GCC unroll 6
      for (int j = 0; j <= a; ++j)
        B[a * (a + 1) / 2 + j] = B[a * (a + 1) / 2 + j] - l[a] * x[j];
    for (int j = 0; j < 6; ++j)
      row[j] = l[j];
  }
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    real *row = B + k * (k + 1) / 2;
    *margin = smaller(row[k] - share * w->diagonal[root + k], *margin);
    const real inverse = 1.0 / row[k];
#pragma GCC unroll 6
    for (int a = k - 1; a >= 0; --a) {
      const real l = row[a] * inverse;
#pragma GCC unroll 6
      for (int j = 0; j <= a; ++j)
        B[a * (a + 1) / 2 + j] = B[a * (a + 1) / 2 + j] - l * row[j];
      row[a] = l;
    }
    row[k] = inverse;
  }
#pragma GCC unroll 21
  for (int j = 0; j < 21; ++j)
    block[j] = B[j];
}

// Returns the least margin by which a pivot is positive: not positive, or NaN, if M is not positive definite.
double FFI_KERNEL(factor)(ffi_work *w)
{
  const ff_model *m = w->model;
  const double share = least_share(w);
  real margin = splat(DBL_MAX);
  for (int k = 0; k < m->size.nv; ++k)
    w->diagonal[k] = w->M[m->dof_row[k + 1] - 1];
  for (int r = w->root_count - 1; r >= 0; --r) {
    const ffi_body *root = &m->bodies[w->roots[r]];
    const int from = root->kind == FFI_KIND_FREE ? 6 : 0;
    for (int k = root->v_end - 1; k >= root->v + from; --k) {
      if (from)
        eliminate(w, k, 6, share, &margin);
      else
        eliminate(w, k, 0, share, &margin);
    }
    if (from)
      factor_root(w, root->v, root->v_end, share, &margin);
  }
  double all[FFI_LANES];
  memcpy(all, &margin, sizeof all);
  double least = all[0];
  for (int k = 1; k < FFI_LANES; ++k)
    if (all[k] < least || all[k] != all[k])
      least = all[k];
  return least;
}

// After a factorisation that failed: the first velocity, in the order of elimination, whose pivot was not positive.
int FFI_KERNEL(bad_pivot)(const ffi_work *w, int *lane)
{
  const ff_model *m = w->model;
  for (int k = m->size.nv - 1; k >= 0; --k) {
    double inverse[FFI_LANES], diagonal[FFI_LANES];
    memcpy(inverse, &w->M[m->dof_row[k + 1] - 1], sizeof inverse);
    memcpy(diagonal, &w->diagonal[k], sizeof diagonal);
    for (*lane = 0; *lane < FFI_LANES; ++*lane) {
      const double pivot = 1.0 / inverse[*lane];
      if (!(pivot - least_share(w) * diagonal[*lane] > 0) || !(pivot < DBL_MAX))
        return k;
    }
  }
  *lane = 0;
  return -1;
}

// x := L^-T x, then D^-1, then L^-1.
void FFI_KERNEL(solve)(const ffi_work *w, double *x_io)
{
  const ff_model *m = w->model;
  real_u *x = (real_u *)x_io;
  for (int k = m->size.nv - 1; k >= 0; --k) {
    const real *row = w->M + m->dof_row[k];
    const int *path = w->path + m->dof_row[k];
    const real xk = x[k];
    for (int a = 0; a < m->dof_depth[k]; ++a)
      x[path[a]] = x[path[a]] - row[a] * xk;
  }
  for (int k = 0; k < m->size.nv; ++k) {
    const real *row = w->M + m->dof_row[k];
    const int *path = w->path + m->dof_row[k];
    real xk = x[k] * row[m->dof_depth[k]];
    for (int a = 0; a < m->dof_depth[k]; ++a)
      xk = xk - row[a] * x[path[a]];
    x[k] = xk;
  }
}
