#include "step/implicit/implicit_points.h"

#include "dynamics/one_lane.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "step/step_kernels.h"

#include <string.h>

// Three rows by columns, [3][stride].
void ffi_implicit_columns_get(const double *rows, int stride, int k, double out[3])
{
  ffi_v3_set(rows[k], rows[stride + k], rows[2 * stride + k], out);
}

void ffi_implicit_columns_set(const double a[3], int stride, int k, double *rows)
{
  for (int r = 0; r < 3; ++r)
    rows[r * stride + k] = a[r];
}

static void add_column(double scale, const double a[3], int stride, int k, double *rows)
{
  for (int r = 0; r < 3; ++r)
    rows[r * stride + k] += scale * a[r];
}

// ---- One body ---------------------------------------------------------------------------------------------

enum { SIDE_ARRAYS = 4, BOTH_ARRAYS = 7 };

size_t ffi_implicit_points_size(int stride)
{
  return (size_t)(2 * SIDE_ARRAYS + BOTH_ARRAYS) * 3 * (size_t)stride;
}

static void times(const double *rows, int stride, int from, int to, const int *dof, const double *v,
                  double out[3])
{
  for (int k = from; k < to; ++k)
    for (int r = 0; r < 3; ++r)
      out[r] += rows[r * stride + k] * v[dof[k]];
}

// Slopes of the velocities [from, to) of one body on the path, below what moves with (u_up, w_up).
static void body_slopes(ffi_side *a, int stride, int from, int to, const double u_up[3], const double w_up[3])
{
  double u[3], w[3], c[3], z[3], d[3], t[3];
  ffi_v3_sub(a->u, u_up, u);
  ffi_v3_sub(a->omega, w_up, w);
  for (int k = from; k < to; ++k) {
    ffi_implicit_columns_get(a->c, stride, k, c);
    ffi_implicit_columns_get(a->z, stride, k, z);
    ffi_v3_cross(z, u, d);
    ffi_v3_cross(w_up, c, t);
    ffi_v3_add(d, t, d);
    ffi_implicit_columns_set(d, stride, k, a->du);
    ffi_v3_cross(z, w, d);
    ffi_implicit_columns_set(d, stride, k, a->dw);
  }
}

// Everything about the point x of a body. c may be given already (rows of one body are a contact's own), else NULL.
static void look(const ffi_system *s, const ffi_implicit *at, int body, const double x[3], const double *c,
                 double *memory, ffi_side *out)
{
  const ff_model *m = s->model;
  const ffi_work *work = at->at->at.work;
  const double *v = at->x->v;
  const int stride = at->at->stride;
  const ffi_body *b = &m->bodies[body];
  const size_t size = 3 * (size_t)stride;
  *out = (ffi_side){
      .body = body, .c = memory, .z = memory + size, .du = memory + 2 * size, .dw = memory + 3 * size};
  if (body == 0)
    return;
  out->n = b->depth;
  out->dof = work->path + m->dof_row[b->v + b->nv - 1];
  s->step_k->path_rows(work, body, x, 1, c ? NULL : out->c, out->z, stride);
  if (c)
    memcpy(out->c, c, size * sizeof *c);
  times(out->c, stride, 0, out->n, out->dof, v, out->u);
  times(out->z, stride, 0, out->n, out->dof, v, out->omega);
  double u_up[3] = {0, 0, 0}, w_up[3] = {0, 0, 0};
  for (int k = 0; k < out->n;) {
    const int end = k + m->bodies[m->dof_body[out->dof[k]]].nv;
    body_slopes(out, stride, k, end, u_up, w_up);
    times(out->c, stride, k, end, out->dof, v, u_up);
    times(out->z, stride, k, end, out->dof, v, w_up);
    k = end;
  }
}

// ---- Two bodies -------------------------------------------------------------------------------------------

static void place_both(const ffi_implicit *m, ffi_implicit_points *t)
{
  const size_t size = 3 * (size_t)m->at->stride;
  double *next = m->slopes + 2 * SIDE_ARRAYS * size;
  double **arrays[BOTH_ARRAYS] = {&t->turn_a, &t->turn_b, &t->du, &t->slide, &t->x, &t->by_q, &t->by_v};
  for (int k = 0; k < BOTH_ARRAYS; ++k, next += size)
    *arrays[k] = next;
}

// The column of the k-th velocity of a side: the body with the lower number comes first, and what both share is not repeated.
static int column_of(const ffi_implicit_points *t, const ffi_side *own, const ffi_rows3 *rows, int k)
{
  const ffi_side *other = own == &t->a ? &t->b : &t->a;
  const int shared = other->n > 0 ? own->n + other->n - rows->columns : own->n;
  const int leads = other->n == 0 || own->body < other->body;
  return leads || k < shared ? k : k + other->n - shared;
}

static void spread(const ffi_implicit_points *t, const ffi_side *own, const ffi_rows3 *rows, int stride,
                   double sign, const double *from, double *to)
{
  double a[3];
  for (int k = 0; k < own->n; ++k) {
    ffi_implicit_columns_get(from, stride, k, a);
    add_column(sign, a, stride, column_of(t, own, rows, k), to);
  }
}

void ffi_implicit_columns_clear(int stride, double *rows)
{
  memset(rows, 0, 3 * (size_t)stride * sizeof *rows);
}

// Both sides of a pair of points, and the slopes of a's velocity less b's.
void ffi_implicit_points_evaluate(const ffi_system *s, const ffi_implicit *m, int a, const double xa[3],
                                  int b, const double xb[3], const ffi_rows3 *rows, int angular,
                                  ffi_implicit_points *t)
{
  const int stride = m->at->stride;
  const double *own = b == 0 && !angular ? rows->J : NULL;
  place_both(m, t);
  look(s, m, a, xa, own, m->slopes, &t->a);
  look(s, m, b, xb, NULL, m->slopes + SIDE_ARRAYS * 3 * stride, &t->b);
  if (b == 0) { // a's columns are those of the rows
    t->turn_a = t->a.z;
    t->du = angular ? t->a.dw : t->a.du;
    return;
  }
  ffi_implicit_columns_clear(stride, t->turn_a);
  ffi_implicit_columns_clear(stride, t->turn_b);
  ffi_implicit_columns_clear(stride, t->du);
  spread(t, &t->a, rows, stride, 1, t->a.z, t->turn_a);
  spread(t, &t->b, rows, stride, 1, t->b.z, t->turn_b);
  spread(t, &t->a, rows, stride, 1, angular ? t->a.dw : t->a.du, t->du);
  spread(t, &t->b, rows, stride, -1, angular ? t->b.dw : t->b.du, t->du);
}

// matrix[i][k] -= scale (left_i . right_k), for velocities of the rows.
void ffi_implicit_columns_subtract_product(const ffi_rows3 *rows, int stride, int nv, double scale,
                                           const double *left, const double *right, double *matrix)
{
  const int n = rows->columns;
  for (int i = 0; i < n; ++i) {
    double *row = matrix + (ptrdiff_t)rows->dof[i] * nv;
    const double x = scale * left[i], y = scale * left[stride + i], z = scale * left[2 * stride + i];
    for (int k = 0; k < n; ++k)
      row[rows->dof[k]] -= x * right[k] + y * right[stride + k] + z * right[2 * stride + k];
  }
}

// out = G a + H b by columns; H NULL: without.
void ffi_implicit_columns_transform(int n, int stride, const double G[9], const double *a, const double *H,
                                    const double *b, double *out)
{
  double x[3], y[3], z[3];
  for (int k = 0; k < n; ++k) {
    ffi_implicit_columns_get(a, stride, k, x);
    ffi_m3_mulv(G, x, y);
    if (H) {
      ffi_implicit_columns_get(b, stride, k, x);
      ffi_m3_mulv(H, x, z);
      ffi_v3_add(y, z, y);
    }
    ffi_implicit_columns_set(y, stride, k, out);
  }
}

// out_k += scale (rows_k x a)
void ffi_implicit_columns_add_cross(int n, int stride, double scale, const double *rows, const double a[3],
                                    double *out)
{
  double x[3], y[3];
  for (int k = 0; k < n; ++k) {
    ffi_implicit_columns_get(rows, stride, k, x);
    ffi_v3_cross(x, a, y);
    add_column(scale, y, stride, k, out);
  }
}
