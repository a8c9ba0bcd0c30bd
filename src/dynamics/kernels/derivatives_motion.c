// The motion of every body in the frame of its tree's root, and the integrals over each body's mass that derivatives
// need: first sweep of derivatives.h. docs/theory/dynamics.md eqs 12 to 18
#include "derivatives.h"
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

// Integrals over the body's mass about the root's origin: with c = R mc, h = m p + c, and k = c + m p / 2
//   Sigma = R Sigma_b R' + k p' + p k',        I = tr(Sigma) 1 - Sigma.
FFI_ALWAYS void place_mass(const ffi_body *b, const ffi_body_pose *pose, ffi_subtree *own, real *Sigma)
{
  joint_x turn;
  turn.E = pose->R;
  const vec3 p = load3(pose->p);
  real S[6], T[6];
  for (int k = 0; k < 6; ++k)
    S[k] = splat(b->Sigma[k]);
  turn_symmetric(FFI_KIND_FREE, &turn, S, T);
  const vec3 c = mul3(pose->R, splat3(b->mc)), k = axpy(splat(0.5 * b->mass), p, c), t = add(p, p);
  store3(own->h, axpy(splat(b->mass), p, c));
  Sigma[0] = T[0] + t.x * k.x;
  Sigma[1] = T[1] + p.x * k.y + p.y * k.x;
  Sigma[2] = T[2] + p.x * k.z + p.z * k.x;
  Sigma[3] = T[3] + t.y * k.y;
  Sigma[4] = T[4] + p.y * k.z + p.z * k.y;
  Sigma[5] = T[5] + t.z * k.z;
  own->I[0] = Sigma[3] + Sigma[5];
  own->I[1] = -Sigma[1];
  own->I[2] = -Sigma[2];
  own->I[3] = Sigma[0] + Sigma[5];
  own->I[4] = -Sigma[4];
  own->I[5] = Sigma[0] + Sigma[3];
}

// tr(A) 1 - A, by rows of A.
FFI_ALWAYS void store_rest(real *out, vec3 a0, vec3 a1, vec3 a2)
{
  out[0] = a1.y + a2.z;
  out[1] = -a0.y;
  out[2] = -a0.z;
  out[3] = -a1.x;
  out[4] = a0.x + a2.z;
  out[5] = -a1.z;
  out[6] = -a2.x;
  out[7] = -a2.y;
  out[8] = a0.x + a1.y;
}

// Eq. 17: twice the momentum, p = 2 (m v + omega x h), and C = tr(K) 1 - K of K = 2 (v h' + [omega] Sigma).
FFI_ALWAYS void move_mass(const ffi_body *b, ffi_subtree *own, const real *S, spatial V)
{
  const vec3 v = add(V.lin, V.lin), w = add(V.ang, V.ang), h = load3(own->h);
  const vec3 s0 = vec(S[0], S[1], S[2]), s1 = vec(S[1], S[3], S[4]), s2 = vec(S[2], S[4], S[5]);
  store3(own->p, add_cross(scale(splat(b->mass), v), w, h));
  store_rest(own->C, axpy(w.y, s2, axpy(-w.z, s1, scale(v.x, h))),
             axpy(w.z, s0, axpy(-w.x, s2, scale(v.y, h))), axpy(w.x, s1, axpy(-w.y, s0, scale(v.z, h))));
}

// Force that the motion takes: mass at r accelerates with a + T r, a = A_lin + omega x v, T = [alpha] + [omega]^2, and
// so f = m a + T h, n = h x a + axial(T Sigma). As in rnea.c.
FFI_ALWAYS void force_mass(const ffi_body *b, ffi_subtree *own, const real *S, spatial V, spatial A)
{
  const vec3 w = V.ang, al = A.ang, h = load3(own->h), a = add_cross(A.lin, w, V.lin);
  const real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const real xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  const real T[9] = {-(yy + zz), xy - al.z, xz + al.y, xy + al.z, -(xx + zz),
                     yz - al.x,  xz - al.y, yz + al.x, -(xx + yy)};
  store3(own->force.lin, add_mul3(scale(splat(b->mass), a), T, h));
  const vec3 n = cross(h, a);
  own->force.ang[0] = n.x + T[6] * S[1] + T[7] * S[3] + T[8] * S[4] - T[3] * S[2] - T[4] * S[4] - T[5] * S[5];
  own->force.ang[1] = n.y + T[0] * S[2] + T[1] * S[4] + T[2] * S[5] - T[6] * S[0] - T[7] * S[1] - T[8] * S[2];
  own->force.ang[2] = n.z + T[3] * S[0] + T[4] * S[1] + T[5] * S[2] - T[0] * S[1] - T[1] * S[3] - T[2] * S[4];
}

// Pose of the body, velocity and acceleration of its parent. A root has the identity, in an inertial frame that
// coincides with it at this moment; gravity is an acceleration of the world.
FFI_ALWAYS void take_place(const int kind, const ffi_work *w, const ffi_body *b, int i, ffi_body_pose *pose,
                           spatial *V, spatial *A)
{
  const joint_x x = load_joint(kind, w, b, i);
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  if (kind == FFI_KIND_FREE || b->parent == 0) {
    for (int k = 0; k < 9; ++k)
      pose->R[k] = splat(k % 4 == 0 ? 1.0 : 0.0);
    store3(pose->p, none);
    *V = spatial_of(none, none);
    *A = spatial_of(to_body(kind, &x, load3(w->motion[0].a)), none);
    return;
  }
  const ffi_subtree *up = &w->subtree[b->parent];
  compose(kind, &x, up->pose.R, pose->R);
  store3(pose->p, add_mul3(load3(up->pose.p), up->pose.R, x.p));
  *V = twist_of(&up->vel);
  *A = twist_of(&up->acc);
}

// Columns of the joint, and its velocity: V and A become the body's. For one velocity V x J is the same with the body's
// V and with its parent's.
FFI_ALWAYS void add_joint(const int kind, const ffi_body_pose *pose, const real_u *v,
                          ffi_velocity_column *column, spatial *V, spatial *A)
{
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  vec3 lin[6], ang[6];
  spatial P[6], joint = spatial_of(none, none);
  joint_columns(kind, pose, none, lin, ang);
  for (int k = 0; k < freedom(kind); ++k) {
    const spatial J = spatial_of(lin[k], ang[k]);
    P[k] = cross_motion(*V, J);
    joint = axpy6(v[k], J, joint);
    store6(column[k].J, J);
    store6(column[k].P, P[k]);
  }
  *V = add6(*V, joint);
  *A = freedom(kind) == 1 ? axpy6(v[0], P[0], *A) : add6(*A, cross_motion(*V, joint));
  for (int k = 0; k < freedom(kind); ++k) {
    const spatial Jdot = freedom(kind) == 1 ? P[k] : cross_motion(*V, spatial_of(lin[k], ang[k]));
    store6(column[k].W, add6(P[k], Jdot));
  }
}

FFI_ALWAYS void down(const int kind, ffi_work *w, const ffi_body *b, int i, const real_u *v)
{
  ffi_subtree *own = &w->subtree[i];
  ffi_body_pose *pose = &own->pose;
  spatial V, A;
  take_place(kind, w, b, i, pose, &V, &A);
  if (kind == FFI_KIND_FREE) {
    const joint_rate rate = load_rate(kind, v + b->v);
    V = spatial_of(rate.lin, rate.ang);
  } else
    add_joint(kind, pose, v + b->v, w->column + b->v, &V, &A);
  set_twist(&own->vel, V);
  set_twist(&own->acc, A);
  real Sigma[6];
  place_mass(b, pose, own, Sigma);
  move_mass(b, own, Sigma, V);
  force_mass(b, own, Sigma, V, A);
}

// ---- Given forces -----------------------------------------------------------------------------------------

FFI_ALWAYS void into_root(const int kind, const ffi_work *w, const ffi_body *b, int i, vec3 *f)
{
  const joint_x x = load_joint(kind, w, b, i);
  *f = to_body(kind, &x, *f);
}

// A vector of the world in the axes of the body's tree.
static vec3 into_tree(const ffi_work *w, int body, vec3 f)
{
  const ff_model *m = w->model;
  int root = body;
  while (m->bodies[root].parent != 0)
    root = m->bodies[root].parent;
  FFI_DISPATCH(m->bodies[root].kind, into_root, w, &m->bodies[root], root, &f);
  return f;
}

// Three numbers of each lane's own struct.
FFI_ALWAYS vec3 gather3(const double *first)
{
  enum { STRIDE = sizeof(ff_point_force) / sizeof(double) };
  double x[3][FFI_LANES];
  for (int r = 0; r < FFI_LANES; ++r)
    for (int k = 0; k < 3; ++k)
      x[k][r] = first[r * STRIDE + k];
  vec3 out;
  memcpy(&out.x, x[0], sizeof out.x);
  memcpy(&out.y, x[1], sizeof out.y);
  memcpy(&out.z, x[2], sizeof out.z);
  return out;
}

// A force f at r takes (f, r x f) off what the motion takes, and adds to s and X. With a share: f is the force of one
// unit of it, whole = share f, and r the share times its place.
FFI_ALWAYS void add_force(ffi_subtree *own, vec3 f, vec3 r, vec3 whole)
{
  store3(own->force.lin, sub(load3(own->force.lin), whole));
  store3(own->force.ang, sub_cross(load3(own->force.ang), r, f));
  store3(own->s, add(load3(own->s), whole));
  real X[9];
  store_rest(X, scale(f.x, r), scale(f.y, r), scale(f.z, r));
  for (int k = 0; k < 9; ++k)
    own->X[k] = own->X[k] + X[k];
}

static void apply(ffi_work *w, const ff_point_force *force)
{
  const ff_model *m = w->model;
  const ffi_frame *frame = &m->frames[force->point.frame];
  if (frame->body == 0)
    return;
  const vec3 f = into_tree(w, frame->body, gather3(force->force));
  ffi_subtree *own = &w->subtree[frame->body];
  real turn[9];
  for (int k = 0; k < 9; ++k)
    turn[k] = splat(frame->R[k]);
  const vec3 offset = add_mul3(splat3(frame->p), turn, gather3(force->point.offset));
  const vec3 r = add_mul3(load3(own->pose.p), own->pose.R, offset);
  add_force(own, f, r, f);
}

// Carried weight is a given force, too: -g lift at the carried mass's centre.
static void apply_lift(ffi_work *w, int i)
{
  const ff_model *m = w->model;
  const double *lift = m->lift + 4 * i, up[3] = {-m->gravity[0], -m->gravity[1], -m->gravity[2]};
  const vec3 f = into_tree(w, i, splat3(up));
  ffi_subtree *own = &w->subtree[i];
  const vec3 moment = axpy(splat(lift[0]), load3(own->pose.p), mul3(own->pose.R, splat3(lift + 1)));
  add_force(own, f, moment, scale(splat(lift[0]), f));
}

void FFI_KERNEL(derivatives_motion)(ffi_work *w, const double *v_in, const ff_point_force *forces, int count)
{
  const ff_model *m = w->model;
  const real_u *v = (const real_u *)v_in;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, down, w, b, i, v);
  }
  if (count == 0 && !m->lift)
    return;
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  for (int i = 1; i < m->body_count; ++i) {
    store3(w->subtree[i].s, none);
    for (int k = 0; k < 9; k += 3)
      store3(w->subtree[i].X + k, none);
  }
  for (int c = 0; c < count; ++c)
    apply(w, forces + c * FFI_LANES);
  for (int i = 1; m->lift && i < m->body_count; ++i)
    apply_lift(w, i);
}
