// Configurations after a displacement, of all lanes.
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

// Joints of one coordinate, balls and floating bases, as ff_model_integrate(); turns of more than half a radian are not
// calm. A power series of sin(t/2)/t and so on, see small_turn() of math/lie.c.
typedef struct turn {
  real half_sinc, half_cos, a, b;
} turn;

static turn small_turn(real z)
{
  const real y = z / 4;
  turn t;
  t.half_sinc =
      0.5 * (1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110 * (1 - y / 156))))));
  t.half_cos = 1 - y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90 * (1 - y / 132)))));
  t.a = 0.5 *
        (1 -
         z / 12 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132 * (1 - z / 182 * (1 - z / 240)))))));
  t.b =
      (1 -
       z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156 * (1 - z / 210 * (1 - z / 272))))))) /
      6;
  return t;
}

FFI_ALWAYS void normalize(const real *q, real out[4])
{
  const real scale = 1.0 / square_root(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; ++k)
    out[k] = q[k] * scale;
}

FFI_ALWAYS void multiply(const real a[4], const real b[4], real out[4])
{
  const vec3 u = vec(a[0], a[1], a[2]), v = vec(b[0], b[1], b[2]);
  const vec3 w = add_cross(axpy(a[3], v, scale(b[3], u)), u, v);
  store3(out, w);
  out[3] = a[3] * b[3] - dot(u, v);
}

FFI_ALWAYS vec3 rotate(const real q[4], vec3 x)
{
  const vec3 u = vec(q[0], q[1], q[2]), t = cross(u, x);
  const vec3 twice = add(t, t);
  return add_cross(axpy(q[3], twice, x), u, twice);
}

// q (+) by, of a joint with a quaternion; returns the lanes that turn by at most half a radian.
static real_bits integrate_turn(const ffi_body *b, const real *q, const real *by, real *out)
{
  const int is_free = b->kind == FFI_KIND_FREE;
  const real *quaternion = q + (is_free ? 3 : 0), *w = by + (is_free ? 3 : 0);
  const vec3 omega = load3(w);
  const real z = dot(omega, omega);
  const turn t = small_turn(z);
  const real step[4] = {t.half_sinc * w[0], t.half_sinc * w[1], t.half_sinc * w[2], t.half_cos};
  real unit[4], product[4];
  normalize(quaternion, unit);
  if (is_free) {
    const vec3 p = load3(by), wp = cross(omega, p), wwp = cross(omega, wp);
    store3(out, add(load3(q), rotate(unit, axpy(t.b, wwp, axpy(t.a, wp, p)))));
  }
  multiply(unit, step, product);
  normalize(product, out + (is_free ? 3 : 0));
  return is_within(z, splat(0.25));
}

void FFI_KERNEL(lane_move)(ffi_lane_work *w, const real *xi)
{
  const ff_model *m = w->model;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    if (b->nv == 1)
      w->q_end[b->q] = w->q[b->q] + xi[b->v];
    else
      lane_demand(w, FFI_LANE_FAST, integrate_turn(b, w->q + b->q, xi + b->v, w->q_end + b->q));
  }
}
