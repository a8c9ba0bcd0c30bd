// The frozen system over an interval: subintervals, and how many. frozen.c makes its matrices, frozen_error.c bounds
// its error.
#include "math/vec3.h"
#include "step/frozen/frozen.h"
#include "step/frozen/frozen_error.h"
#include "step/frozen/frozen_friction.h"
#include "step/frozen/frozen_runaway.h"
#include "step/frozen/frozen_slide.h"

#include <string.h>

// Right-hand side of docs/theory/exponential.md, eq. 7, for a subinterval that begins at t.
static void excite(ffi_frozen *z, double t, double h)
{
  const int groups = 1 + z->class_count, n = z->n, has_ramp = z->f1 != NULL;
  int terms[1 + FFI_FROZEN_CLASSES];
  double coefficient[(1 + FFI_FROZEN_CLASSES) * 4 * FFI_COMPLEX];
  memset(z->vector, 0, (size_t)groups * (size_t)n * 4 * sizeof *z->vector);
  terms[0] = has_ramp ? 2 : 1;
  for (int k = 0; k < FFI_COMPLEX; ++k) {
    coefficient[k] = h * z->inverse[1][k];
    coefficient[FFI_COMPLEX + k] = h * h * z->inverse[2][k];
  }
  for (int i = 0; i < n; ++i) {
    z->vector[4 * i] = has_ramp ? z->f[i] + t * z->f1[i] : z->f[i];
    z->vector[4 * i + 1] = has_ramp ? z->f1[i] : 0;
  }
  for (int c = 0; c < z->class_count; ++c) {
    double *out = coefficient + (size_t)(c + 1) * 4 * FFI_COMPLEX;
    const double K = z->class_K[c], B = z->class_B[c];
    terms[c + 1] = has_ramp ? 4 : 3;
    for (int k = 0; k < FFI_COMPLEX; ++k)
      out[k] = -K * h * z->inverse[1][k];
    for (int j = 2; j < (has_ramp ? 5 : 4); ++j)
      ffi_frozen_impedance(z, -K, -B, j, h, out + (j - 1) * FFI_COMPLEX);
  }
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (b->class_index < 0)
      continue;
    double X[12];
    for (int r = 0; r < 3; ++r) {
      X[4 * r] = b->now_x[r];
      X[4 * r + 1] = b->now_u[r];
      X[4 * r + 2] = b->c[r] + t * b->c1[r];
      X[4 * r + 3] = b->c1[r];
    }
    z->kernels->rows_transposed4(b->rows->columns, b->rows->dof, b->rows->J, z->stride, X,
                                 z->vector + 4 * (size_t)(b->class_index + 1) * (size_t)n);
  }
  z->kernels->mix(n, groups, terms, coefficient, z->vector, z->alpha);
}

// alpha [n][8] += force on a tendon.
static void push_tendon(const ffi_frozen_joint *j, const double force[FFI_COMPLEX], double *alpha)
{
  for (int i = 0; i < j->line->count; ++i)
    for (int k = 0; k < FFI_COMPLEX; ++k)
      alpha[FFI_COMPLEX * j->line->v[i] + k] += j->line->weight[i] * force[k];
}

// The same of springs that are in no class: joints, and blocks with a stiffness of their own.
static void excite_others(ffi_frozen *z, double t, double h)
{
  double k1[FFI_COMPLEX], k2[FFI_COMPLEX], k3[FFI_COMPLEX], k4[FFI_COMPLEX];
  for (int i = 0; i < z->joint_count; ++i) {
    const ffi_frozen_joint *j = &z->joint[i];
    ffi_frozen_impedance(z, -j->now_u * j->K, -j->now_u * j->B, 2, h, k2);
    double *alpha = j->v >= 0 ? z->alpha + FFI_COMPLEX * (ptrdiff_t)j->v : memset(k1, 0, sizeof k1);
    for (int k = 0; k < FFI_COMPLEX; ++k)
      alpha[k] += k2[k] - j->K * j->now_x * h * z->inverse[1][k];
    if (j->v < 0)
      push_tendon(j, k1, z->alpha);
  }
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (b->slides || b->class_index >= 0)
      continue;
    ffi_frozen_impedance(z, -b->K, -b->B, 2, h, k2);
    ffi_frozen_impedance(z, -b->K, -b->B, 3, h, k3);
    ffi_frozen_impedance(z, -b->K, -b->B, 4, h, k4);
    for (int r = 0; r < 3; ++r) {
      const double c = b->c[r] + t * b->c1[r];
      for (int k = 0; k < FFI_COMPLEX; ++k)
        k1[k] =
            -b->K * b->now_x[r] * h * z->inverse[1][k] + k2[k] * b->now_u[r] + k3[k] * c + k4[k] * b->c1[r];
      for (int a = 0; a < b->rows->columns; ++a)
        for (int k = 0; k < FFI_COMPLEX; ++k)
          z->alpha[FFI_COMPLEX * b->rows->dof[a] + k] += b->rows->J[r * z->stride + a] * k1[k];
    }
  }
}

// Integrals of xi'' over the subinterval, docs/theory/exponential.md, eq. 9: A [n][4], once (velocity), twice
// (displacement), three times and, if asked for, four times.
static void integrate(ffi_frozen *z, double h)
{
  double weight[4 * FFI_COMPLEX];
  for (int k = 0; k < FFI_COMPLEX; ++k) {
    weight[k] = z->weight[1][k];
    weight[FFI_COMPLEX + k] = h * z->weight[2][k];
    weight[2 * FFI_COMPLEX + k] = h * h * z->weight[3][k];
    weight[3 * FFI_COMPLEX + k] = z->wants_double_mean ? h * h * h * z->weight[4][k] : 0;
  }
  z->kernels->combine(z->n, z->alpha, weight, z->A);
}

// Impulses of a spring on a joint over the subinterval, and its state after it.
static void advance_joint(ffi_frozen_joint *j, double h, const double *all)
{
  const double x = j->now_x, u = j->now_u;
  double sum[4];
  const double *A = j->v >= 0 ? all + 4 * (ptrdiff_t)j->v : sum;
  for (int k = 0; k < 4 && j->v < 0; ++k)
    sum[k] = ffi_frozen_joint_sum(j, all, 4, k);
  const double end = x + h * u + A[1], whole = h * (x + h * u / 2) + A[2];
  const double twice = h * h * (x / 2 + h * u / 6) + A[3];
  j->double_sum += j->sum * h - j->K * twice - j->B * (whole - x * h);
  j->sum += -j->K * whole - j->B * (end - x);
  j->now_x = end;
  j->now_u = u + A[0];
}

// Impulses of a block over the subinterval, and its state after it.
static void advance_block(ffi_frozen *z, ffi_frozen_block *b, double t, double h)
{
  const ffi_rows3 *rows = b->rows;
  if (!b->slides) {
    const ffi_step_kernels_interval over = {t,        h,    b->K,  b->B,   b->now_x,
                                            b->now_u, b->c, b->c1, b->sum, b->double_sum};
    z->kernels->advance(rows->columns, rows->dof, rows->J, z->stride, z->A, &over);
    return;
  }
  double Ja[12] = {0};
  z->kernels->rows_times4(rows->columns, rows->dof, rows->J, z->stride, z->A, Ja);
  ffi_frozen_slide_advance(z, b, t, h, Ja);
}

static void find_J_alpha(ffi_frozen *z)
{
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    memset(b->J_alpha, 0, sizeof b->J_alpha);
    z->kernels->rows_times8(b->rows->columns, b->rows->dof, b->rows->J, z->stride, z->alpha, b->J_alpha);
  }
}

// Solve for one subinterval, t to t + h: alpha, the integrals A and, if needed, J alpha.
static void solve_subinterval(ffi_frozen *z, double t, double h)
{
  excite(z, t, h);
  excite_others(z, t, h);
  if (z->slides > 0)
    ffi_frozen_slide_excite(z, t, h);
  z->kernels->solve(z->pattern, z->S, z->alpha);
  if (z->slides > 0)
    ffi_frozen_friction_correct(z);
  integrate(z, h);
  if (z->observer || z->slides > 0)
    find_J_alpha(z);
}

// The state at the end of the subinterval.
static void advance(ffi_frozen *z, double t, double h)
{
  for (int i = 0; i < z->block_count; ++i)
    advance_block(z, &z->block[i], t, h);
  for (int i = 0; i < z->joint_count; ++i)
    advance_joint(&z->joint[i], h, z->A);
  for (int i = 0; i < z->n; ++i) {
    z->delta_x[i] += z->delta_v[i] * h + z->A[4 * i + 1];
    z->delta_v[i] += z->A[4 * i];
  }
}

static void start_blocks(ffi_frozen *z)
{
  memset(z->delta_v, 0, (size_t)z->n * sizeof *z->delta_v);
  memset(z->delta_x, 0, (size_t)z->n * sizeof *z->delta_x);
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    for (int r = 0; r < 3; ++r) {
      b->now_x[r] = b->x[r];
      b->now_u[r] = b->u[r];
      b->sum[r] = b->double_sum[r] = 0;
    }
    b->now_x[3] = b->now_u[3] = b->sum[3] = b->double_sum[3] = 0;
    b->now_e = b->slides ? -ffi_v3_dot(b->x, b->t) : 0;
  }
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_joint *j = &z->joint[i];
    j->now_x = j->x;
    j->now_u = j->u;
    j->sum = j->double_sum = 0;
  }
}

// Means by Expo paper eqs 23 and 25, and the state at the end.
static void finish_blocks(ffi_frozen *z, double h)
{
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    b->was_projected = 0;
    for (int r = 0; r < 3; ++r) {
      b->mean[r] = b->sum[r] / h;
      b->double_mean[r] = 2 * b->double_sum[r] / (h * h);
      b->x_end[r] = b->now_x[r];
      b->u_end[r] = b->now_u[r];
      if (!b->slides)
        b->force_end[r] = -b->K * b->now_x[r] - b->B * b->now_u[r];
    }
  }
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_joint *j = &z->joint[i];
    j->mean = j->sum / h;
    j->double_mean = 2 * j->double_sum / (h * h);
    j->x_end = j->now_x;
    j->u_end = j->now_u;
    j->force_end = -j->K * j->now_x - j->B * j->now_u;
  }
}

// `count` subintervals; measure: with the error of all of them.
static void march(ffi_frozen *z, double whole, int count, int measure)
{
  const double h = whole / count;
  start_blocks(z);
  for (int i = 0; i < count; ++i) {
    solve_subinterval(z, i * whole / count, h);
    if (measure)
      ffi_frozen_error_add(z, i * whole / count, h, i, count);
    if (z->observer)
      z->observer(z, i * whole / count, h, z->observer_user);
    advance(z, i * whole / count, h);
  }
  finish_blocks(z, whole);
}

void ffi_frozen_solve(ffi_frozen *z, double h)
{
  int count = 1;
  z->was_projected = z->was_limited = 0;
  for (;; count *= 2) {
    ffi_frozen_factor(z, h / count);
    march(z, h, count, 1);
    z->error = ffi_frozen_error_end(z, h);
    const int is_resolved = z->error <= z->tolerance && !z->is_self_excited;
    z->capped = !is_resolved && 2 * count > z->max_subintervals;
    if (is_resolved || z->capped)
      break;
  }
  z->subintervals = count;
  if (z->slides > 0)
    ffi_frozen_runaway_limit(z, h);
}

void ffi_frozen_solve_again(ffi_frozen *z, double h)
{
  march(z, h, z->subintervals, 0);
  z->was_limited = 0;
  if (z->slides > 0)
    ffi_frozen_runaway_limit(z, h);
}
