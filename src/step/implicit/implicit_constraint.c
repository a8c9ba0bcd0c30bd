// Points and welds: f = -K x - B u between two material points; n = -K x - B u between two bodies' axes.
#include "dynamics/one_lane.h"
#include "math/lie.h"
#include "math/mat3.h"
#include "math/quaternion.h"
#include "math/vec3.h"
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
  const ffi_frame *f = &s->model->frames[point->frame];
  const ffi_pose *place = &ffi_state_kinematics_places(&m->at->at).body[f->body];
  end e = {.body = f->body};
  double in_body[3];
  ffi_m3_mulv(f->R, point->offset, in_body);
  ffi_v3_add(f->p, in_body, in_body);
  ffi_m3_mulv(place->R, in_body, e.x);
  ffi_v3_add(place->p, e.x, e.x);
  ffi_m3_mul(place->R, f->R, e.R);
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

// Rate of the rotation that is left, x = Rb log(Rb' Ra), for a turning w of a relative to b, as b sees it: Rb left^-1(log) Rb' w.
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
static void subtract_turning(const ffi_system *s, const ffi_side *a, int stride, double sign,
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

void ffi_implicit_constraint_add(const ffi_system *s, ffi_implicit *m, int i)
{
  const ffi_constraint *h = &m->at->hold[i];
  const ff_element_def *def = &s->elements[h->element].def;
  const end a = end_of(s, m, &def->a), b = end_of(s, m, &def->b);
  const int stride = m->at->stride, nv = s->model->size.nv, n = h->rows.columns;
  double by_x[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, by_u[9] = {0};
  ffi_implicit_points t;
  ffi_implicit_points_evaluate(s, m, a.body, a.x, b.body, b.x, &h->rows, h->angular, &t);
  if (h->angular)
    rotation_slope(a.R, b.R, by_x);
  for (int k = 0; k < 9; ++k) {
    by_x[k] *= -h->K;
    by_u[k] = k % 4 == 0 ? -h->B : 0;
  }
  ffi_implicit_columns_transform(n, stride, by_x, h->rows.J, by_u, t.du, t.by_q);
  ffi_implicit_columns_transform(n, stride, by_u, h->rows.J, NULL, NULL, t.by_v);
  if (h->angular && t.b.n > 0)
    ffi_implicit_columns_add_cross(n, stride, -h->K, t.turn_b, h->x, t.by_q);
  ffi_implicit_columns_subtract_product(&h->rows, stride, nv, 1, h->rows.J, t.by_q, m->by_q);
  ffi_implicit_columns_subtract_product(&h->rows, stride, nv, 1, h->rows.J, t.by_v, m->by_v);
  if (!h->angular)
    return;
  subtract_turning(s, &t.a, stride, 1, h->force, m->by_q);
  subtract_turning(s, &t.b, stride, -1, h->force, m->by_q);
}
