// Do all contacts of a calm step stick, and all motors keep their regimes? As step/expo/expo_events.c and
// expo_joint_events.c do it for the usual case, at four samples of each subinterval.
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

// The force of a contact at four samples: docs/theory/exponential.md, eq. 6 and section "Dense output".
static void sample_force(const ffi_lane_work *w, const ffi_lane_contact *c, double t, double h, vec3 force[4])
{
  const ffi_lane_poles *poles = &w->plan->poles;
  const real K = c->K, B = c->B;
  const size_t n = (size_t)w->model->size.nv;
  vec3 twice[FFI_LANE_SAMPLES], once[FFI_LANE_SAMPLES];
  for (int k = 0; k < FFI_LANE_SAMPLES; ++k)
    twice[k] = once[k] = vec(splat(0), splat(0), splat(0));
  for (int p = 0; p < FFI_POLES; ++p) {
    const real *alpha = w->alpha + 2 * (size_t)p * n;
    vec3 re = vec(splat(0), splat(0), splat(0)), im = re;
    for (int a = 0; a < c->columns; ++a) {
      const vec3 J = load3(c->J + 3 * a);
      re = axpy(alpha[2 * c->dof[a]], J, re);
      im = axpy(alpha[2 * c->dof[a] + 1], J, im);
    }
    for (int k = 0; k < FFI_LANE_SAMPLES; ++k) {
      const double *position = poles->position_weight[k], *velocity = poles->velocity_weight[k];
      twice[k] = axpy(splat(position[p]), re, axpy(splat(position[4 + p]), im, twice[k]));
      once[k] = axpy(splat(velocity[p]), re, axpy(splat(velocity[4 + p]), im, once[k]));
    }
  }
  const vec3 x0 = load3(c->now_x), u0 = load3(c->now_u), c1 = load3(c->c1);
  const vec3 c0 = axpy(splat(t), c1, load3(c->c));
  for (int k = 0; k < FFI_LANE_SAMPLES; ++k) {
    const double tau = (k + 1) * (h / FFI_LANE_SAMPLES);
    const vec3 x = add(axpy(splat(tau), u0, axpy(splat(0.5 * tau * tau), c0, x0)), scale(splat(h), twice[k]));
    const vec3 u = add(axpy(splat(tau), c0, u0), once[k]);
    force[k] = add(scale(-K, x), scale(-B, u));
  }
}

static void check_contact(ffi_lane_work *w, const ffi_lane_contact *c, double t, double h)
{
  const vec3 n = w->normal[w->plan->feature[c->index].plane];
  real_bits sticks = ~(real_bits){0};
  vec3 force[FFI_LANE_SAMPLES];
  sample_force(w, c, t, h, force);
  for (int k = 0; k < FFI_LANE_SAMPLES; ++k) {
    const real push = dot(force[k], n), square = dot(force[k], force[k]) - push * push;
    sticks &= is_less(splat(0), push) & is_less(square, c->mu * c->mu * push * push);
  }
  lane_demand(w, FFI_LANE_SLIP, sticks | ~c->active);
}

// Bound of the change of a velocity in the subinterval, but for that of a constant acceleration, `even` in all.
static real largest_change(const ffi_lane_work *w, int v, real even)
{
  const ffi_lane_poles *poles = &w->plan->poles;
  const size_t n = (size_t)w->model->size.nv;
  real rest = size_of(even);
  for (int p = 0; p < FFI_POLES; ++p) {
    const real *alpha = w->alpha + 2 * ((size_t)p * n + (size_t)v);
    rest = rest + poles->swing[p] * (size_of(alpha[0] - even * poles->inverse[1][p]) +
                                     size_of(alpha[1] - even * poles->inverse[1][4 + p]));
  }
  return rest;
}

// Is the motor sure to keep its regime? By bounds, as keeps_regime() of expo_joint_events.c.
static void check_motor(ffi_lane_work *w, const ffi_lane_spring *s, double h)
{
  const real force = -s->K * s->now_x - s->B * s->now_u, travel = s->K * h;
  const real room = s->effort - size_of(force) - travel * size_of(s->now_u);
  lane_demand(w, FFI_LANE_JOINT,
              is_less((travel + s->B) * largest_change(w, s->v, splat(0)), room) |
                  is_less((travel + s->B) * largest_change(w, s->v, w->A[4 * s->v]), room));
}

static void check_stop(ffi_lane_work *w, int i, double until, double h)
{
  const ffi_lane_stop *stop = &w->stop[i];
  const int v = stop->v;
  const real there = w->q[stop->q] + until * w->v[v] + w->delta_x[v] + h * w->delta_v[v] + w->A[4 * v + 1];
  lane_demand(w, FFI_LANE_JOINT, is_within(stop->lower, there) & is_within(there, stop->upper));
}

void FFI_KERNEL(calm_events)(ffi_lane_work *w, double t, double h)
{
  for (int i = 0; i < w->contact_count; ++i)
    check_contact(w, &w->contact[i], t, h);
  for (int i = 0; i < w->plan->motor_count; ++i)
    check_motor(w, &w->spring[i], h);
  for (int i = 0; i < w->plan->stop_count; ++i)
    check_stop(w, i, t + h, h);
}
