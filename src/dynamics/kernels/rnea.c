// Inverse dynamics by the recursive Newton-Euler algorithm in the form of Luh, Walker and Paul: body coordinates,
// acceleration of origins, and the matrix B = [alpha]x + [omega]x^2 per body, so that no linear velocity is carried.
// docs/theory/dynamics.md section 3, eqs 2 to 5
//   down:  omega, alpha, a of each body; its force f = m a + B mc, n = mc x a + axial(B Sigma)
//   up:    forces to the parents; tau = S' (f, n) + armature vdot + damping v
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

// B = [alpha]x + [omega]x [omega]x.
FFI_ALWAYS void point_acceleration(vec3 w, vec3 al, real *B)
{
  const real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const real xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  B[0] = -(yy + zz);
  B[1] = xy - al.z;
  B[2] = xz + al.y;
  B[3] = xy + al.z;
  B[4] = -(xx + zz);
  B[5] = yz - al.x;
  B[6] = xz - al.y;
  B[7] = yz + al.x;
  B[8] = -(xx + yy);
}

// Force that this motion takes, about the body's origin. The torque of rotation, integral of r x (B r) dm, is the
// axial vector of B Sigma: 33 flops, against 42 for I alpha + omega x I omega.
FFI_ALWAYS void inertial_force(const ffi_work *wk, int i, vec3 a, const real *B, vec3 *f, vec3 *n)
{
  const real *c = wk->rigid[i].mc, *S = wk->Sigma + 6 * i, m = wk->mass[i];
  f->x = m * a.x + B[0] * c[0] + B[1] * c[1] + B[2] * c[2];
  f->y = m * a.y + B[3] * c[0] + B[4] * c[1] + B[5] * c[2];
  f->z = m * a.z + B[6] * c[0] + B[7] * c[1] + B[8] * c[2];
  // n = mc x a + axial(B Sigma), n_x = (B Sigma)_zy - (B Sigma)_yz, and cyclic
  n->x = c[1] * a.z - c[2] * a.y + B[6] * S[1] + B[7] * S[3] + B[8] * S[4] - B[3] * S[2] - B[4] * S[4] -
         B[5] * S[5];
  n->y = c[2] * a.x - c[0] * a.z + B[0] * S[2] + B[1] * S[4] + B[2] * S[5] - B[6] * S[0] - B[7] * S[1] -
         B[8] * S[2];
  n->z = c[0] * a.y - c[1] * a.x + B[3] * S[0] + B[4] * S[1] + B[5] * S[2] - B[0] * S[1] - B[1] * S[3] -
         B[2] * S[4];
}

// Where a body's motion is stored: by body with one lane, since contacts need it later; with more lanes by level, to
// stay in the cache, but for bodies whose motion somebody wants to keep.
FFI_ALWAYS int motion_slot(const ffi_work *w, int i)
{
  return FFI_LANES == 1 ? i : w->slot[i];
}

FFI_ALWAYS void down(const int kind, ffi_work *wk, const ffi_body *b, int i, const real_u *v,
                     const real_u *vdot)
{
  const joint_x x = load_joint(kind, wk, b, i);
  const ffi_motion *up = &wk->motion[motion_slot(wk, b->parent)];
  ffi_motion *own = &wk->motion[motion_slot(wk, i)];
  const real_u *rate = v + b->v, *rise = vdot + b->v;

  vec3 w = to_body(kind, &x, load3(up->omega));
  vec3 al = to_body(kind, &x, load3(up->alpha));
  vec3 a = kind == FFI_KIND_FREE ? load3(up->a) : add_mul3(load3(up->a), up->B, x.p);
  a = to_body(kind, &x, a);
  if (is_revolute(kind)) {
    al = add_cross_axis(axis_of(kind), al, w, rate[0]);
    al = add_along(axis_of(kind), al, rise[0]);
    w = add_along(axis_of(kind), w, rate[0]);
  } else if (is_prismatic(kind)) {
    a = add_cross_axis(axis_of(kind), a, w, rate[0] + rate[0]);
    a = add_along(axis_of(kind), a, rise[0]);
  } else {
    const joint_rate r = load_rate(kind, rate), rr = load_rate(kind, rise);
    if (kind == FFI_KIND_FREE) { // the world does not turn
      w = r.ang;
      al = rr.ang;
      a = add(a, add(rr.lin, cross(w, r.lin)));
    } else {
      // velocity of the joint in body axes; its components change at rr, its axes turn with the body
      if (kind == FFI_KIND_PLANAR)
        a = add(a, cross(w, r.lin));
      al = add(al, add(cross(w, r.ang), rr.ang));
      w = add(w, r.ang);
      if (kind == FFI_KIND_PLANAR)
        a = add(a, add(rr.lin, cross(w, r.lin)));
    }
  }
  store3(own->omega, w);
  store3(own->alpha, al);
  store3(own->a, a);
  real B[9];
  point_acceleration(w, al, B);
  for (int k = 0; k < 9; ++k)
    own->B[k] = B[k];
  vec3 f, n;
  inertial_force(wk, i, a, B, &f, &n);
  store3(wk->body_force[i].lin, f);
  store3(wk->body_force[i].ang, n);
}

FFI_ALWAYS void up(const int kind, ffi_work *wk, const ffi_body *b, int i, int is_last, real_u *tau)
{
  vec3 f = load3(wk->body_force[i].lin), n = load3(wk->body_force[i].ang);
  if (b->subtree_end > i + 1) {
    f = add(f, load3(wk->force[b->level + 1].lin));
    n = add(n, load3(wk->force[b->level + 1].ang));
  }
  real own[6];
  project(kind, f, n, own);
  for (int k = 0; k < freedom(kind); ++k)
    tau[b->v + k] = own[k];
  if (kind == FFI_KIND_FREE || b->parent == 0)
    return;

  const joint_x x = load_joint(kind, wk, b, i);
  ffi_twist *sum = &wk->force[b->level];
  f = to_parent(kind, &x, f);
  n = add_cross(to_parent(kind, &x, n), x.p, f);
  if (!is_last) { // the last child is met first on the way up
    f = add(f, load3(sum->lin));
    n = add(n, load3(sum->ang));
  }
  store3(sum->lin, f);
  store3(sum->ang, n);
}

// Carried weight: the force -g lift, at the carried mass's centre, is taken off what the body's motion takes. `rise`
// holds -g in the axes of the body; aba writes it before it reads it.
FFI_ALWAYS void carry(const int kind, ffi_work *w, const ffi_body *b, int i)
{
  const double *gravity = w->model->gravity, *lift = w->model->lift + 4 * i;
  const double up[3] = {-gravity[0], -gravity[1], -gravity[2]};
  const joint_x x = load_joint(kind, w, b, i);
  const vec3 a = to_body(kind, &x, b->parent == 0 ? splat3(up) : load3(w->rise[b->level - 1].lin));
  store3(w->rise[b->level].lin, a);
  ffi_twist *own = &w->body_force[i];
  store3(own->lin, sub(load3(own->lin), scale(splat(lift[0]), a)));
  store3(own->ang, sub_cross(load3(own->ang), splat3(lift + 1), a));
}

void FFI_KERNEL(rnea)(ffi_work *w, const double *v_in, const double *vdot_in, double *tau_out)
{
  const ff_model *m = w->model;
  const real_u *v = (const real_u *)v_in, *vdot = (const real_u *)vdot_in;
  real_u *tau = (real_u *)tau_out;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, down, w, b, i, v, vdot);
  }
  for (int i = 1; m->lift && i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, carry, w, b, i);
  }
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    const int is_last = m->bodies[b->parent].subtree_end == b->subtree_end;
    FFI_DISPATCH(b->kind, up, w, b, i, is_last, tau);
  }
  for (int k = 0; k < w->loaded_count; ++k) { // armature and damping, where there are any
    const int d = w->loaded[k];
    tau[d] = tau[d] + m->dof_armature[d] * vdot[d] + m->dof_damping[d] * v[d];
  }
}

void FFI_KERNEL(bias)(ffi_work *w, const double *v, double *h)
{
  FFI_KERNEL(rnea)(w, v, (const double *)w->zero, h);
}

void FFI_KERNEL(gravity)(ffi_work *w, double *g)
{
  FFI_KERNEL(rnea)(w, (const double *)w->zero, (const double *)w->zero, g);
}
