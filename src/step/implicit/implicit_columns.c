// Sums and products of columns.
#include "step/implicit/implicit_columns.h"

#include "math/mat3.h"
#include "math/vec3.h"

#include <stddef.h>
#include <string.h>

void ffi_implicit_columns_clear(int stride, double *rows)
{
  memset(rows, 0, 3 * (size_t)stride * sizeof *rows);
}

void ffi_implicit_columns_get(const double *rows, int stride, int k, double out[3])
{
  ffi_v3_set(rows[k], rows[stride + k], rows[2 * stride + k], out);
}

void ffi_implicit_columns_set(const double a[3], int stride, int k, double *rows)
{
  for (int r = 0; r < 3; ++r)
    rows[r * stride + k] = a[r];
}

void ffi_implicit_columns_add(double scale, const double a[3], int stride, int k, double *rows)
{
  for (int r = 0; r < 3; ++r)
    rows[r * stride + k] += scale * a[r];
}

void ffi_implicit_columns_transform(const ffi_implicit_columns *c, const double G[9], const double *a,
                                    const double *H, const double *b, double *out)
{
  double x[3], y[3], z[3];
  for (int k = 0; k < c->n; ++k) {
    ffi_implicit_columns_get(a, c->stride, k, x);
    ffi_m3_mulv(G, x, y);
    if (H) {
      ffi_implicit_columns_get(b, c->stride, k, x);
      ffi_m3_mulv(H, x, z);
      ffi_v3_add(y, z, y);
    }
    ffi_implicit_columns_set(y, c->stride, k, out);
  }
}

void ffi_implicit_columns_add_cross(const ffi_implicit_columns *c, double scale, const double *rows,
                                    const double a[3], double *out)
{
  double x[3], y[3];
  for (int k = 0; k < c->n; ++k) {
    ffi_implicit_columns_get(rows, c->stride, k, x);
    ffi_v3_cross(x, a, y);
    ffi_implicit_columns_add(scale, y, c->stride, k, out);
  }
}

void ffi_implicit_columns_subtract_product(const ffi_implicit_columns *c, double scale, const double *left,
                                           const double *right, double *matrix)
{
  const int n = c->n, stride = c->stride;
  for (int i = 0; i < n; ++i) {
    double *row = matrix + (ptrdiff_t)c->dof[i] * c->nv;
    const double x = scale * left[i], y = scale * left[stride + i], z = scale * left[2 * stride + i];
    for (int k = 0; k < n; ++k)
      row[c->dof[k]] -= x * right[k] + y * right[stride + k] + z * right[2 * stride + k];
  }
}
