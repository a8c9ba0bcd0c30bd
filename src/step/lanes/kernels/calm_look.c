// What makes a step of expo calm at its start and at its predicted end, and its look half way.
#include "step/lanes/kernels/lane_rows.h"
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"
#include "step/eval/evaluation.h"

// As in step/eval/evaluation.c: joint limits farther away, and than two steps at the present speed, have no row.
static const double stop_margin = 0.05;

// ---- The start ------------------------------------------------------------------------------------------------

// Mass of the tree that a body is part of.
static real mass_behind(const ffi_lane_work *w, int body)
{
  while (w->model->bodies[body].parent > 0)
    body = w->model->bodies[body].parent;
  return w->dynamics->subtree_mass[body];
}

// No jump of the geometry has stretched the springs: step/eval/passivity.c, which unloads them if one has.
static real_bits is_loaded_by_motion(const ffi_lane_work *w, const ffi_lane_contact *c, double dt)
{
  const double known_share = 1e-3, travel_share = 0.02, stop_share = 0.03; // as there
  const ffi_lane_feature *f = &w->plan->feature[c->index];
  const vec3 x = load3(c->x);
  const real along = dot(x, w->normal[f->plane]), square = dot(x, x);
  const real stretch = select_bits(is_less(splat(0), along), square - along * along, square);
  const real known = c->limit + known_share * c->limit + 1e-12;
  const real reach =
      smaller_of(splat(travel_share * dt), stop_share * square_root(mass_behind(w, f->body) / c->K));
  const real more = length3(load3(c->u)) * reach;
  return is_within(stretch, known * known) | is_within(stretch, (known + more) * (known + more));
}

// A rest below the surface does not follow the point up: lift_rest() of step/eval/passivity.c.
static real_bits keeps_rest(const ffi_lane_contact *c, real gap)
{
  const real top = smaller_of(gap, splat(0));
  return is_within(top, c->rest);
}

static void check_stops(ffi_lane_work *w, double dt)
{
  for (int i = 0; i < w->plan->stop_count; ++i) {
    const ffi_lane_stop *s = &w->stop[i];
    const real reach = stop_margin + 2 * dt * size_of(w->v[s->v]);
    lane_demand(w, FFI_LANE_JOINT,
                is_less(s->lower + reach, w->q[s->q]) & is_less(w->q[s->q], s->upper - reach));
  }
}

void FFI_KERNEL(calm_start)(ffi_lane_work *w, double dt)
{
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    const real_bits sticks = is_less(splat(0), c->push) & is_within(c->trial, c->mu * c->push);
    const real_bits is_usual = is_less(splat(0), c->mu) & is_less(splat(0), c->K);
    lane_demand(w, FFI_LANE_STATE,
                (is_loaded_by_motion(w, c, dt) & keeps_rest(c, w->gap[c->index])) | ~c->active);
    lane_demand(w, FFI_LANE_SLIP, (sticks & is_usual) | ~c->active);
    w->elastic = w->elastic + lane_contact_energy(w, c);
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    ffi_lane_spring *s = &w->spring[i];
    s->now_K = s->K;
    s->now_B = s->B;
    lane_demand(w, FFI_LANE_JOINT,
                is_within(size_of(-s->K * s->x - s->B * s->u), s->effort) & is_less(splat(0), s->K));
  }
  check_stops(w, dt);
}

// ---- The end and the middle -------------------------------------------------------------------------------------

void FFI_KERNEL(calm_end)(ffi_lane_work *w)
{
  ffi_work *d = w->dynamics;
  FFI_KERNEL(transforms)(d, (const double *)w->q_end);
  FFI_KERNEL(kinematics)(d, NULL, NULL);
  FFI_KERNEL(lane_find_gaps)(w, w->place_end, w->gap_end);
  lane_demand(w, FFI_LANE_TOUCH, FFI_KERNEL(lane_are_apart)(w));
  w->deepest = w->slipping = splat(0);
  for (int i = 0, a = 0; i < w->plan->feature_count; ++i) {
    real_bits free = is_within(splat(0), w->gap_end[i]);
    if (a < w->contact_count && w->contact[a].index == i)
      free |= w->contact[a++].active;
    lane_demand(w, FFI_LANE_TOUCH, free);
    w->deepest = larger(-w->gap_end[i], w->deepest);
  }
  FFI_KERNEL(bias)(d, (const double *)w->v_end, (double *)w->h_end);
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    const ffi_lane_feature *f = &w->plan->feature[c->index];
    const vec3 point = lane_contact_point(f, w->normal[f->plane], w->place_end[c->index]);
    const real gap = w->gap_end[c->index];
    lane_demand(w, FFI_LANE_SLIP, is_within(gap, splat(FFI_EVALUATION_NEAR_MARGIN)) | ~c->active);
    lane_demand(w, FFI_LANE_STATE, keeps_rest(c, gap) | ~c->active);
    const lane_law there = FFI_KERNEL(lane_find_law)(
        w, c, point, gap, FFI_KERNEL(lane_find_rows)(w, c, point, w->v_end, c->J_end));
    const real_bits slips = is_less(splat(0), there.push) & is_less(c->mu * there.push, there.trial);
    w->slipping = w->slipping + select_bits(slips, splat(1), splat(0));
    store3(c->point_end, point);
    FFI_KERNEL(lane_find_bias)(w, c, c->c_end);
  }
  FFI_KERNEL(crba)(d);
  FFI_KERNEL(factor)(d);
}

void FFI_KERNEL(calm_middle)(ffi_lane_work *w, double dt)
{
  ffi_work *d = w->dynamics;
  for (int k = 0; k < w->model->size.nv; ++k) {
    w->scratch[k] = 0.5 * (dt * w->v[k] + w->delta_x[k]);
    w->v_end[k] = w->v[k] + w->delta_x[k] / dt;
  }
  FFI_KERNEL(lane_move)(w, w->scratch);
  FFI_KERNEL(transforms)(d, (const double *)w->q_end);
  FFI_KERNEL(kinematics)(d, NULL, NULL);
  FFI_KERNEL(bias)(d, (const double *)w->v_end, (double *)w->h_mid);
  for (int i = 0; i < w->contact_count; ++i)
    FFI_KERNEL(lane_find_bias)(w, &w->contact[i], w->contact[i].c_mid);
}
