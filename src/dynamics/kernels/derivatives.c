// Derivatives of inverse dynamics in closed form, by pairs of velocities on one path.  docs/theory/dynamics.md eq. 19
// With I, B, X, F* the integrals over the subtree of the deeper one of two velocities j and k,
//   d tau_j / d v_k = J_j' (I W_k + B J_k)
//   d tau_j / d q_k = J_j' (I N_k + B P_k + X J_k), and + J_j' (J_k x* F*) if j is on a body before k's
// B and X see the angular part alone: B (., x) = (x x p, C x), X (., x) = (x x s, X x).
// A free root's columns J are unit vectors, so its rows and columns need no products at all.
#include "derivatives.h"
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include <stddef.h>

// ---- Up: integrals over subtrees, M, h --------------------------------------------------------------------

FFI_ALWAYS void fold(ffi_subtree *sum, const ffi_subtree *c, int has_forces)
{
  store3(sum->h, add(load3(sum->h), load3(c->h)));
  for (int k = 0; k < 6; ++k)
    sum->I[k] = sum->I[k] + c->I[k];
  store3(sum->p, add(load3(sum->p), load3(c->p)));
  for (int k = 0; k < 9; ++k)
    sum->C[k] = sum->C[k] + c->C[k];
  set_twist(&sum->force, add6(twist_of(&sum->force), twist_of(&c->force)));
  if (!has_forces)
    return;
  store3(sum->s, add(load3(sum->s), load3(c->s)));
  for (int k = 0; k < 9; ++k)
    sum->X[k] = sum->X[k] + c->X[k];
}

// F, b, and row k of M: F_k' J_j for j on the path of k, which ends with k itself.
FFI_ALWAYS void mass_row(const int from, ffi_work *w, int k, real mass, const ffi_subtree *c)
{
  const ff_model *m = w->model;
  ffi_velocity_column *own = &w->column[k];
  const spatial J = load6(own->J), F = inertia_times(mass, c, J);
  store6(own->F, F);
  store3(own->b, add_cross(mul3t(c->C, J.ang), load3(c->p), J.lin));
  w->h[k] = dot6(J, twist_of(&c->force));
  real *row = w->M + m->dof_row[k];
  const int *path = w->path + m->dof_row[k];
  if (from)
    store6(row, F);
  for (int a = from; a < m->dof_depth[k]; ++a)
    row[a] = dot6(F, load6(w->column[path[a]].J));
  row[m->dof_depth[k]] = dot6(F, J);
}

// Rows of a free root: the inertia itself, (m 1, -[h]; [h], I).
static void mass_root(ffi_work *w, const ffi_body *b, real mass, const ffi_subtree *c)
{
  const real zero = splat(0.0), *h = c->h, *I = c->I;
  const real rows[21] = {mass, zero,  mass, zero, zero,  mass, zero, -h[2], h[1], I[0], h[2],
                         zero, -h[0], I[1], I[3], -h[1], h[0], zero, I[2],  I[4], I[5]};
  real *M = w->M + w->model->dof_row[b->v];
  for (int k = 0; k < 21; ++k)
    M[k] = rows[k];
  store6(w->h + b->v, twist_of(&c->force));
}

void FFI_KERNEL(derivatives_mass)(ffi_work *w, int has_forces)
{
  const ff_model *m = w->model;
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    const ffi_subtree *c = &w->subtree[i];
    const real mass = w->subtree_mass[i];
    if (b->kind == FFI_KIND_FREE)
      mass_root(w, b, mass, c);
    else if (w->root_of[i])
      for (int k = b->v; k < b->v + b->nv; ++k)
        mass_row(6, w, k, mass, c);
    else
      for (int k = b->v; k < b->v + b->nv; ++k)
        mass_row(0, w, k, mass, c);
    if (b->parent > 0)
      fold(&w->subtree[b->parent], c, has_forces);
  }
}

// ---- Down: accelerations ----------------------------------------------------------------------------------

// What vdot adds to the accelerations, and N (eq. 13). The parent of a root has gravity as its only acceleration.
static void accelerate(ffi_work *w, const real_u *vdot)
{
  const ff_model *m = w->model;
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    if (b->kind == FFI_KIND_FREE) {
      const joint_rate rise = load_rate(FFI_KIND_FREE, vdot + b->v);
      set_twist(&w->subtree[i].gain, spatial_of(rise.lin, rise.ang));
      continue;
    }
    const ffi_subtree *up = &w->subtree[b->parent > 0 ? b->parent : i];
    const spatial still = spatial_of(none, none);
    spatial gain = b->parent > 0 ? twist_of(&up->gain) : still;
    const spatial V = b->parent > 0 ? twist_of(&up->vel) : still, A = add6(twist_of(&up->acc), gain);
    for (int k = b->v; k < b->v + b->nv; ++k) {
      ffi_velocity_column *own = &w->column[k];
      const spatial J = load6(own->J);
      gain = axpy6(vdot[k], J, gain);
      store6(own->N, add6(cross_motion(A, J), cross_motion(V, load6(own->P))));
    }
    set_twist(&w->subtree[i].gain, gain);
  }
}

// ---- Up: pairs --------------------------------------------------------------------------------------------

// Where results go: entry (j, k) at [j * stride + k]. A result that the caller left NULL has one row, with stride 0.
typedef struct target {
  real_u *q, *v;
  ptrdiff_t q_stride, v_stride;
} target;

// Rows and columns that k shares with the six velocities of its free root: J_r are unit vectors, so the columns
// are D and E themselves, and the rows F'W_r + b'J_r = -V x* F + b and F'N_r.
FFI_ALWAYS void pair_with_root(const ffi_work *w, int root, int k, spatial F, vec3 b, vec3 given, spatial D,
                               spatial E, target to)
{
  const ffi_subtree *c = &w->subtree[root];
  const ptrdiff_t first = w->model->bodies[root].v;
  const vec3 v = load3(c->vel.lin), omega = load3(c->vel.ang), gravity = load3(c->acc.lin);
  const real column_q[6] = {D.lin.x, D.lin.y, D.lin.z, D.ang.x, D.ang.y, D.ang.z};
  const real column_v[6] = {E.lin.x, E.lin.y, E.lin.z, E.ang.x, E.ang.y, E.ang.z};
  for (int r = 0; r < 6; ++r) {
    to.q[(first + r) * to.q_stride + k] = column_q[r];
    to.v[(first + r) * to.v_stride + k] = column_v[r];
  }
  const vec3 lin = cross(F.lin, omega), ang = add_cross(add_cross(b, F.lin, v), F.ang, omega);
  const vec3 turn = add_cross(given, F.lin, gravity);
  real_u *row_q = to.q + k * to.q_stride + first, *row_v = to.v + k * to.v_stride + first;
  row_v[0] = lin.x, row_v[1] = lin.y, row_v[2] = lin.z;
  row_v[3] = ang.x, row_v[4] = ang.y, row_v[5] = ang.z;
  row_q[3] = turn.x, row_q[4] = turn.y, row_q[5] = turn.z;
}

// All pairs of velocity k with itself, with others of its joint, and with those before it.
FFI_ALWAYS void pair(const int nv, const int from, const int has_forces, const ffi_work *w, const ffi_body *b,
                     int i, int k, real mass, spatial force, target to)
{
  const ff_model *m = w->model;
  const ffi_subtree *c = &w->subtree[i];
  const ffi_velocity_column *own = &w->column[k];
  const spatial J = load6(own->J), F = load6(own->F);
  const vec3 P = load3(own->P + 3), bias = load3(own->b);
  spatial D = inertia_times(mass, c, load6(own->N)), E = inertia_times(mass, c, load6(own->W));
  D = spatial_of(add_cross(D.lin, P, load3(c->p)), add_mul3(D.ang, c->C, P));
  E = spatial_of(add_cross(E.lin, J.ang, load3(c->p)), add_mul3(E.ang, c->C, J.ang));
  vec3 given = vec(splat(0.0), splat(0.0), splat(0.0));
  if (has_forces) {
    D = spatial_of(add_cross(D.lin, J.ang, load3(c->s)), add_mul3(D.ang, c->X, J.ang));
    given = add_cross(mul3t(c->X, J.ang), load3(c->s), J.lin);
  }
  for (int j = b->v; j < b->v + nv; ++j) {
    const spatial other = nv == 1 ? J : load6(w->column[j].J);
    to.q[j * to.q_stride + k] = dot6(other, D);
    to.v[j * to.v_stride + k] = dot6(other, E);
  }
  D = add6(D, cross_force(J, force));
  if (from)
    pair_with_root(w, w->root_of[i], k, F, bias, given, D, E, to);
  const int *path = w->path + m->dof_row[b->v], depth = m->dof_depth[b->v];
  for (int a = from; a < depth; ++a) {
    const ptrdiff_t j = path[a];
    const ffi_velocity_column *above = &w->column[j];
    const spatial Ja = load6(above->J);
    to.q[j * to.q_stride + k] = dot6(Ja, D);
    to.v[j * to.v_stride + k] = dot6(Ja, E);
    real below = dot6(F, load6(above->N)) + dot(bias, load3(above->P + 3));
    if (has_forces)
      below = below + dot(given, Ja.ang);
    to.q[k * to.q_stride + j] = below;
    to.v[k * to.v_stride + j] = dot6(F, load6(above->W)) + dot(bias, Ja.ang);
  }
}

// The block of a free root: W_k = V x e_k, N_k = A x e_k, P_k = 0.
static void pair_root(const ffi_work *w, const ffi_body *b, int i, int has_forces, target to)
{
  const ffi_subtree *c = &w->subtree[i];
  const real mass = w->subtree_mass[i], one = splat(1.0), zero = splat(0.0);
  const vec3 none = vec(zero, zero, zero);
  const spatial V = twist_of(&c->vel), A = spatial_of(load3(c->acc.lin), none);
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    const vec3 e = vec(k % 3 == 0 ? one : zero, k % 3 == 1 ? one : zero, k % 3 == 2 ? one : zero);
    const spatial J = spatial_of(k < 3 ? e : none, k < 3 ? none : e);
    spatial D = inertia_times(mass, c, cross_motion(A, J)), E = inertia_times(mass, c, cross_motion(V, J));
    E = spatial_of(add_cross(E.lin, J.ang, load3(c->p)), add_mul3(E.ang, c->C, J.ang));
    if (has_forces)
      D = spatial_of(add_cross(D.lin, J.ang, load3(c->s)), add_mul3(D.ang, c->X, J.ang));
    real q[6], v[6];
    store6(q, D);
    store6(v, E);
    for (int j = 0; j < 6; ++j) {
      to.q[(b->v + j) * to.q_stride + b->v + k] = q[j];
      to.v[(b->v + j) * to.v_stride + b->v + k] = v[j];
    }
  }
}

// Force of a subtree at vdot: that at vdot = 0, the inertia times the gain of its parent's acceleration, and F_k vdot_k
// of each joint in it, summed on the way up.
FFI_ALWAYS spatial force_at(ffi_work *w, const ffi_body *b, int i, real mass, const real_u *vdot)
{
  const ffi_subtree *c = &w->subtree[i];
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  spatial gain = spatial_of(none, none);
  if (b->subtree_end > i + 1)
    gain = twist_of(&w->force[b->level + 1]);
  for (int k = b->v; k < b->v + b->nv; ++k)
    gain = axpy6(vdot[k], load6(w->column[k].F), gain);
  if (b->parent == 0) // nothing is before it
    return gain;
  const spatial force =
      add6(twist_of(&c->force), add6(gain, inertia_times(mass, c, twist_of(&w->subtree[b->parent].gain))));
  if (w->model->bodies[b->parent].subtree_end != b->subtree_end) // the last child is met first on the way up
    gain = add6(gain, twist_of(&w->force[b->level]));
  set_twist(&w->force[b->level], gain);
  return force;
}

FFI_ALWAYS void pair_body(const int has_forces, ffi_work *w, const ffi_body *b, int i, const real_u *vdot,
                          target to)
{
  if (b->kind == FFI_KIND_FREE) {
    pair_root(w, b, i, has_forces, to);
    return;
  }
  const real mass = w->subtree_mass[i];
  const spatial force = force_at(w, b, i, mass, vdot);
  if (b->nv == 1) {
    if (w->root_of[i])
      pair(1, 6, has_forces, w, b, i, b->v, mass, force, to);
    else
      pair(1, 0, has_forces, w, b, i, b->v, mass, force, to);
    return;
  }
  for (int k = b->v; k < b->v + 3; ++k)
    if (w->root_of[i])
      pair(3, 6, has_forces, w, b, i, k, mass, force, to);
    else
      pair(3, 0, has_forces, w, b, i, k, mass, force, to);
}

static void clear(real_u *out, ptrdiff_t count)
{
  for (ptrdiff_t k = 0; k < count; ++k)
    out[k] = splat(0.0);
}

void FFI_KERNEL(derivatives_pairs)(ffi_work *w, const real_u *vdot, int has_forces, real_u *dtau_dq,
                                   real_u *dtau_dv)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  real_u *unused = (real_u *)w->unused;
  const target to = {dtau_dq ? dtau_dq : unused, dtau_dv ? dtau_dv : unused, dtau_dq ? nv : 0,
                     dtau_dv ? nv : 0};
  accelerate(w, vdot);
  clear(to.q, dtau_dq ? nv * nv : 0);
  clear(to.v, dtau_dv ? nv * nv : 0);
  for (int i = m->body_count - 1; i > 0; --i) {
    if (has_forces)
      pair_body(1, w, &m->bodies[i], i, vdot, to);
    else
      pair_body(0, w, &m->bodies[i], i, vdot, to);
  }
}

void FFI_KERNEL(rnea_derivatives)(ffi_work *w, const double *v, const double *vdot,
                                  const ff_point_force *forces, int count, double *dtau_dq, double *dtau_dv)
{
  const ff_model *m = w->model;
  const int has_forces = count > 0 || m->lift;
  FFI_KERNEL(derivatives_motion)(w, v, forces, count);
  FFI_KERNEL(derivatives_mass)(w, has_forces);
  FFI_KERNEL(derivatives_pairs)(w, (const real_u *)vdot, has_forces, (real_u *)dtau_dq, (real_u *)dtau_dv);
  for (int k = 0; dtau_dv && k < w->loaded_count; ++k) {
    const ptrdiff_t d = w->loaded[k];
    real_u *diagonal = (real_u *)dtau_dv + d * (m->size.nv + 1);
    *diagonal = *diagonal + m->dof_damping[d];
  }
}
