// Mass matrix by the composite-rigid-body algorithm, in body coordinates.  docs/theory/dynamics.md section 4, eq. 6
//   up:  composite inertia of each subtree; its columns I_c S, as forces, give the joint's own entries of M and then
//        climb to the root, where at each ancestor one component is an entry of M.
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

// Column (f, n) of a composite inertia for a unit rotation about an axis: f = e x mc, n = I e;
// for a unit translation along it: f = m e, n = mc x e.
FFI_ALWAYS void column(const int turns, const int axis, real mass, const real *mc, const real *I, vec3 *f,
                       vec3 *n)
{
  const real zero = splat(0.0);
  const vec3 m = load3(mc);
  if (turns) {
    *f = axis == 0 ? vec(zero, -m.z, m.y) : axis == 1 ? vec(m.z, zero, -m.x) : vec(-m.y, m.x, zero);
    *n = axis == 0 ? vec(I[0], I[1], I[2]) : axis == 1 ? vec(I[1], I[3], I[4]) : vec(I[2], I[4], I[5]);
  } else {
    *f = axis == 0 ? vec(mass, zero, zero) : axis == 1 ? vec(zero, mass, zero) : vec(zero, zero, mass);
    *n = axis == 0 ? vec(zero, m.z, -m.y) : axis == 1 ? vec(-m.z, zero, m.x) : vec(m.y, -m.x, zero);
  }
}

// The components of a planar or spherical joint.
FFI_ALWAYS void pick_three(const ffi_body *b, vec3 f, vec3 n, real *out)
{
  if (b->kind == FFI_KIND_PLANAR)
    project(FFI_KIND_PLANAR, f, n, out);
  else
    project(FFI_KIND_SPHERICAL, f, n, out);
}

// A column that has arrived at the parent: all its six components, or one, are entries of M there. It waits in F for
// the next stage, unless the parent is free and there is none.
FFI_ALWAYS void deliver(const int to_free, ffi_work *w, const ffi_body *parent, int component, int d, vec3 f,
                        vec3 n)
{
  real *row = w->M + w->model->dof_row[d];
  if (to_free) {
    store3(row, f);
    store3(row + 3, n);
    return;
  }
  real *F = w->F + 6 * d;
  store3(F, f);
  store3(F + 3, n);
  if (component >= 0)
    row[parent->depth - 1] = F[component];
  else
    pick_three(parent, f, n, row + parent->depth - 3);
}

// The joint's own columns give the entries of M among its own velocities; then they and the waiting columns of the
// subtree go to the parent.
FFI_ALWAYS void raise(const int kind, const int to_free, ffi_work *w, const ffi_body *b,
                      const ffi_body *parent, const joint_x *x, real mass, const ffi_rigid *c)
{
  const int component = w->component[b->parent];
  for (int k = 0; k < freedom(kind); ++k) {
    const int turns = kind == FFI_KIND_PLANAR ? k == 2 : !is_prismatic(kind);
    vec3 f, n;
    column(turns, freedom(kind) == 1 ? axis_of(kind) : k, mass, c->mc, c->I, &f, &n);
    real own[6];
    project(kind, f, n, own);
    for (int j = 0; j <= k; ++j)
      w->M[w->model->dof_row[b->v + k + 1] - 1 - k + j] = own[j];
    if (b->parent == 0)
      continue;
    f = to_parent(kind, x, f);
    n = add_cross(to_parent(kind, x, n), x->p, f);
    deliver(to_free, w, parent, component, b->v + k, f, n);
  }
  if (b->parent == 0)
    return;
  for (int d = b->v + freedom(kind); d < b->v_end; ++d) {
    const vec3 f = to_parent(kind, x, load3(w->F + 6 * d));
    const vec3 n = add_cross(to_parent(kind, x, load3(w->F + 6 * d + 3)), x->p, f);
    deliver(to_free, w, parent, component, d, f, n);
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
  const real mass = w->subtree_mass[i];
  const ffi_rigid *c = b->subtree_end == i + 1 ? &w->rigid[i] : &w->composite[b->level + 1];
  if (kind == FFI_KIND_FREE) {
    free_block(w, b, mass, c);
    return;
  }
  const ffi_body *parent = &m->bodies[b->parent];
  const joint_x x = load_joint(kind, w, b, i);
  if (parent->kind == FFI_KIND_FREE)
    raise(kind, 1, w, b, parent, &x, mass, c);
  else
    raise(kind, 0, w, b, parent, &x, mass, c);
  if (b->parent == 0)
    return;

  // The composite of the parent: own constants plus what its children bring; the last child comes first.
  ffi_rigid *sum = &w->composite[b->level];
  vec3 mc;
  real I[6];
  carry_inertia(kind, &x, mass, c, &mc, I);
  if (parent->subtree_end == b->subtree_end) {
    const ffi_rigid *own = &w->rigid[b->parent];
    for (int k = 0; k < 6; ++k)
      sum->I[k] = own->I[k] + I[k];
    store3(sum->mc, add(load3(own->mc), mc));
  } else {
    for (int k = 0; k < 6; ++k)
      sum->I[k] = sum->I[k] + I[k];
    store3(sum->mc, add(load3(sum->mc), mc));
  }
}

void FFI_KERNEL(crba)(ffi_work *w)
{
  const ff_model *m = w->model;
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, visit, w, b, i);
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
  const size_t nv = (size_t)m->size.nv;
  real_u *M = (real_u *)M_out;
  for (size_t k = 0; k < nv * nv; ++k)
    M[k] = splat(0.0);
  for (size_t i = 0; i < nv; ++i)
    for (int k = m->dof_row[i]; k < m->dof_row[i + 1]; ++k) {
      const size_t j = (size_t)w->path[k];
      M[i * nv + j] = M[j * nv + i] = w->M[k];
    }
}
