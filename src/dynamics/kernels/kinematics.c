// Forward kinematics: poses of all bodies in the world; spatial velocities and accelerations in body axes.
// docs/theory/dynamics.md sections 1 and 2
// The acceleration at vdot = 0, which is Jdot v of every frame, is always kept beside the velocity.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

FFI_ALWAYS void place(const int kind, ffi_work *w, const ffi_body *b, int i)
{
  const joint_x x = load_joint(kind, w, b, i);
  const ffi_body_pose *up = &w->pose[b->parent];
  ffi_body_pose *own = &w->pose[i];
  if (kind == FFI_KIND_FREE) {
    for (int k = 0; k < 9; ++k)
      own->R[k] = x.E[k];
    store3(own->p, x.p);
    return;
  }
  compose(kind, &x, up->R, own->R);
  store3(own->p, add_mul3(load3(up->p), up->R, x.p));
}

// a x b for spatial motion vectors (linear, angular): added to (lin, ang).
FFI_ALWAYS void add_motion_cross(vec3 v, vec3 w, joint_rate r, vec3 *lin, vec3 *ang)
{
  *lin = add_cross(add_cross(*lin, v, r.ang), w, r.lin);
  *ang = add_cross(*ang, w, r.ang);
}

FFI_ALWAYS void move(const int kind, ffi_work *w, const ffi_body *b, int i, const real_u *rate)
{
  const joint_x x = load_joint(kind, w, b, i);
  const ffi_twist *vel_up = &w->vel[b->parent], *bias_up = &w->bias[b->parent];
  const joint_rate r = load_rate(kind, rate + b->v);
  const vec3 turn = load3(vel_up->ang), rise = load3(bias_up->ang);
  vec3 ang = to_body(kind, &x, turn);
  vec3 lin = to_body(kind, &x, add_cross(load3(vel_up->lin), turn, x.p));
  ang = add(ang, r.ang);
  lin = add(lin, r.lin);
  vec3 alpha = to_body(kind, &x, rise);
  vec3 a = to_body(kind, &x, add_cross(load3(bias_up->lin), rise, x.p));
  add_motion_cross(lin, ang, r, &a, &alpha);
  store3(w->vel[i].lin, lin);
  store3(w->vel[i].ang, ang);
  store3(w->bias[i].lin, a);
  store3(w->bias[i].ang, alpha);
}

// Accelerations: the bias plus J vdot, the latter carried like a velocity.
FFI_ALWAYS void accelerate(const int kind, ffi_work *w, const ffi_body *b, int i, const real_u *vdot)
{
  const joint_x x = load_joint(kind, w, b, i);
  const ffi_twist *up = &w->acc[b->parent];
  const joint_rate r = load_rate(kind, vdot + b->v);
  const joint_rate v = load_rate(kind, (const real_u *)w->v + b->v);
  const vec3 rise = load3(up->ang);
  vec3 ang = add(to_body(kind, &x, rise), r.ang);
  vec3 lin = add(to_body(kind, &x, add_cross(load3(up->lin), rise, x.p)), r.lin);
  add_motion_cross(load3(w->vel[i].lin), load3(w->vel[i].ang), v, &lin, &ang);
  store3(w->acc[i].lin, lin);
  store3(w->acc[i].ang, ang);
}

void FFI_KERNEL(kinematics)(ffi_work *w, const double *v_in, const double *vdot_in)
{
  const ff_model *m = w->model;
  const real_u *v = (const real_u *)v_in, *vdot = (const real_u *)vdot_in;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, place, w, b, i);
  }
  if (!v)
    return;
  for (int k = 0; k < m->size.nv; ++k)
    w->v[k] = v[k];
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, move, w, b, i, v);
  }
  if (!vdot)
    return;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, accelerate, w, b, i, vdot);
  }
}
