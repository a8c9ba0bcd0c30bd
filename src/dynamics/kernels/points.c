// Points fixed to frames: their Jacobians, M^-1 J' and the Delassus matrix J M^-1 J', in the sparsity of the tree.
// docs/theory/dynamics.md section 7, eq. 11
// The rows of a point hold only the velocities on the path from the root to its body, root first. The front of a
// path is shared by all bodies behind it, so two points couple through the first `common` entries of their rows.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

#include <stddef.h>

// Velocity columns of the joint of body b at the world point x, to row [position][3].
FFI_ALWAYS void path_columns(const int kind, const ffi_body_pose *pose, vec3 x, real *row)
{
  vec3 lin[6], ang[6];
  const int n = joint_columns(kind, pose, x, lin, ang);
  for (int k = 0; k < n; ++k)
    store3(row + 3 * k, lin[k]);
}

// Of the arrays J and Z from point to point. Products with it, and of rows of dense results, may leave int.
static ptrdiff_t stride(const ffi_work *w)
{
  return 3 * (ptrdiff_t)w->model->max_depth;
}

static void point_row(ffi_work *w, const ff_point *point, int body, real *row)
{
  const ff_model *m = w->model;
  const ffi_frame *f = &m->frames[point->frame];
  double offset[3]; // in the body's frame: constants of the model and the call
  for (int k = 0; k < 3; ++k)
    offset[k] = f->p[k] + f->R[3 * k] * point->offset[0] + f->R[3 * k + 1] * point->offset[1] +
                f->R[3 * k + 2] * point->offset[2];
  const vec3 x = add(load3(w->pose[body].p), mul3(w->pose[body].R, splat3(offset)));
  for (int i = body; i > 0; i = m->bodies[i].parent) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, path_columns, &w->pose[i], x, row + 3 * (b->depth - b->nv));
  }
}

void FFI_KERNEL(point_rows)(ffi_work *w, int count, const ff_point *points)
{
  for (int c = 0; c < count; ++c) {
    w->point_body[c] = w->model->frames[points[c].frame].body;
    point_row(w, &points[c], w->point_body[c], w->J + c * stride(w));
  }
}

// Velocity index of the entry at a position on a body's path.
static const int *path_of(const ffi_work *w, int body)
{
  const ff_model *m = w->model;
  const ffi_body *b = &m->bodies[body];
  return b->depth == 0 ? w->path : w->path + m->dof_row[b->v + b->nv - 1];
}

void FFI_KERNEL(point_jacobian)(ffi_work *w, int count, const ff_point *points, double *J_out)
{
  const ptrdiff_t nv = w->model->size.nv;
  real_u *J = (real_u *)J_out;
  for (ptrdiff_t k = 0; k < 3 * count * nv; ++k)
    J[k] = splat(0.0);
  for (int c = 0; c < count; ++c) {
    const int body = w->model->frames[points[c].frame].body;
    const int *path = path_of(w, body);
    point_row(w, &points[c], body, w->J);
    for (int a = 0; a < w->model->bodies[body].depth; ++a)
      for (int k = 0; k < 3; ++k)
        J[(3 * c + k) * nv + path[a]] = w->J[3 * a + k];
  }
}

// Y = L^-T J' along the path of one point, in place: three right-hand sides.
// Under a free root the first six entries stay in registers until all others are done.
FFI_ALWAYS void descend(const int from, const ffi_work *w, const int *path, int depth, real *restrict Y)
{
  const int *at = w->model->dof_row;
  vec3 front[6];
#pragma GCC unroll 6
  for (int k = 0; k < from; ++k)
    front[k] = load3(Y + 3 * k);
  for (int a = depth - 1; a >= from; --a) {
    const real *row = w->M + at[path[a]];
    const vec3 y = load3(Y + 3 * a);
#pragma GCC unroll 6
    for (int k = 0; k < from; ++k)
      front[k] = axpy(-row[k], y, front[k]);
    for (int k = from; k < a; ++k)
      store3(Y + 3 * k, axpy(-row[k], y, load3(Y + 3 * k)));
  }
  const real *block = from ? w->M + at[path[0]] : w->M;
#pragma GCC unroll 6
  for (int a = from - 1; a > 0; --a)
#pragma GCC unroll 6
    for (int k = 0; k < a; ++k)
      front[k] = axpy(-block[a * (a + 1) / 2 + k], front[a], front[k]);
#pragma GCC unroll 6
  for (int k = 0; k < from; ++k)
    store3(Y + 3 * k, front[k]);
}

// Number of velocities on the shared front of two bodies' paths: climb from a until b is below.
static int common_depth(const ff_model *m, int a, int b)
{
  const ffi_body *body = &m->bodies[a];
  while (b < a || b >= body->subtree_end) {
    a = body->parent;
    body = &m->bodies[a];
  }
  return body->depth;
}

// 1/D of the velocity at a position of a path: the last entry of its row.
FFI_ALWAYS real inverse_pivot(const ffi_work *w, const int *path, int a)
{
  return w->M[w->model->dof_row[path[a] + 1] - 1];
}

// Y in place of J.
static void factor_rows(ffi_work *w, int count, const ff_point *points)
{
  FFI_KERNEL(point_rows)(w, count, points);
  for (int c = 0; c < count; ++c) {
    const int body = w->point_body[c], depth = w->model->bodies[body].depth;
    real *Y = w->J + c * stride(w);
    if (w->root_of[body])
      descend(6, w, path_of(w, body), depth, Y);
    else
      descend(0, w, path_of(w, body), depth, Y);
  }
}

// Z = D^-1 Y from a position on.
static void scale_rows(ffi_work *w, int count, int from)
{
  for (int c = 0; c < count; ++c) {
    const int body = w->point_body[c];
    const int *path = path_of(w, body);
    const real *Y = w->J + c * stride(w);
    real *Z = w->Z + c * stride(w);
    for (int a = from; a < w->model->bodies[body].depth; ++a)
      store3(Z + 3 * a, scale(inverse_pivot(w, path, a), load3(Y + 3 * a)));
  }
}

// Add the sum over positions [from, to) of the paths of Y_c (Y_d / D)' to a 3 x 3 block of U.
FFI_ALWAYS void couple(const real *Y, const real *Z, int from, int to, real_u *U, ptrdiff_t n)
{
  vec3 r0 = vec(U[0], U[1], U[2]), r1 = vec(U[n], U[n + 1], U[n + 2]),
       r2 = vec(U[2 * n], U[2 * n + 1], U[2 * n + 2]);
  for (int a = from; a < to; ++a) {
    const vec3 z = load3(Z + 3 * a);
    r0 = axpy(Y[3 * a], z, r0);
    r1 = axpy(Y[3 * a + 1], z, r1);
    r2 = axpy(Y[3 * a + 2], z, r2);
  }
  U[0] = r0.x, U[1] = r0.y, U[2] = r0.z;
  U[n] = r1.x, U[n + 1] = r1.y, U[n + 2] = r1.z;
  U[2 * n] = r2.x, U[2 * n + 1] = r2.y, U[2 * n + 2] = r2.z;
}

// row = y_0 z_0 + ... + y_5 z_5 for `count` groups of columns; y at every third place, z_a the a-th row of Z [6 x n].
FFI_ALWAYS void combine(const real *y, const real *Z, ptrdiff_t n, int count, real_u *row)
{
  const real y0 = y[0], y1 = y[3], y2 = y[6], y3 = y[9], y4 = y[12], y5 = y[15];
  for (int k = 0; k < count; ++k, Z += FFI_GROUP, row += FFI_GROUP) {
    const group z0 = *(const group *)Z, z1 = *(const group *)(Z + n);
    const group z2 = *(const group *)(Z + 2 * n), z3 = *(const group *)(Z + 3 * n);
    const group z4 = *(const group *)(Z + 4 * n), z5 = *(const group *)(Z + 5 * n);
    *(group *)row = y0 * z0 + y1 * z1 + y2 * z2 + y3 * z3 + y4 * z4 + y5 * z5;
  }
}

// The part of U that goes through one free root, for all points at once: U = Y' D^-1 Y over its six velocities.
// Groups of columns may go past the diagonal, where mirroring overwrites them, but not out of the matrix.
static void couple_root(ffi_work *w, int count, real_u *U)
{
  const ptrdiff_t n = 3 * (ptrdiff_t)count;
  real *front = w->front, D[6];
  for (int a = 0; a < 6; ++a)
    D[a] = inverse_pivot(w, path_of(w, w->point_body[0]), a);
  for (int d = 0; d < count; ++d)
    for (int a = 0; a < 6; ++a)
      store3(front + a * n + 3 * d, scale(D[a], load3(w->J + d * stride(w) + 3 * a)));
  for (int c = 0; c < count; ++c) {
    const int columns = 3 * c + 3, groups = (columns + FFI_GROUP - 1) / FFI_GROUP;
    const int inside = groups * FFI_GROUP <= n ? groups : groups - 1;
    for (int r = 0; r < 3; ++r) {
      const real *y = w->J + c * stride(w) + r;
      real_u *row = U + (3 * c + r) * n;
      combine(y, front, n, inside, row);
      for (int k = inside * FFI_GROUP; k < columns; ++k)
        row[k] = y[0] * front[k] + y[3] * front[n + k] + y[6] * front[2 * n + k] + y[9] * front[3 * n + k] +
                 y[12] * front[4 * n + k] + y[15] * front[5 * n + k];
    }
  }
}

// The block's transpose on the other side of the diagonal; on it, the lower half to the upper.
FFI_ALWAYS void mirror(const real_u *block, real_u *other, ptrdiff_t n)
{
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      if (block != other || k < r)
        other[k * n + r] = block[r * n + k];
}

// Do all points belong to the tree of one free root?
static int share_root(const ffi_work *w, int count)
{
  const int root = count > 0 ? w->root_of[w->point_body[0]] : 0;
  for (int c = 1; c < count; ++c)
    if (w->root_of[w->point_body[c]] != root)
      return 0;
  return root != 0;
}

void FFI_KERNEL(delassus)(ffi_work *w, int count, const ff_point *points, double *U_out)
{
  const ff_model *m = w->model;
  const ptrdiff_t n = 3 * (ptrdiff_t)count;
  real_u *U = (real_u *)U_out;
  factor_rows(w, count, points);
  const int from = share_root(w, count) ? 6 : 0;
  if (from)
    couple_root(w, count, U);
  else
    for (ptrdiff_t k = 0; k < n * n; ++k)
      U[k] = splat(0.0);
  scale_rows(w, count, from);
  for (int c = 0; c < count; ++c)
    for (int d = 0; d <= c; ++d) {
      const int to = common_depth(m, w->point_body[c], w->point_body[d]);
      real_u *block = U + 3 * c * n + 3 * d;
      if (to > from)
        couple(w->J + c * stride(w), w->Z + d * stride(w), from, to, block, n);
      mirror(block, U + 3 * d * n + 3 * c, n);
    }
}

// M^-1 J' = L^-1 D^-1 Y: the last solve runs over all velocities, since L^-1 fills the subtrees below the path.
void FFI_KERNEL(minv_jt)(ffi_work *w, int count, const ff_point *points, double *out)
{
  const ff_model *m = w->model;
  const ptrdiff_t n = 3 * (ptrdiff_t)count;
  real_u *X = (real_u *)out;
  factor_rows(w, count, points);
  scale_rows(w, count, 0);
  for (ptrdiff_t k = 0; k < m->size.nv * n; ++k)
    X[k] = splat(0.0);
  for (int c = 0; c < count; ++c) {
    const int *path = path_of(w, w->point_body[c]);
    for (int a = 0; a < m->bodies[w->point_body[c]].depth; ++a)
      for (int k = 0; k < 3; ++k)
        X[path[a] * n + 3 * c + k] = w->Z[c * stride(w) + 3 * a + k];
  }
  for (int i = 0; i < m->size.nv; ++i) {
    const real *row = w->M + m->dof_row[i];
    const int *path = w->path + m->dof_row[i], depth = m->dof_depth[i];
    for (int a = 0; a < depth; ++a)
      subtract_scaled(row[a], X + path[a] * n, X + i * n, (int)n);
  }
}
