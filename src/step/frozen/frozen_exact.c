// The frozen system as a dense one in contact space, for math/exact_system.h. See frozen_exact.h.
#include "step/frozen/frozen_exact.h"

#include "base/fail.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/contact_jacobian.h"

#include <string.h>

static int order_of(ff_exponential e)
{
  static const int order[FF_EXPONENTIAL_COUNT] = {FFI_EXPM_EXACT, FFI_EXPM_EXACT, 1, 2, 3, 5, 7};
  return order[e];
}

void ffi_frozen_exact_layout(const ffi_system *s, ffi_block *block, ffi_frozen_exact *out)
{
  memset(out, 0, sizeof *out);
  if (s->def->expo.exponential != FF_EXPONENTIAL_AUTO)
    ffi_frozen_exact_arrays(3 * (s->max_contacts + ffi_constraint_most(s)) + s->law_count +
                                s->model->size.nv + 1,
                            s->model->size.nv, block, out);
}

void ffi_frozen_exact_arrays(int max_rows, int velocities, ffi_block *block, ffi_frozen_exact *out)
{
  const size_t rows = (size_t)max_rows, nv = (size_t)velocities;
  out->J = ffi_block_take(block, rows * nv, sizeof *out->J);
  out->Y = ffi_block_take(block, rows * rows, sizeof *out->Y);
  out->K = ffi_block_take(block, rows * rows, sizeof *out->K);
  out->B = ffi_block_take(block, rows * rows, sizeof *out->B);
  double **vectors[8] = {&out->b0,   &out->b1,          &out->x,    &out->u,
                         &out->mean, &out->double_mean, &out->fade, &out->follow};
  for (int k = 0; k < 8; ++k)
    *vectors[k] = ffi_block_take(block, rows, sizeof(double));
  out->W = ffi_block_take(block, nv, sizeof *out->W);
  out->work = ffi_block_take(block, ffi_exact_system_size(max_rows), 1);
}

// Axes of a block's rows: the world's, or n, d, t of a sliding contact.
static void axes_of(const ffi_frozen_block *b, double axes[3][3])
{
  memset(axes, 0, 9 * sizeof(double));
  for (int r = 0; r < 3; ++r)
    axes[r][r] = 1;
  if (b->slides) {
    ffi_v3_copy(b->n, axes[0]);
    ffi_v3_copy(b->d, axes[1]);
    ffi_v3_copy(b->t, axes[2]);
  }
}

// Across a sliding contact, docs/theory/exponential.md, eq. 10: with x = -e for the position the force is
// -rho (K x + B u) and x' = rho u - (1 - rho) K/B x. Without a damper, a spring of rho K.
static void relaxation_of(const ffi_frozen_block *b, double *fade, double *follow)
{
  *fade = b->B > 0 ? (1 - b->rho) * b->K / b->B : 0;
  *follow = b->B > 0 ? b->rho : 1;
}

// Dampers of a sliding contact with a flag, along d and t. rho is zero, so its row along t has neither spring nor
// damper yet.
static void place_dampers(ffi_frozen_exact *r, const ffi_frozen_block *b, int row, int rows)
{
  for (int k = 0; k < 2; ++k)
    r->B[(row + 1 + k) * rows + row + 1 + k] = b->damper[k];
}

static void gather_block(ffi_frozen_exact *r, const ffi_frozen *z, int i, int rows)
{
  const ffi_frozen_block *b = &z->block[i];
  const int nv = z->n;
  double axes[3][3];
  axes_of(b, axes);
  for (int a = 0; a < 3; ++a) {
    const int row = 3 * i + a, source = b->slides && a == 1 ? row - 1 : row;
    const double share = b->slides ? (a == 0 ? 1 : a == 1 ? b->mu : b->rho) : 1;
    for (int k = 0; k < b->rows->columns; ++k)
      for (int w = 0; w < 3; ++w)
        r->J[row * nv + b->rows->dof[k]] += axes[a][w] * b->rows->J[w * z->stride + k];
    r->K[row * rows + source] = share * b->K;
    r->B[row * rows + source] = share * b->B;
    r->x[row] = ffi_v3_dot(b->x, axes[a]);
    r->u[row] = ffi_v3_dot(b->u, axes[a]);
    r->b0[row] = ffi_v3_dot(b->c, axes[a]);
    r->b1[row] = ffi_v3_dot(b->c1, axes[a]);
    r->fade[row] = 0;
    r->follow[row] = 1;
  }
  if (b->slides && b->has_flag)
    place_dampers(r, b, 3 * i, rows);
  else if (b->slides)
    relaxation_of(b, &r->fade[3 * i + 2], &r->follow[3 * i + 2]);
}

static void put_joint(const ffi_frozen_joint *j, double *row)
{
  if (j->v >= 0)
    row[j->v] = 1;
  for (int k = 0; j->v < 0 && k < j->line->count; ++k)
    row[j->line->v[k]] = j->line->weight[k];
}

// Rows, springs and state of all blocks and joints, dense.
static int gather(ffi_frozen_exact *r, const ffi_frozen *z)
{
  const int nv = z->n, rows = 3 * z->block_count + z->joint_count;
  memset(r->J, 0, (size_t)rows * (size_t)nv * sizeof *r->J);
  memset(r->K, 0, (size_t)rows * (size_t)rows * sizeof *r->K);
  memset(r->B, 0, (size_t)rows * (size_t)rows * sizeof *r->B);
  for (int i = 0; i < z->block_count; ++i)
    gather_block(r, z, i, rows);
  for (int i = 0; i < z->joint_count; ++i) {
    const int row = 3 * z->block_count + i;
    put_joint(&z->joint[i], r->J + (ptrdiff_t)row * nv);
    r->K[row * rows + row] = z->joint[i].K;
    r->B[row * rows + row] = z->joint[i].B;
    r->x[row] = z->joint[i].x;
    r->u[row] = z->joint[i].u;
    r->b0[row] = r->b1[row] = r->fade[row] = 0;
    r->follow[row] = 1;
  }
  return rows;
}

// Y = J M^-1 J', Expo paper eq. 9, and the rows' accelerations by the other forces, eq. 10.
static void project(ffi_system *s, ffi_frozen_exact *r, const ffi_frozen *z, int rows)
{
  const size_t bytes = (size_t)z->n * sizeof(double);
  for (int j = 0; j < rows; ++j) {
    memcpy(r->W, r->J + j * z->n, bytes);
    s->k->solve(z->at->work, r->W);
    for (int i = 0; i < rows; ++i)
      r->Y[i * rows + j] = ffi_dense_dot(z->n, r->J + i * z->n, r->W);
  }
  const double *forces[2] = {z->f, z->f1};
  double *out[2] = {r->b0, r->b1};
  for (int k = 0; k < 2; ++k) {
    if (!forces[k])
      continue;
    memcpy(r->W, forces[k], bytes);
    s->k->solve(z->at->work, r->W);
    for (int i = 0; i < rows; ++i)
      out[k][i] += ffi_dense_dot(z->n, r->J + i * z->n, r->W);
  }
}

static void scatter_block(const ffi_frozen_exact *r, int i, ffi_frozen_block *b)
{
  double axes[3][3], end[3] = {0}, rate[3] = {0};
  axes_of(b, axes);
  b->was_projected = 0;
  memset(b->mean, 0, sizeof b->mean);
  memset(b->double_mean, 0, sizeof b->double_mean);
  for (int a = 0; a < 3; ++a) {
    ffi_v3_add_scaled(r->mean[3 * i + a], axes[a], b->mean);
    ffi_v3_add_scaled(r->double_mean[3 * i + a], axes[a], b->double_mean);
    ffi_v3_add_scaled(r->x[3 * i + a], axes[a], end);
    ffi_v3_add_scaled(r->u[3 * i + a], axes[a], rate);
  }
  ffi_v3_copy(end, b->x_end);
  ffi_v3_copy(rate, b->u_end);
  for (int k = 0; k < 3; ++k)
    b->force_end[k] = -b->K * end[k] - b->B * rate[k];
  if (!b->slides)
    return;
  ffi_v3_scale(ffi_v3_dot(end, b->n), b->n, b->x_end);
  const double push = -b->K * ffi_v3_dot(end, b->n) - b->B * ffi_v3_dot(rate, b->n);
  const double across = b->has_flag
                            ? -b->damper[1] * ffi_v3_dot(rate, b->t)
                            : -b->rho * (b->K * ffi_v3_dot(end, b->t) + b->B * ffi_v3_dot(rate, b->t));
  const double stop = b->has_flag ? b->damper[0] * ffi_v3_dot(rate, b->d) : 0;
  for (int k = 0; k < 3; ++k)
    b->force_end[k] = push * (b->n[k] + b->mu * b->d[k]) + across * b->t[k] - stop * b->d[k];
}

// Means back to the blocks, and the robot's motion by them: M^-1 (f + J' mean), Expo paper eqs 14-15.
static void scatter(ffi_system *s, ffi_frozen_exact *r, ffi_frozen *z, int rows, double h)
{
  for (int i = 0; i < z->block_count; ++i)
    scatter_block(r, i, &z->block[i]);
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_joint *j = &z->joint[i];
    const int row = 3 * z->block_count + i;
    j->mean = r->mean[row];
    j->double_mean = r->double_mean[row];
    j->x_end = r->x[row];
    j->u_end = r->u[row];
    j->force_end = -j->K * j->x_end - j->B * j->u_end;
  }
  for (int k = 0; k < z->n; ++k) {
    const double f1 = z->f1 ? z->f1[k] : 0;
    z->delta_v[k] = h * (z->f[k] + h * f1 / 2);
    z->delta_x[k] = h * h / 2 * (z->f[k] + h * f1 / 3);
    for (int i = 0; i < rows; ++i) {
      z->delta_v[k] += h * r->J[i * z->n + k] * r->mean[i];
      z->delta_x[k] += h * h / 2 * r->J[i * z->n + k] * r->double_mean[i];
    }
  }
  s->k->solve(z->at->work, z->delta_v);
  s->k->solve(z->at->work, z->delta_x);
}

ff_status ffi_frozen_exact_assemble(ffi_system *s, ffi_frozen_exact *r, ffi_frozen *z, ffi_exact_system *out,
                                    ff_error *error)
{
  const ff_status status = ffi_state_kinematics_factor(s, z->at, error);
  if (status != FF_OK)
    return status;
  const int rows = gather(r, z);
  project(s, r, z, rows);
  *out = (ffi_exact_system){rows, r->Y, r->K, r->B, r->b0, r->b1, r->x, r->u, r->fade, r->follow};
  return FF_OK;
}

ff_status ffi_frozen_exact_solve(ffi_system *s, ffi_frozen_exact *r, ffi_frozen *z, double h, ff_error *error)
{
  ffi_exact_system system;
  const ff_status status = ffi_frozen_exact_assemble(s, r, z, &system, error);
  if (status != FF_OK)
    return status;
  const double size = 2.0 * system.n + 3;
  *s->work += size * size * size / 700; // in units of ffi_evaluation_at(): 30 us at 12 rows
  const ffi_exact_system_result result = {r->mean, r->double_mean, r->x, r->u};
  const int order = order_of(s->def->expo.exponential);
  if (ffi_exact_system_step(&system, h, order, r->work, &result, NULL) != FFI_EXPM_DONE)
    return ffi_fail(
        error, FF_ERROR_NUMERIC, NULL, 0, "exponential",
        "the matrix exponential of the contact system overflows or its approximant of order %d is singular; "
        "try the exponential 'auto' or a smaller dt",
        order);
  scatter(s, r, z, system.n, h);
  z->subintervals = 1;
  z->was_projected = 0;
  z->capped = 0;
  z->error = 0;
  return FF_OK;
}
