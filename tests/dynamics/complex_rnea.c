// Newton and Euler link by link over complex numbers.
#include "dynamics/complex_rnea.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Motion of a link in the world: pose, velocity and acceleration of its origin, less gravity; and the directions of its
// joint's velocities, if it has one.
typedef struct moving_link {
  ffi_complex R[9], p[3], w[3], v[3], al[3], a[3];
  int nv, first, parent; // parent: link, -1 the world
  ffi_complex along[6][3], about[6][3];
} moving_link;

// ---- Vectors ----------------------------------------------------------------------------------------------

// out += a x b.
static void add_cross(const ffi_complex *a, const ffi_complex *b, ffi_complex *out)
{
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

static void turn(const ffi_complex *R, const ffi_complex *x, ffi_complex *out)
{
  for (int r = 0; r < 3; ++r)
    out[r] = R[3 * r] * x[0] + R[3 * r + 1] * x[1] + R[3 * r + 2] * x[2];
}

static void turn_back(const ffi_complex *R, const ffi_complex *x, ffi_complex *out)
{
  for (int r = 0; r < 3; ++r)
    out[r] = R[r] * x[0] + R[3 + r] * x[1] + R[6 + r] * x[2];
}

// R := R A.
static void turn_by(ffi_complex *R, const ffi_complex *A)
{
  ffi_complex out[9];
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      out[3 * r + k] = R[3 * r] * A[k] + R[3 * r + 1] * A[3 + k] + R[3 * r + 2] * A[6 + k];
  memcpy(R, out, sizeof out);
}

static void complex3(const double *x, ffi_complex *out)
{
  for (int k = 0; k < 3; ++k)
    out[k] = x[k];
}

// Rotation by a quaternion x y z w of any length.
static void quaternion_matrix(const double *q, ffi_complex *R)
{
  const double n = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) {
      const int other = 3 - r - k, is_next = (r + 1) % 3 == k;
      R[3 * r + k] = r == k ? 1 - n * (q[(r + 1) % 3] * q[(r + 1) % 3] + q[(r + 2) % 3] * q[(r + 2) % 3])
                            : n * (q[r] * q[k] + (is_next ? -1 : 1) * q[other] * q[3]);
    }
}

// ---- Joints -----------------------------------------------------------------------------------------------

// The directions of a planar joint's first two coordinates (model.h).
static void plane_axes(const double *n, double *x, double *y)
{
  int least = 0, cardinal = -1;
  for (int k = 0; k < 3; ++k) {
    x[k] = 0;
    if (fabs(n[k]) < fabs(n[least]))
      least = k;
    if (fabs(fabs(n[k]) - 1) < 1e-12)
      cardinal = k;
  }
  if (cardinal >= 0) {
    x[(cardinal + 1) % 3] = 1;
  } else {
    const int a = (least + 1) % 3, b = (least + 2) % 3;
    const double length = hypot(n[a], n[b]);
    x[a] = -n[b] / length;
    x[b] = n[a] / length;
  }
  for (int k = 0; k < 3; ++k)
    y[k] = n[(k + 1) % 3] * x[(k + 2) % 3] - n[(k + 2) % 3] * x[(k + 1) % 3];
}

// Directions of the velocities in the link's own axes: real, and constant.
static void own_directions(const ff_joint_info *joint, double along[6][3], double about[6][3])
{
  memset(along, 0, 18 * sizeof(double));
  memset(about, 0, 18 * sizeof(double));
  switch (joint->type) {
  case FF_JOINT_FREE:
    for (int k = 0; k < 3; ++k)
      along[k][k] = about[3 + k][k] = 1;
    break;
  case FF_JOINT_SPHERICAL:
    for (int k = 0; k < 3; ++k)
      about[k][k] = 1;
    break;
  case FF_JOINT_PLANAR:
    plane_axes(joint->axis, along[0], along[1]);
    memcpy(about[2], joint->axis, sizeof about[2]);
    break;
  case FF_JOINT_PRISMATIC: memcpy(along[0], joint->axis, sizeof along[0]); break;
  default: memcpy(about[0], joint->axis, sizeof about[0]); break;
  }
}

// R := R (rotation about a unit axis), by its quaternion.
static void turn_about(const double *axis, double angle, ffi_complex *R)
{
  const double s = sin(angle / 2), q[4] = {s * axis[0], s * axis[1], s * axis[2], cos(angle / 2)};
  ffi_complex A[9];
  quaternion_matrix(q, A);
  turn_by(R, A);
}

static void shift_along(const double *axis, double by, moving_link *l)
{
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      l->p[r] += l->R[3 * r + k] * axis[k] * by;
}

// The pose of the joint's frame becomes the link's, at q.
static void displace(const ff_joint_info *joint, const double *q, moving_link *l)
{
  double x[3], y[3];
  ffi_complex A[9];
  switch (joint->type) {
  case FF_JOINT_FREE:
    complex3(q, l->p);
    quaternion_matrix(q + 3, l->R);
    break;
  case FF_JOINT_SPHERICAL:
    quaternion_matrix(q, A);
    turn_by(l->R, A);
    break;
  case FF_JOINT_PLANAR:
    plane_axes(joint->axis, x, y);
    shift_along(x, q[0], l);
    shift_along(y, q[1], l);
    turn_about(joint->axis, q[2], l->R);
    break;
  case FF_JOINT_PRISMATIC: shift_along(joint->axis, q[0], l); break;
  default: turn_about(joint->axis, q[0], l->R); break;
  }
}

// A first step in the tangent space: p += R u, R := R (1 + [w]).
static void step_by(const ffi_complex *u, const ffi_complex *w, moving_link *l)
{
  const ffi_complex A[9] = {1, -w[2], w[1], w[2], 1, -w[0], -w[1], w[0], 1};
  ffi_complex by[3];
  turn(l->R, u, by);
  for (int k = 0; k < 3; ++k)
    l->p[k] += by[k];
  turn_by(l->R, A);
}

// Sum of velocities times directions.
static void combine(int nv, double directions[6][3], const ffi_complex *x, ffi_complex *out)
{
  for (int r = 0; r < 3; ++r) {
    out[r] = 0;
    for (int k = 0; k < nv; ++k)
      out[r] += directions[k][r] * x[k];
  }
}

// ---- Motion -----------------------------------------------------------------------------------------------

// With d from the parent's origin to the link's and the joint's u, w in world axes:
//   omega = omega_p + w,        alpha = alpha_p + omega x w + wdot
//   v = v_p + omega_p x d + u,  a = a_p + alpha_p x d + omega_p x (v - v_p) + omega x u + udot
static void move(const ffi_complex u[3], const ffi_complex w[3], const ffi_complex udot[3],
                 const ffi_complex wdot[3], const moving_link *up, moving_link *l)
{
  ffi_complex d[3], relative[3];
  for (int k = 0; k < 3; ++k) {
    d[k] = l->p[k] - up->p[k];
    relative[k] = u[k];
    l->w[k] = up->w[k] + w[k];
    l->al[k] = up->al[k] + wdot[k];
    l->a[k] = up->a[k] + udot[k];
  }
  add_cross(up->w, d, relative);
  add_cross(l->w, w, l->al);
  for (int k = 0; k < 3; ++k)
    l->v[k] = up->v[k] + relative[k];
  add_cross(up->al, d, l->a);
  add_cross(up->w, relative, l->a);
  add_cross(l->w, u, l->a);
}

static void place_link(const ff_model *model, const ff_link_info *info, const ffi_complex_state *s,
                       const moving_link *up, moving_link *l)
{
  ffi_complex A[9], offset[3], zero[3] = {0};
  memset(l, 0, sizeof *l);
  l->parent = info->parent;
  quaternion_matrix(info->pose.quaternion, A);
  complex3(info->pose.position, offset);
  turn(up->R, offset, l->p);
  for (int k = 0; k < 3; ++k)
    l->p[k] += up->p[k];
  memcpy(l->R, up->R, sizeof l->R);
  turn_by(l->R, A);
  if (info->joint_type == FF_JOINT_FIXED) {
    move(zero, zero, zero, zero, up, l);
    return;
  }
  ff_joint_info joint;
  double along[6][3], about[6][3];
  ffi_complex own[4][3], world[4][3];
  ff_model_joint(model, info->joint, &joint);
  own_directions(&joint, along, about);
  displace(&joint, s->q + joint.q, l);
  combine(joint.nv, along, s->step + joint.v, own[0]);
  combine(joint.nv, about, s->step + joint.v, own[1]);
  step_by(own[0], own[1], l);
  combine(joint.nv, along, s->v + joint.v, own[0]);
  combine(joint.nv, about, s->v + joint.v, own[1]);
  combine(joint.nv, along, s->vdot + joint.v, own[2]);
  combine(joint.nv, about, s->vdot + joint.v, own[3]);
  for (int k = 0; k < 4; ++k)
    turn(l->R, own[k], world[k]);
  move(world[0], world[1], world[2], world[3], up, l);
  l->nv = joint.nv;
  l->first = joint.v;
  for (int k = 0; k < joint.nv; ++k) {
    complex3(along[k], offset);
    turn(l->R, offset, l->along[k]);
    complex3(about[k], offset);
    turn(l->R, offset, l->about[k]);
  }
}

// ---- Forces -----------------------------------------------------------------------------------------------

// A force at x and a torque on a link load every joint between it and the world.
static void load_joints(const moving_link *links, int link, const ffi_complex x[3], const ffi_complex f[3],
                        const ffi_complex torque[3], ffi_complex *tau)
{
  for (; link >= 0; link = links[link].parent) {
    const moving_link *l = &links[link];
    ffi_complex arm[3], n[3];
    for (int k = 0; k < 3; ++k) {
      arm[k] = x[k] - l->p[k];
      n[k] = torque[k];
    }
    add_cross(arm, f, n);
    for (int k = 0; k < l->nv; ++k)
      for (int r = 0; r < 3; ++r)
        tau[l->first + k] += l->along[k][r] * f[r] + l->about[k][r] * n[r];
  }
}

// Newton at the centre of mass and Euler about it.
static void load_inertia(const moving_link *links, int link, const ff_inertia *inertia, ffi_complex *tau)
{
  const moving_link *l = &links[link];
  const double *T = inertia->matrix;
  ffi_complex com[3], c[3], x[3], f[3], t[3] = {0}, own[3], spin[3], rise[3], n[3];
  complex3(inertia->com, com);
  turn(l->R, com, c);
  add_cross(l->w, c, t);
  memcpy(f, l->a, sizeof f);
  add_cross(l->al, c, f);
  add_cross(l->w, t, f);
  for (int k = 0; k < 3; ++k) {
    f[k] *= inertia->mass;
    x[k] = l->p[k] + c[k];
  }
  for (int pass = 0; pass < 2; ++pass) { // I omega and I alpha
    turn_back(l->R, pass ? l->al : l->w, own);
    const ffi_complex y[3] = {T[0] * own[0] + T[1] * own[1] + T[2] * own[2],
                              T[1] * own[0] + T[3] * own[1] + T[4] * own[2],
                              T[2] * own[0] + T[4] * own[1] + T[5] * own[2]};
    turn(l->R, y, pass ? rise : spin);
  }
  memcpy(n, rise, sizeof n);
  add_cross(l->w, spin, n);
  load_joints(links, link, x, f, n, tau);
}

static void load_force(const ff_model *model, const moving_link *links, const ff_point_force *force,
                       ffi_complex *tau)
{
  ff_frame_info frame;
  ff_link_info info;
  ff_model_frame(model, force->point.frame, &frame);
  if (frame.link < 0)
    return;
  ff_model_link(model, frame.link, &info);
  assert_int_equal(info.frame, force->point.frame);
  ffi_complex offset[3], x[3], f[3], none[3] = {0};
  complex3(force->point.offset, offset);
  turn(links[frame.link].R, offset, x);
  for (int k = 0; k < 3; ++k) {
    x[k] += links[frame.link].p[k];
    f[k] = -force->force[k];
  }
  load_joints(links, frame.link, x, f, none, tau);
}

void ffi_complex_rnea(const ff_model *model, const ffi_complex_state *s, ffi_complex *tau)
{
  const ff_model_size size = ff_model_get_size(model);
  double gravity[3];
  moving_link world = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  moving_link *links = calloc((size_t)size.links + 1, sizeof *links);
  assert_non_null(links);
  ff_model_gravity(model, gravity);
  for (int k = 0; k < 3; ++k)
    world.a[k] = -gravity[k];
  for (int i = 0; i < size.nv; ++i)
    tau[i] = 0;
  for (int k = 0; k < size.links; ++k) {
    ff_link_info info;
    ff_model_link(model, k, &info);
    assert_true(info.parent < k);
    place_link(model, &info, s, info.parent < 0 ? &world : &links[info.parent], &links[k]);
    load_inertia(links, k, &info.inertia, tau);
  }
  for (int k = 0; k < s->count; ++k)
    load_force(model, links, &s->forces[k], tau);
  for (int k = 0; k < size.joints; ++k) {
    ff_joint_info joint;
    ff_model_joint(model, k, &joint);
    for (int i = joint.v; i < joint.v + joint.nv; ++i)
      tau[i] += joint.armature * s->vdot[i] + joint.damping * s->v[i];
  }
  free(links);
}

void ffi_complex_derivatives(const ff_model *model, const ffi_complex_rnea_input *at, double *dtau_dq,
                             double *dtau_dv)
{
  const int n = ff_model_get_size(model).nv;
  const double h = 1e-40;
  ffi_complex *all = calloc(4 * (size_t)n + 1, sizeof *all);
  assert_non_null(all);
  ffi_complex *step = all, *rate = all + n, *rise = all + 2 * n, *tau = all + 3 * n;
  const ffi_complex_state s = {at->q, step, rate, rise, at->forces, at->count};
  for (int k = 0; k < n; ++k) {
    rate[k] = at->v[k];
    rise[k] = at->vdot[k];
  }
  for (int k = 0; k < n; ++k) {
    step[k] = h * I;
    ffi_complex_rnea(model, &s, tau);
    step[k] = 0;
    for (int i = 0; i < n; ++i)
      dtau_dq[i * n + k] = cimag(tau[i]) / h;
    rate[k] = at->v[k] + h * I;
    ffi_complex_rnea(model, &s, tau);
    rate[k] = at->v[k];
    for (int i = 0; i < n; ++i)
      dtau_dv[i * n + k] = cimag(tau[i]) / h;
  }
  free(all);
}
