// Inner loops of Newton's iterations: elimination, products, and the tangent of a contact's springs.
#include "step/newton_kernels.h"

#include "dynamics/joint.h"
#include "step/kernels/step_kernels_variant.h"

#include <math.h>
#include <string.h>

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

FFI_ALWAYS four at(const double *a)
{
  return *(const four *)a;
}
FFI_ALWAYS four all(double x)
{
  return (four){x, x, x, x};
}
FFI_ALWAYS double sum(four x)
{
  return (x[0] + x[2]) + (x[1] + x[3]);
}

// ---- Elimination ------------------------------------------------------------------------------------------

static int best_pivot(int n, int stride, const double *A, int k)
{
  int best = k;
  double most = fabs(A[(ptrdiff_t)k * stride + k]);
  for (int i = k + 1; i < n; ++i) {
    const double size = fabs(A[(ptrdiff_t)i * stride + k]);
    if (size > most) {
      most = size;
      best = i;
    }
  }
  return best;
}

FFI_ALWAYS void swap_rows(int from, int stride, double *a, double *b)
{
  for (int j = from; j < stride; j += 4) {
    const four t = at(a + j);
    *(four *)(a + j) = at(b + j);
    *(four *)(b + j) = t;
  }
}

// Entries left of the diagonal are zero once eliminated, so rows are taken from the last multiple of four on.
static int FFI_KERNEL(eliminate)(int n, int stride, double *A, double *x)
{
  for (int k = 0; k < n; ++k) {
    const int from = k / 4 * 4, best = best_pivot(n, stride, A, k);
    double *pivot = A + (ptrdiff_t)k * stride;
    if (best != k)
      swap_rows(from, stride, pivot, A + (ptrdiff_t)best * stride);
    if (pivot[k] == 0 || isnan(pivot[k]))
      return 0;
    const double inverse = 1 / pivot[k];
    for (int i = k + 1; i < n; ++i) {
      double *row = A + (ptrdiff_t)i * stride;
      if (row[k] == 0)
        continue;
      const four l = all(row[k] * inverse);
      for (int j = from; j < stride; j += 4)
        *(four *)(row + j) = at(row + j) - l * at(pivot + j);
      row[k] = 0;
    }
  }
  memset(x, 0, (size_t)stride * sizeof *x);
  for (int i = n - 1; i >= 0; --i) {
    const double *row = A + (ptrdiff_t)i * stride;
    four s = all(0);
    for (int j = i / 4 * 4; j < stride; j += 4)
      s = s + at(row + j) * at(x + j); // x[i] and x[n] are still zero
    x[i] = (row[n] - sum(s)) / row[i];
  }
  return 1;
}

// ---- Products ---------------------------------------------------------------------------------------------

FFI_ALWAYS double product(int stride, const double *a, const double *b)
{
  four s = all(0);
  for (int j = 0; j < stride; j += 4)
    s = s + at(a + j) * at(b + j);
  return sum(s);
}

static void FFI_KERNEL(multiply)(int n, int stride, const double *A, const double *x, double *y)
{
  for (int i = 0; i < n; ++i) {
    const double *row = A + (ptrdiff_t)i * stride;
    const int whole = n / 4 * 4;
    double rest = product(whole, row, x);
    for (int k = whole; k < n; ++k)
      rest += row[k] * x[k];
    y[i] += rest;
  }
}

static void FFI_KERNEL(times3)(int stride, const double *P, const double *x, double out[3])
{
  for (int r = 0; r < 3; ++r)
    out[r] = product(stride, P + r * stride, x);
}

static void FFI_KERNEL(assemble)(int n, int stride, double dt, const double *M, const double *by_v,
                                 const double *by_q, double *A)
{
  const double rate = 1 / dt;
  for (ptrdiff_t i = 0; i < n; ++i) {
    const double *m = M + i * n, *v = by_v + i * n, *q = by_q + i * n;
    double *row = A + i * stride;
    int k = 0;
    for (; k + 4 <= n; k += 4)
      *(four *)(row + k) = rate * at(m + k) + at(v + k) + dt * at(q + k);
    for (; k < n; ++k)
      row[k] = rate * m[k] + v[k] + dt * q[k];
    for (; k < stride; ++k)
      row[k] = 0;
  }
}

static void FFI_KERNEL(subtract_product)(int columns, const int *dof, const double *J, int rows_stride,
                                         const double S[9], const double *P, int stride, double *A)
{
  for (int a = 0; a < columns; ++a) {
    double *row = A + (ptrdiff_t)dof[a] * stride;
    const double x = J[a], y = J[rows_stride + a], z = J[2 * rows_stride + a];
    const four l0 = all(S[0] * x + S[3] * y + S[6] * z), l1 = all(S[1] * x + S[4] * y + S[7] * z),
               l2 = all(S[2] * x + S[5] * y + S[8] * z);
    for (int j = 0; j < stride; j += 4)
      *(four *)(row + j) =
          at(row + j) - l0 * at(P + j) - l1 * at(P + stride + j) - l2 * at(P + 2 * stride + j);
  }
}

// ---- Points -----------------------------------------------------------------------------------------------

FFI_ALWAYS vec3 column(const double *rows, int stride, int k)
{
  return vec(rows[k], rows[stride + k], rows[2 * stride + k]);
}
FFI_ALWAYS void put_column(double *rows, int stride, int k, vec3 a)
{
  rows[k] = a.x;
  rows[stride + k] = a.y;
  rows[2 * stride + k] = a.z;
}

// The columns [from, to) of one body's joint, below what moves with (u_up, w_up): by q to slope, by v straight to P.
FFI_ALWAYS void body_columns(const ffi_newton_kernels_point *p, const int *dof, const double *z, int from,
                             int to, vec3 u, vec3 w, double *slope, int stride, double *P)
{
  for (int k = from; k < to; ++k) {
    const vec3 c = column(p->J, p->rows_stride, k), turn = column(z, p->rows_stride, k);
    const vec3 du = add_cross(cross(turn, u), w, c);
    put_column(slope, p->rows_stride, k, add_mul3(mul3(p->K, c), p->B, du));
    put_column(P, stride, dof[k], mul3(p->B, c));
  }
}

// P += slope Q for the columns of one joint.
FFI_ALWAYS void group_columns(const int *dof, const double (*Q)[6], int from, int to, const double *slope,
                              int rows_stride, int stride, double *P)
{
  for (int k = from; k < to; ++k) {
    const vec3 s = column(slope, rows_stride, k);
    const double *q = Q[dof[k]];
    double *out = P + dof[from];
    for (int j = 0; j < to - from; ++j) {
      out[j] += s.x * q[j];
      out[stride + j] += s.y * q[j];
      out[2 * stride + j] += s.z * q[j];
    }
  }
}

static void FFI_KERNEL(point_tangent)(const ffi_work *w, const ffi_newton_kernels_point *p, const double *v,
                                      const double (*Q)[6], double *scratch, int stride, double *P)
{
  const ff_model *m = w->model;
  const ffi_body *b = &m->bodies[p->body];
  const int n = b->depth, rs = p->rows_stride, *dof = w->path + m->dof_row[b->v + b->nv - 1];
  double *z = scratch, *slope = scratch + 3 * rs;
  FFI_KERNEL(path_rows)(w, p->body, p->x, 1, NULL, z, rs);
  memset(P, 0, 3 * (size_t)stride * sizeof *P);
  vec3 u = vec(0, 0, 0), up = u, turn = sub(u, load3(p->omega));
  for (int k = 0; k < n; ++k)
    u = axpy(v[dof[k]], column(p->J, rs, k), u);
  for (int k = 0; k < n;) {
    const int end = k + m->bodies[m->dof_body[dof[k]]].nv;
    body_columns(p, dof, z, k, end, sub(u, up), turn, slope, stride, P);
    group_columns(dof, Q, k, end, slope, rs, stride, P);
    for (; k < end; ++k) {
      up = axpy(v[dof[k]], column(p->J, rs, k), up);
      turn = axpy(v[dof[k]], column(z, rs, k), turn);
    }
  }
}

const ffi_newton_kernels FFI_KERNEL(newton_kernels) = {
    .eliminate = FFI_KERNEL(eliminate),
    .multiply = FFI_KERNEL(multiply),
    .assemble = FFI_KERNEL(assemble),
    .subtract_product = FFI_KERNEL(subtract_product),
    .times3 = FFI_KERNEL(times3),
    .point_tangent = FFI_KERNEL(point_tangent),
};
