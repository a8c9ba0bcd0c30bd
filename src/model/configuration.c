// Moving about in a model's configurations: each joint in its own group, see math/lie.h.
#include "math/lie.h"
#include "math/quaternion.h"
#include "model/model.h"

// ---- Neutral, normalise -----------------------------------------------------------------------------------

// A free joint's pose as it was described: its parent, if any, is fixed to the world.
static void described_pose(const ff_model *model, int joint, double q[7])
{
  const ff_link_info *link = &model->links[model->joints[joint].link];
  const ffi_frame *parent = &model->frames[link->parent < 0 ? 0 : model->links[link->parent].frame];
  double turn[4];
  ffi_m3_mulv(parent->R, link->pose.position, q);
  ffi_v3_add(q, parent->p, q);
  ffi_quat_from_matrix(parent->R, turn);
  ffi_quat_mul(turn, link->pose.quaternion, q + 3);
  ffi_quat_normalize(q + 3, q + 3);
}

void ff_model_neutral(const ff_model *model, double *q)
{
  memset(q, 0, (size_t)model->size.nq * sizeof *q);
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    if (body->kind == FFI_KIND_FREE)
      described_pose(model, i - 1, q + body->q);
    else if (body->kind == FFI_KIND_SPHERICAL)
      q[body->q + 3] = 1;
  }
}

void ff_model_normalize(const ff_model *model, double *q)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    if (body->kind != FFI_KIND_FREE && body->kind != FFI_KIND_SPHERICAL)
      continue;
    double *quaternion = q + body->q + body->nq - 4;
    ffi_quat_normalize(quaternion, quaternion);
  }
}

// ---- Integrate, difference --------------------------------------------------------------------------------
// Quaternions need not be of unit length: their direction counts, as in the kernels.

static void turn_by(const double q[4], const double w[3], double out[4])
{
  double step[4], unit[4];
  ffi_quat_normalize(q, unit);
  ffi_lie_so3_exp(w, step);
  ffi_quat_mul(unit, step, out);
  ffi_quat_normalize(out, out);
}

static void integrate_free(const double *q, const double *dv, double *out)
{
  double p[3], step[4], unit[4];
  ffi_quat_normalize(q + 3, unit);
  ffi_lie_se3_exp(dv, p, step);
  ffi_quat_rotate(unit, p, p);
  ffi_v3_add(q, p, out);
  ffi_quat_mul(unit, step, out + 3);
  ffi_quat_normalize(out + 3, out + 3);
}

static void integrate_planar(const double *q, const double *dv, double *out)
{
  double g[3], c = cos(q[2]), s = sin(q[2]);
  ffi_lie_se2_exp(dv, g);
  out[0] = q[0] + c * g[0] - s * g[1];
  out[1] = q[1] + s * g[0] + c * g[1];
  out[2] = q[2] + g[2];
}

void ff_model_integrate(const ff_model *model, const double *q, const double *dv, double *q_out)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    const double *from = q + body->q, *by = dv + body->v;
    double *to = q_out + body->q;
    switch (body->kind) {
    case FFI_KIND_FREE: integrate_free(from, by, to); break;
    case FFI_KIND_SPHERICAL: turn_by(from, by, to); break;
    case FFI_KIND_PLANAR: integrate_planar(from, by, to); break;
    default: to[0] = from[0] + by[0];
    }
  }
}

// The step g = q0^-1 q1 of each group, as (p, quaternion) or (x, y, angle); back = q0^-1.
static void step_rotation(const double q0[4], const double q1[4], double back[4], double step[4])
{
  double to[4];
  ffi_quat_normalize(q0, back);
  ffi_quat_conjugate(back, back);
  ffi_quat_normalize(q1, to);
  ffi_quat_mul(back, to, step);
}

static void difference_free(const double *q0, const double *q1, double *dv)
{
  double back[4], p[3], step[4];
  step_rotation(q0 + 3, q1 + 3, back, step);
  ffi_v3_sub(q1, q0, p);
  ffi_quat_rotate(back, p, p);
  ffi_lie_se3_log(p, step, dv);
}

static void difference_spherical(const double *q0, const double *q1, double *dv)
{
  double back[4], step[4];
  step_rotation(q0, q1, back, step);
  ffi_lie_so3_log(step, dv);
}

static void difference_planar(const double *q0, const double *q1, double *dv)
{
  double c = cos(q0[2]), s = sin(q0[2]), x = q1[0] - q0[0], y = q1[1] - q0[1];
  const double g[3] = {c * x + s * y, c * y - s * x, q1[2] - q0[2]};
  ffi_lie_se2_log(g, dv);
}

void ff_model_difference(const ff_model *model, const double *q0, const double *q1, double *dv)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    const double *from = q0 + body->q, *to = q1 + body->q;
    double *by = dv + body->v;
    switch (body->kind) {
    case FFI_KIND_FREE: difference_free(from, to, by); break;
    case FFI_KIND_SPHERICAL: difference_spherical(from, to, by); break;
    case FFI_KIND_PLANAR: difference_planar(from, to, by); break;
    default: by[0] = to[0] - from[0];
    }
  }
}

// ---- Jacobians: block diagonal, one block per joint -------------------------------------------------------

// Copy an n x n block to the diagonal of a joint in A [nv x nv], times a sign.
static void put_block(const ff_model *model, const ffi_body *body, double sign, const double *block,
                      double *A)
{
  const size_t nv = (size_t)model->size.nv;
  const int n = body->nv;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A[(size_t)(body->v + i) * nv + (size_t)(body->v + j)] = sign * block[n * i + j];
}

static void clear(const ff_model *model, double *A)
{
  const size_t nv = (size_t)model->size.nv;
  if (A)
    memset(A, 0, nv * nv * sizeof *A);
}

// Ad(exp(dv))^-1 = Ad(exp(-dv)) of one joint.
static void adjoint_back(int kind, const double *dv, double *Ad)
{
  double back[6], p[3], q[4], g[3];
  int n = kind == FFI_KIND_FREE ? 6 : 3;
  for (int i = 0; i < n; ++i)
    back[i] = -dv[i];
  if (kind == FFI_KIND_FREE) {
    ffi_lie_se3_exp(back, p, q);
    ffi_lie_se3_adjoint(p, q, Ad);
  } else if (kind == FFI_KIND_SPHERICAL) {
    ffi_lie_so3_exp(back, q);
    ffi_quat_matrix(q, Ad);
  } else {
    ffi_lie_se2_exp(back, g);
    ffi_lie_se2_adjoint(g, Ad);
  }
}

static void right_of(int kind, const double *dv, double *J)
{
  if (kind == FFI_KIND_FREE)
    ffi_lie_se3_right(dv, J);
  else if (kind == FFI_KIND_SPHERICAL)
    ffi_lie_so3_right(dv, J);
  else
    ffi_lie_se2_right(dv, J);
}

void ff_model_integrate_jacobians(const ff_model *model, const double *q, const double *dv, double *dq,
                                  double *ddv)
{
  static const double one = 1;
  (void)q; // in body axes neither depends on where the body is
  clear(model, dq);
  clear(model, ddv);
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    const double *by = dv + body->v;
    double block[36];
    if (dq && body->nv > 1)
      adjoint_back(body->kind, by, block);
    if (dq)
      put_block(model, body, 1, body->nv > 1 ? block : &one, dq);
    if (ddv && body->nv > 1)
      right_of(body->kind, by, block);
    if (ddv)
      put_block(model, body, 1, body->nv > 1 ? block : &one, ddv);
  }
}

// The inverses of the left and right Jacobians at the difference of one joint.
static void log_jacobians(int kind, const double *q0, const double *q1, double *left, double *right)
{
  double dv[6];
  if (kind == FFI_KIND_FREE) {
    difference_free(q0, q1, dv);
    ffi_lie_se3_left_inverse(dv, left);
    ffi_lie_se3_right_inverse(dv, right);
  } else if (kind == FFI_KIND_SPHERICAL) {
    difference_spherical(q0, q1, dv);
    ffi_lie_so3_left_inverse(dv, left);
    ffi_lie_so3_right_inverse(dv, right);
  } else {
    difference_planar(q0, q1, dv);
    ffi_lie_se2_left_inverse(dv, left);
    ffi_lie_se2_right_inverse(dv, right);
  }
}

void ff_model_difference_jacobians(const ff_model *model, const double *q0, const double *q1, double *dq0,
                                   double *dq1)
{
  clear(model, dq0);
  clear(model, dq1);
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    double left[36] = {1}, right[36] = {1};
    if (body->nv > 1)
      log_jacobians(body->kind, q0 + body->q, q1 + body->q, left, right);
    if (dq0)
      put_block(model, body, -1, left, dq0);
    if (dq1)
      put_block(model, body, 1, right, dq1);
  }
}
