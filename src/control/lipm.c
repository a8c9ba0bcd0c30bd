#include "control/lipm.h"

#include "base/fail.h"
#include "math/qp.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void ffi_lipm_move(double w, double p, double x, double xi, double t, double out[3])
{
  const double c = cosh(w * t), s = sinh(w * t), v = xi - x; // v over w
  out[0] = p + (x - p) * c + v * s;
  out[1] = w * ((x - p) * s + v * c);
  out[2] = w * w * (out[0] - p);
}

// x_k and xi_k as functions of p: constants and rows.
typedef struct maps {
  double *X, *Xi;   ///< [count + 1][count]
  double *x0, *xi0; ///< [count + 1] at p = 0
} maps;

static void fill_maps(const ffi_lipm_axis *a, maps *m)
{
  const int n = a->count;
  const double e = exp(-a->w * a->interval), s = sinh(a->w * a->interval), c = cosh(a->w * a->interval);
  memset(m->X, 0, (size_t)n * sizeof *m->X);
  memset(m->Xi + n * n, 0, (size_t)n * sizeof *m->Xi);
  m->x0[0] = a->x0;
  m->xi0[n] = a->x_end;
  for (int k = n - 1; k >= 0; --k) {
    for (int j = 0; j < n; ++j)
      m->Xi[k * n + j] = e * m->Xi[(k + 1) * n + j];
    m->Xi[k * n + k] += 1 - e;
    m->xi0[k] = e * m->xi0[k + 1];
  }
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j)
      m->X[(k + 1) * n + j] = e * m->X[k * n + j] + s * m->Xi[k * n + j];
    m->X[(k + 1) * n + k] += 1 - c;
    m->x0[k + 1] = e * m->x0[k] + s * m->xi0[k];
  }
}

typedef struct planner {
  maps maps;
  double *H, *g, *A, *b, *row;
  ffi_qp_work work;
} planner;

static void layout(int count, ffi_block *block, planner *out)
{
  const size_t n = (size_t)count, d = sizeof(double);
  out->maps.X = ffi_block_take(block, (n + 1) * n, d);
  out->maps.Xi = ffi_block_take(block, (n + 1) * n, d);
  out->maps.x0 = ffi_block_take(block, n + 1, d);
  out->maps.xi0 = ffi_block_take(block, n + 1, d);
  out->H = ffi_block_take(block, n * n, d);
  out->g = ffi_block_take(block, n, d);
  out->A = ffi_block_take(block, (2 + 2 * n) * n, d);
  out->b = ffi_block_take(block, 2 + 2 * n, d);
  out->row = ffi_block_take(block, n, d);
  ffi_qp_layout(count, 2 + 2 * count, block, &out->work);
}

// pressure_weight |p - want|^2 + speed_weight sum of (w (xi_k - x_k))^2
static void make_cost(const ffi_lipm_axis *a, planner *w)
{
  const int n = a->count;
  memset(w->H, 0, (size_t)n * (size_t)n * sizeof *w->H);
  for (int i = 0; i < n; ++i) {
    w->H[i * n + i] = a->pressure_weight;
    w->g[i] = -a->pressure_weight * a->want[i];
  }
  for (int k = 1; k <= n && a->speed_weight > 0; ++k) {
    const double rest = a->w * (w->maps.xi0[k] - w->maps.x0[k]);
    for (int i = 0; i < n; ++i)
      w->row[i] = a->w * (w->maps.Xi[k * n + i] - w->maps.X[k * n + i]);
    for (int i = 0; i < n; ++i) {
      const double part = a->speed_weight * w->row[i];
      w->g[i] += part * rest;
      for (int j = 0; j <= i; ++j)
        w->H[i * n + j] += part * w->row[j];
    }
  }
}

// The capture point at the start and the place at the end, then the bounds of p.
static void make_rows(const ffi_lipm_axis *a, planner *w)
{
  const int n = a->count;
  const size_t bytes = (size_t)n * sizeof *w->A;
  memset(w->A, 0, (2 + 2 * (size_t)n) * bytes);
  memcpy(w->A, w->maps.Xi, bytes);
  w->b[0] = a->x0 + a->v0 / a->w - w->maps.xi0[0];
  memcpy(w->A + n, w->maps.X + n * n, bytes);
  w->b[1] = a->x_end - w->maps.x0[n];
  for (int i = 0; i < n; ++i) {
    w->A[(2 + i) * n + i] = 1;
    w->b[2 + i] = a->lo[i];
    w->A[(2 + n + i) * n + i] = -1;
    w->b[2 + n + i] = -a->hi[i];
  }
}

// Both at the ends of all intervals.
static void run(const ffi_lipm_axis *a, const double *p, double *x, double *xi)
{
  const int n = a->count;
  const double e = exp(-a->w * a->interval), s = sinh(a->w * a->interval), c = cosh(a->w * a->interval);
  xi[n] = a->x_end;
  x[0] = a->x0;
  for (int k = n - 1; k >= 0; --k)
    xi[k] = e * xi[k + 1] + (1 - e) * p[k];
  for (int k = 0; k < n; ++k)
    x[k + 1] = e * x[k] + s * xi[k] + (1 - c) * p[k];
}

ff_status ffi_lipm_plan(const ffi_lipm_axis *axis, double *p, double *x, double *xi, ff_error *error)
{
  const int n = axis->count;
  planner w = {0};
  ffi_block measure = {0};
  layout(n, &measure, &w);
  char *memory = malloc(measure.used + FFI_BLOCK_ALIGN);
  if (!memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "pendulum", "no memory for a plan of %d intervals", n);
  ffi_block block = {.base = memory + (FFI_BLOCK_ALIGN - (uintptr_t)memory % FFI_BLOCK_ALIGN)};
  layout(n, &block, &w);
  fill_maps(axis, &w.maps);
  make_cost(axis, &w);
  make_rows(axis, &w);
  const ffi_qp program = {n, 2 + 2 * n, 2, w.H, w.g, w.A, w.b};
  const ffi_qp_status status = ffi_qp_solve(&program, NULL, 0, 20 * n + 100, &w.work);
  if (status == FFI_QP_SOLVED) {
    memcpy(p, w.work.x, (size_t)n * sizeof *p);
    run(axis, p, x, xi);
  }
  free(memory);
  if (status != FFI_QP_SOLVED)
    return ffi_fail(
        error, FF_ERROR_ARGUMENT, NULL, 0, "pendulum",
        "no centre of pressure inside the soles brings the centre of mass from %g m at %g m/s to rest at "
        "%g m; give it more time, or a smaller margin",
        axis->x0, axis->v0, axis->x_end);
  return FF_OK;
}
