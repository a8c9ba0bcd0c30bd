// The published exponential scheme in lanes. As step/expo/expo_paper.c. docs/theory/expo.md, section 7
#include "step/lanes/kernels/lane_rows.h"
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

// ---- The frozen system ------------------------------------------------------------------------------------------

// A contact that has parted is none: its rows are zero.
static void drop_parted(ffi_lane_contact *c)
{
  const real zero = splat(0);
  for (int k = 0; k < 3 * c->columns && any_lane(c->active & ~c->stays); ++k)
    c->J[k] = select_bits(c->stays, c->J[k], zero);
  for (int k = 0; k < 3; ++k) {
    c->x[k] = select_bits(c->stays, c->x[k], zero);
    c->u[k] = select_bits(c->stays, c->u[k], zero);
    c->c[k] = select_bits(c->stays, c->c[k], zero);
  }
  c->active = c->stays;
}

// Expo paper eq. 28: a contact that slips has its anchor move with it, at a distance that gives the force on the cone.
static void let_slip(const ffi_lane_work *w, ffi_lane_contact *c, double dt)
{
  const vec3 n = w->normal[w->plan->feature[c->index].plane], x = load3(c->x), u = load3(c->u);
  const vec3 across_part =
      across(n, vec(-c->K * x.x - c->B * u.x, -c->K * x.y - c->B * u.y, -c->K * x.z - c->B * u.z));
  const vec3 e = scale(c->mu * c->push / c->trial / c->K, across_part);
  const vec3 slid = sub(scale(dot(x, n), n), e), rate = scale(dot(u, n), n);
  const vec3 stuck = FFI_KERNEL(lane_creep)(w, c, dt);
  const vec3 moved = add(stuck, sub(add(c->point, e), load3(c->anchor)));
  const real_bits slips = c->slips;
  store3(c->x, vec(select_bits(slips, slid.x, x.x), select_bits(slips, slid.y, x.y),
                   select_bits(slips, slid.z, x.z)));
  store3(c->u, vec(select_bits(slips, rate.x, u.x), select_bits(slips, rate.y, u.y),
                   select_bits(slips, rate.z, u.z)));
  store3(c->shift, vec(select_bits(slips, moved.x, stuck.x), select_bits(slips, moved.y, stuck.y),
                       select_bits(slips, moved.z, stuck.z)));
}

// A motor beyond its effort pushes with a constant force.
static void freeze_motors(ffi_lane_work *w)
{
  for (int i = 0; i < w->plan->motor_count; ++i) {
    ffi_lane_spring *s = &w->spring[i];
    const real force = -s->K * s->x - s->B * s->u, zero = splat(0);
    const real_bits is_linear = is_within(size_of(force), s->effort);
    s->now_K = select_bits(is_linear, s->K, zero);
    s->now_B = select_bits(is_linear, s->B, zero);
    s->x = select_bits(is_linear, s->x, zero);
    s->u = select_bits(is_linear, s->u, zero);
    const real held = select_bits(is_less(zero, force), s->effort, -s->effort);
    w->f[s->v] = w->f[s->v] + select_bits(is_linear, zero, held);
    // dampers without springs have another bound of the error
    lane_demand(w, FFI_LANE_JOINT, is_less(zero, s->now_K) | ~is_linear);
  }
}

// Stops that push are not in the frozen system of lanes.
static void check_stops(ffi_lane_work *w)
{
  for (int i = 0; i < w->plan->stop_count; ++i) {
    const ffi_lane_stop *s = &w->stop[i];
    lane_demand(w, FFI_LANE_JOINT, is_within(s->lower, w->q[s->q]) & is_within(w->q[s->q], s->upper));
  }
}

// ---- Projections ------------------------------------------------------------------------------------------------

// Onto the friction cone, as ffi_friction_cone_project().
static vec3 project(const ffi_lane_work *w, const ffi_lane_contact *c, vec3 force)
{
  const vec3 n = w->normal[w->plan->feature[c->index].plane];
  const real along = dot(force, n), zero = splat(0);
  const vec3 t = sub(force, scale(along, n));
  const real length = length3(t), most = c->mu * along;
  const real_bits is_outside = is_less(most, length), pushes = is_less(zero, along) & c->active;
  const real share = select_bits(is_outside, most / length, splat(1));
  const vec3 on_cone = axpy(share, t, scale(along, n));
  return vec(select_bits(pushes, select_bits(is_outside, on_cone.x, force.x), zero),
             select_bits(pushes, select_bits(is_outside, on_cone.y, force.y), zero),
             select_bits(pushes, select_bits(is_outside, on_cone.z, force.z), zero));
}

// once, twice [nv] += J' (what the projections changed of the impulse, and of its double integral). Returns the lanes
// in which they changed something.   Expo paper eqs 24 and 26
static real_bits project_contact(const ffi_lane_work *w, ffi_lane_contact *c, double dt, real *once,
                                 real *twice)
{
  const vec3 mean = load3(c->mean), double_mean = load3(c->double_mean);
  const vec3 to = project(w, c, mean), to2 = project(w, c, double_mean);
  const vec3 change = scale(splat(dt), sub(to, mean)),
             change2 = scale(splat(dt * dt / 2), sub(to2, double_mean));
  store3(c->force, to);
  for (int k = 0; k < c->columns; ++k) {
    const vec3 J = load3(c->J + 3 * k);
    once[c->dof[k]] = once[c->dof[k]] + dot(J, change);
    twice[c->dof[k]] = twice[c->dof[k]] + dot(J, change2);
  }
  const real sizes = dot(change, change) + dot(change2, change2);
  return is_less(splat(0), sizes);
}

static real_bits project_motor(ffi_lane_spring *s, double dt, real *once, real *twice)
{
  const real to = larger(smaller_of(s->mean, s->effort), -s->effort);
  const real to2 = larger(smaller_of(s->double_mean, s->effort), -s->effort);
  const real change = dt * (to - s->mean), change2 = dt * dt / 2 * (to2 - s->double_mean);
  once[s->v] = once[s->v] + change;
  twice[s->v] = twice[s->v] + change2;
  return is_less(splat(0), size_of(change) + size_of(change2));
}

static void project_means(ffi_lane_work *w, double dt)
{
  const int nv = w->model->size.nv;
  real *once = w->acceleration, *twice = w->scratch;
  real_bits changed = {0};
  for (int k = 0; k < nv; ++k)
    once[k] = twice[k] = splat(0);
  for (int i = 0; i < w->contact_count; ++i)
    changed |= project_contact(w, &w->contact[i], dt, once, twice);
  for (int i = 0; i < w->plan->motor_count; ++i)
    changed |= project_motor(&w->spring[i], dt, once, twice);
  if (!any_lane(changed))
    return;
  FFI_KERNEL(factor)(w->dynamics);
  FFI_KERNEL(solve)(w->dynamics, (double *)once);
  FFI_KERNEL(solve)(w->dynamics, (double *)twice);
  for (int k = 0; k < nv; ++k) { // lanes without change add zero
    w->delta_v[k] = w->delta_v[k] + once[k];
    w->delta_x[k] = w->delta_x[k] + twice[k];
  }
}

// ---- The step ---------------------------------------------------------------------------------------------------

void FFI_KERNEL(paper_step)(ffi_lane_work *w, double dt, int subintervals)
{
  FFI_KERNEL(lane_keep_contacts)(w, dt);
  for (int i = 0; i < w->contact_count; ++i) {
    drop_parted(&w->contact[i]);
    let_slip(w, &w->contact[i], dt);
  }
  freeze_motors(w);
  check_stops(w);
  if (any_lane(w->ok))
    FFI_KERNEL(lane_predict)(w, dt, subintervals, 0);
  if (!any_lane(w->ok))
    return;
  project_means(w, dt);
  const int has_double_means = w->plan->world->def.expo.double_mean;
  for (int k = 0; k < w->model->size.nv; ++k) {
    if (!has_double_means)
      w->delta_x[k] = dt / 2 * w->delta_v[k];
    w->xi[k] = dt * w->v[k] + w->delta_x[k];
    w->v_end[k] = w->v[k] + w->delta_v[k];
  }
  FFI_KERNEL(lane_move)(w, w->xi);
}
