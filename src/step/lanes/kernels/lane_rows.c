// Rows of contacts in lanes, and their acceleration at vdot = 0. As step/eval/contact_jacobian.c, for points and balls
// on planes.
#include "step/lanes/kernels/lane_rows.h"

#include "dynamics/joint.h"
#include "model/model.h"

// Columns of the joint of a body at x, zero in lanes without the contact; returns their product with v added to u.
FFI_ALWAYS vec3 put_columns(const int kind, const ffi_body_pose *pose, vec3 x, const real *v,
                            real_bits active, real *J, vec3 u)
{
  const real zero = splat(0);
  vec3 lin[6], ang[6];
  const int n = joint_columns(kind, pose, x, lin, ang);
  for (int k = 0; k < n; ++k) {
    const vec3 column = vec(select_bits(active, lin[k].x, zero), select_bits(active, lin[k].y, zero),
                            select_bits(active, lin[k].z, zero));
    store3(J + 3 * k, column);
    u = axpy(v[k], column, u);
  }
  return u;
}

FFI_ALWAYS void put_and_move(const int kind, const ffi_body_pose *pose, vec3 x, const real *v,
                             real_bits active, real *J, vec3 *u)
{
  *u = put_columns(kind, pose, x, v, active, J, *u);
}

vec3 FFI_KERNEL(lane_find_rows)(const ffi_lane_work *w, const ffi_lane_contact *c, vec3 x, const real *v,
                                real *J)
{
  const ff_model *m = w->model;
  vec3 u = vec(splat(0), splat(0), splat(0));
  for (int i = w->plan->feature[c->index].body; i > 0; i = m->bodies[i].parent) {
    const ffi_body *b = &m->bodies[i];
    real *at = J + 3 * (b->depth - b->nv);
    FFI_DISPATCH(b->kind, put_and_move, &w->dynamics->pose[i], x, v + b->v, c->active, at, &u);
  }
  return u;
}

// Of a ball its centre's, and that by the turn about it: contact.md, section 5.
void FFI_KERNEL(lane_find_bias)(const ffi_lane_work *w, const ffi_lane_contact *c, real out[3])
{
  const ffi_lane_feature *f = &w->plan->feature[c->index];
  const ffi_work *d = w->dynamics;
  const ffi_body_pose *pose = &d->pose[f->body];
  const ffi_motion *motion = &d->motion[d->slot[f->body]];
  const vec3 gravity = scale(splat(-1), load3(d->motion[0].a));
  vec3 a = mul3(pose->R, add_mul3(load3(motion->a), motion->B, splat3(f->centre)));
  a = add(a, gravity);
  if (f->radius > 0)
    a = add_cross(a, mul3(pose->R, load3(motion->alpha)), scale(splat(-f->radius), w->normal[f->plane]));
  const real zero = splat(0);
  store3(out, vec(select_bits(c->active, a.x, zero), select_bits(c->active, a.y, zero),
                  select_bits(c->active, a.z, zero)));
}
