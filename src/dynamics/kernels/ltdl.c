// M = L' D L with L unit lower triangular, in the sparsity of the tree (no fill-in), and solves with it.
// Rows hold the entries of ancestors, root first, so row k and the row of any ancestor of k line up entry by entry:
// elimination is a product of a number and the front of a row. No square roots: D is kept as 1/D on the diagonal.
//
// Under a free root the first six entries of every row belong to it. They are left until all other rows are done; then the
// root's 6 x 6 block is updated with all rows in one pass, in registers.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

// The smaller one; once a pivot was no number, that stays.
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
FFI_ALWAYS void eliminate(const ffi_work *w, int k, const int from, real *pivot)
{
  const ff_model *m = w->model;
  real *row = w->M + m->dof_row[k];
  const int *path = w->path + m->dof_row[k];
  const int depth = m->dof_depth[k];
  *pivot = smaller(row[depth], *pivot);
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
static void factor_root(const ffi_work *w, int root, int last, real *pivot)
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
    *pivot = smaller(row[k], *pivot);
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

double FFI_KERNEL(factor)(ffi_work *w)
{
  const ff_model *m = w->model;
  real pivot = splat(1e300);
  for (int r = w->root_count - 1; r >= 0; --r) {
    const ffi_body *root = &m->bodies[w->roots[r]];
    const int last = root->v_end;
    if (root->kind == FFI_KIND_FREE) {
      for (int k = last - 1; k >= root->v + 6; --k)
        eliminate(w, k, 6, &pivot);
      factor_root(w, root->v, last, &pivot);
    } else {
      for (int k = last - 1; k >= root->v; --k)
        eliminate(w, k, 0, &pivot);
    }
  }
  double all[FFI_LANES];
  memcpy(all, &pivot, sizeof all);
  double least = all[0];
  for (int k = 1; k < FFI_LANES; ++k)
    if (all[k] < least || all[k] != all[k])
      least = all[k];
  return least;
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
