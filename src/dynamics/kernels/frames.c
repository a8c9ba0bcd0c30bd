// Poses, velocities, accelerations and Jacobians of frames.  docs/theory/dynamics.md section 1
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

// Pose of a frame in the world.
FFI_ALWAYS void frame_in_world(const ffi_work *w, const ffi_frame *f, vec3 *p, real *R)
{
  const ffi_body_pose *b = &w->pose[f->body];
  *p = add(load3(b->p), mul3(b->R, splat3(f->p)));
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      R[3 * r + k] = b->R[3 * r] * f->R[k] + b->R[3 * r + 1] * f->R[3 + k] + b->R[3 * r + 2] * f->R[6 + k];
}

void FFI_KERNEL(frame_pose)(const ffi_work *w, int frame, double *position, double *R_out)
{
  vec3 p;
  real R[9];
  frame_in_world(w, &w->model->frames[frame], &p, R);
  if (position)
    give3(position, p);
  if (R_out)
    for (int k = 0; k < 9; ++k)
      ((real_u *)R_out)[k] = R[k];
}

// A spatial vector of a body (own axes, own origin) as one of a frame on it, in the asked axes.
FFI_ALWAYS void express(const ffi_work *w, const ffi_frame *f, ff_axes axes, vec3 lin, vec3 ang,
                        vec3 *out_lin, vec3 *out_ang)
{
  const ffi_body_pose *b = &w->pose[f->body];
  if (axes == FF_AXES_WORLD) {
    *out_ang = mul3(b->R, ang);
    *out_lin = add(mul3(b->R, lin), cross(load3(b->p), *out_ang));
    return;
  }
  lin = add(lin, cross(ang, splat3(f->p)));
  if (axes == FF_AXES_LOCAL_ALIGNED) {
    *out_ang = mul3(b->R, ang);
    *out_lin = mul3(b->R, lin);
    return;
  }
  real R[9];
  for (int k = 0; k < 9; ++k)
    R[k] = splat(f->R[k]);
  *out_ang = mul3t(R, ang);
  *out_lin = mul3t(R, lin);
}

void FFI_KERNEL(frame_velocity)(const ffi_work *w, int frame, ff_axes axes, double *velocity)
{
  const ffi_frame *f = &w->model->frames[frame];
  vec3 lin, ang;
  express(w, f, axes, load3(w->vel[f->body].lin), load3(w->vel[f->body].ang), &lin, &ang);
  give_spatial(velocity, lin, ang);
}

void FFI_KERNEL(frame_acceleration)(const ffi_work *w, int frame, ff_axes axes, int with_vdot,
                                    double *acceleration)
{
  const ffi_frame *f = &w->model->frames[frame];
  const ffi_twist *t = with_vdot ? &w->acc[f->body] : &w->bias[f->body];
  vec3 lin, ang;
  express(w, f, axes, load3(t->lin), load3(t->ang), &lin, &ang);
  if (axes == FF_AXES_LOCAL_ALIGNED) { // classical: the point's own turning is added, omega x v
    vec3 v, omega;
    express(w, f, axes, load3(w->vel[f->body].lin), load3(w->vel[f->body].ang), &v, &omega);
    lin = add(lin, cross(omega, v));
  }
  give_spatial(acceleration, lin, ang);
}

// Columns of one joint on the path to the frame.
FFI_ALWAYS void fill_columns(const int kind, const ffi_body *b, const ffi_body_pose *pose, vec3 x,
                             const real *turn, real_u *J, int nv)
{
  vec3 lin[6], ang[6];
  const int n = joint_columns(kind, pose, x, lin, ang);
  for (int k = 0; k < n; ++k) {
    if (turn) { // LOCAL: into the frame's axes
      lin[k] = mul3t(turn, lin[k]);
      ang[k] = mul3t(turn, ang[k]);
    }
    real_u *column = J + b->v + k;
    column[0] = lin[k].x;
    column[nv] = lin[k].y;
    column[2 * nv] = lin[k].z;
    column[3 * nv] = ang[k].x;
    column[4 * nv] = ang[k].y;
    column[5 * nv] = ang[k].z;
  }
}

void FFI_KERNEL(frame_jacobian)(const ffi_work *w, int frame, ff_axes axes, double *J_out)
{
  const ff_model *m = w->model;
  const ffi_frame *f = &m->frames[frame];
  const int nv = m->size.nv;
  real_u *J = (real_u *)J_out;
  for (int k = 0; k < 6 * nv; ++k)
    J[k] = splat(0.0);
  vec3 p;
  real R[9];
  frame_in_world(w, f, &p, R);
  const vec3 origin = vec(splat(0.0), splat(0.0), splat(0.0));
  const vec3 x = axes == FF_AXES_WORLD ? origin : p;
  const real *turn = axes == FF_AXES_LOCAL ? R : NULL;
  for (int i = f->body; i > 0; i = m->bodies[i].parent) {
    const ffi_body *b = &m->bodies[i];
    FFI_DISPATCH(b->kind, fill_columns, b, &w->pose[i], x, turn, J, nv);
  }
}
