// Contacts of the model one after the other, each solved exactly while the forces of the others stay, until they
// agree. This converges slowly, but it seldom fails to find out which contacts push and which of them slip. The rest
// of the model is linear, with joint elements as they are now: d = d0 + sum over contacts of Y_i lambda_i, Y = (A -
// joint slopes)^-1 J'.
#include "contact/law/flag_law.h"
#include "dynamics/one_lane.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "step/implicit/implicit_model.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 12, REFINEMENTS = 8, CREEPS = 4 };
static const double settled = 1e-6; // relative change of all forces in a sweep; Newton does the rest

// ---- One contact ------------------------------------------------------------------------------------------

// w = b + S lambda, lambda = cut(w); S 3 x 3.
typedef struct local {
  double b[3], S[9], n[3], mu;
  int slides; // by its flag
} local;

// The force that slips along the unit tangent d. Returns how far its trial is to the left of d, seen from above;
// *ahead: how far along d.
static double slip_along(const local *c, const double d[3], double force[3], double *ahead)
{
  double cone[3], response[3], T[3], left[3];
  for (int k = 0; k < 3; ++k)
    cone[k] = c->n[k] + c->mu * d[k];
  ffi_m3_mulv(c->S, cone, response);
  const double push = ffi_v3_dot(c->n, c->b) / (1 - ffi_v3_dot(c->n, response));
  ffi_v3_scale(push, cone, force);
  for (int k = 0; k < 3; ++k)
    T[k] = c->b[k] + push * response[k];
  ffi_v3_cross(c->n, d, left);
  *ahead = push > 0 ? ffi_v3_dot(d, T) : -1;
  return ffi_v3_dot(left, T);
}

// Between two directions whose trials are to the left and to the right of them.
static void refine(const local *c, const double from[3], const double to[3], double force[3])
{
  double a[3], b[3], d[3], ahead;
  ffi_v3_copy(from, a);
  ffi_v3_copy(to, b);
  for (int k = 0; k < REFINEMENTS; ++k) {
    ffi_v3_add(a, b, d);
    ffi_v3_scale(1 / sqrt(ffi_v3_dot(d, d)), d, d);
    ffi_v3_copy(d, slip_along(c, d, force, &ahead) > 0 ? a : b);
  }
}

static void tangents(const double n[3], double t1[3], double t2[3])
{
  const double axis[3] = {fabs(n[0]) < 0.5, fabs(n[0]) >= 0.5, 0};
  ffi_v3_cross(n, axis, t1);
  ffi_v3_scale(1 / sqrt(ffi_v3_dot(t1, t1)), t1, t1);
  ffi_v3_cross(n, t1, t2);
}

// The first direction, all around, in which a slipping force is consistent with its own trial; 0 if there is none.
static int slip(const local *c, double force[3])
{
  static const double half = 0.5, most = 0.86602540378443865; // cos, sin of 60 and 30 degrees
  const double x[DIRECTIONS] = {1, most, half, 0, -half, -most, -1, -most, -half, 0, half, most};
  double t1[3], t2[3], d[3], last[3] = {0}, left = 0;
  tangents(c->n, t1, t2);
  for (int k = 0; k <= DIRECTIONS; ++k) {
    double ahead;
    ffi_v3_scale(x[k % DIRECTIONS], t1, d);
    ffi_v3_add_scaled(x[(k + 9) % DIRECTIONS], t2, d); // the sine
    const double now = slip_along(c, d, force, &ahead);
    if (k > 0 && left > 0 && now <= 0 && ahead > 0) {
      refine(c, last, d, force);
      return 1;
    }
    left = now;
    ffi_v3_copy(d, last);
  }
  return 0;
}

// A contact that slides by its flag, more slowly than the least speed: friction is mu lambda_n/least times -u_t,
// which is linear once lambda_n is known.
static int creep(const local *c, double force[3])
{
  double push = fmax(ffi_v3_dot(c->n, force), 0), C[9], LU[9], rhs[3];
  int pivot[3];
  for (int times = 0; times < CREEPS; ++times) {
    const double share = c->mu * push / FFI_FLAG_LAW_LEAST_SPEED;
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k)
        C[3 * r + k] = c->n[r] * c->n[k] * (1 - share) + (r == k ? share : 0);
    ffi_m3_mul(C, c->S, LU);
    for (int k = 0; k < 9; ++k)
      LU[k] = (k % 4 == 0) - LU[k];
    ffi_m3_mulv(C, c->b, rhs);
    if (ffi_dense_lu(3, 3, LU, pivot) != FFI_FACTORED)
      return 0;
    ffi_dense_lu_solve(3, 3, LU, pivot, rhs, force);
    push = fmax(ffi_v3_dot(c->n, force), 0);
  }
  return push > 0;
}

static void solve_sliding(const local *c, double force[3])
{
  double slow[3];
  ffi_v3_copy(force, slow);
  if (creep(c, slow)) {
    const double push = ffi_v3_dot(c->n, slow), square = ffi_v3_dot(slow, slow) - push * push;
    if (square <= c->mu * c->mu * push * push) {
      ffi_v3_copy(slow, force);
      return;
    }
  }
  if (slip(c, slow))
    ffi_v3_copy(slow, force);
}

// lambda of one contact while all others stay. Without a solution, which takes a robot that jams, it keeps its force.
static void solve_local(const local *c, double force[3])
{
  double stick[3], LU[9];
  int pivot[3];
  if (ffi_v3_dot(c->n, c->b) <= 0) {
    ffi_v3_set(0, 0, 0, force);
    return;
  }
  if (c->slides) {
    solve_sliding(c, force);
    return;
  }
  for (int k = 0; k < 9; ++k)
    LU[k] = (k % 4 == 0) - c->S[k];
  if (ffi_dense_lu(3, 3, LU, pivot) == FFI_FACTORED) {
    ffi_dense_lu_solve(3, 3, LU, pivot, c->b, stick);
    const double push = ffi_v3_dot(c->n, stick), square = ffi_v3_dot(stick, stick) - push * push;
    if (push > 0 && square <= c->mu * c->mu * push * push) {
      ffi_v3_copy(stick, force);
      return;
    }
  }
  double sliding[3];
  if (slip(c, sliding))
    ffi_v3_copy(sliding, force);
}

// ---- All of them ------------------------------------------------------------------------------------------

// Y_i [nv][3] = LU^-1 J_i'.
static void response_of(const ffi_system *s, ffi_implicit *m, int i)
{
  const int nv = s->model->size.nv, stride = m->at->stride;
  const ffi_rows3 *rows = &m->at->contact[i].rows;
  double *Y = m->contact[i].Y;
  for (int r = 0; r < 3; ++r) {
    memset(m->d, 0, (size_t)nv * sizeof *m->d);
    for (int k = 0; k < rows->columns; ++k)
      m->d[rows->dof[k]] = rows->J[r * stride + k];
    ffi_dense_lu_solve(nv, m->stride, m->LU, m->pivot, m->d, m->tried);
    for (int k = 0; k < nv; ++k)
      Y[3 * k + r] = m->tried[k];
  }
}

// S = P Y of one contact with itself.
static void self_response(const ffi_implicit *m, int i, double S[9])
{
  const ffi_rows3 *rows = &m->at->contact[i].rows;
  const double *P = m->contact[i].P, *Y = m->contact[i].Y;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (int k = 0; k < rows->columns; ++k)
        sum += P[r * m->stride + rows->dof[k]] * Y[3 * rows->dof[k] + c];
      S[3 * r + c] = sum;
    }
}

// One contact: its new force, and the effect on the step. Returns the square of the change.
static double visit(const ffi_implicit *m, int i, int nv, double *step)
{
  const ffi_contact *c = &m->at->contact[i];
  ffi_implicit_contact *own = &m->contact[i];
  local l = {.mu = c->mu, .slides = own->slides};
  double w[3], back[3], force[3], change[3];
  ffi_v3_copy(c->near.normal, l.n);
  self_response(m, i, l.S);
  m->k->times3(m->stride, own->P, step, w);
  ffi_m3_mulv(l.S, own->model_force, back);
  for (int k = 0; k < 3; ++k)
    l.b[k] = own->w[k] + w[k] - back[k];
  ffi_v3_copy(own->model_force, force);
  solve_local(&l, force);
  ffi_v3_sub(force, own->model_force, change);
  ffi_v3_copy(force, own->model_force);
  for (int k = 0; k < nv; ++k)
    step[k] += ffi_v3_dot(own->Y + 3 * k, change);
  return ffi_v3_dot(change, change);
}

// m->step for the forces that the contacts have now.
static void place_step(const ffi_system *s, ffi_implicit *m)
{
  const int nv = s->model->size.nv;
  double *rhs = m->d;
  for (int k = 0; k < nv; ++k)
    rhs[k] = -m->g[k];
  for (int i = 0; i < m->at->count; ++i) {
    double change[3];
    if (!ffi_implicit_is_modelled(m, i))
      continue;
    ffi_v3_sub(m->contact[i].model_force, m->at->contact[i].law.force, change);
    ffi_rows3_add_transposed(&m->at->contact[i].rows, m->at->stride, change, rhs);
  }
  for (int i = 0; i < m->at->joint_row_count; ++i) {
    const ffi_joint_law_row *row = &m->at->joint_row[i];
    const ffi_implicit_joint *own = ffi_implicit_joint_of(m, i);
    if (own->has_tangent)
      ffi_joint_law_push(row, own->model_force - own->slope * ffi_joint_law_rate(row, m->step) - row->force,
                         rhs);
  }
  ffi_dense_lu_solve(nv, m->stride, m->LU, m->pivot, rhs, m->tried);
  memcpy(m->step, m->tried, (size_t)nv * sizeof *m->step);
}

// m->LU := factors of A - joint slopes.
static int factor(const ffi_system *s, ffi_implicit *m)
{
  const int nv = s->model->size.nv;
  memcpy(m->LU, m->A, (size_t)nv * (size_t)m->stride * sizeof *m->LU);
  ffi_implicit_model_joint_slopes(m);
  return ffi_dense_lu(nv, m->stride, m->LU, m->pivot) == FFI_FACTORED;
}

void ffi_implicit_sweep(const ffi_system *s, ffi_implicit *m, int sweeps)
{
  ffi_implicit_model_size(s, m, m->step);
  if (!factor(s, m))
    return;
  place_step(s, m);
  for (int i = 0; i < m->at->count; ++i)
    if (ffi_implicit_is_modelled(m, i))
      response_of(s, m, i);
  for (int k = 0; k < sweeps; ++k) {
    double change = 0, size = 0;
    for (int i = 0; i < m->at->count; ++i) {
      if (!ffi_implicit_is_modelled(m, i))
        continue;
      change += visit(m, i, s->model->size.nv, m->step);
      size += ffi_v3_dot(m->contact[i].model_force, m->contact[i].model_force);
    }
    if (change <= settled * settled * size)
      break;
  }
}
