// Newton on the model. It needs to know which contacts push and which of them slip; from a wrong guess it may cycle.
// So Newton runs as long as it makes progress. Where it stops, the contacts are swept one by one, which gives a
// better start.
#include "step/implicit/implicit_model.h"

#include "contact/law/flag_law.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum {
  ROUNDS = 5,     // of Newton, then sweeps
  ITERATIONS = 8, // of Newton in a row
  HALVINGS = 3,   // of a Newton step: more halvings mean wrong contacts
  SWEEPS = 30,
};
static const double enough = 1e-8; // square of the share of |g| that may be left: the tangent is no better
static const double spare = 1e-3;  // share of the residual's tolerance that may be left in any case
static const double sufficient = 1e-4; // of the decrease that a linear G would have

// Where the matrix is singular, inertia is added to it in these shares of its own.
static const double shares[] = {0, 1e-3, 1e-2, 0.1, 1, 10};
enum { SHARES = sizeof shares / sizeof *shares };

// ---- Forces -----------------------------------------------------------------------------------------------

// lambda(w) and its slope, with unit normal n and direction of slip d:
//
//   normal part  (n + mu d) n'w where it pushes, d = 0 where it sticks
//   tangential   D w,  D = P where it sticks, (mu lambda_n / |T|) (P - d d') where it slips,  P = 1 - n n'
static void cut(ffi_implicit_contact *c, const double n[3], double mu)
{
  const double along = ffi_v3_dot(n, c->model_w), push = along > 0 ? along : 0;
  double T[3], d[3] = {0, 0, 0};
  ffi_v3_copy(c->model_w, T);
  ffi_v3_add_scaled(-along, n, T);
  const double size = sqrt(ffi_v3_dot(T, T)), radius = mu * push;
  const int slips = size > radius;
  const double share = slips ? radius / size : 1;
  if (slips)
    ffi_v3_scale(1 / size, T, d);
  for (int r = 0; r < 3; ++r) {
    const double up = push > 0 ? n[r] + (slips ? mu * d[r] : 0) : 0;
    c->model_force[r] = push * n[r] + share * T[r];
    for (int k = 0; k < 3; ++k)
      c->slope[3 * r + k] = up * n[k] + share * ((r == k) - n[r] * n[k] - d[r] * d[k]);
  }
}

// The same for a contact that slides by its flag. The tangential part of w is T = -u_t. With s = max(|T|, least
// speed)
//
//   lambda = push (n + mu T/s),   tangential slope (mu push / s) (P - d d'), without d d' where T is shorter than s
static void cut_sliding(ffi_implicit_contact *c, const double n[3], double mu)
{
  const double along = ffi_v3_dot(n, c->model_w), push = along > 0 ? along : 0;
  double T[3], d[3] = {0, 0, 0};
  ffi_v3_copy(c->model_w, T);
  ffi_v3_add_scaled(-along, n, T);
  const double speed = sqrt(ffi_v3_dot(T, T)), size = fmax(speed, FFI_FLAG_LAW_LEAST_SPEED);
  if (speed >= size)
    ffi_v3_scale(1 / speed, T, d);
  const double share = mu / size;
  for (int r = 0; r < 3; ++r) {
    const double up = push > 0 ? n[r] + share * T[r] : 0;
    c->model_force[r] = push * (n[r] + share * T[r]);
    for (int k = 0; k < 3; ++k)
      c->slope[3 * r + k] = up * n[k] + push * share * ((r == k) - n[r] * n[k] - d[r] * d[k]);
  }
}

static void place_contact(const ffi_implicit *m, int i, const double *step, double *G)
{
  const ffi_contact *c = &m->at->contact[i];
  ffi_implicit_contact *own = &m->contact[i];
  double change[3];
  m->k->times3(m->stride, own->P, step, own->model_w);
  ffi_v3_add(own->w, own->model_w, own->model_w);
  if (own->slides)
    cut_sliding(own, c->near.normal, c->mu);
  else
    cut(own, c->near.normal, c->mu);
  ffi_v3_sub(c->law.force, own->model_force, change);
  ffi_rows3_add_transposed(&c->rows, m->at->stride, change, G);
}

static void place_joint(const ffi_implicit *m, int i, const double *step, double *G)
{
  const ffi_joint_law_row *row = &m->at->joint_row[i];
  ffi_implicit_joint *own = ffi_implicit_joint_of(m, i);
  if (!own->has_tangent)
    return;
  const double w = own->w + own->P * ffi_joint_law_rate(row, step);
  own->model_force = w < own->low ? own->low : w > own->high ? own->high : w;
  own->slope = w < own->low || w > own->high ? 0 : own->P;
  ffi_joint_law_push(row, row->force - own->model_force, G);
}

double ffi_implicit_model_size(const ffi_system *s, ffi_implicit *m, const double *step)
{
  const int nv = s->model->size.nv;
  memcpy(m->G, m->g, (size_t)nv * sizeof *m->G);
  m->k->multiply(nv, m->stride, m->A, step, m->G);
  for (int i = 0; i < m->at->count; ++i)
    if (ffi_implicit_is_modelled(m, i))
      place_contact(m, i, step, m->G);
  for (int i = 0; i < m->at->joint_row_count; ++i)
    place_joint(m, i, step, m->G);
  double size = 0;
  for (int i = 0; i < nv; ++i)
    size += m->G[i] * m->G[i] * m->weight[i];
  return size;
}

// ---- Matrix -----------------------------------------------------------------------------------------------

void ffi_implicit_model_joint_slopes(ffi_implicit *m)
{
  for (int i = 0; i < m->at->joint_row_count; ++i) {
    const ffi_joint_law_row *row = &m->at->joint_row[i];
    const ffi_implicit_joint *own = ffi_implicit_joint_of(m, i);
    if (!own->has_tangent)
      continue;
    if (row->v >= 0) {
      m->LU[(ptrdiff_t)row->v * (m->stride + 1)] -= own->slope;
      continue;
    }
    const ffi_line *line = row->line;
    for (int a = 0; a < line->count; ++a)
      for (int b = 0; b < line->count; ++b)
        m->LU[(ptrdiff_t)line->v[a] * m->stride + line->v[b]] -=
            own->slope * line->weight[a] * line->weight[b];
  }
}

// m->LU from the slopes at the last step that was evaluated.
static void build_matrix(const ffi_system *s, ffi_implicit *m)
{
  const size_t nv = (size_t)s->model->size.nv;
  memcpy(m->LU, m->A, nv * (size_t)m->stride * sizeof *m->LU);
  for (int i = 0; i < m->at->count; ++i) {
    const ffi_rows3 *rows = &m->at->contact[i].rows;
    const ffi_implicit_contact *own = &m->contact[i];
    if (ffi_implicit_is_modelled(m, i))
      m->k->subtract_product(rows->columns, rows->dof, rows->J, m->at->stride, own->slope, own->P, m->stride,
                             m->LU);
  }
  ffi_implicit_model_joint_slopes(m);
}

void ffi_implicit_model_matrix(const ffi_system *s, ffi_implicit *m)
{
  ffi_implicit_model_size(s, m, m->step);
  build_matrix(s, m);
}

// m->d := - (dG/dd)^-1 G
static int newton(const ffi_system *s, ffi_implicit *m)
{
  const int nv = s->model->size.nv;
  for (int a = 0; a < SHARES; ++a) {
    build_matrix(s, m);
    for (int i = 0; i < nv; ++i) {
      double *row = m->LU + (ptrdiff_t)i * m->stride;
      for (int k = 0; shares[a] > 0 && k < nv; ++k)
        row[k] += shares[a] / m->dt * m->M[(ptrdiff_t)i * nv + k];
      row[nv] = -m->G[i];
    }
    if (m->k->eliminate(nv, m->stride, m->LU, m->d))
      return 1;
  }
  return 0;
}

// ---- Solution ---------------------------------------------------------------------------------------------

static double size_at(const ffi_system *s, ffi_implicit *m, double part)
{
  for (int k = 0; k < s->model->size.nv; ++k)
    m->tried[k] = m->step[k] + part * m->d[k];
  return ffi_implicit_model_size(s, m, m->tried);
}

// Newton for as long as G gets smaller; returns its size.
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

// The size of G at which the model counts as solved.
static double goal_of(const ffi_system *s, const ffi_implicit *m)
{
  const double left = spare * s->def->implicit.tolerance / m->dt; // |r| <= dt sqrt(size weight)
  double size = 0, most = 0;
  for (int i = 0; i < s->model->size.nv; ++i) {
    size += m->g[i] * m->g[i] * m->weight[i];
    most = fmax(most, m->weight[i]);
  }
  return fmax(enough * size, left * left / most);
}

// m->step; the model was last evaluated at it.
static int solve(const ffi_system *s, ffi_implicit *m)
{
  const size_t bytes = (size_t)s->model->size.nv * sizeof *m->step;
  const double goal = goal_of(s, m);
  double best = INFINITY;
  memset(m->step, 0, (size_t)m->stride * sizeof *m->step); // products read the padding
  memset(m->tried, 0, (size_t)m->stride * sizeof *m->tried);
  memset(m->best, 0, bytes);
  for (int round = 0; round < ROUNDS; ++round) {
    const double size = iterate(s, m, goal);
    if (size <= goal)
      return 1;
    if (size < best) {
      best = size;
      memcpy(m->best, m->step, bytes);
    }
    ffi_implicit_sweep(s, m, SWEEPS);
  }
  memcpy(m->step, m->best, bytes);
  ffi_implicit_model_size(s, m, m->step);
  return 0;
}

int ffi_implicit_model_solve(const ffi_system *s, ffi_implicit *m)
{
  const int is_solved = solve(s, m);
  for (int i = 0; i < m->at->count; ++i)
    if (ffi_implicit_is_modelled(m, i))
      ffi_v3_copy(m->contact[i].model_force, m->contact[i].linearised_at);
  return is_solved;
}
