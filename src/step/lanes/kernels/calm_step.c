// The calm step of expo in lanes: prediction, end, correction, new state. docs/theory/expo.md, section 3; the general
// step is step/expo/expo.c.
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

#include <math.h>

// ---- Prediction -------------------------------------------------------------------------------------------------

// Mean forces within their cones but for a small part: ffi_expo_feasible_means().
static real_bits are_means_feasible(const ffi_lane_work *w)
{
  real_bits feasible = ~(real_bits){0};
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    const vec3 mean = load3(c->mean);
    const real push = dot(mean, w->normal[w->plan->feature[c->index].plane]);
    const real slack = 0.05 * (size_of(push) + c->push);
    const real square = dot(mean, mean) - push * push, most = c->mu * push + (1 + c->mu) * slack;
    feasible &= (is_within(-slack, push) & is_within(square, most * most)) | ~c->active;
  }
  return feasible;
}

// ---- The new state ------------------------------------------------------------------------------------------------

// The energy error of a step is of third order in its motion. Below this turn or way in a step it needs no look:
// expo_energy.c.
static real_bits is_slow(const ffi_lane_work *w, double dt)
{
  const real most = splat(0.02 / dt);
  real_bits slow = ~(real_bits){0};
  for (int k = 0; k < w->model->size.nv; ++k)
    slow &= is_within(size_of(w->v[k]), most) & is_within(size_of(w->v[k] + w->delta_v[k]), most);
  return slow;
}

// The correction carries no feature through a surface that it had not reached in the prediction.
static real_bits are_features_free(const ffi_lane_work *w)
{
  real moved = splat(0);
  real_bits free = ~(real_bits){0};
  for (int k = 0; k < w->model->size.nv; ++k)
    moved = moved + size_of(w->delta_x[k] - w->predicted_x[k]);
  moved = moved * (1 + w->plan->length);
  for (int i = 0, a = 0; i < w->plan->feature_count; ++i) {
    real_bits above = is_less(moved, w->gap_end[i]);
    if (a < w->contact_count && w->contact[a].index == i)
      above |= w->contact[a++].active;
    free &= above;
  }
  return free;
}

// The contact as the state keeps it, as ffi_expo_substep_finish().
static void finish_contact(ffi_lane_work *w, ffi_lane_contact *c, double dt)
{
  const ffi_lane_feature *f = &w->plan->feature[c->index];
  const vec3 n = w->normal[f->plane], x = load3(c->now_x), zero = vec(splat(0), splat(0), splat(0));
  const real along = dot(x, n), pressed = smaller_of(along, splat(0));
  vec3 moved = zero;
  for (int a = 0; a < c->columns; ++a) {
    const int k = c->dof[a];
    moved = axpy(w->delta_x[k] - w->predicted_x[k], load3(c->J_end + 3 * a), moved);
  }
  const vec3 elongation = scale(splat(-1), across(n, x));
  const real beside = f->radius > 0 ? dot(elongation, elongation) : size_of(dot(x, x) - along * along);
  c->stretch = square_root(pressed * pressed + beside);
  const vec3 shift = sub(add(add(load3(c->point_end), moved), elongation), load3(c->anchor));
  store3(c->shift, f->radius > 0 ? across(n, shift) : zero);
  for (int k = 0; k < 3; ++k)
    c->force[k] = dt * c->mean[k] * (1 / dt); // its bits
  c->stays = c->active;
}

// q_end = q (+) xi, v_end = v + times dv.
static void move(ffi_lane_work *w, double dt, const real *dv, double times)
{
  for (int k = 0; k < w->model->size.nv; ++k) {
    w->xi[k] = dt * w->v[k] + w->delta_x[k];
    w->v_end[k] = w->v[k] + times * dv[k];
  }
  FFI_KERNEL(lane_move)(w, w->xi);
}

void FFI_KERNEL(calm_step)(ffi_lane_work *w, double dt, int subintervals)
{
  FFI_KERNEL(calm_start)(w, dt);
  if (any_lane(w->ok))
    FFI_KERNEL(lane_predict)(w, dt, subintervals, LANE_MARCH_EVENTS);
  lane_demand(w, FFI_LANE_SLIP, are_means_feasible(w));
  if (!any_lane(w->ok))
    return;
  move(w, dt, w->delta_v, 1);
  FFI_KERNEL(calm_end)(w);
  FFI_KERNEL(calm_correct)(w, dt, subintervals);
  lane_demand(w, FFI_LANE_TOUCH, are_features_free(w));
  lane_demand(w, FFI_LANE_FAST, is_slow(w, dt));
  for (int i = 0; i < w->contact_count; ++i)
    finish_contact(w, &w->contact[i], dt);
  move(w, dt, w->delta_v, 1);
}
