// The tangent of backward Euler at a trial. With g = M r / dt = M (v+ - v)/dt - f(q+, v+),     steppers.md, section 4
//
//   A = M/dt + dID/dv - df/dv + (dID/dq - df/dq) Q,     Q = dq+/dv+ = dt right(dt v+)
//
// ID: inverse dynamics at (q+, v+, (v+ - v)/dt) under the contact forces linearised_at. f: points and welds, and how
// the points of contact forces move. Contact laws and joint elements are not in A: they are in w and P, for
// implicit_model.c.
#include "dynamics/one_lane.h"
#include "math/lie.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "step/implicit/implicit.h"
#include "step/implicit/implicit_contact.h"

#include <math.h>
#include <stddef.h>

// Add a force at a world point of a body to m->force, in a frame of that body as the dynamics takes it.
static void put_force(const ffi_system *s, ffi_implicit *m, int body, const double x[3], double sign,
                      const double force[3])
{
  if (body == 0)
    return;
  const ffi_pose *place = &ffi_state_kinematics_places(&m->at->at).body[body];
  const ffi_frame *frame = &s->model->frames[m->body_frame[body]];
  ff_point_force *out = &m->force[m->force_count++];
  double arm[3];
  out->point.frame = m->body_frame[body];
  ffi_v3_sub(x, place->p, arm);
  ffi_m3_tmulv(place->R, arm, arm);
  ffi_v3_sub(arm, frame->p, arm);
  ffi_m3_tmulv(frame->R, arm, out->point.offset);
  ffi_v3_scale(sign, force, out->force);
}

static void list_forces(const ffi_system *s, ffi_implicit *m)
{
  m->force_count = 0;
  for (int i = 0; i < m->at->count; ++i) {
    const ffi_contact *c = &m->at->contact[i];
    if (c->near.pair < 0)
      continue;
    put_force(s, m, c->near.a, c->near.point, 1, m->contact[i].linearised_at);
    put_force(s, m, c->near.b, c->near.point, -1, m->contact[i].linearised_at);
  }
  for (int i = 0; i < m->at->constraint_count; ++i) {
    const ffi_constraint *h = &m->at->constraint[i];
    int body[2];
    double x[2][3];
    if (h->angular || s->elements[h->element].def.type == FF_ELEMENT_COUPLING)
      continue;
    ffi_implicit_constraint_points(s, m, h, body, x);
    put_force(s, m, body[0], x[0], 1, h->force);
    put_force(s, m, body[1], x[1], -1, h->force);
  }
}

// Rows of Q, the joints' blocks of dt right(dt v+).
static void place_group(const ffi_system *s, ffi_implicit *m)
{
  for (int b = 1; b < s->model->body_count; ++b) {
    const ffi_body *body = &s->model->bodies[b];
    const int n = body->nv;
    double step[6], block[36] = {1};
    for (int k = 0; k < n; ++k)
      step[k] = m->dt * m->x->v[body->v + k];
    if (body->kind == FFI_KIND_FREE)
      ffi_lie_se3_right(step, block);
    else if (body->kind == FFI_KIND_SPHERICAL)
      ffi_lie_so3_right(step, block);
    else if (body->kind == FFI_KIND_PLANAR)
      ffi_lie_se2_right(step, block);
    for (int k = 0; k < n * n; ++k)
      m->Q[body->v + k / n][k % n] = m->dt * block[k];
  }
}

// A += by_q (Q - dt), which is zero for joints with one velocity.
static void add_by_group(const ffi_system *s, const ffi_implicit *m)
{
  const int nv = s->model->size.nv;
  for (int b = 1; b < s->model->body_count; ++b) {
    const ffi_body *body = &s->model->bodies[b];
    double block[36];
    const int n = body->nv;
    if (n == 1)
      continue;
    for (int k = 0; k < n * n; ++k)
      block[k] = m->Q[body->v + k / n][k % n] - (k % (n + 1) == 0 ? m->dt : 0);
    for (int i = 0; i < nv; ++i) {
      const double *from = m->by_q + (ptrdiff_t)i * nv + body->v;
      double *to = m->A + (ptrdiff_t)i * m->stride + body->v;
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
          to[j] += from[k] * block[n * k + j];
    }
  }
}

// g = M r / dt
static void weigh_residual(int nv, ffi_implicit *m)
{
  for (int k = 0; k < nv; ++k) {
    m->g[k] = 0;
    m->weight[k] = 1 / m->M[(ptrdiff_t)k * (nv + 1)];
    m->d[k] = m->residual[k] / m->dt;
  }
  m->k->multiply(nv, nv, m->M, m->d, m->g);
}

static void place_joints(const ffi_system *s, ffi_implicit *m)
{
  for (int e = 0; e < s->law_count; ++e)
    m->joint[e].has_tangent = 0;
  for (int i = 0; i < m->at->joint_row_count; ++i) {
    const ffi_joint_law_row *row = &m->at->joint_row[i];
    const ff_element_def *def = &s->elements[m->at->joint_row_element[i]].def;
    ffi_implicit_joint *own = ffi_implicit_joint_of(m, i);
    const int is_motor = ffi_joint_law_saturates(def); // friction too
    own->low = is_motor ? -def->effort : own->side < 0 ? 0 : -INFINITY;
    own->high = is_motor ? def->effort : own->side < 0 ? INFINITY : 0;
    own->has_tangent = 1;
    own->w = own->P = 0;
    if (!is_motor && own->side == 0)
      continue;
    own->w = -def->stiffness * row->x - def->damping * row->u;
    own->P = -(def->stiffness * m->dt + def->damping);
  }
}

void ffi_implicit_jacobian(ffi_system *s, ffi_implicit *m)
{
  const int nv = s->model->size.nv;
  list_forces(s, m);
  for (int k = 0; k < nv; ++k)
    m->d[k] = (m->x->v[k] - m->from->v[k]) / m->dt;
  s->k->rnea_derivatives(m->at->at.work, m->x->v, m->d, m->force, m->force_count, m->by_q, m->by_v);
  ffi_state_kinematics_form_mass(s, &m->at->at);
  s->k->mass_matrix(m->at->at.work, m->M);
  weigh_residual(nv, m);
  place_group(s, m);
  for (int i = 0; i < m->at->count; ++i) {
    m->contact[i].has_tangent = m->at->contact[i].near.pair >= 0;
    if (m->contact[i].has_tangent)
      ffi_implicit_contact_add(s, m, i);
  }
  for (int i = 0; i < m->at->constraint_count; ++i)
    ffi_implicit_constraint_add(s, m, i);
  place_joints(s, m);
  m->k->assemble(nv, m->stride, m->dt, m->M, m->by_v, m->by_q, m->A);
  add_by_group(s, m);
}
