// Rows of points on bodies, for one robot: Jacobians along a path, and the acceleration that the present motion alone gives a point.
#include "dynamics/joint.h"

#include "step/step_kernels.h"

#include "step/kernels/step_kernels_variant.h"

FFI_ALWAYS void put_columns(const int kind, const ffi_body_pose *pose, vec3 x, double sign, double *linear,
                            double *angular, int stride)
{
  vec3 lin[6], ang[6];
  const int n = joint_columns(kind, pose, x, lin, ang);
  for (int k = 0; k < n; ++k) {
    if (linear) {
      linear[k] = sign * lin[k].x;
      linear[stride + k] = sign * lin[k].y;
      linear[2 * stride + k] = sign * lin[k].z;
    }
    if (angular) {
      angular[k] = sign * ang[k].x;
      angular[stride + k] = sign * ang[k].y;
      angular[2 * stride + k] = sign * ang[k].z;
    }
  }
}

void FFI_KERNEL(path_rows)(const ffi_work *w, int body, const double x[3], double sign, double *linear,
                           double *angular, int stride)
{
  const ff_model *m = w->model;
  const vec3 at = vec(x[0], x[1], x[2]);
  for (int i = body; i > 0; i = m->bodies[i].parent) {
    const ffi_body *b = &m->bodies[i];
    const int position = b->depth - b->nv;
    FFI_DISPATCH(b->kind, put_columns, &w->pose[i], at, sign, linear ? linear + position : NULL,
                 angular ? angular + position : NULL, stride);
  }
}

void FFI_KERNEL(point_bias)(const ffi_work *w, int body, const double x[3], ffi_step_kernels_motion *out)
{
  const ffi_body_pose *pose = &w->pose[body];
  const ffi_motion *m = &w->motion[body];
  const vec3 r = mul3t(pose->R, sub(vec(x[0], x[1], x[2]), load3(pose->p)));
  const vec3 a = mul3(pose->R, add_mul3(load3(m->a), m->B, r));
  store3(out->acceleration, add(a, splat3(w->model->gravity)));
  store3(out->omega, mul3(pose->R, load3(m->omega)));
  store3(out->alpha, mul3(pose->R, load3(m->alpha)));
}

// Rows of the joint of a body at x, by position, and their product with the joint's velocities added to u.
FFI_ALWAYS vec3 put_and_move(const int kind, const ffi_body_pose *pose, vec3 x, const double *v, double *J,
                             int stride, vec3 u)
{
  vec3 lin[6], ang[6];
  const int n = joint_columns(kind, pose, x, lin, ang);
  for (int k = 0; k < n; ++k) {
    J[k] = lin[k].x;
    J[stride + k] = lin[k].y;
    J[2 * stride + k] = lin[k].z;
    u = axpy(v[k], lin[k], u);
  }
  return u;
}

void FFI_KERNEL(point_contact)(const ffi_work *w, int body, const double x_in[3], const double *v, double *J,
                               int stride, double u_out[3], double c_out[3])
{
  const ff_model *m = w->model;
  const vec3 x = vec(x_in[0], x_in[1], x_in[2]);
  vec3 u = vec(0, 0, 0);
  for (int i = body; i > 0; i = m->bodies[i].parent) {
    const ffi_body *b = &m->bodies[i];
    const ffi_body_pose *pose = &w->pose[i];
    const int at = b->depth - b->nv;
    switch (b->kind) { // columns are axes of the body: only their number and kind differ
    case FFI_KIND_REVOLUTE_X:
      u = put_and_move(FFI_KIND_REVOLUTE_X, pose, x, v + b->v, J + at, stride, u);
      break;
    case FFI_KIND_REVOLUTE_Y:
      u = put_and_move(FFI_KIND_REVOLUTE_Y, pose, x, v + b->v, J + at, stride, u);
      break;
    case FFI_KIND_REVOLUTE_Z:
    case FFI_KIND_REVOLUTE_G:
      u = put_and_move(FFI_KIND_REVOLUTE_Z, pose, x, v + b->v, J + at, stride, u);
      break;
    case FFI_KIND_PRISMATIC_X:
      u = put_and_move(FFI_KIND_PRISMATIC_X, pose, x, v + b->v, J + at, stride, u);
      break;
    case FFI_KIND_PRISMATIC_Y:
      u = put_and_move(FFI_KIND_PRISMATIC_Y, pose, x, v + b->v, J + at, stride, u);
      break;
    case FFI_KIND_PRISMATIC_Z:
    case FFI_KIND_PRISMATIC_G:
      u = put_and_move(FFI_KIND_PRISMATIC_Z, pose, x, v + b->v, J + at, stride, u);
      break;
    case FFI_KIND_PLANAR: u = put_and_move(FFI_KIND_PLANAR, pose, x, v + b->v, J + at, stride, u); break;
    case FFI_KIND_SPHERICAL:
      u = put_and_move(FFI_KIND_SPHERICAL, pose, x, v + b->v, J + at, stride, u);
      break;
    case FFI_KIND_FREE: u = put_and_move(FFI_KIND_FREE, pose, x, v + b->v, J + at, stride, u); break;
    default: break;
    }
  }
  store3(u_out, u);
  const ffi_body_pose *pose = &w->pose[body];
  const ffi_motion *motion = &w->motion[body];
  const vec3 r = mul3t(pose->R, sub(x, load3(pose->p)));
  store3(c_out, add(mul3(pose->R, add_mul3(load3(motion->a), motion->B, r)), splat3(m->gravity)));
}
