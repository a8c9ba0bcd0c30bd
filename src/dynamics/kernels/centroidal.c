// Centre of mass, momentum and energies of everything that moves.  docs/theory/dynamics.md section 8
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

// Sum of m c over the bodies, in the world.
static vec3 first_moment(const ffi_work *w)
{
  const ff_model *m = w->model;
  vec3 sum = vec(splat(0.0), splat(0.0), splat(0.0));
  for (int i = 1; i < m->body_count; ++i)
    sum = add(sum, axpy(w->mass[i], load3(w->pose[i].p), mul3(w->pose[i].R, load3(w->rigid[i].mc))));
  return sum;
}

// 1 over the mass of all that moves; 0 without mass.
static real share_of_mass(const ffi_work *w)
{
  if (!w->has_mass)
    return splat(0.0);
  return 1.0 / w->subtree_mass[0];
}

// A model without mass has its centre of mass at the origin.
static vec3 centre(const ffi_work *w)
{
  return scale(share_of_mass(w), first_moment(w));
}

void FFI_KERNEL(com)(const ffi_work *w, double *com)
{
  give3(com, centre(w));
}

// Column of a velocity: that of one rigid body with the mass of the subtree behind it.
FFI_ALWAYS void com_columns(const int kind, const ffi_work *w, const ffi_body *b, int i, vec3 moment,
                            real_u *J)
{
  const int nv = w->model->size.nv;
  const real share = share_of_mass(w);
  const ffi_body_pose *pose = &w->pose[i];
  // first moment of the subtree about this body's origin
  const vec3 arm = axpy(-w->subtree_mass[i], load3(pose->p), moment);
  int n = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < 3; ++k) {
      if (pass == 0 ? !moves_along(kind, k) : !turns_about(kind, k))
        continue;
      const vec3 e = vec(pose->R[k], pose->R[3 + k], pose->R[6 + k]);
      const vec3 column = pass == 0 ? scale(w->subtree_mass[i] * share, e) : scale(share, cross(e, arm));
      J[b->v + n] = column.x;
      J[nv + b->v + n] = column.y;
      J[2 * nv + b->v + n] = column.z;
      ++n;
    }
}

void FFI_KERNEL(com_jacobian)(const ffi_work *w, double *J_out)
{
  const ff_model *m = w->model;
  real_u *J = (real_u *)J_out;
  // First moments of subtrees, world axes, summed up the tree by level; children before parents.
  for (int i = m->body_count - 1; i > 0; --i) {
    const ffi_body *b = &m->bodies[i];
    vec3 moment = axpy(w->mass[i], load3(w->pose[i].p), mul3(w->pose[i].R, load3(w->rigid[i].mc)));
    if (b->subtree_end > i + 1)
      moment = add(moment, load3(w->force[b->level + 1].lin));
    FFI_DISPATCH(b->kind, com_columns, w, b, i, moment, J);
    ffi_twist *sum = &w->force[b->level];
    if (m->bodies[b->parent].subtree_end == b->subtree_end)
      store3(sum->lin, moment);
    else
      store3(sum->lin, add(load3(sum->lin), moment));
  }
}

// Momentum of one body about its origin, body axes: p = m v + omega x mc, l = mc x v + I omega.
FFI_ALWAYS void body_momentum(const ffi_body *b, const ffi_twist *t, vec3 *p, vec3 *l)
{
  const vec3 v = load3(t->lin), omega = load3(t->ang), mc = splat3(b->mc);
  *p = axpy(splat(b->mass), v, cross(omega, mc));
  *l = add(cross(mc, v), mulsym(b->I, omega));
}

void FFI_KERNEL(momentum)(const ffi_work *w, double *momentum)
{
  const ff_model *m = w->model;
  const vec3 c = centre(w);
  vec3 p = vec(splat(0.0), splat(0.0), splat(0.0)), l = p;
  for (int i = 1; i < m->body_count; ++i) {
    vec3 pb, lb;
    body_momentum(&m->bodies[i], &w->vel[i], &pb, &lb);
    pb = mul3(w->pose[i].R, pb);
    p = add(p, pb);
    l = add(l, add(mul3(w->pose[i].R, lb), cross(sub(load3(w->pose[i].p), c), pb)));
  }
  give_spatial(momentum, p, l);
}

// The rate of momentum at vdot = 0: of each body I a + V x* I V, a its acceleration then.
void FFI_KERNEL(momentum_bias)(const ffi_work *w, double *bias)
{
  const ff_model *m = w->model;
  const vec3 c = centre(w);
  vec3 f = vec(splat(0.0), splat(0.0), splat(0.0)), n = f;
  for (int i = 1; i < m->body_count; ++i) {
    const vec3 v = load3(w->vel[i].lin), omega = load3(w->vel[i].ang);
    vec3 p, l, fb, nb;
    body_momentum(&m->bodies[i], &w->vel[i], &p, &l);
    body_momentum(&m->bodies[i], &w->bias[i], &fb, &nb); // the inertia times an acceleration
    fb = mul3(w->pose[i].R, add_cross(fb, omega, p));
    nb = mul3(w->pose[i].R, add_cross(add_cross(nb, omega, l), v,
                                      cross(omega, splat3(m->bodies[i].mc)))); // v x p, v x m v = 0
    f = add(f, fb);
    n = add(n, add(nb, cross(sub(load3(w->pose[i].p), c), fb)));
  }
  give_spatial(bias, f, n);
}

void FFI_KERNEL(kinetic_energy)(const ffi_work *w, double *energy)
{
  const ff_model *m = w->model;
  real twice = splat(0.0);
  for (int i = 1; i < m->body_count; ++i) {
    vec3 p, l;
    body_momentum(&m->bodies[i], &w->vel[i], &p, &l);
    twice = twice + dot(p, load3(w->vel[i].lin)) + dot(l, load3(w->vel[i].ang));
  }
  for (int k = 0; k < w->loaded_count; ++k) {
    const real v = w->v[w->loaded[k]];
    twice = twice + m->dof_armature[w->loaded[k]] * (v * v);
  }
  *(real_u *)energy = 0.5 * twice;
}

void FFI_KERNEL(potential_energy)(const ffi_work *w, double *energy)
{
  const ff_model *m = w->model;
  real sum = dot(first_moment(w), load3(w->motion[0].a)); // minus gravity
  for (int i = 1; m->lift && i < m->body_count; ++i) {
    const double *lift = m->lift + 4 * i;
    const vec3 moment = axpy(splat(lift[0]), load3(w->pose[i].p), mul3(w->pose[i].R, splat3(lift + 1)));
    sum = sum + dot(moment, splat3(m->gravity));
  }
  *(real_u *)energy = sum;
}
