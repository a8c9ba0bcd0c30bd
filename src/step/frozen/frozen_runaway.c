// Detects and limits frozen motions that run away. See frozen_runaway.h for the bounds.
#include "step/frozen/frozen_runaway.h"

#include "math/vec3.h"
#include "step/frozen/frozen_error.h"

#include <math.h>

// Chosen, not derived: friction adds mu times the normal force on each contact, and a motion thirty times beyond what
// springs can give is growth.
static const double far_beyond = 30;

enum { BLOCK, JOINT, FORCE, KINDS }; // velocities of blocks, of joints; forces of both

static void raise(double *most, double x)
{
  if (!(x <= *most)) // NaN counts as the largest of all
    *most = isfinite(x) ? x : INFINITY;
}

static int is_spring(const ffi_frozen_block *b)
{
  return b->K > 0 || b->B > 0;
}

// ---- D and a: known and computed sizes --------------------------------------------------------------------

static double force_at_start(const ffi_frozen_block *b, int r)
{
  if (!b->slides)
    return b->K * fabs(b->x[r]) + b->B * fabs(b->u[r]);
  const double push = -b->K * ffi_v3_dot(b->x, b->n) - b->B * ffi_v3_dot(b->u, b->n);
  if (b->has_flag)
    return fabs(push * (b->n[r] + b->mu * b->d[r]) - b->damper[0] * ffi_v3_dot(b->u, b->d) * b->d[r] -
                b->damper[1] * ffi_v3_dot(b->u, b->t) * b->t[r]);
  const double across = -b->rho * (b->K * ffi_v3_dot(b->x, b->t) + b->B * ffi_v3_dot(b->u, b->t));
  return fabs(push * (b->n[r] + b->mu * b->d[r]) + across * b->t[r]);
}

static void find_known(const ffi_frozen *z, double h, double known[KINDS])
{
  known[BLOCK] = known[JOINT] = ffi_frozen_error_free_fall(z, h);
  known[FORCE] = 1e-3;
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    for (int r = 0; r < 3 && is_spring(b); ++r) {
      raise(&known[FORCE], force_at_start(b, r));
      raise(&known[BLOCK], fabs(b->u[r]) + fabs(b->c[r]) * h);
    }
  }
  for (int i = 0; i < z->joint_count; ++i) {
    const ffi_frozen_joint *j = &z->joint[i];
    raise(&known[FORCE], j->K * fabs(j->x) + j->B * fabs(j->u));
    raise(&known[JOINT], fabs(j->u));
  }
}

static void find_computed(const ffi_frozen *z, double h, double computed[KINDS])
{
  computed[BLOCK] = computed[JOINT] = computed[FORCE] = 0;
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    for (int r = 0; r < 3 && is_spring(b); ++r) {
      raise(&computed[FORCE], fabs(b->mean[r]));
      raise(&computed[BLOCK], fabs(b->u_end[r] - b->u[r] - h * (b->c[r] + h * b->c1[r] / 2)));
    }
  }
  for (int i = 0; i < z->joint_count; ++i) {
    raise(&computed[FORCE], fabs(z->joint[i].mean));
    raise(&computed[JOINT], fabs(z->joint[i].u_end - z->joint[i].u));
  }
}

static double largest_ratio(const double a[KINDS], const double b[KINDS])
{
  double most = 0;
  for (int k = 0; k < KINDS; ++k)
    raise(&most, a[k] / b[k]);
  return most;
}

// ---- R: the reach of a motion without friction ------------------------------------------------------------

// x := M^-1 x by L'DL; returns x' M^-1 x.
static double solve_mass(const ffi_frozen *z, double *x)
{
  const ffi_pattern *p = z->pattern;
  double sum = 0;
  for (int i = z->n - 1; i >= 0; --i) {
    const double *row = z->L + p->row[i];
    for (int k = 0; k < p->depth[i]; ++k)
      x[p->path[p->row[i] + k]] -= row[k] * x[i];
    sum += x[i] * x[i] * row[p->depth[i]];
  }
  for (int i = 0; i < z->n; ++i) {
    const double *row = z->L + p->row[i];
    x[i] *= row[p->depth[i]];
    for (int k = 0; k < p->depth[i]; ++k)
      x[i] -= row[k] * x[p->path[p->row[i] + k]];
  }
  return sum;
}

// Velocity change and displacement without springs, [n] each, in z->E; returns |M^-1/2 (f + f1 tau)| at most.
static double fall(ffi_frozen *z, double h)
{
  double *v = z->E, *x = z->E + z->n, size[2];
  for (int k = 0; k < z->n; ++k) {
    v[k] = z->f[k];
    x[k] = z->f1 ? z->f1[k] : 0;
  }
  size[0] = sqrt(solve_mass(z, v));
  size[1] = sqrt(solve_mass(z, x));
  for (int k = 0; k < z->n; ++k) {
    const double a = v[k], slope = x[k];
    v[k] = h * (a + h * slope / 2);
    x[k] = h * h * (a / 2 + h * slope / 6);
  }
  return size[0] + h * size[1];
}

static double drive(const ffi_frozen_block *b, int r, double h)
{
  return fabs(b->u[r]) + h * (fabs(b->c[r]) + h * fabs(b->c1[r]) / 2);
}

// R; push: |M^-1/2 (f + f1 tau)| at most.
static double norm_within(const ffi_frozen *z, double h, double push)
{
  double start = 0, damped = 0, driven = 0;
  for (int i = 0; i < z->block_count; ++i)
    for (int r = 0; r < 3; ++r) {
      const ffi_frozen_block *b = &z->block[i];
      const double g = drive(b, r, h);
      start += b->K * b->x[r] * b->x[r];
      damped += b->B * g * g;
      driven += b->K * g * g;
    }
  for (int i = 0; i < z->joint_count; ++i) {
    const ffi_frozen_joint *j = &z->joint[i];
    start += j->K * j->x * j->x;
    damped += j->B * j->u * j->u;
    driven += j->K * j->u * j->u;
  }
  return sqrt(start + h / 2 * damped) + h * (push + sqrt(driven));
}

static double force_within(double K, double B, double speed, double R, double h)
{
  return K > 0 ? sqrt(K) * R * (1 + 2 * B / (K * h)) : B * speed;
}

static void find_reach(const ffi_frozen *z, double h, double R, double reach[KINDS])
{
  reach[BLOCK] = reach[JOINT] = ffi_frozen_error_free_fall(z, h);
  reach[FORCE] = 1e-3;
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    for (int r = 0; r < 3 && is_spring(b); ++r) {
      const double speed = sqrt(b->mobility[r]) * R;
      raise(&reach[BLOCK], speed);
      raise(&reach[FORCE], force_within(b->K, b->B, drive(b, r, h) + speed, R, h));
    }
  }
  for (int i = 0; i < z->joint_count; ++i) {
    const ffi_frozen_joint *j = &z->joint[i];
    const double speed = sqrt(j->mobility) * R;
    raise(&reach[JOINT], speed);
    raise(&reach[FORCE], force_within(j->K, j->B, fabs(j->u) + speed, R, h));
  }
  for (int k = 0; k < KINDS; ++k)
    reach[k] *= far_beyond;
}

// ---- Scaling back -----------------------------------------------------------------------------------------

static double between(double share, double from, double to)
{
  return share > 0 ? from + share * (to - from) : from; // where `to` may be NaN
}

static void scale_block(const ffi_frozen *z, ffi_frozen_block *b, double share, double h)
{
  for (int r = 0; r < 3; ++r) {
    double v = 0, x = 0;
    for (int k = 0; k < b->rows->columns; ++k) {
      v += b->rows->J[r * z->stride + k] * z->E[b->rows->dof[k]];
      x += b->rows->J[r * z->stride + k] * z->E[z->n + b->rows->dof[k]];
    }
    b->u_end[r] = between(share, b->u[r] + v + h * (b->c[r] + h * b->c1[r] / 2), b->u_end[r]);
    b->x_end[r] =
        between(share, b->x[r] + x + h * (b->u[r] + h * (b->c[r] / 2 + h * b->c1[r] / 6)), b->x_end[r]);
    b->mean[r] = between(share, 0, b->mean[r]);
    b->double_mean[r] = between(share, 0, b->double_mean[r]);
    b->force_end[r] = between(share, 0, b->force_end[r]);
  }
}

// Scale the springs' part of the motion by share.
static void scale(ffi_frozen *z, double share, double h)
{
  const double *v = z->E, *x = z->E + z->n;
  for (int k = 0; k < z->n; ++k) {
    z->delta_v[k] = between(share, v[k], z->delta_v[k]);
    z->delta_x[k] = between(share, x[k], z->delta_x[k]);
  }
  for (int i = 0; i < z->block_count; ++i)
    scale_block(z, &z->block[i], share, h);
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_joint *j = &z->joint[i];
    j->u_end = between(share, j->u + ffi_frozen_joint_sum(j, v, 1, 0), j->u_end);
    j->x_end = between(share, j->x + h * j->u + ffi_frozen_joint_sum(j, x, 1, 0), j->x_end);
    j->mean = between(share, 0, j->mean);
    j->double_mean = between(share, 0, j->double_mean);
    j->force_end = between(share, 0, j->force_end);
  }
}

void ffi_frozen_runaway_limit(ffi_frozen *z, double h)
{
  double known[KINDS], computed[KINDS], reach[KINDS];
  find_known(z, h, known);
  find_computed(z, h, computed);
  if (!z->capped && largest_ratio(computed, known) < far_beyond)
    return;
  ffi_frozen_error_mobilities(z);
  find_reach(z, h, norm_within(z, h, fall(z, h)), reach);
  const double beyond = largest_ratio(computed, reach);
  if (beyond > 1) {
    scale(z, 1 / beyond, h);
    find_computed(z, h, computed);
    z->capped = z->was_limited = 1;
  }
  if (z->capped)
    z->error = 1 + largest_ratio(computed, known);
}
