// Forward dynamics by articulated bodies: vdot = M^-1 (tau - h).  docs/theory/dynamics.md section 6, eqs 8 to 10
// The bias h comes from rnea; what is left is a solve at zero velocity,
//   up:    articulated inertia (A H; H' I) and force of each subtree; U = I_A S, D = S' U, u = tau - h - S' p_A,
//          passing on I_A - U D^-1 U' and p_A + U D^-1 u
//   down:  vdot = D^-1 (u - U' a)
// In a joint without armature the row and column of S in I_A - U D^-1 U' vanish, and are never computed.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

static const int sym[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}; // where (r, c) is in xx xy xz yy yz zz

// Column of the articulated inertia for a unit rotation (or translation) about (along) one axis.
FFI_ALWAYS void column(const int is_rotation, const int axis, const ffi_articulated *x, real *U)
{
  for (int r = 0; r < 3; ++r) {
    U[r] = is_rotation ? x->H[3 * r + axis] : x->A[sym[r][axis]];
    U[3 + r] = is_rotation ? x->I[sym[r][axis]] : x->H[3 * axis + r];
  }
}

// out = x - U W' for one column, W = U / D; `skip` is the component (0..5) whose row and column become zero, or -1.
FFI_ALWAYS void subtract(const int skip, const real *U, const real *W, const ffi_articulated *x,
                         ffi_articulated *out)
{
  for (int r = 0; r < 3; ++r)
    for (int k = r; k < 3; ++k) {
      const int at = sym[r][k];
      out->A[at] = x->A[at] - U[r] * W[k];
      out->I[at] = x->I[at] - U[3 + r] * W[3 + k];
      if (r == skip || k == skip)
        out->A[at] = splat(0.0);
      if (3 + r == skip || 3 + k == skip)
        out->I[at] = splat(0.0);
    }
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) {
      out->H[3 * r + k] = x->H[3 * r + k] - U[r] * W[3 + k];
      if (r == skip || 3 + k == skip)
        out->H[3 * r + k] = splat(0.0);
    }
}

// One-coordinate joints.
FFI_ALWAYS void eliminate_one(const int kind, const int has_armature, ffi_work *w, const ffi_body *b,
                              real tau, const ffi_articulated *x, ffi_articulated *out)
{
  const int turns = is_revolute(kind), axis = axis_of(kind), own = turns ? 3 + axis : axis;
  real U[6], W[6];
  column(turns, axis, x, U);
  real D = U[own];
  if (has_armature)
    D = D + w->model->dof_armature[b->v];
  const real inverse = 1.0 / D;
  const real e = (tau - (turns ? x->n[axis] : x->f[axis])) * inverse;
  for (int k = 0; k < 6; ++k)
    W[k] = U[k] * inverse;
  if (!has_armature)
    W[own] = splat(1.0);
  for (int k = 0; k < 3; ++k) {
    out->f[k] = x->f[k] + U[k] * e;
    out->n[k] = x->n[k] + U[3 + k] * e;
  }
  subtract(has_armature ? -1 : own, U, W, x, out);
  real *restrict G = w->G + 6 * b->v;
  for (int k = 0; k < 6; ++k)
    G[k] = W[k];
  w->e[b->v] = e;
}

// Inverse of a symmetric positive definite 3 x 3 (xx xy xz yy yz zz), by cofactors.
FFI_ALWAYS void invert_symmetric(const real *S, real *out)
{
  const real c0 = S[3] * S[5] - S[4] * S[4], c1 = S[2] * S[4] - S[1] * S[5], c2 = S[1] * S[4] - S[2] * S[3];
  const real k = 1.0 / (S[0] * c0 + S[1] * c1 + S[2] * c2);
  out[0] = c0 * k;
  out[1] = c1 * k;
  out[2] = c2 * k;
  out[3] = (S[0] * S[5] - S[2] * S[2]) * k;
  out[4] = (S[1] * S[2] - S[0] * S[4]) * k;
  out[5] = (S[0] * S[3] - S[1] * S[1]) * k;
}

// Spherical and planar joints.
FFI_ALWAYS void eliminate_three(const int kind, ffi_work *w, const ffi_body *b, const real *tau,
                                const ffi_articulated *x, ffi_articulated *out)
{
  const double *armature = w->model->dof_armature + b->v;
  real U[3][6], u[3], D[6], V[6];
  for (int k = 0; k < 3; ++k) {
    const int turns = kind == FFI_KIND_SPHERICAL || k == 2;
    column(turns, k, x, U[k]);
    u[k] = tau[k] - (turns ? x->n[k] : x->f[k]);
  }
  for (int r = 0, at = 0; r < 3; ++r)
    for (int k = r; k < 3; ++k, ++at) {
      const int turns = kind == FFI_KIND_SPHERICAL || k == 2;
      D[at] = U[r][turns ? 3 + k : k];
      if (r == k)
        D[at] = D[at] + armature[r];
    }
  invert_symmetric(D, V);
  for (int k = 0; k < 3; ++k) {
    real *W = w->G + 6 * (b->v + k);
    for (int j = 0; j < 6; ++j)
      W[j] = V[sym[k][0]] * U[0][j] + V[sym[k][1]] * U[1][j] + V[sym[k][2]] * U[2][j];
    w->e[b->v + k] = V[sym[k][0]] * u[0] + V[sym[k][1]] * u[1] + V[sym[k][2]] * u[2];
  }
  *out = *x;
  for (int k = 0; k < 3; ++k) {
    subtract(-1, U[k], w->G + 6 * (b->v + k), out, out);
    const real e = w->e[b->v + k];
    for (int j = 0; j < 3; ++j) {
      out->f[j] = out->f[j] + U[k][j] * e;
      out->n[j] = out->n[j] + U[k][3 + j] * e;
    }
  }
}

// A free root: vdot at once, by L D L' of its 6 x 6 inertia in registers.
FFI_ALWAYS void solve_free(const ffi_work *w, const ffi_body *b, const real *tau, const ffi_articulated *x,
                           real_u *vdot)
{
  const double *armature = w->model->dof_armature + b->v;
  real S[6][6], y[6];
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k <= r; ++k) {
      S[r][k] = x->A[sym[r][k]];
      S[3 + r][3 + k] = x->I[sym[r][k]];
    }
    for (int k = 0; k < 3; ++k)
      S[3 + r][k] = x->H[3 * k + r];
    y[r] = tau[r] - x->f[r];
    y[3 + r] = tau[3 + r] - x->n[r];
  }
  for (int k = 0; k < 6; ++k)
    S[k][k] = S[k][k] + armature[k];
  real inverse[6];
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) { // right-looking: column k scaled, the rest updated
    inverse[k] = 1.0 / S[k][k];
#pragma GCC unroll 6
    for (int r = k + 1; r < 6; ++r) {
      const real l = S[r][k] * inverse[k];
#pragma GCC unroll 6
      for (int j = k + 1; j <= r; ++j)
        S[r][j] = S[r][j] - l * S[j][k];
      y[r] = y[r] - l * y[k];
    }
  }
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    real t = y[k];
#pragma GCC unroll 6
    for (int r = k + 1; r < 6; ++r)
      t = t - S[r][k] * y[r];
    y[k] = t * inverse[k];
  }
  for (int k = 0; k < 6; ++k)
    vdot[b->v + k] = y[k];
}

// To the parent: turned, then seen from its origin at -p.
//   H_p = H - A [p]x,   I_p = I - H' [p]x + [p]x H_p,   n_p = n + p x f
FFI_ALWAYS void carry(const int kind, const joint_x *j, const ffi_articulated *x, ffi_articulated *out)
{
  turn_symmetric(kind, j, x->A, out->A);
  turn_symmetric(kind, j, x->I, out->I);
  real H[9];
  turn_matrix(kind, j, x->H, H);
  const vec3 p = j->p;
  const real *A = out->A;
  // rows of A times [p]x = (0 -pz py; pz 0 -px; -py px 0)
  const vec3 a0 = vec(A[0], A[1], A[2]), a1 = vec(A[1], A[3], A[4]), a2 = vec(A[2], A[4], A[5]);
  store3(out->H, sub_cross(load3(H), a0, p));
  store3(out->H + 3, sub_cross(load3(H + 3), a1, p));
  store3(out->H + 6, sub_cross(load3(H + 6), a2, p));
  const real *P = out->H;
  real *I = out->I;
  // -(H' [p]x)_rk + ([p]x H_p)_rk, each a difference of two products
  I[0] = I[0] - H[3] * p.z + H[6] * p.y + p.y * P[6] - p.z * P[3];
  I[1] = I[1] - H[6] * p.x + H[0] * p.z + p.y * P[7] - p.z * P[4];
  I[2] = I[2] - H[0] * p.y + H[3] * p.x + p.y * P[8] - p.z * P[5];
  I[3] = I[3] - H[7] * p.x + H[1] * p.z + p.z * P[1] - p.x * P[7];
  I[4] = I[4] - H[1] * p.y + H[4] * p.x + p.z * P[2] - p.x * P[8];
  I[5] = I[5] - H[2] * p.y + H[5] * p.x + p.x * P[5] - p.y * P[2];
  const vec3 f = to_parent(kind, j, load3(x->f));
  store3(out->f, f);
  store3(out->n, add_cross(to_parent(kind, j, load3(x->n)), p, f));
}

// A body without children: rigid. The force of a rotation is alpha x mc = -[mc]x alpha.
static void rigid(const ffi_body *b, ffi_articulated *x)
{
  const double *c = b->mc;
  const double A[6] = {b->mass, 0, 0, b->mass, 0, b->mass};
  const double H[9] = {0, c[2], -c[1], -c[2], 0, c[0], c[1], -c[0], 0};
  for (int k = 0; k < 6; ++k)
    x->A[k] = splat(A[k]);
  for (int k = 0; k < 9; ++k)
    x->H[k] = splat(H[k]);
  for (int k = 0; k < 6; ++k)
    x->I[k] = splat(b->I[k]);
  for (int k = 0; k < 3; ++k)
    x->f[k] = x->n[k] = splat(0.0);
}

// Adds a child to the parent's sum; the last child comes first and starts it with the parent's own inertia.
FFI_ALWAYS void collect(const ffi_body *parent, int starts, const ffi_articulated *x, ffi_articulated *sum)
{
  if (starts) {
    sum->A[0] = x->A[0] + parent->mass;
    sum->A[1] = x->A[1];
    sum->A[2] = x->A[2];
    sum->A[3] = x->A[3] + parent->mass;
    sum->A[4] = x->A[4];
    sum->A[5] = x->A[5] + parent->mass;
    const double *c = parent->mc;
    const double H[9] = {0, c[2], -c[1], -c[2], 0, c[0], c[1], -c[0], 0};
    for (int k = 0; k < 9; ++k)
      sum->H[k] = x->H[k] + H[k];
    for (int k = 0; k < 6; ++k)
      sum->I[k] = x->I[k] + parent->I[k];
    for (int k = 0; k < 3; ++k)
      sum->f[k] = x->f[k];
    for (int k = 0; k < 3; ++k)
      sum->n[k] = x->n[k];
    return;
  }
  for (int k = 0; k < 6; ++k)
    sum->A[k] = sum->A[k] + x->A[k];
  for (int k = 0; k < 9; ++k)
    sum->H[k] = sum->H[k] + x->H[k];
  for (int k = 0; k < 6; ++k)
    sum->I[k] = sum->I[k] + x->I[k];
  for (int k = 0; k < 3; ++k)
    sum->f[k] = sum->f[k] + x->f[k];
  for (int k = 0; k < 3; ++k)
    sum->n[k] = sum->n[k] + x->n[k];
}

FFI_ALWAYS void up_with(const int kind, const int has_armature, ffi_work *w, const ffi_body *b, int i,
                        const real_u *tau, real_u *vdot)
{
  ffi_articulated *x = &w->articulated[b->level + 1];
  if (b->subtree_end == i + 1)
    rigid(b, x);
  real own[6];
  for (int k = 0; k < freedom(kind); ++k)
    own[k] = tau[b->v + k] - w->h[b->v + k];
  if (kind == FFI_KIND_FREE) {
    solve_free(w, b, own, x, vdot);
    return;
  }
  ffi_articulated left, carried;
  if (freedom(kind) == 1)
    eliminate_one(kind, has_armature, w, b, own[0], x, &left);
  else
    eliminate_three(kind, w, b, own, x, &left);
  if (b->parent == 0)
    return;
  const ffi_body *parent = &w->model->bodies[b->parent];
  const joint_x j = load_joint(kind, w, b, i);
  carry(kind, &j, &left, &carried);
  collect(parent, parent->subtree_end == b->subtree_end, &carried, &w->articulated[b->level]);
}

FFI_ALWAYS void up(const int kind, ffi_work *w, const ffi_body *b, int i, const real_u *tau, real_u *vdot)
{
  if (freedom(kind) == 1 && w->model->dof_armature[b->v] == 0.0)
    up_with(kind, 0, w, b, i, tau, vdot);
  else
    up_with(kind, 1, w, b, i, tau, vdot);
}

FFI_ALWAYS void down(const int kind, ffi_work *w, const ffi_body *b, int i, real_u *vdot)
{
  ffi_twist *own = &w->rise[b->level];
  if (kind == FFI_KIND_FREE) {
    const joint_rate r = load_rate(kind, vdot + b->v);
    store3(own->lin, r.lin);
    store3(own->ang, r.ang);
    return;
  }
  const joint_x x = load_joint(kind, w, b, i);
  const ffi_twist *above = &w->rise[b->level - 1];
  const vec3 turn = load3(above->ang);
  vec3 al = to_body(kind, &x, turn);
  vec3 a = to_body(kind, &x, add_cross(load3(above->lin), turn, x.p));
  for (int k = 0; k < freedom(kind); ++k) {
    const real *G = w->G + 6 * (b->v + k);
    vdot[b->v + k] = (w->e[b->v + k] - G[0] * a.x - G[1] * a.y - G[2] * a.z) - dot(load3(G + 3), al);
  }
  const joint_rate r = load_rate(kind, vdot + b->v);
  store3(own->lin, add(a, r.lin));
  store3(own->ang, add(al, r.ang));
}

void FFI_KERNEL(aba)(ffi_work *w, const double *v, const double *tau_in, double *vdot_out)
{
  const ff_model *m = w->model;
  const real_u *tau = (const real_u *)tau_in;
  real_u *vdot = (real_u *)vdot_out;
  FFI_KERNEL(bias)(w, v, (double *)w->h);
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, up, w, b, i, tau, vdot);
  }
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, down, w, b, i, vdot);
  }
}
