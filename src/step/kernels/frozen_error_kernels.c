// What the error bound of the frozen system asks for (step/frozen_error.h): energies of four motions at once, and mobilities of three rows.
#include "step/step_kernels.h"

#include "step/kernels/complex4.h"
#include "step/kernels/step_kernels_variant.h"

void FFI_KERNEL(energies)(const ffi_pattern *p, const double *M, const double *v, double out[4])
{
  lanes4 sum = {0};
  for (int i = 0; i < p->n; ++i) {
    const double *row = M + p->row[i];
    const int *path = p->path + p->row[i], depth = p->depth[i];
    const lanes4 own = *(const lanes4 *)(v + 4 * i);
    lanes4 even = row[depth] * own, odd = {0}; // twice what is before the diagonal
    int k = 0;
    for (; k + 2 <= depth; k += 2) {
      even = even + 2 * row[k] * *(const lanes4 *)(v + 4 * path[k]);
      odd = odd + 2 * row[k + 1] * *(const lanes4 *)(v + 4 * path[k + 1]);
    }
    if (k < depth)
      even = even + 2 * row[k] * *(const lanes4 *)(v + 4 * path[k]);
    sum = sum + (even + odd) * own;
  }
  *(lanes4 *)out = sum;
}

// y_i out of the equations of the rows on its path; its part of |D^-1/2 y|^2.
FFI_ALWAYS lanes4 climb(const ffi_pattern *p, const double *L, int i, double *y)
{
  const double *row = L + p->row[i];
  const int *path = p->path + p->row[i], depth = p->depth[i];
  lanes4 *own = (lanes4 *)(y + 4 * i);
  const lanes4 here = *own, none = {0};
  *own = none;
  for (int k = 0; k < depth; ++k) {
    lanes4 *up = (lanes4 *)(y + 4 * path[k]);
    *up = *up - row[k] * here;
  }
  return row[depth] * here * here;
}

void FFI_KERNEL(mobilities)(const ffi_pattern *p, const double *L, int columns, const int *dof,
                            const double *J, int stride, int is_path, double *y, double out[3])
{
  lanes4 sum = {0};
  for (int k = 0; k < columns; ++k) {
    const lanes4 rows = {J[k], J[stride + k], J[2 * stride + k], 0};
    *(lanes4 *)(y + 4 * dof[k]) = rows;
  }
  if (is_path) // all that it reaches is on it
    for (int k = columns - 1; k >= 0; --k)
      sum = sum + climb(p, L, dof[k], y);
  else
    for (int i = columns > 0 ? dof[columns - 1] : -1; i >= 0; --i)
      if (y[4 * i] != 0 || y[4 * i + 1] != 0 || y[4 * i + 2] != 0)
        sum = sum + climb(p, L, i, y);
  for (int r = 0; r < 3; ++r)
    out[r] = sum[r];
}
