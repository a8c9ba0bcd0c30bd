// Rows of impulse laws: from world axes into a block's own, and M^-1 W' along the trees that they touch, four rows at a time.
// Y = M^-1 W = L^-1 D^-1 L^-T W. The first solve stays on the paths of the rows, the last one fills the trees behind them.
#include "dynamics/joint.h"

#include "step/kernels.h"

#include "complex4.h"
#include "variant.h"

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
FFI_ALWAYS void solve_trees(const ffi_work *w, int count, const int *path, const ffi_trees *t, lanes4 *x)
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
                              int count, const int *path, const ffi_trees *t, double *room, double *Y)
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
