/// joint.h: what each kind of joint does to vectors, with the kind known at compile time.
///
/// Every function takes `kind` first and is always inlined; a kernel writes its body once as an inline function of a
/// constant kind and calls it through FFI_DISPATCH, so that the compiler makes one copy per kind in which rotations
/// about a coordinate axis are four multiplications and motion subspaces are component picks.
#ifndef FFI_DYNAMICS_JOINT_H
#define FFI_DYNAMICS_JOINT_H

#include "dynamics/workspace.h"

#define FFI_CASE(KIND, f, ...)                                                                               \
  case KIND: f(KIND, __VA_ARGS__); break;

/// f(kind, ...) with the kind a constant.
#define FFI_DISPATCH(kind, f, ...)                                                                           \
  switch (kind) {                                                                                            \
    FFI_CASE(FFI_KIND_REVOLUTE_X, f, __VA_ARGS__)                                                            \
    FFI_CASE(FFI_KIND_REVOLUTE_Y, f, __VA_ARGS__)                                                            \
    FFI_CASE(FFI_KIND_REVOLUTE_Z, f, __VA_ARGS__)                                                            \
    FFI_CASE(FFI_KIND_REVOLUTE_G, f, __VA_ARGS__)                                                            \
    FFI_CASE(FFI_KIND_PRISMATIC_X, f, __VA_ARGS__)                                                           \
    FFI_CASE(FFI_KIND_PRISMATIC_Y, f, __VA_ARGS__)                                                           \
    FFI_CASE(FFI_KIND_PRISMATIC_Z, f, __VA_ARGS__)                                                           \
    FFI_CASE(FFI_KIND_PRISMATIC_G, f, __VA_ARGS__)                                                           \
    FFI_CASE(FFI_KIND_PLANAR, f, __VA_ARGS__)                                                                \
    FFI_CASE(FFI_KIND_SPHERICAL, f, __VA_ARGS__)                                                             \
    FFI_CASE(FFI_KIND_FREE, f, __VA_ARGS__)                                                                  \
  default: break;                                                                                            \
  }

FFI_ALWAYS int is_revolute(const int kind)
{
  return kind >= FFI_KIND_REVOLUTE_X && kind <= FFI_KIND_REVOLUTE_G;
}
FFI_ALWAYS int is_prismatic(const int kind)
{
  return kind >= FFI_KIND_PRISMATIC_X && kind <= FFI_KIND_PRISMATIC_G;
}
/// The coordinate axis of a joint with one: 0 x, 1 y, 2 z.
FFI_ALWAYS int axis_of(const int kind)
{
  return kind == FFI_KIND_REVOLUTE_X || kind == FFI_KIND_PRISMATIC_X   ? 0
         : kind == FFI_KIND_REVOLUTE_Y || kind == FFI_KIND_PRISMATIC_Y ? 1
                                                                       : 2;
}
/// A rotation matrix is stored for these (in work->E); the others need only sine and cosine, or nothing.
FFI_ALWAYS int has_matrix(const int kind)
{
  return kind == FFI_KIND_REVOLUTE_G || kind >= FFI_KIND_PRISMATIC_G;
}
/// The origin moves in the parent (work->shift); for the others it is the constant body->p.
FFI_ALWAYS int has_shift(const int kind)
{
  return is_prismatic(kind) || kind == FFI_KIND_PLANAR || kind == FFI_KIND_FREE;
}

/// The transform of one body: loaded once, used for several vectors.
typedef struct joint_x {
  real s, c;     ///< revolute about x, y, z
  const real *E; ///< kinds with a matrix
  vec3 p;        ///< origin in the parent
} joint_x;

FFI_ALWAYS joint_x load_joint(const int kind, const ffi_work *w, const ffi_body *b, int i)
{
  joint_x x;
  x.s = x.c = splat(0.0);
  if (is_revolute(kind)) {
    x.s = w->sn[b->q];
    x.c = w->cs[b->q];
  }
  x.E = w->E + 9 * i;
  x.p = has_shift(kind) ? load3(w->shift + 3 * i) : splat3(b->p);
  return x;
}

/// Body to parent.
FFI_ALWAYS vec3 to_parent(const int kind, const joint_x *x, vec3 v)
{
  if (has_matrix(kind))
    return mul3(x->E, v);
  if (kind == FFI_KIND_REVOLUTE_X)
    return vec(v.x, x->c * v.y - x->s * v.z, x->s * v.y + x->c * v.z);
  if (kind == FFI_KIND_REVOLUTE_Y)
    return vec(x->c * v.x + x->s * v.z, v.y, x->c * v.z - x->s * v.x);
  if (kind == FFI_KIND_REVOLUTE_Z)
    return vec(x->c * v.x - x->s * v.y, x->s * v.x + x->c * v.y, v.z);
  return v;
}

/// Parent to body.
FFI_ALWAYS vec3 to_body(const int kind, const joint_x *x, vec3 v)
{
  if (has_matrix(kind))
    return mul3t(x->E, v);
  if (kind == FFI_KIND_REVOLUTE_X)
    return vec(v.x, x->c * v.y + x->s * v.z, x->c * v.z - x->s * v.y);
  if (kind == FFI_KIND_REVOLUTE_Y)
    return vec(x->c * v.x - x->s * v.z, v.y, x->s * v.x + x->c * v.z);
  if (kind == FFI_KIND_REVOLUTE_Z)
    return vec(x->c * v.x + x->s * v.y, x->c * v.y - x->s * v.x, v.z);
  return v;
}

/// One component of a vector, and a component added to.
FFI_ALWAYS real pick(const int axis, vec3 v)
{
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
FFI_ALWAYS vec3 add_along(const int axis, vec3 v, real s)
{
  if (axis == 0)
    v.x = v.x + s;
  if (axis == 1)
    v.y = v.y + s;
  if (axis == 2)
    v.z = v.z + s;
  return v;
}
/// v x (s e): the cross product with a multiple of a coordinate axis, added to u.
FFI_ALWAYS vec3 add_cross_axis(const int axis, vec3 u, vec3 v, real s)
{
  if (axis == 0)
    return vec(u.x, u.y + v.z * s, u.z - v.y * s);
  if (axis == 1)
    return vec(u.x - v.z * s, u.y, u.z + v.x * s);
  return vec(u.x + v.y * s, u.y - v.x * s, u.z);
}

/// Joint velocity or acceleration of the body in its own axes, from its slice of v or vdot.
typedef struct joint_rate {
  vec3 lin, ang;
} joint_rate;

FFI_ALWAYS joint_rate load_rate(const int kind, const real_u *v)
{
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  joint_rate r = {none, none};
  if (is_revolute(kind))
    r.ang = add_along(axis_of(kind), none, v[0]);
  if (is_prismatic(kind))
    r.lin = add_along(axis_of(kind), none, v[0]);
  if (kind == FFI_KIND_SPHERICAL)
    r.ang = vec(v[0], v[1], v[2]);
  if (kind == FFI_KIND_PLANAR) {
    r.lin = vec(v[0], v[1], splat(0.0));
    r.ang = vec(splat(0.0), splat(0.0), v[2]);
  }
  if (kind == FFI_KIND_FREE) {
    r.lin = vec(v[0], v[1], v[2]);
    r.ang = vec(v[3], v[4], v[5]);
  }
  return r;
}

/// S' (f, n): the joint's own components of a force, in the order of its velocities.
FFI_ALWAYS void project(const int kind, vec3 f, vec3 n, real *tau)
{
  if (is_revolute(kind))
    tau[0] = pick(axis_of(kind), n);
  if (is_prismatic(kind))
    tau[0] = pick(axis_of(kind), f);
  if (kind == FFI_KIND_SPHERICAL)
    store3(tau, n);
  if (kind == FFI_KIND_PLANAR)
    store3(tau, vec(f.x, f.y, n.z));
  if (kind == FFI_KIND_FREE) {
    store3(tau, f);
    store3(tau + 3, n);
  }
}
/// Number of velocities of a kind.
FFI_ALWAYS int freedom(const int kind)
{
  return kind == FFI_KIND_FREE ? 6 : kind >= FFI_KIND_PLANAR ? 3 : 1;
}

/// Does the joint translate along, or turn about, the k-th axis of its body?
FFI_ALWAYS int moves_along(const int kind, int k)
{
  return kind == FFI_KIND_FREE || (kind == FFI_KIND_PLANAR && k < 2) ||
         (is_prismatic(kind) && axis_of(kind) == k);
}
FFI_ALWAYS int turns_about(const int kind, int k)
{
  return kind == FFI_KIND_FREE || kind == FFI_KIND_SPHERICAL || (kind == FFI_KIND_PLANAR && k == 2) ||
         (is_revolute(kind) && axis_of(kind) == k);
}

/// What the joint's velocities do to a point of the body at x, world axes: lin [n] moves it, ang [n] turns the body.
/// In the order of the velocities, translations first; returns n.
FFI_ALWAYS int joint_columns(const int kind, const ffi_body_pose *body, vec3 x, vec3 *lin, vec3 *ang)
{
  const vec3 none = vec(splat(0.0), splat(0.0), splat(0.0));
  const vec3 arm = sub(x, load3(body->p));
  int n = 0;
  for (int k = 0; k < 3; ++k)
    if (moves_along(kind, k)) {
      lin[n] = vec(body->R[k], body->R[3 + k], body->R[6 + k]);
      ang[n++] = none;
    }
  for (int k = 0; k < 3; ++k)
    if (turns_about(kind, k)) {
      ang[n] = vec(body->R[k], body->R[3 + k], body->R[6 + k]);
      lin[n] = cross(ang[n], arm);
      ++n;
    }
  return n;
}

/// A (row-major) of [3 x 3] times rotation about a coordinate axis, or any rotation.
FFI_ALWAYS void compose(const int kind, const joint_x *x, const real *R, real *out)
{
  for (int r = 0; r < 3; ++r) {
    // row r of R E = (E' R_r')'
    const vec3 row = to_body(kind, x, load3(R + 3 * r));
    store3(out + 3 * r, row);
  }
}

/// R S R' for a symmetric S [6]: from body to parent axes.
FFI_ALWAYS void turn_symmetric(const int kind, const joint_x *x, const real *S, real *out)
{
  const real xx = S[0], xy = S[1], xz = S[2], yy = S[3], yz = S[4], zz = S[5];
  if (has_matrix(kind)) {
    // columns of S turned, then rows
    const vec3 a = mul3(x->E, vec(xx, xy, xz)), b = mul3(x->E, vec(xy, yy, yz)),
               c = mul3(x->E, vec(xz, yz, zz));
    const vec3 r0 = mul3(x->E, vec(a.x, b.x, c.x));
    out[0] = r0.x;
    out[1] = r0.y;
    out[2] = r0.z;
    out[3] = x->E[3] * a.y + x->E[4] * b.y + x->E[5] * c.y;
    out[4] = x->E[6] * a.y + x->E[7] * b.y + x->E[8] * c.y;
    out[5] = xx + yy + zz - out[0] - out[3];
    return;
  }
  const real s = x->s, c = x->c;
  if (kind == FFI_KIND_REVOLUTE_X) {
    const real a = c * yy - s * yz, b = c * yz - s * zz;
    const real ny = c * a - s * b;
    out[0] = xx;
    out[1] = c * xy - s * xz;
    out[2] = s * xy + c * xz;
    out[3] = ny;
    out[4] = s * a + c * b;
    out[5] = yy + zz - ny;
  } else if (kind == FFI_KIND_REVOLUTE_Y) {
    const real a = c * xx + s * xz, b = c * xz + s * zz;
    const real nx = c * a + s * b;
    out[0] = nx;
    out[1] = c * xy + s * yz;
    out[2] = c * b - s * a;
    out[3] = yy;
    out[4] = c * yz - s * xy;
    out[5] = xx + zz - nx;
  } else if (kind == FFI_KIND_REVOLUTE_Z) {
    const real a = c * xx - s * xy, b = c * xy - s * yy;
    const real nx = c * a - s * b;
    out[0] = nx;
    out[1] = s * a + c * b;
    out[2] = c * xz - s * yz;
    out[3] = xx + yy - nx;
    out[4] = s * xz + c * yz;
    out[5] = zz;
  } else {
    for (int k = 0; k < 6; ++k)
      out[k] = S[k];
  }
}

/// E H E' for a general H [9] row-major: from body to parent axes.
FFI_ALWAYS void turn_matrix(const int kind, const joint_x *x, const real *H, real *out)
{
  real T[9];
  for (int k = 0; k < 3; ++k) { // columns: E H
    const vec3 col = to_parent(kind, x, vec(H[k], H[3 + k], H[6 + k]));
    T[k] = col.x;
    T[3 + k] = col.y;
    T[6 + k] = col.z;
  }
  for (int r = 0; r < 3; ++r)
    store3(out + 3 * r, to_parent(kind, x, load3(T + 3 * r)));
}

#endif
