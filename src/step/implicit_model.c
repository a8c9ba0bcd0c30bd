// Newton on the model. It needs to know which contacts push and which of them slip; started from others it may run in circles. So: Newton for as long as it
// makes progress; where it stops, the contacts are swept one by one, which gives a better start; and again.
#include "step/implicit_model.h"
#include "dynamics/one_robot.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum {
  ROUNDS = 5,     // of Newton, then sweeps
  ITERATIONS = 8, // of Newton in a row
  HALVINGS = 3,   // of a step of Newton: what needs more has the wrong contacts
  SWEEPS = 30,
};
static const double enough = 1e-8;     // square of the part of |g| that may be left: the tangent is no better
static const double sufficient = 1e-4; // of the decrease that a linear G would have

// ---- Forces -----------------------------------------------------------------------------------------------

// lambda(w), with the radius of its disc, and its slope; n unit normal.
static void cut(ffi_implicit_contact *c, const double n[3], double mu)
{
  const double push = fmax(ffi_v3_dot(n, c->model_w), 0), radius = mu * push;
  double T[3], d[3] = {0, 0, 0};
  ffi_v3_copy(c->model_w, T);
  ffi_v3_add_scaled(-ffi_v3_dot(n, T), n, T);
  const double size = sqrt(ffi_v3_dot(T, T));
  const int slips = size > radius, pushes = push > 0;
  const double share = slips ? radius / size : 1, coupling = slips ? mu : 0;
  if (slips)
    ffi_v3_scale(1 / size, T, d);
  for (int r = 0; r < 3; ++r) {
    c->model_force[r] = push * n[r] + share * T[r];
    for (int k = 0; k < 3; ++k)
      c->slope[3 * r + k] =
          pushes * (n[r] + coupling * d[r]) * n[k] + share * ((r == k) - n[r] * n[k] - d[r] * d[k]);
  }
}

static void place_contact(const ffi_implicit *m, int i, const double *step, double *G)
{
  const ffi_contact *c = &m->at.contact[i];
  ffi_implicit_contact *own = &m->contact[i];
  const ffi_rows3 columns = {.columns = c->rows.columns, .dof = c->rows.dof, .J = own->P};
  double change[3];
  ffi_rows_times(&columns, m->at.stride, step, own->model_w);
  ffi_v3_add(own->w, own->model_w, own->model_w);
  cut(own, c->near.normal, c->mu);
  ffi_v3_sub(c->law.force, own->model_force, change);
  ffi_rows_add_transposed(&c->rows, m->at.stride, change, G);
}

static void place_joint(const ffi_implicit *m, int i, const double *step, double *G)
{
  const ffi_joint_row *row = &m->at.joint_row[i];
  ffi_implicit_joint *own = &m->joint[i];
  const double w = own->w + own->P * step[row->v];
  own->model_force = w < own->low ? own->low : w > own->high ? own->high : w;
  own->slope = w < own->low || w > own->high ? 0 : own->P;
  G[row->v] += row->force - own->model_force;
}

// Is the i-th contact part of the model? Those that are far away are not.
static int is_near(const ffi_implicit *m, int i)
{
  return m->at.contact[i].near.pair >= 0;
}

double ffi_implicit_model_size(const ffi_system *s, ffi_implicit *m, const double *step)
{
  const int nv = s->model->size.nv;
  for (int i = 0; i < nv; ++i) {
    const double *row = m->A + (ptrdiff_t)i * nv;
    double sum = m->g[i];
    for (int k = 0; k < nv; ++k)
      sum += row[k] * step[k];
    m->G[i] = sum;
  }
  for (int i = 0; i < m->at.count; ++i)
    if (is_near(m, i))
      place_contact(m, i, step, m->G);
  for (int i = 0; i < m->at.joint_row_count; ++i)
    place_joint(m, i, step, m->G);
  double size = 0;
  for (int i = 0; i < nv; ++i)
    size += m->G[i] * m->G[i] / m->M[(ptrdiff_t)i * (nv + 1)];
  return size;
}

// ---- Matrix -----------------------------------------------------------------------------------------------

// LU -= J' slope P of one contact.
static void subtract_contact(const ffi_implicit *m, int i, int nv)
{
  const ffi_contact *c = &m->at.contact[i];
  const ffi_implicit_contact *own = &m->contact[i];
  const int n = c->rows.columns, stride = m->at.stride, *dof = c->rows.dof;
  const double *J = c->rows.J, *P = own->P, *S = own->slope;
  for (int a = 0; a < n; ++a) {
    double *row = m->LU + (ptrdiff_t)dof[a] * nv, left[3];
    const double j[3] = {J[a], J[stride + a], J[2 * stride + a]};
    ffi_m3_tmulv(S, j, left);
    for (int k = 0; k < n; ++k)
      row[dof[k]] -= left[0] * P[k] + left[1] * P[stride + k] + left[2] * P[2 * stride + k];
  }
}

// m->LU from the slopes that evaluate() left.
static void build_matrix(const ffi_system *s, ffi_implicit *m)
{
  const int nv = s->model->size.nv;
  memcpy(m->LU, m->A, (size_t)nv * (size_t)nv * sizeof *m->LU);
  for (int i = 0; i < m->at.count; ++i)
    if (is_near(m, i))
      subtract_contact(m, i, nv);
  for (int i = 0; i < m->at.joint_row_count; ++i)
    m->LU[(ptrdiff_t)m->at.joint_row[i].v * (nv + 1)] -= m->joint[i].slope;
}

void ffi_implicit_model_matrix(const ffi_system *s, ffi_implicit *m)
{
  ffi_implicit_model_size(s, m, m->step);
  build_matrix(s, m);
}

// m->d := - (dG/dd)^-1 G. Where the matrix is singular, inertia is added until it is not.
static int newton(const ffi_system *s, ffi_implicit *m)
{
  const int nv = s->model->size.nv;
  for (double share = 0; share<1e3; share = share> 0 ? 10 * share : 1e-3) {
    build_matrix(s, m);
    for (ptrdiff_t k = 0; share > 0 && k < (ptrdiff_t)nv * nv; ++k)
      m->LU[k] += share / m->dt * m->M[k];
    if (ffi_lu(nv, nv, m->LU, m->pivot) != FFI_FACTORED)
      continue;
    ffi_lu_solve(nv, nv, m->LU, m->pivot, m->G, m->d);
    for (int k = 0; k < nv; ++k)
      m->d[k] = -m->d[k];
    return 1;
  }
  return 0;
}

// ---- Solution ---------------------------------------------------------------------------------------------

static double size_at(const ffi_system *s, ffi_implicit *m, double part)
{
  const int nv = s->model->size.nv;
  for (int k = 0; k < nv; ++k)
    m->tried[k] = m->step[k] + part * m->d[k];
  return ffi_implicit_model_size(s, m, m->tried);
}

// For as long as G gets smaller; returns its size.
static double iterate(const ffi_system *s, ffi_implicit *m, double goal)
{
  double size = ffi_implicit_model_size(s, m, m->step);
  for (int k = 0; k < ITERATIONS && size > goal && newton(s, m); ++k) {
    double part = 1, next = size_at(s, m, part);
    for (int h = 0; h < HALVINGS && !(next <= (1 - sufficient * part) * size); ++h) {
      part *= 0.5;
      next = size_at(s, m, part);
    }
    if (!(next <= (1 - sufficient * part) * size))
      return size;
    memcpy(m->step, m->tried, (size_t)s->model->size.nv * sizeof *m->step);
    size = next;
  }
  return size;
}

static int solve(const ffi_system *s, ffi_implicit *m)
{
  const size_t bytes = (size_t)s->model->size.nv * sizeof *m->step;
  memset(m->step, 0, bytes);
  memset(m->best, 0, bytes);
  double best = ffi_implicit_model_size(s, m, m->step);
  const double goal = enough * best;
  for (int round = 0; round < ROUNDS; ++round) {
    const double size = iterate(s, m, goal);
    if (size < best) {
      best = size;
      memcpy(m->best, m->step, bytes);
    }
    if (size <= goal)
      return 1;
    ffi_implicit_sweep_model(s, m, SWEEPS);
  }
  memcpy(m->step, m->best, bytes);
  return 0;
}

int ffi_implicit_solve_model(const ffi_system *s, ffi_implicit *m)
{
  const int is_solved = solve(s, m);
  ffi_implicit_model_size(s, m, m->step);
  for (int i = 0; i < m->at.count; ++i)
    ffi_v3_copy(m->contact[i].model_force, m->contact[i].held);
  return is_solved;
}
