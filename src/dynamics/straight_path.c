// Joint by joint: fixed-axes translation beside rotation for joints that do both, the joint's own group for all others.
#include "dynamics/straight_path.h"

#include "math/lie.h"
#include "math/quaternion.h"
#include "model/model.h"

// R^3 x SO(3): p + R way, R exp(turn).
static void move_free(const double *q, const double *way, const double *v, double *to, double *v_out)
{
  double unit[4], step[4], back[4], shift[3];
  ffi_quat_normalize(q + 3, unit);
  ffi_quat_rotate(unit, way, shift);
  ffi_lie_so3_exp(way + 3, step);
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
  ffi_lie_so3_exp(way, step);
  ffi_quat_mul(unit, step, to);
  ffi_quat_normalize(to, to);
  ffi_v3_copy(v, v_out);
}

void ffi_straight_path_move(const ff_model *model, const double *q, const double *way, const double *v,
                            double *to, double *v_out)
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

// The turn from one rotation to another, in the axes of the first.
static void turn_between(const double *from, const double *to, double *way)
{
  double start[4], end[4], back[4], turn[4];
  ffi_quat_normalize(from, start);
  ffi_quat_normalize(to, end);
  ffi_quat_conjugate(start, back);
  ffi_quat_mul(back, end, turn);
  ffi_lie_so3_log(turn, way);
}

static void between_free(const double *q, const double *to, double *way)
{
  double unit[4], back[4], shift[3];
  ffi_quat_normalize(q + 3, unit);
  ffi_quat_conjugate(unit, back);
  ffi_v3_sub(to, q, shift);
  ffi_quat_rotate(back, shift, way);
  turn_between(q + 3, to + 3, way + 3);
}

static void between_planar(const double *q, const double *to, double *way)
{
  const double c = cos(q[2]), s = sin(q[2]), x = to[0] - q[0], y = to[1] - q[1];
  way[0] = c * x + s * y;
  way[1] = c * y - s * x;
  way[2] = to[2] - q[2];
}

void ffi_straight_path_between(const ff_model *model, const double *q, const double *to, double *way)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    switch (b->kind) {
    case FFI_KIND_FREE: between_free(q + b->q, to + b->q, way + b->v); break;
    case FFI_KIND_PLANAR: between_planar(q + b->q, to + b->q, way + b->v); break;
    case FFI_KIND_SPHERICAL: turn_between(q + b->q, to + b->q, way + b->v); break;
    default: way[b->v] = to[b->q] - q[b->q];
    }
  }
}
