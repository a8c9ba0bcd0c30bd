// Slopes of the velocities of two points, body by body along their paths.
#include "step/implicit/implicit_points.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"

#include <string.h>

typedef ffi_implicit_points_side side;

enum { SIDE_ARRAYS = 4, BOTH_ARRAYS = 7 };

size_t ffi_implicit_points_size(int stride)
{
  return (size_t)(2 * SIDE_ARRAYS + BOTH_ARRAYS) * 3 * (size_t)stride;
}

// ---- One body ---------------------------------------------------------------------------------------------

// Velocities `from` up to `to` of a path.
typedef struct range {
  int from, to;
} range;

static void times(const double *rows, int stride, range of, const int *dof, const double *v, double out[3])
{
  for (int k = of.from; k < of.to; ++k)
    for (int r = 0; r < 3; ++r)
      out[r] += rows[r * stride + k] * v[dof[k]];
}

// The equations of the header, for the velocities of one body on the path.
static void body_slopes(side *a, int stride, range of, const double u_up[3], const double w_up[3])
{
  double u[3], w[3], c[3], z[3], d[3], t[3];
  ffi_v3_sub(a->u, u_up, u);
  ffi_v3_sub(a->omega, w_up, w);
  for (int k = of.from; k < of.to; ++k) {
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

static side place_side(int body, int stride, double *memory)
{
  const size_t size = 3 * (size_t)stride;
  return (side){
      .body = body, .c = memory, .z = memory + size, .du = memory + 2 * size, .dw = memory + 3 * size};
}

// Everything about the point x of a side. c may be given already (rows of one body are a contact's own), else NULL.
static void evaluate_side(const ffi_system *s, const ffi_implicit *at, const double x[3], const double *c,
                          side *out)
{
  const ff_model *m = s->model;
  const ffi_work *work = at->at->at.work;
  const double *v = at->x->v;
  const int stride = at->at->stride;
  const ffi_body *b = &m->bodies[out->body];
  if (out->body == 0)
    return;
  out->n = b->depth;
  out->dof = work->path + m->dof_row[b->v + b->nv - 1];
  s->step_k->path_rows(work, out->body, x, 1, c ? NULL : out->c, out->z, stride);
  if (c)
    memcpy(out->c, c, 3 * (size_t)stride * sizeof *c);
  const range all = {0, out->n};
  times(out->c, stride, all, out->dof, v, out->u);
  times(out->z, stride, all, out->dof, v, out->omega);
  double u_up[3] = {0, 0, 0}, w_up[3] = {0, 0, 0};
  for (int k = 0; k < out->n;) {
    const range own = {k, k + m->bodies[m->dof_body[out->dof[k]]].nv};
    body_slopes(out, stride, own, u_up, w_up);
    times(out->c, stride, own, out->dof, v, u_up);
    times(out->z, stride, own, out->dof, v, w_up);
    k = own.to;
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

// The column of the k-th velocity of a side: the body with the lower number comes first, shared velocities once.
static int column_of(const ffi_implicit_points *t, const side *own, int k)
{
  const side *other = own == &t->a ? &t->b : &t->a;
  const int shared = other->n > 0 ? own->n + other->n - t->columns.n : own->n;
  const int leads = other->n == 0 || own->body < other->body;
  return leads || k < shared ? k : k + other->n - shared;
}

static void spread(const ffi_implicit_points *t, const side *own, double sign, const double *from, double *to)
{
  const int stride = t->columns.stride;
  double a[3];
  for (int k = 0; k < own->n; ++k) {
    ffi_implicit_columns_get(from, stride, k, a);
    ffi_implicit_columns_add(sign, a, stride, column_of(t, own, k), to);
  }
}

void ffi_implicit_points_evaluate(const ffi_system *s, const ffi_implicit *m,
                                  const ffi_contact_jacobian_points *at, const ffi_rows3 *rows, int angular,
                                  ffi_implicit_points *t)
{
  const int stride = m->at->stride;
  const double *own = at->b == 0 && !angular ? rows->J : NULL;
  t->columns = ffi_implicit_columns_of(rows, stride, s->model->size.nv);
  place_both(m, t);
  t->a = place_side(at->a, stride, m->slopes);
  t->b = place_side(at->b, stride, m->slopes + SIDE_ARRAYS * 3 * stride);
  evaluate_side(s, m, at->xa, own, &t->a);
  evaluate_side(s, m, at->xb, NULL, &t->b);
  if (at->b == 0) { // a's columns are those of the rows
    t->turn_a = t->a.z;
    t->du = angular ? t->a.dw : t->a.du;
    return;
  }
  ffi_implicit_columns_clear(stride, t->turn_a);
  ffi_implicit_columns_clear(stride, t->turn_b);
  ffi_implicit_columns_clear(stride, t->du);
  spread(t, &t->a, 1, t->a.z, t->turn_a);
  spread(t, &t->b, 1, t->b.z, t->turn_b);
  spread(t, &t->a, 1, angular ? t->a.dw : t->a.du, t->du);
  spread(t, &t->b, -1, angular ? t->b.dw : t->b.du, t->du);
}
