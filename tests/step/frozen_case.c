#include "step/frozen_case.h"

#include "dynamics/one_robot.h"
#include "math/dense.h"
#include "math/expm.h"
#include "math/poles.h"
#include "math/vec3.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void layout(ffi_frozen_rig *r, ffi_block *block)
{
  ffi_frozen_layout(&r->system, block, &r->frozen);
  ffi_reference_layout(&r->system, block, &r->reference);
}

// Two bodies that a row can join, as the frozen system must be told beforehand: one element between frames of theirs.
static void allow_joining(ffi_frozen_rig *r)
{
  const ff_model *m = r->system.model;
  int frame[2], count = 0;
  for (int f = 1; f < m->size.frames && count < 2; ++f)
    if (m->frames[f].body > 0 && (count == 0 || m->frames[f].body != m->frames[frame[0]].body))
      frame[count++] = f;
  if (count < 2)
    return;
  ff_element_def *def = &r->elements[FFI_CASE_JOINTS].def;
  def->type = FF_ELEMENT_POINT;
  def->a.frame = frame[0];
  def->b.frame = frame[1];
}

ffi_frozen_rig *ffi_frozen_rig_create(int forest, ff_exponential exponential, double tolerance,
                                      int max_substeps)
{
  ffi_frozen_rig *r = calloc(1, sizeof *r);
  assert_non_null(r);
  const ffi_forest_def def = {.seed = 1000u + (uint64_t)forest,
                              .links = 1 + forest % 12,
                              .has_one_root = forest % 2,
                              .is_aligned = forest % 3 == 0};
  ffi_forest_make(&def, &r->forest);
  assert_true(r->forest.model->size.nv <= FFI_CASE_NV);
  r->rig = ffi_rig_create(r->forest.model, &(ffi_rig_def){.stepper = FF_STEPPER_EULER});
  r->rig->def.expo.exponential = exponential;
  r->rig->def.expo.force_tolerance = tolerance;
  r->rig->def.expo.max_substeps = max_substeps;
  r->system = r->rig->system;
  r->system.max_contacts = FFI_CASE_BLOCKS;
  for (int i = 0; i <= FFI_CASE_JOINTS; ++i)
    r->elements[i].def = ff_element_def_default();
  r->system.elements = r->elements;
  r->system.element_count = FFI_CASE_JOINTS + 1;
  allow_joining(r);
  ffi_block measure = {0};
  layout(r, &measure);
  const size_t bytes = (measure.used + FFI_BLOCK_ALIGN) / FFI_BLOCK_ALIGN * FFI_BLOCK_ALIGN;
  ffi_block memory = {.base = aligned_alloc(FFI_BLOCK_ALIGN, bytes)};
  assert_non_null(memory.base);
  memset(memory.base, 0, bytes);
  r->memory = memory.base;
  layout(r, &memory);
  return r;
}

void ffi_frozen_rig_destroy(ffi_frozen_rig *r)
{
  ffi_rig_destroy(r->rig);
  ffi_forest_free(&r->forest);
  free(r->memory);
  free(r);
}

// ---- A random system --------------------------------------------------------------------------------------

static double power_of_ten(ffi_random *random, double low, double high)
{
  return pow(10, ffi_random_between(random, low, high));
}

static int add_path(const ff_model *m, int body, int *dof, int count)
{
  for (int v = m->bodies[body].v + m->bodies[body].nv - 1; v >= 0; v = m->dof_parent[v]) {
    int at = 0;
    while (at < count && dof[at] < v)
      ++at;
    if (at < count && dof[at] == v)
      continue;
    memmove(dof + at + 1, dof + at, (size_t)(count - at) * sizeof *dof);
    dof[at] = v;
    ++count;
  }
  return count;
}

// Rows of a body, or between two bodies, or the same as another block's, or with a row that is no new one.
static void random_rows(ffi_random *random, const ffi_frozen_rig *r, ffi_frozen_case *c, int i)
{
  const ff_model *m = r->system.model;
  const int stride = r->frozen.stride, can_join = r->elements[FFI_CASE_JOINTS].def.type == FF_ELEMENT_POINT;
  ffi_rows3 *rows = &c->rows[i];
  if (i > 0 && ffi_random_chance(random, 0.25)) {
    const int other = ffi_random_below(random, i);
    *rows = c->rows[other];
    return;
  }
  const int a = 1 + ffi_random_below(random, m->body_count - 1),
            b = 1 + ffi_random_below(random, m->body_count - 1);
  rows->dof = c->dof[i];
  rows->J = c->J[i];
  rows->columns = add_path(m, a, c->dof[i], 0);
  rows->is_path = 1;
  if (can_join && a != b && ffi_random_chance(random, 0.1)) {
    rows->columns = add_path(m, b, c->dof[i], rows->columns);
    rows->is_path = 0;
  }
  assert_true(rows->columns <= stride && stride <= FFI_CASE_STRIDE);
  memset(rows->J, 0, 3 * (size_t)stride * sizeof *rows->J);
  for (int k = 0; k < rows->columns; ++k)
    for (int w = 0; w < 3; ++w)
      rows->J[w * stride + k] = ffi_random_between(random, -1, 1);
  if (ffi_random_chance(random, 0.2))
    for (int k = 0; k < rows->columns; ++k)
      rows->J[2 * stride + k] = rows->J[k] - 2 * rows->J[stride + k];
  if (ffi_random_chance(random, 0.05))
    memset(rows->J, 0, 3 * (size_t)stride * sizeof *rows->J);
}

// Rows that move nothing. A contact with them slides by itself, and no velocity tells how well.
static int is_nothing(const ffi_rows3 *rows, int stride)
{
  double sum = 0;
  for (int k = 0; k < 3 * stride; ++k)
    sum += fabs(rows->J[k]);
  return sum == 0;
}

static void random_slide(ffi_random *random, ffi_frozen *z, ffi_frozen_block *b)
{
  double n[3], across[3];
  ffi_law law = {.mode = FF_CONTACT_SLIP};
  ffi_random_direction(random, n);
  ffi_random_direction(random, across);
  ffi_v3_cross(n, across, law.trial);
  const double mu = ffi_random_between(random, 0.05, 0.8);
  const double norm = ffi_v3_norm(law.trial);
  law.normal_force = ffi_random_between(random, 1, 100);
  law.trial_norm = mu * law.normal_force * ffi_random_between(random, 1, 5);
  ffi_v3_scale(law.trial_norm / norm, law.trial, law.trial);
  ffi_frozen_slide(z, b, n, &law, mu);
}

// Stiffness and damping that several blocks share, as contacts of one material do, or of each its own.
typedef struct materials {
  double K, B;
  int is_shared, damping; // 0: none, 1: below critical, 2: any
} materials;

static void random_material(ffi_random *random, const materials *shared, double *K, double *B)
{
  *K = power_of_ten(random, 2, 9);
  const double critical = 2 * sqrt(*K * power_of_ten(random, -2, 1));
  *B = shared->damping == 0 ? 0 : critical * power_of_ten(random, -2, shared->damping == 1 ? 0 : 2);
  if (shared->is_shared && shared->K > 0) {
    *K = shared->K;
    *B = shared->B;
  }
}

static void random_joint(ffi_random *random, ffi_frozen_rig *r, const materials *shared)
{
  ffi_joint_row row = {.v = ffi_random_below(random, r->system.model->size.nv)};
  random_material(random, &(materials){.damping = shared->damping}, &row.K, &row.B);
  row.K = fmin(row.K, 1e6);
  row.x = ffi_random_between(random, -20, 20) / row.K;
  row.u = ffi_random_between(random, -1, 1);
  ffi_frozen_add_joint(&r->frozen, &row);
}

void ffi_frozen_case_random(ffi_frozen_rig *r, uint64_t seed, ffi_frozen_case *c)
{
  const ff_model *m = r->system.model;
  const ffi_kernels *k = r->system.k;
  ffi_frozen *z = &r->frozen;
  ffi_random random = ffi_random_seed(seed);
  double q[2 * FFI_CASE_NV];
  memset(c, 0, sizeof *c);
  ffi_random_q(&random, m, q);
  k->transforms(r->system.work, q);
  k->kinematics(r->system.work, NULL, NULL);
  k->crba(r->system.work);

  c->h = power_of_ten(&random, -4, -1.5);
  c->blocks =
      ffi_random_chance(&random, 0.9) ? 1 + ffi_random_below(&random, 4) : ffi_random_below(&random, 9);
  c->joints = ffi_random_chance(&random, 0.7) ? 0 : ffi_random_below(&random, FFI_CASE_JOINTS + 1);
  materials shared = {.is_shared = ffi_random_chance(&random, 0.7), .damping = ffi_random_below(&random, 3)};
  const int can_slide = ffi_random_chance(&random, 0.5);
  ffi_frozen_begin(z);
  for (int i = 0; i < c->blocks; ++i) {
    double K, B, x[3], u[3], accel[3];
    random_rows(&random, r, c, i);
    random_material(&random, &shared, &K, &B);
    shared.K = K;
    shared.B = B;
    ffi_random_vector(&random, 3, power_of_ten(&random, 0, 2.5) / K, x);
    ffi_random_vector(&random, 3, power_of_ten(&random, -3, 0), u);
    ffi_random_vector(&random, 3, 2, accel);
    ffi_random_vector(&random, 3, 100, c->c1[i]);
    ffi_frozen_block *b = ffi_frozen_add(z, &c->rows[i], K, B, x, u, accel);
    if (can_slide && ffi_random_chance(&random, 0.5) && !is_nothing(&c->rows[i], z->stride)) {
      random_slide(&random, z, b);
      ++c->slides;
    }
  }
  for (int i = 0; i < c->joints; ++i)
    random_joint(&random, r, &shared);
  ffi_random_vector(&random, m->size.nv, 20, c->f);
  ffi_random_vector(&random, m->size.nv, 500, c->f1);
  z->f = c->f;
  z->want_double = 1;
  ffi_frozen_prepare(z);
}

// ---- The oracle -------------------------------------------------------------------------------------------

enum { MOST_STATES = 2 * FFI_CASE_ROWS + FFI_CASE_BLOCKS, MOST = MOST_STATES + 4 };

// Positions and velocities of the rows, elongations across sliding contacts; forces F = C y [rows], along world axes and joints.
typedef struct equation {
  int rows, states;
  double J[FFI_CASE_ROWS][FFI_CASE_NV], W[FFI_CASE_ROWS][FFI_CASE_NV]; // W = J M^-1
  double C[FFI_CASE_ROWS][MOST_STATES];
  double y[MOST_STATES], A[MOST_STATES][MOST_STATES], b0[MOST_STATES], b1[MOST_STATES];
  double L[FFI_CASE_NV * FFI_CASE_NV];
} equation;

static void gather_rows(const ffi_frozen_rig *r, equation *e)
{
  const ffi_frozen *z = &r->frozen;
  const ff_model *m = r->system.model;
  const int nv = m->size.nv;
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
      e->L[i * nv + v] = r->system.work->M[at];
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
static void sliding_law(const ffi_frozen_block *b, int row, int springs_across, equation *e)
{
  const int own = e->states++;
  const double rho = b->rho;
  const int is_spring = springs_across || !(b->B > 0);
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

static double inner(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k] * b[k];
  return sum;
}

// x' = u, u' = W (f + f1 t + J' F) + c + c1 t.
static void fill_equation(const ffi_frozen_rig *r, const ffi_frozen_case *c, int has_ramp, int springs_across,
                          equation *e)
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
    block->slides ? sliding_law(block, 3 * b, springs_across, e) : plain_law(block, 3 * b, e);
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
  return (spring){b->K, b->B, fabs(b->x[w]), fabs(b->u[w]) + fabs(b->c[w]) * h};
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
  double stiffest = 0, most_damped = 0;
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
  out->fastest = sqrt(stiffest) + most_damped;
}

// |J M^-1| times |L||L'||delta_v|, the sizes that are summed in M delta_v, and times what is summed in the springs' forces, all without cancellation.
static void find_sensitivity(const ffi_frozen *z, int nv, const equation *e, double h, ffi_frozen_truth *out)
{
  double part[FFI_CASE_NV] = {0}, mass[FFI_CASE_NV] = {0}, K[FFI_CASE_NV] = {0}, B[FFI_CASE_NV] = {0},
         x[FFI_CASE_NV] = {0};
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
    }
  }
  out->by_mass = out->by_K = out->by_B = out->by_x = 0;
  for (int i = 0; i < e->rows; ++i) {
    out->by_mass = fmax(out->by_mass, inner_sizes(nv, e->W[i], mass));
    out->by_K = fmax(out->by_K, inner_sizes(nv, e->W[i], K));
    out->by_B = fmax(out->by_B, inner_sizes(nv, e->W[i], B));
    out->by_x = fmax(out->by_x, inner_sizes(nv, e->W[i], x));
  }
}

int ffi_frozen_case_solve(ffi_frozen_rig *r, const ffi_frozen_case *c, int has_ramp, int springs_across,
                          ffi_frozen_truth *out)
{
  static equation e;
  const int nv = r->system.model->size.nv;
  const double h = c->h;
  double end[MOST_STATES], once[MOST_STATES], twice[MOST_STATES], push[FFI_CASE_NV], push2[FFI_CASE_NV];
  gather_rows(r, &e);
  fill_equation(r, c, has_ramp, springs_across, &e);
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
  if (c->slides == 0)
    return 1;
  double start = 0, speed = 0;
  for (int i = 0; i < e.rows; ++i) {
    start = fmax(start, fabs(e.y[e.rows + i]) + h * fabs(e.b0[e.rows + i]));
    speed = fmax(speed, fabs(end[e.rows + i]));
  }
  return speed < 30 * start + 1; // friction can make a system grow without bounds
}

// ---- The comparison ---------------------------------------------------------------------------------------

static void widen(double *most, double x)
{
  if (!(x <= *most)) // not a number: the largest of all
    *most = isfinite(x) ? x : INFINITY;
}

static double times_row(const ffi_frozen *z, const ffi_rows3 *rows, int w, const double *v)
{
  double sum = 0;
  for (int k = 0; k < rows->columns; ++k)
    sum += rows->J[w * z->stride + k] * v[rows->dof[k]];
  return sum;
}

// One row: what it was, what it is said to become, what it becomes.
typedef struct row_gap {
  double size, error;           // of velocity
  double mean, twice, force;    // errors of forces; the largest force
  double way, x_error, u_error; // of the end
} row_gap;

static ffi_frozen_gap relative(const row_gap *b, const row_gap *j)
{
  ffi_frozen_gap g = {0};
  widen(&g.velocity, b->error / b->size);
  widen(&g.velocity, j->error / j->size);
  widen(&g.mean, fmax(b->mean, j->mean) / fmax(b->force, 1e-3));
  widen(&g.double_mean, fmax(b->twice, j->twice) / fmax(b->force, 1e-3));
  widen(&g.end, b->x_error / b->way);
  widen(&g.end, b->u_error / b->size);
  return g;
}

// What rounding may do to velocities, over their size, and to mean forces, over the largest.
//
// Fast path: factor and solve of M + kappa J'J at a pole, kappa = (K + sB)/s^2, are those of a matrix and a right-hand side that are wrong by n eps of the sizes
// summed in them, n velocities; the sum over poles has terms 2 |c/z| as large as what it gives; and sub-steps add up. Forces come without M^-1.
// Oracle: an exponential is right to 10 eps (1 + h omega), omega its fastest rate (docs/theory/exponential.md).
static void find_floors(const ffi_frozen *z, double h, const ffi_frozen_truth *truth, double speed,
                        double size, ffi_frozen_gap *g)
{
  double terms = 0, least = INFINITY;
  for (int k = 0; k < FFI_POLES; ++k) {
    const double s = hypot(ffi_poles_z[k], ffi_poles_z[4 + k]);
    terms += 2 * hypot(ffi_poles_c[k], ffi_poles_c[4 + k]) / s;
    least = fmin(least, s);
  }
  const double r = h / z->substeps / least; // 1/|s|
  const double sums = z->n * z->substeps * terms, oracle = 10 * (1 + h * truth->fastest);
  const double wrong = truth->by_mass + r * (r * truth->by_K + truth->by_B + truth->by_x);
  g->floor_velocity = DBL_EPSILON * (sums * wrong + oracle * speed) / size;
  g->floor_mean = DBL_EPSILON * (sums + oracle);
}

static double row_speed(const ffi_frozen *z, const ffi_rows3 *rows, int w)
{
  double sum = 0;
  for (int k = 0; k < rows->columns; ++k)
    sum += fabs(rows->J[w * z->stride + k] * z->delta_v[rows->dof[k]]);
  return sum;
}

ffi_frozen_gap ffi_frozen_case_gap(const ffi_frozen_rig *r, const ffi_frozen_case *c,
                                   const ffi_frozen_truth *truth)
{
  const ffi_frozen *z = &r->frozen;
  const double falling = z->gravity * c->h;
  double speed = falling;
  row_gap b = {.size = falling, .force = truth->force, .way = falling * c->h}, j = b;
  for (int i = 0; i < 3 * c->blocks; ++i) {
    const ffi_frozen_block *block = &z->block[i / 3];
    const int w = i % 3;
    widen(&b.size, fabs(truth->impulse[i]) + fabs(block->u[w]) + fabs(block->c[w]) * c->h);
    widen(&b.error, fabs(times_row(z, block->rows, w, z->delta_v) - truth->impulse[i]));
    widen(&speed, row_speed(z, block->rows, w) + fabs(block->u[w]) + fabs(block->c[w]) * c->h);
    widen(&b.force, fabs(truth->mean[i]));
    widen(&b.mean, fabs(block->mean[w] - truth->mean[i]));
    widen(&b.twice, fabs(block->double_mean[w] - truth->double_mean[i]));
    if (block->slides)
      continue;
    widen(&b.way, fabs(block->x[w]) + fabs(truth->x_end[i]));
    widen(&b.x_error, fabs(block->x_end[w] - truth->x_end[i]));
    widen(&b.u_error, fabs(block->u_end[w] - truth->u_end[i]));
  }
  for (int i = 0; i < c->joints; ++i) {
    const ffi_frozen_joint *joint = &z->joint[i];
    const int row = 3 * c->blocks + i;
    widen(&j.size, fabs(truth->impulse[row]) + fabs(joint->u));
    widen(&j.error, fabs(z->delta_v[joint->v] - truth->impulse[row]));
    widen(&speed, fabs(z->delta_v[joint->v]) + fabs(joint->u));
    widen(&b.force, fabs(truth->mean[row]));
    widen(&j.mean, fabs(joint->mean - truth->mean[row]));
    widen(&j.twice, fabs(joint->double_mean - truth->double_mean[row]));
  }
  ffi_frozen_gap gap = relative(&b, &j);
  find_floors(z, c->h, truth, speed, c->joints > 0 ? fmin(b.size, j.size) : b.size, &gap);
  return gap;
}
