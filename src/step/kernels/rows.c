// Rows of points on bodies, for one robot: Jacobians along a path, and the acceleration that the present motion alone gives a point.
#include "dynamics/joint.h"

#include "step/kernels.h"

#include "variant.h"

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

void FFI_KERNEL(point_bias)(const ffi_work *w, int body, const double x[3], ffi_point_motion *out)
{
  const ffi_body_pose *pose = &w->pose[body];
  const ffi_motion *m = &w->motion[body];
  const vec3 r = mul3t(pose->R, sub(vec(x[0], x[1], x[2]), load3(pose->p)));
  const vec3 a = mul3(pose->R, add_mul3(load3(m->a), m->B, r));
  store3(out->acceleration, add(a, splat3(w->model->gravity)));
  store3(out->omega, mul3(pose->R, load3(m->omega)));
  store3(out->alpha, mul3(pose->R, load3(m->alpha)));
}
