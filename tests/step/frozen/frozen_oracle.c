// What a random frozen system does, by an exponential of our own. See frozen_case.h.
#include "dynamics/one_lane.h"
#include "math/dense.h"
#include "math/expm.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/frozen/frozen_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_STATES = 2 * FFI_CASE_ROWS + FFI_CASE_BLOCKS, MOST = MOST_STATES + 4 };

// Positions and velocities of the rows, elongations across sliding contacts; forces F = C y [rows], along world axes and joints.
typedef struct equation {
  int rows, states;
  double J[FFI_CASE_ROWS][FFI_CASE_NV], W[FFI_CASE_ROWS][FFI_CASE_NV]; // W = J M^-1
  double C[FFI_CASE_ROWS][MOST_STATES];
  double y[MOST_STATES], A[MOST_STATES][MOST_STATES], b0[MOST_STATES], b1[MOST_STATES];
  double L[FFI_CASE_NV * FFI_CASE_NV];
} equation;

static void gather_rows(ffi_frozen_rig *r, equation *e)
{
  const ffi_frozen *z = &r->frozen;
  const ff_model *m = r->system.model;
  const int nv = m->size.nv;
  ffi_state_kinematics_form_mass(&r->system, &r->at);
  memset(e, 0, sizeof *e);
  e->rows = 3 * z->block_count + z->joint_count;
  e->states = 2 * e->rows;
  for (int b = 0; b < z->block_count; ++b)
    for (int w = 0; w < 3; ++w)
      for (int k = 0; k < z->block[b].rows->columns; ++k)
        e->J[3 * b + w][z->block[b].rows->dof[k]] = z->block[b].rows->J[w * z->stride + k];
  for (int j = 0; j < z->joint_count; ++j)
    e->J[3 * z->block_count + j][z->joint[j].v] = 1;
  for (int i = 0; i < nv; ++i) // M by the rows of ancestors
    for (int v = i, at = m->dof_row[i + 1] - 1; v >= 0; v = m->dof_parent[v], --at)
      e->L[i * nv + v] = r->at.work->M[at];
  assert_int_equal(ffi_cholesky(nv, nv, e->L), FFI_FACTORED);
  for (int i = 0; i < e->rows; ++i) {
    memcpy(e->W[i], e->J[i], sizeof e->W[i]);
    ffi_cholesky_solve(nv, nv, e->L, e->W[i]);
  }
}

// The force of three plain rows.
static void plain_law(const ffi_frozen_block *b, int row, equation *e)
{
  for (int w = 0; w < 3; ++w) {
    e->C[row + w][row + w] = -b->K;
    e->C[row + w][e->rows + row + w] = -b->B;
  }
}

// lambda_n (n + mu d) + F_t t; F_t = rho (K e - B u_t), B e' = -(1 - rho) K e - rho B u_t. Without damping e' = -u_t.
static void sliding_law(const ffi_frozen_block *b, int row, equation *e)
{
  const int own = e->states++;
  const double rho = b->rho;
  const int is_spring = !(b->B > 0);
  e->y[own] = -ffi_v3_dot(b->x, b->t);
  for (int w = 0; w < 3; ++w) {
    for (int k = 0; k < 3; ++k) {
      const double along = b->n[w] + b->mu * b->d[w];
      e->C[row + w][row + k] -= b->K * along * b->n[k];
      e->C[row + w][e->rows + row + k] -= b->B * along * b->n[k] + rho * b->B * b->t[w] * b->t[k];
    }
    e->C[row + w][own] = rho * b->K * b->t[w];
    e->A[own][e->rows + row + w] = -(is_spring ? 1 : rho) * b->t[w];
  }
  if (!is_spring)
    e->A[own][own] = -(1 - rho) * b->K / b->B;
}

// lambda_n (n + mu d) and two dampers: of a contact with a slip flag.
static void flagged_law(const ffi_frozen_block *b, int row, equation *e)
{
  for (int w = 0; w < 3; ++w)
    for (int k = 0; k < 3; ++k) {
      const double along = b->n[w] + b->mu * b->d[w];
      e->C[row + w][row + k] = -b->K * along * b->n[k];
      e->C[row + w][e->rows + row + k] =
          -b->B * along * b->n[k] - b->damper[0] * b->d[w] * b->d[k] - b->damper[1] * b->t[w] * b->t[k];
    }
}

static double inner(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k] * b[k];
  return sum;
}

// x' = u, u' = W (f + f1 t + J' F) + c + c1 t.
static void fill_equation(const ffi_frozen_rig *r, const ffi_frozen_case *c, int has_ramp, equation *e)
{
  const ffi_frozen *z = &r->frozen;
  const int nv = r->system.model->size.nv, n = e->rows;
  for (int b = 0; b < z->block_count; ++b) {
    const ffi_frozen_block *block = &z->block[b];
    for (int w = 0; w < 3; ++w) {
      e->y[3 * b + w] = block->x[w];
      e->y[n + 3 * b + w] = block->u[w];
      e->b0[n + 3 * b + w] = block->c[w];
      e->b1[n + 3 * b + w] = has_ramp ? c->c1[b][w] : 0;
    }
    if (!block->slides)
      plain_law(block, 3 * b, e);
    else if (block->is_plain)
      flagged_law(block, 3 * b, e);
    else
      sliding_law(block, 3 * b, e);
  }
  for (int j = 0; j < z->joint_count; ++j) {
    const int row = 3 * z->block_count + j;
    e->y[row] = z->joint[j].x;
    e->y[n + row] = z->joint[j].u;
    e->C[row][row] = -z->joint[j].K;
    e->C[row][n + row] = -z->joint[j].B;
  }
  for (int i = 0; i < n; ++i) {
    e->A[i][n + i] = 1;
    e->b0[n + i] += inner(nv, e->W[i], c->f);
    e->b1[n + i] += has_ramp ? inner(nv, e->W[i], c->f1) : 0;
    for (int l = 0; l < n; ++l) {
      const double mobility = inner(nv, e->W[i], e->J[l]);
      for (int s = 0; s < e->states; ++s)
        e->A[n + i][s] += mobility * e->C[l][s];
    }
  }
}

// y at the end, its integral and its double integral over h. With p' chained, p_k = t^k / k!, forcing of y by b1 p3 + b0 p2, started with
// p2 = 1, gives y; y0 p1 added and p1 = 1 gives the integral, p0 = 1 the double integral.
static int solve_equation(const equation *e, double h, double *end, double *once, double *twice)
{
  const int n = e->states, size = n + 4;
  static double A[MOST * MOST], V[MOST * 3];
  static char work[4 << 20];
  assert_true(ffi_expm_size(size, 3) <= sizeof work);
  double scale = 1e-300;
  for (int i = 0; i < n; ++i)
    scale = fmax(scale, fmax(fabs(e->y[i]), fmax(fabs(h * e->b0[i]), fabs(h * h * e->b1[i]))));
  memset(A, 0, sizeof A);
  memset(V, 0, sizeof V);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      A[i * size + j] = h * e->A[i][j];
    A[i * size + n + 1] = e->y[i] / scale;
    A[i * size + n + 2] = h * e->b0[i] / scale;
    A[i * size + n + 3] = h * h * e->b1[i] / scale;
    V[i * 3] = e->y[i] / scale;
  }
  for (int k = 1; k < 4; ++k)
    A[(n + k) * size + n + k - 1] = 1;
  V[(n + 2) * 3] = V[(n + 1) * 3 + 1] = V[n * 3 + 2] = 1;
  const ffi_expm_options exact = {.order = FFI_EXPM_EXACT};
  if (ffi_expm_times(size, A, 3, V, &exact, work, NULL) != FFI_EXPM_DONE)
    return 0;
  for (int i = 0; i < n; ++i) {
    end[i] = scale * V[3 * i];
    once[i] = scale * h * V[3 * i + 1];
    twice[i] = scale * h * h * V[3 * i + 2];
  }
  return 1;
}

static double largest_force(const equation *e, const double *y)
{
  double most = 0;
  for (int i = 0; i < e->rows; ++i) {
    double sum = 0;
    for (int s = 0; s < e->states; ++s)
      sum += fabs(e->C[i][s] * y[s]);
    most = fmax(most, sum);
  }
  return most;
}

typedef struct spring {
  double K, B, x, u; // elongation; velocity with that of h of acceleration
} spring;

static spring spring_of(const ffi_frozen *z, int row, double h)
{
  if (row >= 3 * z->block_count) {
    const ffi_frozen_joint *j = &z->joint[row - 3 * z->block_count];
    return (spring){j->K, j->B, fabs(j->x), fabs(j->u)};
  }
  const ffi_frozen_block *b = &z->block[row / 3];
  const int w = row % 3;
  const double B = b->slides && b->is_plain ? fmax(b->B, fmax(b->damper[0], b->damper[1])) : b->B;
  return (spring){b->K, B, fabs(b->x[w]), fabs(b->u[w]) + fabs(b->c[w]) * h};
}

static double inner_sizes(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += fabs(a[k] * b[k]);
  return sum;
}

static void find_fastest(const ffi_frozen *z, int nv, const equation *e, ffi_frozen_truth *out)
{
  double stiffest = 0, most_damped = 0, most_forgetful = 0;
  for (int i = 0; i < e->rows; ++i) {
    double stiff = 0, damped = 0;
    for (int l = 0; l < e->rows; ++l) {
      const spring s = spring_of(z, l, 0);
      const double mobility = fabs(inner(nv, e->W[i], e->J[l]));
      stiff += mobility * s.K;
      damped += mobility * s.B;
    }
    stiffest = fmax(stiffest, stiff);
    most_damped = fmax(most_damped, damped);
  }
  for (int i = 0; i < z->block_count; ++i) // springs across sliding contacts forget
    if (z->block[i].slides && !z->block[i].is_plain && z->block[i].B > 0)
      most_forgetful = fmax(most_forgetful, (1 - z->block[i].rho) * z->block[i].K / z->block[i].B);
  out->fastest = sqrt(stiffest) + most_damped + most_forgetful;
}

// |J M^-1| times |L||L'||delta_v|, the sizes that are summed in M delta_v, and times what is summed in the springs' forces, all without cancellation.
static void find_sensitivity(const ffi_frozen *z, int nv, const equation *e, double h, ffi_frozen_truth *out)
{
  double part[FFI_CASE_NV] = {0}, mass[FFI_CASE_NV] = {0}, K[FFI_CASE_NV] = {0}, B[FFI_CASE_NV] = {0},
         x[FFI_CASE_NV] = {0}, rows[FFI_CASE_NV] = {0};
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j <= i; ++j)
      part[j] += fabs(e->L[i * nv + j] * out->delta_v[i]);
  for (int i = 0; i < nv; ++i)
    mass[i] = inner_sizes(i + 1, e->L + i * nv, part);
  for (int l = 0; l < e->rows; ++l) {
    const spring s = spring_of(z, l, h);
    const double speed = inner_sizes(nv, e->J[l], out->delta_v) + s.u;
    for (int k = 0; k < nv; ++k) {
      K[k] += s.K * fabs(e->J[l][k]) * speed;
      B[k] += s.B * fabs(e->J[l][k]) * speed;
      x[k] += s.K * fabs(e->J[l][k]) * s.x;
      rows[k] += fabs(e->J[l][k]);
    }
  }
  out->by_mass = out->by_K = out->by_B = out->by_x = out->by_force = 0;
  for (int i = 0; i < e->rows; ++i) {
    out->by_mass = fmax(out->by_mass, inner_sizes(nv, e->W[i], mass));
    out->by_K = fmax(out->by_K, inner_sizes(nv, e->W[i], K));
    out->by_B = fmax(out->by_B, inner_sizes(nv, e->W[i], B));
    out->by_x = fmax(out->by_x, inner_sizes(nv, e->W[i], x));
    out->by_force = fmax(out->by_force, h * out->force * inner_sizes(nv, e->W[i], rows));
  }
}

// |y| <= sqrt(sum K x^2 + h/2 sum B g^2) + h (|M^-1/2 (f + f1 t)| + sqrt(sum K g^2)), g the velocity that rows would have without the robot's own: docs/theory/exponential.md.
static void find_norm(const ffi_frozen *z, int nv, const equation *e, const ffi_frozen_case *c, int has_ramp,
                      ffi_frozen_truth *out)
{
  double start = 0, damped = 0, driven = 0, y[FFI_CASE_NV], push[2] = {0, 0};
  for (int i = 0; i < e->rows; ++i) {
    spring s = spring_of(z, i, c->h);
    s.u += has_ramp && i < 3 * c->blocks ? fabs(c->c1[i / 3][i % 3]) * c->h * c->h / 2 : 0;
    start += s.K * s.x * s.x;
    damped += s.B * s.u * s.u;
    driven += s.K * s.u * s.u;
    out->mobility[i] = inner(nv, e->W[i], e->J[i]);
  }
  for (int k = 0; k < (has_ramp ? 2 : 1); ++k) {
    const double *f = k == 0 ? c->f : c->f1;
    memcpy(y, f, (size_t)nv * sizeof *y);
    ffi_cholesky_solve(nv, nv, e->L, y);
    push[k] = sqrt(inner(nv, f, y));
  }
  out->norm = sqrt(start + c->h / 2 * damped) + c->h * (push[0] + c->h * push[1] + sqrt(driven));
  out->force_start = largest_force(e, e->y);
}

static void find_growth(const equation *e, const ffi_frozen_case *c, const double *end, ffi_frozen_truth *out)
{
  double start = 0, speed = 0;
  for (int i = 0; i < e->rows; ++i) {
    start = fmax(start, fabs(e->y[e->rows + i]) + c->h * fabs(e->b0[e->rows + i]));
    speed = fmax(speed, fabs(end[e->rows + i]));
  }
  out->grows = c->slides > 0 && !(speed < 30 * start + 1);
}

int ffi_frozen_case_solve(ffi_frozen_rig *r, const ffi_frozen_case *c, int has_ramp, ffi_frozen_truth *out)
{
  static equation e;
  const int nv = r->system.model->size.nv;
  const double h = c->h;
  double end[MOST_STATES], once[MOST_STATES], twice[MOST_STATES], push[FFI_CASE_NV], push2[FFI_CASE_NV];
  gather_rows(r, &e);
  fill_equation(r, c, has_ramp, &e);
  if (!solve_equation(&e, h, end, once, twice))
    return 0;
  out->force = fmax(largest_force(&e, e.y), largest_force(&e, end));
  for (int k = 0; k < nv; ++k) {
    const double f1 = has_ramp ? c->f1[k] : 0;
    push[k] = h * (c->f[k] + h * f1 / 2);
    push2[k] = h * h / 2 * (c->f[k] + h * f1 / 3);
  }
  for (int i = 0; i < e.rows; ++i) {
    out->mean[i] = inner(e.states, e.C[i], once) / h;
    out->double_mean[i] = 2 * inner(e.states, e.C[i], twice) / (h * h);
    out->force_end[i] = inner(e.states, e.C[i], end);
    out->x_end[i] = end[i];
    out->u_end[i] = end[e.rows + i];
    for (int k = 0; k < nv; ++k) {
      push[k] += h * out->mean[i] * e.J[i][k];
      push2[k] += h * h / 2 * out->double_mean[i] * e.J[i][k];
    }
  }
  ffi_cholesky_solve(nv, nv, e.L, push);
  ffi_cholesky_solve(nv, nv, e.L, push2);
  memcpy(out->delta_v, push, (size_t)nv * sizeof *push);
  memcpy(out->delta_x, push2, (size_t)nv * sizeof *push2);
  for (int i = 0; i < e.rows; ++i) { // J delta_v; by the velocities, since forces nearly cancel
    const ffi_frozen_block *b = i < 3 * c->blocks ? &r->frozen.block[i / 3] : NULL;
    const double ramp = b && has_ramp ? c->c1[i / 3][i % 3] : 0;
    out->impulse[i] = end[e.rows + i] - e.y[e.rows + i] - (b ? h * (b->c[i % 3] + h * ramp / 2) : 0);
  }
  find_fastest(&r->frozen, nv, &e, out);
  find_sensitivity(&r->frozen, nv, &e, h, out);
  find_norm(&r->frozen, nv, &e, c, has_ramp, out);
  find_growth(&e, c, end, out);
  return 1;
}
