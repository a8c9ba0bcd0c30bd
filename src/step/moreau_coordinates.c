// Where a half step leads, joint by joint: fixed-axes translation beside rotation for joints that do both, the joint's own group for all others.
#include "math/lie.h"
#include "math/quaternion.h"
#include "model/model.h"
#include "step/moreau.h"

// R^3 x SO(3): p + R way, R exp(turn).
static void move_free(const double *q, const double *way, const double *v, double *to, double *v_out)
{
  double unit[4], step[4], back[4], shift[3];
  ffi_quat_normalize(q + 3, unit);
  ffi_quat_rotate(unit, way, shift);
  ffi_so3_exp(way + 3, step);
  ffi_v3_add(q, shift, to);
  ffi_quat_mul(unit, step, to + 3);
  ffi_quat_normalize(to + 3, to + 3);
  ffi_quat_conjugate(step, back);
  ffi_quat_rotate(back, v, v_out);
  ffi_v3_copy(v + 3, v_out + 3);
}

// R^2 x SO(2), axes of the parent.
static void move_planar(const double *q, const double *way, const double *v, double *to, double *v_out)
{
  const double c = cos(q[2]), s = sin(q[2]), x = way[0], y = way[1];
  const double cw = cos(way[2]), sw = sin(way[2]), vx = v[0], vy = v[1];
  to[0] = q[0] + c * x - s * y;
  to[1] = q[1] + s * x + c * y;
  to[2] = q[2] + way[2];
  v_out[0] = cw * vx + sw * vy;
  v_out[1] = cw * vy - sw * vx;
  v_out[2] = v[2];
}

static void move_spherical(const double *q, const double *way, const double *v, double *to, double *v_out)
{
  double unit[4], step[4];
  ffi_quat_normalize(q, unit);
  ffi_so3_exp(way, step);
  ffi_quat_mul(unit, step, to);
  ffi_quat_normalize(to, to);
  ffi_v3_copy(v, v_out);
}

void ffi_moreau_move(const ff_model *model, const double *q, const double *way, const double *v, double *to,
                     double *v_out)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    switch (b->kind) {
    case FFI_KIND_FREE: move_free(q + b->q, way + b->v, v + b->v, to + b->q, v_out + b->v); break;
    case FFI_KIND_PLANAR: move_planar(q + b->q, way + b->v, v + b->v, to + b->q, v_out + b->v); break;
    case FFI_KIND_SPHERICAL: move_spherical(q + b->q, way + b->v, v + b->v, to + b->q, v_out + b->v); break;
    default: to[b->q] = q[b->q] + way[b->v]; v_out[b->v] = v[b->v];
    }
  }
}

void ffi_moreau_rush(const ff_model *model, const double *v, double *vdot)
{
  if (model->size.nv > 0)
    memset(vdot, 0, (size_t)model->size.nv * sizeof *vdot);
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    const double *own = v + b->v;
    if (b->kind == FFI_KIND_FREE) {
      ffi_v3_cross(own, own + 3, vdot + b->v); // - omega x v
    } else if (b->kind == FFI_KIND_PLANAR) {
      vdot[b->v] = own[2] * own[1];
      vdot[b->v + 1] = -own[2] * own[0];
    }
  }
}
