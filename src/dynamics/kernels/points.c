// Points fixed to frames: their Jacobians, M^-1 J' and the Delassus matrix J M^-1 J', in the sparsity of the tree.
// The rows of a point hold only the velocities on the path from the root to its body, root first. The front of a
// path is shared by all bodies behind it, so two points couple through the first `common` entries of their rows.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

// Velocity columns of the joint of body b at the world point x, to row [position][3].
FFI_ALWAYS void path_columns(const int kind, const ffi_body_pose *pose, vec3 x, real *row)
{
  vec3 lin[6], ang[6];
  const int n = joint_columns(kind, pose, x, lin, ang);
  for (int k = 0; k < n; ++k)
    store3(row + 3 * k, lin[k]);
}

static int stride(const ffi_work *w)
{
  return 3 * w->model->max_depth;
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
  const int nv = w->model->size.nv;
  real_u *J = (real_u *)J_out;
  for (int k = 0; k < 3 * count * nv; ++k)
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
static void descend(const ffi_work *w, int body, real *restrict Y)
{
  const ff_model *m = w->model;
  const int *path = path_of(w, body);
  for (int a = m->bodies[body].depth - 1; a > 0; --a) {
    const real *row = w->M + m->dof_row[path[a]];
    const vec3 y = load3(Y + 3 * a);
    for (int k = 0; k < a; ++k) {
      Y[3 * k] = Y[3 * k] - row[k] * y.x;
      Y[3 * k + 1] = Y[3 * k + 1] - row[k] * y.y;
      Y[3 * k + 2] = Y[3 * k + 2] - row[k] * y.z;
    }
  }
}

// Number of velocities on the shared front of two bodies' paths.
static int common_depth(const ff_model *m, int a, int b)
{
  while (a != b) { // a parent has the smaller index
    if (a > b)
      a = m->bodies[a].parent;
    else
      b = m->bodies[b].parent;
  }
  return m->bodies[a].depth;
}

// U_cd = sum over the shared front of Y_c (Y_d / D)', a 3 x 3 block.
FFI_ALWAYS void couple(const real *Y, const real *Z, int n, real *B)
{
  vec3 r0 = vec(splat(0.0), splat(0.0), splat(0.0)), r1 = r0, r2 = r0;
  for (int a = 0; a < n; ++a) {
    const vec3 z = load3(Z + 3 * a);
    r0 = axpy(Y[3 * a], z, r0);
    r1 = axpy(Y[3 * a + 1], z, r1);
    r2 = axpy(Y[3 * a + 2], z, r2);
  }
  store3(B, r0);
  store3(B + 3, r1);
  store3(B + 6, r2);
}

// Y in place of J, and Z = D^-1 Y.
static void factor_rows(ffi_work *w, int count, const ff_point *points)
{
  const ff_model *m = w->model;
  FFI_KERNEL(point_rows)(w, count, points);
  for (int c = 0; c < count; ++c) {
    const int body = w->point_body[c];
    const int *path = path_of(w, body);
    real *Y = w->J + c * stride(w), *Z = w->Z + c * stride(w);
    descend(w, body, Y);
    for (int a = 0; a < m->bodies[body].depth; ++a) {
      const real inverse = w->M[m->dof_row[path[a] + 1] - 1];
      store3(Z + 3 * a, scale(inverse, load3(Y + 3 * a)));
    }
  }
}

void FFI_KERNEL(delassus)(ffi_work *w, int count, const ff_point *points, double *U_out)
{
  const ff_model *m = w->model;
  const int n = 3 * count;
  real_u *U = (real_u *)U_out;
  factor_rows(w, count, points);
  for (int c = 0; c < count; ++c)
    for (int d = 0; d <= c; ++d) {
      real B[9];
      couple(w->J + c * stride(w), w->Z + d * stride(w), common_depth(m, w->point_body[c], w->point_body[d]),
             B);
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) {
          U[(3 * c + r) * n + 3 * d + k] = B[3 * r + k];
          if (d < c)
            U[(3 * d + k) * n + 3 * c + r] = B[3 * r + k];
        }
    }
}

// M^-1 J' = L^-1 D^-1 Y: the last solve runs over all velocities, since L^-1 fills the subtrees below the path.
void FFI_KERNEL(minv_jt)(ffi_work *w, int count, const ff_point *points, double *out)
{
  const ff_model *m = w->model;
  const int n = 3 * count;
  real_u *X = (real_u *)out;
  factor_rows(w, count, points);
  for (int k = 0; k < m->size.nv * n; ++k)
    X[k] = splat(0.0);
  for (int c = 0; c < count; ++c) {
    const int *path = path_of(w, w->point_body[c]);
    for (int a = 0; a < m->bodies[w->point_body[c]].depth; ++a)
      for (int k = 0; k < 3; ++k)
        X[path[a] * n + 3 * c + k] = w->Z[c * stride(w) + 3 * a + k];
  }
  for (int i = 0; i < m->size.nv; ++i) {
    const real *row = w->M + m->dof_row[i];
    const int *path = w->path + m->dof_row[i];
    for (int a = 0; a < m->dof_depth[i]; ++a)
      for (int k = 0; k < n; ++k)
        X[i * n + k] = X[i * n + k] - row[a] * X[path[a] * n + k];
  }
}
