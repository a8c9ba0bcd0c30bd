// Mass matrix by the composite-rigid-body algorithm, in body coordinates.
//   up:  composite inertia of each subtree; its columns F = I_c S give the own entries of M;
//        all columns of the subtree are carried to the parent, where one component of each is an entry of M.
// A subtree's velocities are contiguous, so carrying is one loop over columns with one transform.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

// I about the parent's origin, in parent axes, from (mass, mc, I) about the body's origin.
// With h = R mc and k = h + m p / 2:  I_p = R I R' + 2 (p.k) 1 - p k' - k p'.
FFI_ALWAYS void carry_inertia(const int kind, const joint_x *x, real mass, const ffi_rigid *own, vec3 *mc,
                              real *I)
{
  const vec3 h = to_parent(kind, x, load3(own->mc));
  turn_symmetric(kind, x, own->I, I);
  const vec3 p = x->p;
  const vec3 k = axpy(0.5 * mass, p, h);
  const vec3 t = add(p, p);
  const real dx = t.x * k.x, dy = t.y * k.y, dz = t.z * k.z;
  I[0] = I[0] + (dy + dz);
  I[1] = I[1] - p.x * k.y - p.y * k.x;
  I[2] = I[2] - p.x * k.z - p.z * k.x;
  I[3] = I[3] + (dx + dz);
  I[4] = I[4] - p.y * k.z - p.z * k.y;
  I[5] = I[5] + (dx + dy);
  *mc = axpy(mass, p, h);
}

// Columns (f, n) of the composite inertia for the joint's velocities, stored at column d, d + 1, ...
// A unit rotation about e: f = e x mc, n = I e. A unit translation along e: f = m e, n = mc x e.
FFI_ALWAYS void rotation_column(const int axis, const real *mc, const real *I, real *F, int nv, int d)
{
  const real zero = splat(0.0);
  F[d] = axis == 0 ? zero : axis == 1 ? mc[2] : -mc[1];
  F[nv + d] = axis == 0 ? -mc[2] : axis == 1 ? zero : mc[0];
  F[2 * nv + d] = axis == 0 ? mc[1] : axis == 1 ? -mc[0] : zero;
  F[3 * nv + d] = I[axis];
  F[4 * nv + d] = axis == 0 ? I[1] : axis == 1 ? I[3] : I[4];
  F[5 * nv + d] = axis == 0 ? I[2] : axis == 1 ? I[4] : I[5];
}
FFI_ALWAYS void translation_column(const int axis, real mass, const real *mc, real *F, int nv, int d)
{
  const real zero = splat(0.0);
  F[d] = axis == 0 ? mass : zero;
  F[nv + d] = axis == 1 ? mass : zero;
  F[2 * nv + d] = axis == 2 ? mass : zero;
  F[3 * nv + d] = axis == 0 ? zero : axis == 1 ? -mc[2] : mc[1];
  F[4 * nv + d] = axis == 0 ? mc[2] : axis == 1 ? zero : -mc[0];
  F[5 * nv + d] = axis == 0 ? -mc[1] : axis == 1 ? mc[0] : zero;
}

// M entries of column d at a body: component of each of the body's velocities.
FFI_ALWAYS void pick_rows(const int kind, const real *F, int nv, int d, real *row)
{
  if (is_revolute(kind))
    row[0] = F[(3 + axis_of(kind)) * nv + d];
  if (is_prismatic(kind))
    row[0] = F[axis_of(kind) * nv + d];
  if (kind == FFI_KIND_SPHERICAL)
    for (int k = 0; k < 3; ++k)
      row[k] = F[(3 + k) * nv + d];
  if (kind == FFI_KIND_PLANAR) {
    row[0] = F[d];
    row[1] = F[nv + d];
    row[2] = F[5 * nv + d];
  }
  if (kind == FFI_KIND_FREE)
    for (int k = 0; k < 6; ++k)
      row[k] = F[k * nv + d];
}

FFI_ALWAYS void own_columns(const int kind, real mass, const ffi_rigid *c, real *F, int nv, int d)
{
  if (is_revolute(kind))
    rotation_column(axis_of(kind), c->mc, c->I, F, nv, d);
  if (is_prismatic(kind))
    translation_column(axis_of(kind), mass, c->mc, F, nv, d);
  if (kind == FFI_KIND_SPHERICAL)
    for (int k = 0; k < 3; ++k)
      rotation_column(k, c->mc, c->I, F, nv, d + k);
  if (kind == FFI_KIND_PLANAR) {
    translation_column(0, mass, c->mc, F, nv, d);
    translation_column(1, mass, c->mc, F, nv, d + 1);
    rotation_column(2, c->mc, c->I, F, nv, d + 2);
  }
}

// The 6 x 6 block of a free root: its columns go nowhere else.
FFI_ALWAYS void free_block(ffi_work *w, const ffi_body *b, real mass, const ffi_rigid *c)
{
  const real zero = splat(0.0);
  const real *mc = c->mc, *I = c->I;
  real *row = w->M + w->model->dof_row[b->v];
  row[0] = mass;
  row[1] = zero;
  row[2] = mass;
  row[3] = zero;
  row[4] = zero;
  row[5] = mass;
  row[6] = zero; // rotation about x: f = (0, -mc_z, mc_y)
  row[7] = -mc[2];
  row[8] = mc[1];
  row[9] = I[0];
  row[10] = mc[2];
  row[11] = zero;
  row[12] = -mc[0];
  row[13] = I[1];
  row[14] = I[3];
  row[15] = -mc[1];
  row[16] = mc[0];
  row[17] = zero;
  row[18] = I[2];
  row[19] = I[4];
  row[20] = I[5];
}

FFI_ALWAYS void visit(const int kind, ffi_work *w, const ffi_body *b, int i)
{
  const ff_model *m = w->model;
  const int nv = m->size.nv;
  const real mass = splat(w->subtree_mass[i]);
  ffi_rigid leaf;
  const ffi_rigid *c = &w->composite[b->level + 1];
  if (b->subtree_end == i + 1) {
    for (int k = 0; k < 3; ++k)
      leaf.mc[k] = splat(b->mc[k]);
    for (int k = 0; k < 6; ++k)
      leaf.I[k] = splat(b->I[k]);
    c = &leaf;
  }
  if (kind == FFI_KIND_FREE) {
    free_block(w, b, mass, c);
    return;
  }
  real *F = w->F;
  own_columns(kind, mass, c, F, nv, b->v);
  for (int k = 0; k < freedom(kind); ++k) {
    const int d = b->v + k;
    real own[6];
    pick_rows(kind, F, nv, d, own);
    for (int j = 0; j <= k; ++j)
      w->M[m->dof_row[d] + m->dof_depth[b->v] + j] = own[j];
  }
  if (b->parent == 0)
    return;

  const joint_x x = load_joint(kind, w, b, i);
  const int last = b->subtree_end < m->body_count ? m->bodies[b->subtree_end].v : nv;
  for (int d = b->v; d < last; ++d) {
    const vec3 f = to_parent(kind, &x, vec(F[d], F[nv + d], F[2 * nv + d]));
    const vec3 n = add(to_parent(kind, &x, vec(F[3 * nv + d], F[4 * nv + d], F[5 * nv + d])), cross(x.p, f));
    F[d] = f.x;
    F[nv + d] = f.y;
    F[2 * nv + d] = f.z;
    F[3 * nv + d] = n.x;
    F[4 * nv + d] = n.y;
    F[5 * nv + d] = n.z;
  }

  // The composite of the parent: own constants plus what its children bring; the last child comes first.
  const ffi_body *parent = &m->bodies[b->parent];
  ffi_rigid *sum = &w->composite[b->level];
  vec3 mc;
  real I[6];
  carry_inertia(kind, &x, mass, c, &mc, I);
  if (parent->subtree_end == b->subtree_end) {
    for (int k = 0; k < 6; ++k)
      sum->I[k] = parent->I[k] + I[k];
    store3(sum->mc, add(splat3(parent->mc), mc));
  } else {
    for (int k = 0; k < 6; ++k)
      sum->I[k] = sum->I[k] + I[k];
    store3(sum->mc, add(load3(sum->mc), mc));
  }
}

// After its columns are in the parent's frame: the entries of M between the subtree and the parent.
FFI_ALWAYS void pick_subtree(const int kind, ffi_work *w, const ffi_body *parent, int first, int last)
{
  const ff_model *m = w->model;
  const int nv = m->size.nv, at = parent->depth - parent->nv;
  for (int d = first; d < last; ++d)
    pick_rows(kind, w->F, nv, d, w->M + m->dof_row[d] + at);
}

void FFI_KERNEL(crba)(ffi_work *w)
{
  const ff_model *m = w->model;
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, visit, w, b, i);
    if (b->parent == 0)
      continue;
    const ffi_body *parent = &m->bodies[b->parent];
    const int last = b->subtree_end < m->body_count ? m->bodies[b->subtree_end].v : m->size.nv;
    FFI_DISPATCH(parent->kind, pick_subtree, w, parent, b->v, last);
  }
  for (int k = 0; k < w->loaded_count; ++k) {
    const int d = w->loaded[k];
    real *diagonal = w->M + m->dof_row[d] + m->dof_depth[d];
    *diagonal = *diagonal + m->dof_armature[d];
  }
}

void FFI_KERNEL(mass_matrix)(const ffi_work *w, double *M_out)
{
  const ff_model *m = w->model;
  const int nv = m->size.nv;
  real_u *M = (real_u *)M_out;
  for (int k = 0; k < nv * nv; ++k)
    M[k] = splat(0.0);
  for (int i = 0; i < nv; ++i)
    for (int k = m->dof_row[i]; k < m->dof_row[i + 1]; ++k) {
      const int j = w->path[k];
      M[i * nv + j] = M[j * nv + i] = w->M[k];
    }
}
