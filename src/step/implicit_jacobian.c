// Newton's matrix. With g = M r / dt = M (v+ - v)/dt - f(q+, v+) and M held (its slope is in the dynamics' derivatives at vdot = M^-1 f),
//
//   A = dg/dv+ = M/dt + dID/dv - df_c/dv + (dID/dq - df_c/dq) Q,     Q = dq+/dv+ = dt right(dt v+)
//
// ID: inverse dynamics at (q+, v+, vdot) under the contact forces; f_c: contacts and elements, beside what ID has of them.
#include "dynamics/one_robot.h"
#include "math/lie.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "step/implicit.h"
#include "step/implicit_contact.h"

#include <string.h>

// A force at a world point of a body, as the dynamics wants it: in a frame of that body.
static void put_force(const ffi_system *s, ffi_implicit *m, int *count, int body, const double x[3],
                      double sign, const double force[3])
{
  if (body == 0)
    return;
  const ffi_place *place = &ffi_system_poses(s)[body];
  const ffi_frame *frame = &s->model->frames[m->body_frame[body]];
  ff_point_force *out = &m->force[(*count)++];
  double arm[3];
  out->point.frame = m->body_frame[body];
  ffi_v3_sub(x, place->p, arm);
  ffi_m3_tmulv(place->R, arm, arm);
  ffi_v3_sub(arm, frame->p, arm);
  ffi_m3_tmulv(frame->R, arm, out->point.offset);
  ffi_v3_scale(sign, force, out->force);
}

static int list_forces(const ffi_system *s, ffi_implicit *m)
{
  int count = 0;
  for (int i = 0; i < m->at.count; ++i) {
    const ffi_contact *c = &m->at.contact[i];
    if (c->near.pair < 0 || c->law.mode == FF_CONTACT_RELEASED)
      continue;
    put_force(s, m, &count, c->near.a, c->near.point, 1, c->law.force);
    put_force(s, m, &count, c->near.b, c->near.point, -1, c->law.force);
  }
  for (int i = 0; i < m->at.hold_count; ++i) {
    const ffi_hold *h = &m->at.hold[i];
    int body[2];
    double x[2][3];
    if (h->angular)
      continue;
    ffi_implicit_hold_points(s, h, body, x);
    put_force(s, m, &count, body[0], x[0], 1, h->force);
    put_force(s, m, &count, body[1], x[1], -1, h->force);
  }
  return count;
}

// The block of Q of a joint with several velocities, [nv][nv] of the joint.
static void group_block(const ffi_body *body, double dt, const double *v, double *block)
{
  double step[6];
  for (int k = 0; k < body->nv; ++k)
    step[k] = dt * v[body->v + k];
  if (body->kind == FFI_KIND_FREE)
    ffi_se3_right(step, block);
  else if (body->kind == FFI_KIND_SPHERICAL)
    ffi_so3_right(step, block);
  else
    ffi_se2_right(step, block);
}

// A += by_q Q
static void add_by_group(const ffi_system *s, const ffi_implicit *m)
{
  const ff_model *model = s->model;
  const int nv = model->size.nv;
  double block[36];
  for (int b = 1; b < model->body_count; ++b) {
    const ffi_body *body = &model->bodies[b];
    const int n = body->nv;
    block[0] = 1;
    if (n > 1)
      group_block(body, m->dt, m->x.v, block);
    for (int i = 0; i < nv; ++i) {
      const double *from = m->by_q + (ptrdiff_t)i * nv + body->v;
      double *to = m->A + (ptrdiff_t)i * nv + body->v;
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k)
          sum += from[k] * block[n * k + j];
        to[j] += m->dt * sum;
      }
    }
  }
}

// g = M r / dt
static void weigh_residual(int nv, ffi_implicit *m)
{
  for (int i = 0; i < nv; ++i) {
    const double *row = m->M + (ptrdiff_t)i * nv;
    double sum = 0;
    for (int k = 0; k < nv; ++k)
      sum += row[k] * m->residual[k];
    m->g[i] = sum / m->dt;
  }
}

void ffi_implicit_jacobian(ffi_system *s, ffi_implicit *m)
{
  const ptrdiff_t nv = s->model->size.nv;
  const int forces = list_forces(s, m);
  s->k->rnea_derivatives(s->work, m->x.v, m->at.vdot, m->force, forces, m->by_q, m->A);
  s->k->crba(s->work);
  s->k->mass_matrix(s->work, m->M);
  weigh_residual((int)nv, m);
  for (int i = 0; i < m->at.count; ++i)
    ffi_implicit_add_contact(s, m, i, m->by_q, m->A);
  for (int i = 0; i < m->at.hold_count; ++i)
    ffi_implicit_add_hold(s, m, i, m->by_q, m->A);
  for (int i = 0; i < m->at.joint_row_count; ++i) {
    const ffi_joint_row *row = &m->at.joint_row[i];
    m->by_q[row->v * (nv + 1)] += row->K;
    m->A[row->v * (nv + 1)] += row->B;
  }
  add_by_group(s, m);
  for (ptrdiff_t k = 0; k < nv * nv; ++k)
    m->A[k] += m->M[k] / m->dt;
}
