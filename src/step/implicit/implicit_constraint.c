// Tangents of points and welds: f = -K x - B u between two material points, n = -K x - B u between the axes of two
// bodies.
#include "contact/element/element_rows.h"
#include "dynamics/one_lane.h"
#include "math/lie.h"
#include "math/mat3.h"
#include "math/quaternion.h"
#include "math/vec3.h"
#include "model/followers.h"
#include "step/implicit/implicit_contact.h"
#include "step/implicit/implicit_points.h"

#include <stddef.h>

// An end of an element in the world.
typedef struct end {
  int body;
  double x[3], R[9];
} end;

static end end_of(const ffi_system *s, const ffi_implicit *m, const ff_point *point)
{
  end e;
  e.body = ffi_element_rows_end(s->model, ffi_state_kinematics_places(&m->at->at).body, point, e.x, e.R);
  return e;
}

void ffi_implicit_constraint_points(const ffi_system *s, const ffi_implicit *m, const ffi_constraint *h,
                                    int body[2], double x[2][3])
{
  const ff_element_def *def = &s->elements[h->element].def;
  const end a = end_of(s, m, &def->a), b = end_of(s, m, &def->b);
  body[0] = a.body;
  body[1] = b.body;
  ffi_v3_copy(a.x, x[0]);
  ffi_v3_copy(b.x, x[1]);
}

// Rate of the rotation vector x = Rb log(Rb' Ra) for an angular velocity w of a relative to b, as b sees it: Rb
// left^-1(log) Rb' w.
static void rotation_slope(const double Ra[9], const double Rb[9], double out[9])
{
  double relative[9], q[4], angle[3], inverse[9], turned[9];
  ffi_m3_tmul(Rb, Ra, relative);
  ffi_quat_from_matrix(relative, q);
  ffi_lie_so3_log(q, angle);
  ffi_lie_so3_left_inverse(angle, inverse);
  ffi_m3_mul(Rb, inverse, turned);
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      out[3 * r + k] = ffi_v3_dot(turned + 3 * r, Rb + 3 * k);
}

// matrix[i][k] -= sign d(z_i' torque)/dq_k = sign torque . (z_k x z_i) for k on i's body or before it.
static void subtract_turning(const ffi_system *s, const ffi_implicit_points_side *a, int stride, double sign,
                             const double torque[3], double *matrix)
{
  const int *body = s->model->dof_body;
  const ptrdiff_t nv = s->model->size.nv;
  double zi[3], zk[3], t[3];
  for (int i = 0; i < a->n; ++i)
    for (int k = 0; k < a->n && body[a->dof[k]] <= body[a->dof[i]]; ++k) {
      ffi_implicit_columns_get(a->z, stride, i, zi);
      ffi_implicit_columns_get(a->z, stride, k, zk);
      ffi_v3_cross(zk, zi, t);
      matrix[a->dof[i] * nv + a->dof[k]] -= sign * ffi_v3_dot(torque, t);
    }
}

// A coupling: force -K x - B u on its row J, which turns by -P'' r_leader dq_leader.
static void add_coupling(const ffi_system *s, ffi_implicit *m, const ffi_constraint *h)
{
  const ffi_element *el = &s->elements[h->element];
  const ffi_rows3 *rows = &h->rows;
  const size_t nv = (size_t)s->model->size.nv;
  const double rate = ffi_line_rate(&el->leader, m->x->v);
  double curvature;
  ffi_followers_polynomial(el->def.polynomial, ffi_line_position(&el->leader, m->x->q), NULL, &curvature);
  for (int a = 0; a < rows->columns; ++a)
    for (int b = 0; b < rows->columns; ++b) {
      const double leader = ffi_line_weight(&el->leader, rows->dof[b]);
      const double by_q = -h->K * rows->J[b] + h->B * curvature * rate * leader;
      const size_t at = (size_t)rows->dof[a] * nv + (size_t)rows->dof[b];
      m->by_q[at] -= rows->J[a] * by_q;
      m->by_q[at] += curvature * h->force[0] * ffi_line_weight(&el->leader, rows->dof[a]) * leader;
      m->by_v[at] += rows->J[a] * h->B * rows->J[b];
    }
}

// Torsional or rolling friction: -(K dt + B) u to the elongation at the end while it sticks; while it slides its
// direction turns with that. How the rows turn, and how the limit follows the normal force, is left to the iteration.
static void add_turning(ffi_implicit *m, const ffi_constraint *h, int nv)
{
  const ffi_rows3 *rows = &h->rows;
  const int stride = m->at->stride;
  const double gain = h->own_K * m->dt + h->own_B;
  double trial[3], part[9];
  for (int k = 0; k < 3; ++k)
    trial[k] = -h->own_K * h->x[k] - h->own_B * h->u[k];
  const double size = ffi_v3_norm(trial);
  for (int k = 0; k < 9; ++k) {
    const double along = h->slides ? trial[k / 3] * trial[k % 3] / (size * size) : 0;
    part[k] = gain * (h->slides ? h->limit / size : 1) * ((k % 4 == 0) - along);
  }
  for (int b = 0; b < rows->columns; ++b) {
    const double column[3] = {rows->J[b], rows->J[stride + b], rows->J[2 * stride + b]};
    double weighed[3];
    ffi_m3_mulv(part, column, weighed);
    for (int a = 0; a < rows->columns; ++a)
      m->by_v[(size_t)rows->dof[a] * (size_t)nv + (size_t)rows->dof[b]] +=
          rows->J[a] * weighed[0] + rows->J[stride + a] * weighed[1] + rows->J[2 * stride + a] * weighed[2];
  }
}

void ffi_implicit_constraint_add(const ffi_system *s, ffi_implicit *m, int i)
{
  const ffi_constraint *h = &m->at->constraint[i];
  if (h->element < 0) {
    add_turning(m, h, s->model->size.nv);
    return;
  }
  const ff_element_def *def = &s->elements[h->element].def;
  if (def->type == FF_ELEMENT_COUPLING) {
    add_coupling(s, m, h);
    return;
  }
  const end a = end_of(s, m, &def->a), b = end_of(s, m, &def->b);
  const ffi_contact_jacobian_points points = {a.body, b.body, a.x, b.x};
  double by_x[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, by_u[9] = {0};
  ffi_implicit_points t;
  ffi_implicit_points_evaluate(s, m, &points, &h->rows, h->angular, &t);
  if (h->angular)
    rotation_slope(a.R, b.R, by_x);
  for (int k = 0; k < 9; ++k) {
    by_x[k] *= -h->K;
    by_u[k] = k % 4 == 0 ? -h->B : 0;
  }
  ffi_implicit_columns_transform(&t.columns, by_x, h->rows.J, by_u, t.du, t.by_q);
  ffi_implicit_columns_transform(&t.columns, by_u, h->rows.J, NULL, NULL, t.by_v);
  if (h->angular && t.b.n > 0)
    ffi_implicit_columns_add_cross(&t.columns, -h->K, t.turn_b, h->x, t.by_q);
  ffi_implicit_columns_subtract_product(&t.columns, 1, h->rows.J, t.by_q, m->by_q);
  ffi_implicit_columns_subtract_product(&t.columns, 1, h->rows.J, t.by_v, m->by_v);
  if (!h->angular)
    return;
  subtract_turning(s, &t.a, t.columns.stride, 1, h->force, m->by_q);
  subtract_turning(s, &t.b, t.columns.stride, -1, h->force, m->by_q);
}
