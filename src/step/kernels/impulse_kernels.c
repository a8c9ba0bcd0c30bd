// Rows of impulse laws: from world axes into a block's own, and what a unit impulse on them does, four rows at a time.
//   Y = M^-1 W = L^-1 D^-1 L^-T W     the first solve stays on the paths of the rows, the last one fills the trees behind them
//   Z = L^-T W                        the first alone: enough for G, couple.c
#include "dynamics/joint.h"

#include "step/step_kernels.h"

#include "step/kernels/complex4.h"
#include "step/kernels/step_kernels_variant.h"

#include <stddef.h>

void FFI_KERNEL(turn_rows)(int rows, const double *axes, int columns, const double *J, int stride, double *W)
{
  for (int r = 0; r < rows; ++r, W += columns, axes += 3) {
    const double x = axes[0], y = axes[1], z = axes[2];
    for (int k = 0; k < columns; ++k)
      W[k] = x * J[k] + y * J[stride + k] + z * J[2 * stride + k];
  }
}

// x := M^-1 x for right-hand sides that are zero outside `path` (a set of velocities with all before them on their own paths, increasing); x is complete
// on the trees.
FFI_ALWAYS void solve_trees(const ffi_work *w, int count, const int *path, const ffi_step_kernels_trees *t,
                            lanes4 *x)
{
  const ff_model *m = w->model;
  for (int k = count - 1; k >= 0; --k) {
    const int i = path[k], depth = m->dof_depth[i];
    const double *row = w->M + m->dof_row[i];
    const int *before = w->path + m->dof_row[i];
    const lanes4 xi = x[i];
    for (int a = 0; a < depth; ++a)
      x[before[a]] -= row[a] * xi;
  }
  for (int r = 0; r < t->count; ++r)
    for (int i = t->first[r]; i < t->last[r]; ++i) {
      const int depth = m->dof_depth[i];
      const double *row = w->M + m->dof_row[i];
      const int *before = w->path + m->dof_row[i];
      lanes4 sum = row[depth] * x[i];
      for (int a = 0; a < depth; ++a)
        sum -= row[a] * x[before[a]];
      x[i] = sum;
    }
}

void FFI_KERNEL(impulse_rows)(const ffi_work *w, int rows, int columns, const int *dof, const double *W,
                              int count, const int *path, const ffi_step_kernels_trees *t, double *room,
                              double *Y)
{
  lanes4 *x = (lanes4 *)room;
  int reach = 0;
  for (int r = 0; r < t->count; ++r)
    reach += t->last[r] - t->first[r];
  for (int row = 0; row < rows; row += 4) {
    const int lanes = rows - row < 4 ? rows - row : 4;
    for (int r = 0; r < t->count; ++r)
      for (int i = t->first[r]; i < t->last[r]; ++i)
        x[i] = (lanes4){0, 0, 0, 0};
    for (int k = 0; k < columns; ++k)
      for (int l = 0; l < lanes; ++l)
        room[4 * dof[k] + l] = W[(row + l) * columns + k];
    solve_trees(w, count, path, t, x);
    double *out = Y + row * reach;
    for (int r = 0; r < t->count; ++r)
      for (int i = t->first[r]; i < t->last[r]; ++i, ++out)
        for (int l = 0; l < lanes; ++l)
          out[l * reach] = room[4 * i + l];
  }
}

// Column k of up to four rows.
FFI_ALWAYS lanes4 column4(const double *W, int lanes, int columns, int k)
{
  const lanes4 column = {W[k], lanes > 1 ? W[columns + k] : 0, lanes > 2 ? W[2 * columns + k] : 0,
                         lanes > 3 ? W[3 * columns + k] : 0};
  return column;
}

// Of one path: position and depth are the same, so Z itself is where it is solved.
FFI_ALWAYS void descend_path(const ffi_work *w, const double *W, int lanes, int columns, const int *dof,
                             const ffi_step_kernels_half *h, lanes4 *Z)
{
  const ff_model *m = w->model;
  if (columns == h->count)
    for (int k = 0; k < columns; ++k)
      Z[k] = column4(W, lanes, columns, k);
  else {
    for (int k = 0; k < h->count; ++k)
      Z[k] = (lanes4){0, 0, 0, 0};
    for (int k = 0; k < columns; ++k)
      Z[m->dof_depth[dof[k]]] = column4(W, lanes, columns, k);
  }
  for (int k = h->count - 1; k > 0; --k) {
    const double *entries = w->M + m->dof_row[h->path[k]];
    const lanes4 z = Z[k];
    for (int a = 0; a < k; ++a)
      Z[a] -= entries[a] * z;
  }
}

// Of a set of paths: by velocity.
FFI_ALWAYS void descend_tree(const ffi_work *w, const double *W, int lanes, int columns, const int *dof,
                             const ffi_step_kernels_half *h, lanes4 *x, lanes4 *Z)
{
  const ff_model *m = w->model;
  for (int k = 0; k < h->count; ++k)
    x[h->path[k]] = (lanes4){0, 0, 0, 0};
  for (int k = 0; k < columns; ++k)
    x[dof[k]] = column4(W, lanes, columns, k);
  for (int k = h->count - 1; k >= 0; --k) {
    const int i = h->path[k], depth = m->dof_depth[i];
    const double *entries = w->M + m->dof_row[i];
    const int *before = w->path + m->dof_row[i];
    const lanes4 z = x[i];
    for (int a = 0; a < depth; ++a)
      x[before[a]] -= entries[a] * z;
    Z[k] = z;
  }
}

void FFI_KERNEL(half_rows)(const ffi_work *w, const double *W, int columns, const int *dof,
                           const ffi_step_kernels_half *h, double *room)
{
  for (int row = 0; row < h->rows; row += 4) {
    const int lanes = h->rows - row < 4 ? h->rows - row : 4;
    lanes4 *Z = (lanes4 *)h->Z + row / 4 * h->count;
    const double *rows = W + row * columns;
    if (h->is_path && lanes == 3)
      descend_path(w, rows, 3, columns, dof, h, Z);
    else if (h->is_path)
      descend_path(w, rows, lanes, columns, dof, h, Z);
    else
      descend_tree(w, rows, lanes, columns, dof, h, (lanes4 *)room, Z);
  }
}
