// The corrector of a calm step: docs/theory/expo.md, section 3. As step/expo/expo_substep.c, for sticking contacts.
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

// As in expo_substep.c: below this unevenness a look half way would change nothing that counts.
static const double even_enough = 1e-3;

// Lanes whose contacts have dampers: velocities may change early in the step.
static real_bits may_have_layer(const ffi_lane_work *w)
{
  real_bits layer = {0};
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    layer |= c->active & is_less(splat(0), c->B);
  }
  return layer;
}

// |2 dx/h - dv| relative to the largest change of a velocity, or to that by gravity: expo_layer.c.
static real unevenness_of(const ffi_lane_work *w, double h)
{
  real size = w->gravity * h, uneven = splat(0);
  for (int k = 0; k < w->model->size.nv; ++k) {
    size = larger(size_of(w->delta_v[k]), size);
    uneven = larger(size_of(2 * w->delta_x[k] / h - w->delta_v[k]), uneven);
  }
  return select_bits(is_less(uneven, size), uneven / size,
                     select_bits(is_less(splat(0), size), splat(1), splat(0)));
}

FFI_ALWAYS real late_part(real_bits layer, real mean, real double_mean)
{
  return select_bits(layer, 2 * mean - double_mean, mean);
}

// y = M x, M of the start.
static void times_mass(const ffi_lane_work *w, const real *x, real *y)
{
  for (int i = 0; i < w->model->size.nv; ++i)
    y[i] = splat(0);
  for (int i = 0; i < w->model->size.nv; ++i) {
    const int at = w->model->dof_row[i], depth = w->model->dof_depth[i];
    const int *path = w->dynamics->path + at;
    real sum = w->M[at + depth] * x[i];
    for (int k = 0; k < depth; ++k) {
      sum = sum + w->M[at + k] * x[path[k]];
      y[path[k]] = y[path[k]] + w->M[at + k] * x[i];
    }
    y[i] = y[i] + sum;
  }
}

// The bias that an uneven lane's slopes are taken from, and the weight of its change since the start.
typedef struct source {
  real_bits layer, uneven;
  real weight;
} source;

// a': the acceleration at the end under the mean forces of the step.
static void find_end_acceleration(ffi_lane_work *w, const source *from)
{
  real *a = w->acceleration;
  for (int k = 0; k < w->model->size.nv; ++k) {
    const real later =
        any_lane(from->uneven) ? select_bits(from->uneven, w->h_mid[k], w->h_end[k]) : w->h_end[k];
    a[k] = w->f[k] + from->weight * (w->h[k] - later);
  }
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    const vec3 late = vec(late_part(from->layer, c->mean[0], c->double_mean[0]),
                          late_part(from->layer, c->mean[1], c->double_mean[1]),
                          late_part(from->layer, c->mean[2], c->double_mean[2]));
    for (int k = 0; k < c->columns; ++k)
      a[c->dof[k]] = a[c->dof[k]] + dot(load3(c->J_end + 3 * k), late);
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const ffi_lane_spring *s = &w->spring[i];
    a[s->v] = a[s->v] + late_part(from->layer, s->mean, s->double_mean);
  }
  FFI_KERNEL(solve)(w->dynamics, (double *)a);
}

// c1 of all contacts, docs/theory/expo.md, eq. 1.
static void find_contact_slopes(ffi_lane_work *w, const source *from, double h)
{
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    vec3 change = vec(splat(0), splat(0), splat(0));
    for (int k = 0; k < c->columns; ++k)
      change = axpy(w->acceleration[c->dof[k]], sub(load3(c->J_end + 3 * k), load3(c->J + 3 * k)), change);
    const real turned[3] = {change.x, change.y, change.z};
    for (int k = 0; k < 3; ++k) {
      const real later =
          any_lane(from->uneven) ? select_bits(from->uneven, c->c_mid[k], c->c_end[k]) : c->c_end[k];
      c->c1[k] = (turned[k] + from->weight * (later - c->c[k])) / h;
    }
  }
}

// f1 = M (a' - dv/h)/h.
static void find_force_slopes(ffi_lane_work *w, const source *from, double h)
{
  for (int k = 0; k < w->model->size.nv; ++k)
    w->scratch[k] =
        (w->acceleration[k] - late_part(from->layer, w->delta_v[k] / h, 2 * w->delta_x[k] / (h * h))) / h;
  times_mass(w, w->scratch, w->f1);
}

// Largest change of velocity by the correction, relative to the largest change of velocity, or to that by gravity.
static real correction_share(const ffi_lane_work *w, double h)
{
  real size = w->gravity * h, change = splat(0);
  for (int k = 0; k < w->model->size.nv; ++k) {
    size = larger(size_of(w->delta_v[k]), size);
    change = larger(size_of(w->delta_v[k] - w->predicted_v[k]), change);
  }
  return select_bits(is_less(splat(0), size), change / size, splat(0));
}

void FFI_KERNEL(calm_correct)(ffi_lane_work *w, double dt, int subintervals)
{
  const double shorten_above = 0.1, shorter = 0.008 / dt; // as in expo.c and expo_substep.c
  source from = {.layer = may_have_layer(w), .weight = splat(1)};
  const real unevenness = select_bits(from.layer, unevenness_of(w, dt), splat(0));
  from.uneven = is_less(splat(even_enough), unevenness);
  if (any_lane(w->ok & from.uneven)) {
    FFI_KERNEL(calm_middle)(w, dt);
    from.weight = select_bits(from.uneven, splat(2), splat(1));
  } else {
    memset(&from.uneven, 0, sizeof from.uneven);
  }
  find_end_acceleration(w, &from);
  find_contact_slopes(w, &from, dt);
  find_force_slopes(w, &from, dt);
  for (int k = 0; k < w->model->size.nv; ++k) {
    w->predicted_v[k] = w->delta_v[k];
    w->predicted_x[k] = w->delta_x[k];
  }
  FFI_KERNEL(lane_march)(w, dt / subintervals, subintervals, LANE_MARCH_RAMPS);
  const real weight = larger(unevenness * unevenness * (shorter * shorter * shorter), splat(1));
  lane_demand(w, FFI_LANE_FAST, is_within(correction_share(w, dt) * weight, splat(shorten_above)));
}
