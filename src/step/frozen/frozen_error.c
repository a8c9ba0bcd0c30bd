// The error bound of the frozen system's fast path. See frozen_error.h.
#include "step/frozen/frozen_error.h"

#include "math/larger.h"
#include "math/poles.h"
#include "step/frozen/frozen_slide.h"

#include <math.h>
#include <string.h>

// ---- The springs ------------------------------------------------------------------------------------------

static void add_spring(ffi_frozen_bounds *s, double K, double B, double x, double u)
{
  if (!(K > 0 || B > 0))
    return;
  const double time = K > 0 ? B / K : INFINITY;
  s->force = ffi_larger(s->force, K * x + B * u);
  s->K[0] = K < s->K[0] ? K : s->K[0];
  s->K[1] = ffi_larger(s->K[1], K);
  s->time[0] = time < s->time[0] ? time : s->time[0];
  s->time[1] = ffi_larger(s->time[1], time);
}

static double largest(const double a[3])
{
  return ffi_larger(ffi_larger(fabs(a[0]), fabs(a[1])), fabs(a[2]));
}

// n times the diagonals of M and of the stiffness in joint space: v'Mv <= n sum M_ii v_i^2 for every positive
// semidefinite M.
static void fill_diagonals(ffi_frozen *z)
{
  const ffi_pattern *p = z->pattern;
  const size_t entries = (size_t)p->row[z->n];
  for (int i = 0; i < z->n; ++i) {
    const int at = p->row[i] + p->depth[i];
    double stiffness = 0;
    for (int c = 0; c < z->class_count; ++c)
      stiffness += z->class_K[c] * z->G[(size_t)c * entries + (size_t)at];
    z->diagonal[2 * i] = z->n * z->M[at];
    z->diagonal[2 * i + 1] = z->n * stiffness;
  }
  for (int j = 0; j < z->joint_count; ++j) {
    const ffi_frozen_joint *joint = &z->joint[j];
    if (joint->v >= 0)
      z->diagonal[2 * joint->v + 1] += z->n * joint->K;
    for (int k = 0; joint->v < 0 && k < joint->line->count; ++k)
      z->diagonal[2 * joint->line->v[k] + 1] +=
          z->n * joint->K * joint->line->weight[k] * joint->line->weight[k];
  }
}

void ffi_frozen_error_prepare(ffi_frozen *z)
{
  ffi_frozen_bounds s = {.time = {INFINITY, 0}, .K = {INFINITY, 0}, .force = 1e-3, .has_diagonal = 1};
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    s.has_diagonal &= b->class_index >= 0;
    add_spring(&s, b->K, b->B, largest(b->x), largest(b->u));
  }
  for (int i = 0; i < z->joint_count; ++i)
    add_spring(&s, z->joint[i].K, z->joint[i].B, fabs(z->joint[i].x), fabs(z->joint[i].u));
  z->bounds = s;
  if (s.has_diagonal)
    fill_diagonals(z);
}

// ---- One subinterval --------------------------------------------------------------------------------------

// An upper bound of the norm of indicator 0, at most sqrt(n) times too large: hardly any work.
static double rough_norm(const ffi_frozen *z, double h)
{
  double inertial = 0, elastic = 0;
  for (int i = 0; i < z->n; ++i) {
    const double *v = z->E + 4 * i;
    inertial += z->diagonal[2 * i] * v[0] * v[0];
    elastic += z->diagonal[2 * i + 1] * v[1] * v[1];
  }
  return sqrt(inertial + h * h * elastic);
}

static void add_elastic(const ffi_frozen *z, const ffi_frozen_block *b, double t, double h, double sum[4])
{
  double Jv[12] = {0};
  z->kernels->rows_times4(b->rows->columns, b->rows->dof, b->rows->J, z->stride, z->E, Jv);
  if (!b->slides) {
    for (int r = 0; r < 3; ++r)
      for (int m = 0; m < 3; ++m)
        sum[m] += b->K * h * h * Jv[4 * r + m + 1] * Jv[4 * r + m + 1];
    return;
  }
  double across[3];
  ffi_frozen_slide_unresolved(z, b, t, h, across);
  for (int m = 0; m < 3; ++m) {
    double along = 0;
    for (int r = 0; r < 3; ++r)
      along += h * b->n[r] * Jv[4 * r + m + 1];
    sum[m] += b->K * (along * along + across[m] * across[m]);
  }
}

// Norms of the indicators. Indicator m of an elongation is h times indicator m + 1 of its rate.
static void fill_norms(const ffi_frozen *z, double t, double h, double norm[3])
{
  double sum[4];
  z->kernels->energies(z->pattern, z->M, z->E, sum);
  for (int i = 0; i < z->block_count; ++i)
    add_elastic(z, &z->block[i], t, h, sum);
  for (int i = 0; i < z->joint_count; ++i)
    for (int m = 0; m < 3; ++m) {
      const double v = ffi_frozen_joint_sum(&z->joint[i], z->E, 4, m + 1);
      sum[m] += z->joint[i].K * h * h * v * v;
    }
  for (int m = 0; m < 3; ++m)
    norm[m] = sqrt(ffi_larger(sum[m], 0));
}

// Friction that follows the normal force makes the system unsymmetric: its motions need not decay in the norm, and
// eq. 9a is no bound. Twenty times as much is one for every system of tests/step/frozen/test_frozen_many.c that
// slides and is not capped.
static const double caution = 20;

double ffi_frozen_error_free_fall(const ffi_frozen *z, double h)
{
  return ffi_larger(z->gravity, 1) * h;
}

// Velocity and force errors of any row by bounds that need no mobilities.
static double velocity_within(const ffi_frozen_bounds *s, double rate)
{
  return s->K[0] > 0 ? rate / sqrt(s->K[0]) : INFINITY;
}
static double force_within(const ffi_frozen_bounds *s, double once, double end, double whole)
{
  return sqrt(s->K[1]) * (once + s->time[1] * end) / whole;
}

void ffi_frozen_error_add(ffi_frozen *z, double t, double h, int index, int count)
{
  ffi_frozen_bounds *s = &z->bounds;
  const double whole = h * count, share = 0.1 * z->tolerance / count;
  double bound[4], norm[3];
  if (index == 0)
    s->once = s->end = s->rate = 0;
  ffi_poles_bounds(h / s->time[0], s->time[0] == s->time[1], count - 1 - index, bound);
  z->kernels->combine(z->n, z->alpha, &z->unresolved[0][0], z->E);
  if (s->has_diagonal) {
    norm[0] = rough_norm(z, h);
    if (velocity_within(s, bound[2] * norm[0] / h) <= share * ffi_frozen_error_free_fall(z, whole) &&
        force_within(s, h * bound[0] * norm[0], bound[1] * norm[0], whole) <= share * s->force) {
      s->once += h * bound[0] * norm[0];
      s->end += bound[1] * norm[0];
      s->rate += bound[2] * norm[0] / h;
      return;
    }
  }
  fill_norms(z, t, h, norm);
  double least[3] = {INFINITY, INFINITY, INFINITY};
  for (int k = 0; k < 3; ++k)
    for (int m = 0; k + m < 4 && m < 3; ++m)
      if (norm[m] * bound[k + m] < least[k]) // false where 0 meets infinity
        least[k] = norm[m] * bound[k + m];
  const double times = z->slides > 0 ? caution : 1;
  s->once += times * h * least[0];
  s->end += times * least[1];
  s->rate += times * least[2] / h;
}

// ---- The interval -----------------------------------------------------------------------------------------

// M = L'DL by its pattern, 1/D on the diagonal: docs/theory/dynamics.md.
static void factor_mass(ffi_frozen *z)
{
  const ffi_pattern *p = z->pattern;
  memcpy(z->L, z->M, (size_t)p->row[z->n] * sizeof *z->L);
  for (int i = z->n - 1; i >= 0; --i) {
    double *row = z->L + p->row[i];
    const int *path = p->path + p->row[i], depth = p->depth[i];
    row[depth] = 1 / row[depth];
    for (int k = depth - 1; k >= 0; --k) {
      const double a = row[k] * row[depth];
      double *to = z->L + p->row[path[k]];
      for (int l = 0; l <= k; ++l)
        to[l] -= a * row[l];
      row[k] = a;
    }
  }
}

static double mobility_of(const ffi_frozen *z, int v)
{
  static const double one[3] = {1, 0, 0};
  double out[3];
  z->kernels->mobilities(z->pattern, z->L, 1, &v, one, 1, 0, z->scratch4, out);
  return out[0];
}

// Of a tendon an upper bound: the norm of a sum is at most the sum of norms.
static double joint_mobility(const ffi_frozen *z, const ffi_frozen_joint *j)
{
  if (j->v >= 0)
    return mobility_of(z, j->v);
  double sum = 0;
  for (int k = 0; k < j->line->count; ++k)
    sum += fabs(j->line->weight[k]) * sqrt(mobility_of(z, j->line->v[k]));
  return sum * sum;
}

// j M^-1 j' = |D^-1/2 L^-T j'|^2 of all rows.
void ffi_frozen_error_mobilities(ffi_frozen *z)
{
  if (z->bounds.has_mobility)
    return;
  factor_mass(z);
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_rows3 *rows = z->block[i].rows;
    z->kernels->mobilities(z->pattern, z->L, rows->columns, rows->dof, rows->J, z->stride, rows->is_path,
                           z->scratch4, z->block[i].mobility);
  }
  for (int j = 0; j < z->joint_count; ++j)
    z->joint[j].mobility = joint_mobility(z, &z->joint[j]);
  z->bounds.has_mobility = 1;
}

// Sizes of the velocities of blocks and of joints and of forces: those known from the start, and those of the motion.
enum { BLOCK, JOINT, FORCE };
typedef struct sizes {
  double least[3], found[3];
} sizes;

static sizes sizes_at_start(const ffi_frozen *z, double h)
{
  const double v = ffi_frozen_error_free_fall(z, h), f = z->bounds.force;
  return (sizes){{v, v, f}, {v, v, f}};
}

static void widen(sizes *s, int what, double start, double more)
{
  s->least[what] = ffi_larger(s->least[what], start);
  s->found[what] = ffi_larger(s->found[what], start + more);
}

static void find_sizes(const ffi_frozen *z, double h, sizes *s)
{
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (!(b->K > 0 || b->B > 0))
      continue;
    for (int r = 0; r < 3; ++r) {
      widen(s, BLOCK, fabs(b->u[r]) + fabs(b->c[r]) * h, fabs(b->now_u[r] - b->u[r] - b->c[r] * h));
      widen(s, FORCE, 0, fabs(b->mean[r]));
      if (!b->slides)
        widen(s, FORCE, 0, b->K * fabs(b->now_x[r]) + b->B * fabs(b->now_u[r]));
    }
  }
  for (int i = 0; i < z->joint_count; ++i) {
    const ffi_frozen_joint *j = &z->joint[i];
    widen(s, JOINT, fabs(j->u), fabs(j->now_u - j->u));
    widen(s, FORCE, 0, ffi_larger(fabs(j->mean), j->K * fabs(j->now_x) + j->B * fabs(j->now_u)));
  }
}

// Relative to the true size, which is at least the size found less the error.
static double share_of(double error, const sizes *s, int what)
{
  return error > 0 ? error / ffi_larger(s->least[what], s->found[what] - error) : 0;
}

// A row's velocity error: by the rate of its elongation, or by its mobility.
static double row_velocity(const ffi_frozen_bounds *s, double K, double mobile)
{
  const double by_rate = K > 0 ? s->rate / sqrt(K) : INFINITY, by_mobility = sqrt(mobile) * s->end;
  return by_rate < by_mobility ? by_rate : by_mobility;
}
static double row_force(const ffi_frozen_bounds *s, double K, double B, double mobile, double h)
{
  if (K > 0)
    return sqrt(K) * (s->once + B / K * s->end) / h;
  return B * sqrt(mobile) * s->once / h;
}

static double row_by_row(const ffi_frozen *z, const sizes *size, double h)
{
  double block = 0, joint = 0, force = 0;
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (!(b->K > 0 || b->B > 0))
      continue;
    for (int r = 0; r < 3; ++r) {
      block = ffi_larger(block, row_velocity(&z->bounds, b->K, b->mobility[r]));
      force = ffi_larger(force, row_force(&z->bounds, b->K, b->B, b->mobility[r], h));
    }
  }
  for (int i = 0; i < z->joint_count; ++i) {
    const ffi_frozen_joint *j = &z->joint[i];
    joint = ffi_larger(joint, row_velocity(&z->bounds, j->K, j->mobility));
    force = ffi_larger(force, row_force(&z->bounds, j->K, j->B, j->mobility, h));
  }
  return ffi_larger(share_of(force, size, FORCE),
                    ffi_larger(share_of(block, size, BLOCK), share_of(joint, size, JOINT)));
}

// The error relative to these sizes, without mobilities.
static double at_once(const ffi_frozen_bounds *s, const sizes *size, double whole)
{
  const double velocity = velocity_within(s, s->rate), force = force_within(s, s->once, s->end, whole);
  return ffi_larger(share_of(force, size, FORCE),
                    ffi_larger(share_of(velocity, size, BLOCK), share_of(velocity, size, JOINT)));
}

double ffi_frozen_error_end(ffi_frozen *z, double whole)
{
  if (!(z->bounds.K[0] < INFINITY)) // no springs
    return 0;
  sizes size = sizes_at_start(z, whole);
  double error = at_once(&z->bounds, &size, whole);
  if (error <= z->tolerance)
    return error;
  find_sizes(z, whole, &size);
  error = at_once(&z->bounds, &size, whole);
  if (error <= z->tolerance)
    return error;
  ffi_frozen_error_mobilities(z);
  return row_by_row(z, &size, whole);
}
