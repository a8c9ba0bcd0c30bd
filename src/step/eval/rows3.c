// Products with three sparse rows.
#include "step/eval/rows3.h"

#include "math/vec3.h"

void ffi_rows3_add_transposed(const ffi_rows3 *rows, int stride, const double force[3], double *f)
{
  const double *J = rows->J;
  for (int k = 0; k < rows->columns; ++k)
    f[rows->dof[k]] += J[k] * force[0] + J[stride + k] * force[1] + J[2 * stride + k] * force[2];
}

void ffi_rows3_times(const ffi_rows3 *rows, int stride, const double *v, double out[3])
{
  double x = 0, y = 0, z = 0;
  const double *J = rows->J;
  for (int k = 0; k < rows->columns; ++k) {
    const double vk = v[rows->dof[k]];
    x += J[k] * vk;
    y += J[stride + k] * vk;
    z += J[2 * stride + k] * vk;
  }
  ffi_v3_set(x, y, z, out);
}
