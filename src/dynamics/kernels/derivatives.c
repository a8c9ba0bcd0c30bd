// Derivatives of inverse dynamics in closed form, by pairs of velocities on one path: docs/theory/dynamics.md, section 9.
// With I, B, X, F* the integrals over the subtree of the deeper one of two velocities j and k,
//   d tau_j / d v_k = J_j' (I W_k + B J_k)
//   d tau_j / d q_k = J_j' (I N_k + B P_k + X J_k), and + J_j' (J_k x* F*) if j is on a body before k's
// B and X see the angular part alone: B (., x) = 2 (x x p, tr(K) x - K x), X (., x) = (x x s, tr(G) x - G x).
#include "derivatives.h"
#include "dynamics/joint.h"
#include "dynamics/kernels.h"
#include "spatial.h"

#include <stddef.h>

// tr(A) x - A x, and with A'.
FFI_ALWAYS vec3 rest(const real *A, vec3 x)
{
  const vec3 y = mul3(A, x);
  return sub(scale(A[0] + A[4] + A[8], x), y);
}
FFI_ALWAYS vec3 rest_t(const real *A, vec3 x)
{
  const vec3 y = mul3t(A, x);
  return sub(scale(A[0] + A[4] + A[8], x), y);
}

// Inertia of a subtree times a motion: (m a - h x al, h x a + tr(Sigma) al - Sigma al).
FFI_ALWAYS spatial inertia_times(real mass, const ffi_subtree *c, spatial x)
{
  const real *S = c->Sigma;
  const vec3 h = load3(c->h), al = x.ang;
  const vec3 y =
      vec((S[3] + S[5]) * al.x - S[1] * al.y - S[2] * al.z, (S[0] + S[5]) * al.y - S[1] * al.x - S[4] * al.z,
          (S[0] + S[3]) * al.z - S[2] * al.x - S[4] * al.y);
  return spatial_of(sub_cross(scale(mass, x.lin), h, al), add_cross(y, h, x.lin));
}

// ---- d tau / d v ------------------------------------------------------------------------------------------

// Rows of M: F_k' J_j for j on the path of k. Row k ends with itself.
FFI_ALWAYS void fill_mass(ffi_work *w, int k, spatial F)
{
  const ff_model *m = w->model;
  real *row = w->M + m->dof_row[k];
  const int *path = w->path + m->dof_row[k];
  for (int a = 0; a <= m->dof_depth[k]; ++a)
    row[a] = dot6(F, load6(w->column[path[a]].J));
}

static void velocity_pairs(ffi_work *w, const ffi_body *b, const ffi_subtree *c, real mass, real_u *out)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  const int *path = w->path + m->dof_row[b->v];
  for (int k = b->v; k < b->v + b->nv; ++k) {
    const ffi_column *own = &w->column[k];
    const spatial J = load6(own->J), F = load6(own->F);
    const vec3 turned = cross(J.ang, load3(c->p)), left = rest(c->K, J.ang), bias = load3(own->b);
    spatial E = inertia_times(mass, c, load6(own->W));
    E.lin = add(E.lin, add(turned, turned));
    E.ang = add(E.ang, add(left, left));
    for (int j = b->v; j < b->v + b->nv; ++j)
      out[j * nv + k] = dot6(load6(w->column[j].J), E);
    for (int a = 0; a < m->dof_depth[b->v]; ++a) {
      const ffi_column *above = &w->column[path[a]];
      out[path[a] * nv + k] = dot6(load6(above->J), E);
      out[k * nv + path[a]] = dot6(F, load6(above->W)) + dot(bias, load3(above->J + 3));
    }
  }
}

FFI_ALWAYS void fold(ffi_subtree *sum, const ffi_subtree *c, int has_forces)
{
  store3(sum->h, add(load3(sum->h), load3(c->h)));
  for (int k = 0; k < 6; ++k)
    sum->Sigma[k] = sum->Sigma[k] + c->Sigma[k];
  store3(sum->p, add(load3(sum->p), load3(c->p)));
  for (int k = 0; k < 9; ++k)
    sum->K[k] = sum->K[k] + c->K[k];
  store3(sum->force.lin, add(load3(sum->force.lin), load3(c->force.lin)));
  store3(sum->force.ang, add(load3(sum->force.ang), load3(c->force.ang)));
  if (!has_forces)
    return;
  store3(sum->s, add(load3(sum->s), load3(c->s)));
  for (int k = 0; k < 9; ++k)
    sum->G[k] = sum->G[k] + c->G[k];
}

void FFI_KERNEL(slope_velocity)(ffi_work *w, real_u *dtau_dv, int has_forces)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  for (ptrdiff_t k = 0; dtau_dv && k < nv * nv; ++k)
    dtau_dv[k] = splat(0.0);
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    const ffi_subtree *c = &w->subtree[i];
    const real mass = splat(w->subtree_mass[i]);
    const spatial force = spatial_of(load3(c->force.lin), load3(c->force.ang));
    for (int k = b->v; k < b->v + b->nv; ++k) {
      ffi_column *own = &w->column[k];
      const spatial J = load6(own->J), F = inertia_times(mass, c, J);
      const vec3 half = add_cross(rest_t(c->K, J.ang), load3(c->p), J.lin);
      store6(own->F, F);
      store3(own->b, add(half, half));
      w->h[k] = dot6(J, force);
      fill_mass(w, k, F);
    }
    if (dtau_dv)
      velocity_pairs(w, b, c, mass, dtau_dv);
    if (b->parent > 0)
      fold(&w->subtree[b->parent], c, has_forces);
  }
}

// ---- d tau / d q ------------------------------------------------------------------------------------------

// What vdot adds to the accelerations, and with it to N. Nothing above a root moves.
static void accelerate(ffi_work *w, const real_u *vdot)
{
  const ff_model *m = w->model;
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    const ffi_twist *up = &w->rush[b->parent];
    const spatial before =
        b->parent == 0 ? spatial_of(none, none) : spatial_of(load3(up->lin), load3(up->ang));
    spatial A = before;
    for (int k = b->v; k < b->v + b->nv; ++k) {
      ffi_column *own = &w->column[k];
      const spatial J = load6(own->J);
      A = axpy6(vdot[k], J, A);
      if (b->parent != 0)
        store6(own->N, add6(load6(own->N), cross_motion(before, J)));
    }
    store3(w->rush[i].lin, A.lin);
    store3(w->rush[i].ang, A.ang);
  }
}

static void position_pairs(ffi_work *w, const ffi_body *b, const ffi_subtree *c, real mass, spatial force,
                           int has_forces, real_u *out)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  const int *path = w->path + m->dof_row[b->v];
  for (int k = b->v; k < b->v + b->nv; ++k) {
    const ffi_column *own = &w->column[k];
    const spatial J = load6(own->J), F = load6(own->F);
    const vec3 P = load3(own->P + 3), turned = cross(P, load3(c->p)), left = rest(c->K, P),
               bias = load3(own->b);
    vec3 given = bias;
    spatial D = inertia_times(mass, c, load6(own->N));
    D.lin = add(D.lin, add(turned, turned));
    D.ang = add(D.ang, add(left, left));
    if (has_forces) {
      D.lin = add_cross(D.lin, J.ang, load3(c->s));
      D.ang = add(D.ang, rest(c->G, J.ang));
      given = add_cross(rest_t(c->G, J.ang), load3(c->s), J.lin);
    }
    for (int j = b->v; j < b->v + b->nv; ++j)
      out[j * nv + k] = dot6(load6(w->column[j].J), D);
    D = add6(D, cross_force(J, force));
    for (int a = 0; a < m->dof_depth[b->v]; ++a) {
      const ffi_column *above = &w->column[path[a]];
      out[path[a] * nv + k] = dot6(load6(above->J), D);
      real below = dot6(F, load6(above->N)) + dot(bias, load3(above->P + 3));
      if (has_forces)
        below = below + dot(given, load3(above->J + 3));
      out[k * nv + path[a]] = below;
    }
  }
}

// Force of a subtree at vdot: that at vdot = 0, the inertia times what its parent's acceleration has gained, and what each
// joint in it adds, F_j vdot_j.
void FFI_KERNEL(slope_position)(ffi_work *w, const real_u *vdot, real_u *dtau_dq, int has_forces)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  accelerate(w, vdot);
  for (ptrdiff_t k = 0; k < nv * nv; ++k)
    dtau_dq[k] = splat(0.0);
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    const ffi_subtree *c = &w->subtree[i];
    const ffi_twist *up = &w->rush[b->parent];
    const real mass = splat(w->subtree_mass[i]);
    spatial gain =
        spatial_of(vec(splat(0.0), splat(0.0), splat(0.0)), vec(splat(0.0), splat(0.0), splat(0.0)));
    if (b->subtree_end > i + 1)
      gain = spatial_of(load3(w->force[b->level + 1].lin), load3(w->force[b->level + 1].ang));
    for (int k = b->v; k < b->v + b->nv; ++k)
      gain = axpy6(vdot[k], load6(w->column[k].F), gain);
    spatial force = add6(spatial_of(load3(c->force.lin), load3(c->force.ang)), gain);
    if (b->parent > 0) {
      force = add6(force, inertia_times(mass, c, spatial_of(load3(up->lin), load3(up->ang))));
      ffi_twist *sum = &w->force[b->level];
      if (m->bodies[b->parent].subtree_end != b->subtree_end) // the last child is met first on the way up
        gain = add6(gain, spatial_of(load3(sum->lin), load3(sum->ang)));
      store3(sum->lin, gain.lin);
      store3(sum->ang, gain.ang);
    }
    position_pairs(w, b, c, mass, force, has_forces, dtau_dq);
  }
}

void FFI_KERNEL(rnea_derivatives)(ffi_work *w, const double *v, const double *vdot,
                                  const ff_point_force *forces, int count, double *dtau_dq, double *dtau_dv)
{
  const ff_model *m = w->model;
  FFI_KERNEL(slope_motion)(w, v, forces, count);
  FFI_KERNEL(slope_velocity)(w, (real_u *)dtau_dv, count > 0);
  if (dtau_dq)
    FFI_KERNEL(slope_position)(w, (const real_u *)vdot, (real_u *)dtau_dq, count > 0);
  for (int k = 0; dtau_dv && k < w->loaded_count; ++k) {
    const ptrdiff_t d = w->loaded[k];
    real_u *diagonal = (real_u *)dtau_dv + d * (m->size.nv + 1);
    *diagonal = *diagonal + m->dof_damping[d];
  }
}
