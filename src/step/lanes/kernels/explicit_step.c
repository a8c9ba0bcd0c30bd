// Explicit steps in lanes, by the law of contact in all its modes: one look, then v+ = v + dt a and a displacement. As
// step/explicit/explicit.c. docs/theory/steppers.md, section 2
#include "step/lanes/kernels/lane_rows.h"
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

// ---- Forces ---------------------------------------------------------------------------------------------------

// The law, contact.md, eqs 1 and 3.
static void find_force(ffi_lane_work *w, ffi_lane_contact *c)
{
  const vec3 n = w->normal[w->plan->feature[c->index].plane];
  const vec3 x = load3(c->x), u = load3(c->u);
  const vec3 whole = vec(-c->K * x.x - c->B * u.x, -c->K * x.y - c->B * u.y, -c->K * x.z - c->B * u.z);
  const real share = select_bits(c->slips, c->mu * c->push / c->trial, splat(1)), zero = splat(0);
  const vec3 force = axpy(share, sub(whole, scale(c->push, n)), scale(c->push, n));
  const real_bits pushes = c->sticks | c->slips;
  store3(c->force, vec(select_bits(pushes, force.x, zero), select_bits(pushes, force.y, zero),
                       select_bits(pushes, force.z, zero)));
}

// A motor or spring: beyond its effort the force is constant.
static real motor_force(const ffi_lane_spring *s)
{
  return larger(smaller_of(-s->K * s->x - s->B * s->u, s->effort), -s->effort);
}

// A joint limit, as limit_law() of contact/element/joint_law.c, with its energy.
static real stop_force(const ffi_lane_stop *s, real q, real v, real *energy)
{
  const real low = q - s->lower, high = q - s->upper, zero = splat(0); // +infinity, -infinity: no such limit
  const real_bits is_low = is_less(low, zero) | (is_within(high, zero) & is_less(low, -high));
  const real side = select_bits(is_low, splat(-1), splat(1)), x = select_bits(is_low, low, high);
  const real force = -s->K * x - s->B * v;
  const real_bits is_beyond = is_less(zero, side * x);
  *energy = *energy + select_bits(is_beyond, 0.5 * s->K * x * x, zero);
  return select_bits(is_beyond & is_less(side * force, zero), force, zero);
}

// w->acceleration of all forces at the start.
static void find_acceleration(ffi_lane_work *w)
{
  real *a = w->acceleration;
  for (int k = 0; k < w->model->size.nv; ++k)
    a[k] = w->f[k];
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    find_force(w, c);
    for (int k = 0; k < c->columns; ++k)
      a[c->dof[k]] = a[c->dof[k]] + dot(load3(c->J + 3 * k), load3(c->force));
  }
  for (int i = 0; i < w->plan->motor_count; ++i)
    a[w->spring[i].v] = a[w->spring[i].v] + motor_force(&w->spring[i]);
  for (int i = 0; i < w->plan->stop_count; ++i) {
    const ffi_lane_stop *s = &w->stop[i];
    a[s->v] = a[s->v] + stop_force(s, w->q[s->q], w->v[s->v], &w->elastic);
  }
  FFI_KERNEL(factor)(w->dynamics);
  FFI_KERNEL(solve)(w->dynamics, (double *)a);
}

// ---- Anchors --------------------------------------------------------------------------------------------------

// phi2(-a), a = dt K/B: see contact/law/contact_law.c.
static real phi2(real a)
{
  static const double even[] = {
      1. / 2,         1. / 24,          1. / 720,           1. / 40320,          1. / 3628800,
      1. / 479001600, 1. / 87178291200, 1. / 20922789888e3, 1. / 6402373705728e3};
  static const double odd[] = {1. / 6,          1. / 120,         1. / 5040,         1. / 362880,
                               1. / 39916800.0, 1. / 6227020800., 1. / 1307674368e3, 1. / 355687428096e3};
  const real z = a * a;
  real p = even[8] * z + even[7], r = splat(odd[7]);
  for (int k = 6; k >= 0; --k) {
    p = p * z + even[k];
    r = r * z + odd[k];
  }
  return p - a * r;
}

// The anchor of a contact that slips, or does not push, follows the point: slipping_shift() of explicit.c. In lanes
// where dt K/B is below 1; others are not ok.
static vec3 slipping_shift(ffi_lane_work *w, const ffi_lane_contact *c, double dt)
{
  const vec3 n = w->normal[w->plan->feature[c->index].plane], force = across(n, load3(c->force));
  const vec3 e = scale(splat(-1), across(n, load3(c->x)));
  const real a = dt * c->K / c->B, f = phi2(a), rate = dt / c->B;
  const real decay = 1 - a * (1 - a * f), weight = rate * (1 - (1 + a) * f) + rate * f;
  lane_demand(w, FFI_LANE_SLIP, is_less(a, splat(1)) | ~c->active | c->sticks);
  vec3 travel = vec(splat(0), splat(0), splat(0));
  for (int k = 0; k < c->columns; ++k)
    travel = axpy(w->xi[c->dof[k]], load3(c->J + 3 * k), travel);
  travel = across(n, axpy(splat(0.5 * dt * dt), load3(c->c), travel));
  return add(travel, axpy(weight, force, scale(decay - 1, e)));
}

static void move_anchor(ffi_lane_work *w, ffi_lane_contact *c, double dt)
{
  vec3 shift = FFI_KERNEL(lane_creep)(w, c, dt);
  if (any_lane(c->active & ~c->sticks)) {
    const vec3 slipped = add(shift, slipping_shift(w, c, dt));
    shift = vec(select_bits(c->sticks, shift.x, slipped.x), select_bits(c->sticks, shift.y, slipped.y),
                select_bits(c->sticks, shift.z, slipped.z));
  }
  store3(c->shift, shift);
}

// ---- The step -------------------------------------------------------------------------------------------------

void FFI_KERNEL(explicit_step)(ffi_lane_work *w, double dt, int is_symplectic)
{
  FFI_KERNEL(lane_keep_contacts)(w, dt);
  find_acceleration(w);
  for (int k = 0; k < w->model->size.nv; ++k) {
    w->v_end[k] = w->v[k] + dt * w->acceleration[k];
    w->xi[k] = is_symplectic ? dt * w->v_end[k] : 0.5 * dt * (w->v[k] + w->v_end[k]); // Expo paper eq. 34
  }
  for (int i = 0; i < w->contact_count; ++i)
    move_anchor(w, &w->contact[i], dt);
  FFI_KERNEL(lane_move)(w, w->xi);
}
