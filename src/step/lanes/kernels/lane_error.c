// A bound of the error of a calm step's frozen system: step/frozen/frozen_error.c over lanes, without sliding contacts.
// docs/theory/exponential.md, section "Subintervals and the error"
#include "step/lanes/kernels/lane_variant.h"

#include "math/poles.h"
#include "model/model.h"

static real free_fall(const ffi_lane_work *w, double h)
{
  return larger(w->gravity, splat(1)) * h;
}

static real largest3(const real a[3])
{
  return larger(larger(size_of(a[0]), size_of(a[1])), size_of(a[2]));
}

// Least and largest B/K and K of the springs of each lane, as add_spring() of step/frozen/frozen_error.c.
static void widen_spans(ffi_lane_bounds *s, real_bits has, real K, real B)
{
  const real time = B / K;
  s->least_time = select_bits(has & is_less(time, s->least_time), time, s->least_time);
  s->most_time = select_bits(has & is_less(s->most_time, time), time, s->most_time);
  s->least_K = select_bits(has & is_less(K, s->least_K), K, s->least_K);
  s->most_K = select_bits(has & is_less(s->most_K, K), K, s->most_K);
}

// ffi_poles_bounds() of each lane; most passes have the same springs in all.
static void find_pole_bounds(ffi_lane_bounds *s, double h)
{
  double last = -1, first[4], later[4];
  for (int lane = 0; lane < FFI_LANES; ++lane) {
    const double least = lane_of(s->least_time, lane), most = lane_of(s->most_time, lane);
    const double key = least == most ? least : -least;
    if (lane == 0 || key != last) {
      ffi_poles_bounds(h / least, least == most, 0, first);
      ffi_poles_bounds(h / least, least == most, 1, later);
      last = key;
    }
    for (int k = 0; k < 4; ++k) {
      set_lane(&s->first[k], lane, first[k]);
      set_lane(&s->later[k], lane, later[k]);
    }
  }
}

static real_bits is_equal(real a, real b)
{
  return is_within(a, b) & is_within(b, a);
}

// Lanes in which the general step has the rough norm: their contacts have few different materials.
static real_bits have_rough_norm(const ffi_lane_work *w)
{
  real different = splat(0);
  if (w->contact_count <= FFI_FROZEN_CLASSES)
    return ~(real_bits){0};
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    real_bits is_new = c->active;
    for (int j = 0; j < i && any_lane(is_new); ++j) {
      const ffi_lane_contact *known = &w->contact[j];
      is_new &= ~(known->active & is_equal(known->K, c->K) & is_equal(known->B, c->B));
    }
    different = different + select_bits(is_new, splat(1), splat(0));
  }
  return is_within(different, splat(FFI_FROZEN_CLASSES));
}

void FFI_KERNEL(lane_error_begin)(ffi_lane_work *w, double h)
{
  ffi_lane_bounds *s = &w->bounds;
  s->once = s->end = s->rate = splat(0);
  s->force = splat(1e-3);
  s->least_time = s->least_K = splat(__builtin_inf());
  s->most_time = s->most_K = splat(0);
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    widen_spans(s, c->active, c->K, c->B);
    s->force = larger(s->force, c->K * largest3(c->x) + c->B * largest3(c->u));
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const ffi_lane_spring *j = &w->spring[i];
    widen_spans(s, is_less(splat(0), j->now_K), j->now_K, j->now_B);
    s->force = larger(s->force, j->now_K * size_of(j->x) + j->now_B * size_of(j->u));
  }
  s->has_rough = have_rough_norm(w);
  find_pole_bounds(s, h);
}

// ---- One subinterval ------------------------------------------------------------------------------------------

// An upper bound of the norm of indicator 0: hardly any work.
static real rough_norm(const ffi_lane_work *w, double h)
{
  const int n = w->model->size.nv;
  real inertial = splat(0), elastic = splat(0);
  for (int i = 0; i < n; ++i) {
    const int at = w->model->dof_row[i + 1] - 1;
    const real *e = w->E + 4 * i;
    inertial = inertial + w->M[at] * e[0] * e[0];
    elastic = elastic + w->G_K[at] * e[1] * e[1];
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const real *e = w->E + 4 * w->spring[i].v;
    elastic = elastic + w->spring[i].now_K * e[1] * e[1];
  }
  return square_root((double)n * (inertial + h * h * elastic));
}

static void add_inertial(const ffi_lane_work *w, real sum[3])
{
  for (int i = 0; i < w->model->size.nv; ++i) {
    const int at = w->model->dof_row[i], depth = w->model->dof_depth[i];
    const real *own = w->E + 4 * i;
    for (int m = 0; m < 3; ++m) {
      real row = w->M[at + depth] * own[m]; // twice what is before the diagonal
      for (int k = 0; k < depth; ++k)
        row = row + 2 * w->M[at + k] * w->E[4 * w->dynamics->path[at + k] + m];
      sum[m] = sum[m] + row * own[m];
    }
  }
}

// Norms of the indicators. Indicator m of an elongation is h times indicator m + 1 of its rate.
static void find_norms(const ffi_lane_work *w, double h, real norm[3])
{
  real sum[3] = {splat(0), splat(0), splat(0)};
  add_inertial(w, sum);
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    for (int m = 0; m < 3; ++m) {
      vec3 rate = vec(splat(0), splat(0), splat(0));
      for (int a = 0; a < c->columns; ++a)
        rate = axpy(w->E[4 * c->dof[a] + m + 1], load3(c->J + 3 * a), rate);
      sum[m] = sum[m] + c->K * (h * h) * dot(rate, rate);
    }
  }
  for (int i = 0; i < w->plan->motor_count; ++i)
    for (int m = 0; m < 3; ++m) {
      const real rate = w->E[4 * w->spring[i].v + m + 1];
      sum[m] = sum[m] + w->spring[i].now_K * (h * h) * rate * rate;
    }
  for (int m = 0; m < 3; ++m)
    norm[m] = square_root(larger(sum[m], splat(0)));
}

static real velocity_within(const ffi_lane_bounds *s, real rate)
{
  return rate / square_root(s->least_K);
}
static real force_within(const ffi_lane_bounds *s, real once, real end, double whole)
{
  return square_root(s->most_K) * (once + s->most_time * end) / whole;
}

void FFI_KERNEL(lane_error_add)(ffi_lane_work *w, double h, int index, int count)
{
  ffi_lane_bounds *s = &w->bounds;
  const double whole = h * count, share = 0.1 * w->plan->world->def.expo.force_tolerance / count;
  const real *bound = index == count - 1 ? s->first : s->later;
  FFI_KERNEL(lane_weigh)(w, &w->plan->poles.unresolved[0][0], w->E);
  const real rough = rough_norm(w, h);
  real part[3] = {h * bound[0] * rough, bound[1] * rough, bound[2] * rough / h};
  const real_bits is_small = s->has_rough &
                             is_within(velocity_within(s, part[2]), share * free_fall(w, whole)) &
                             is_within(force_within(s, part[0], part[1], whole), share * s->force);
  if (any_lane(~is_small)) {
    real norm[3], least[3] = {splat(__builtin_inf()), splat(__builtin_inf()), splat(__builtin_inf())};
    find_norms(w, h, norm);
    for (int k = 0; k < 3; ++k)
      for (int m = 0; k + m < 4 && m < 3; ++m)
        least[k] = smaller_of(norm[m] * bound[k + m], least[k]);
    part[0] = select_bits(is_small, part[0], h * least[0]);
    part[1] = select_bits(is_small, part[1], least[1]);
    part[2] = select_bits(is_small, part[2], least[2] / h);
  }
  s->once = s->once + part[0];
  s->end = s->end + part[1];
  s->rate = s->rate + part[2];
}

// ---- The interval ---------------------------------------------------------------------------------------------

// Sizes of the velocities of blocks and of joints and of forces.
enum { BLOCK, JOINT, FORCE };
typedef struct sizes {
  real least[3], found[3];
} sizes;

static void widen(sizes *s, int what, real start, real more)
{
  s->least[what] = larger(s->least[what], start);
  s->found[what] = larger(s->found[what], start + more);
}

static void find_sizes(const ffi_lane_work *w, double h, sizes *s)
{
  const real zero = splat(0);
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    for (int r = 0; r < 3; ++r) {
      widen(s, BLOCK, size_of(c->u[r]) + size_of(c->c[r]) * h, size_of(c->now_u[r] - c->u[r] - c->c[r] * h));
      widen(s, FORCE, zero, size_of(c->mean[r]));
      widen(s, FORCE, zero, c->K * size_of(c->now_x[r]) + c->B * size_of(c->now_u[r]));
    }
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const ffi_lane_spring *j = &w->spring[i];
    const real_bits has = is_less(zero, j->now_K);
    widen(s, JOINT, size_of(j->u), select_bits(has, size_of(j->now_u - j->u), zero));
    widen(s, FORCE, zero,
          larger(size_of(j->mean), j->now_K * size_of(j->now_x) + j->now_B * size_of(j->now_u)));
  }
}

static real share_of(real error, const sizes *s, int what)
{
  const real share = error / larger(s->least[what], s->found[what] - error);
  return select_bits(is_less(splat(0), error), share, splat(0));
}

static real at_once(const ffi_lane_bounds *s, const sizes *size, double whole)
{
  const real velocity = velocity_within(s, s->rate), force = force_within(s, s->once, s->end, whole);
  return larger(share_of(force, size, FORCE),
                larger(share_of(velocity, size, BLOCK), share_of(velocity, size, JOINT)));
}

// M = L'DL, 1/D on the diagonal: docs/theory/dynamics.md, section 5.
static void factor_mass(ffi_lane_work *w)
{
  const ff_model *m = w->model;
  memcpy(w->L, w->M, (size_t)w->entries * sizeof *w->L);
  for (int i = m->size.nv - 1; i >= 0; --i) {
    real *row = w->L + m->dof_row[i];
    const int *path = w->dynamics->path + m->dof_row[i], depth = m->dof_depth[i];
    row[depth] = 1.0 / row[depth];
    for (int k = depth - 1; k >= 0; --k) {
      const real l = row[k] * row[depth];
      subtract_scaled(l, (const real_u *)row, (real_u *)(w->L + m->dof_row[path[k]]), k + 1);
      row[k] = l;
    }
  }
}

// |D^-1/2 L^-T j'|^2 of three rows on a path. y [columns][3], used up.
static void find_mobility(const ffi_lane_work *w, const int *dof, int columns, real *y, real out[3])
{
  vec3 sum = vec(splat(0), splat(0), splat(0));
  for (int a = columns - 1; a >= 0; --a) {
    const real *row = w->L + w->model->dof_row[dof[a]];
    const vec3 own = load3(y + 3 * a);
    sum = add(sum, vec(row[a] * own.x * own.x, row[a] * own.y * own.y, row[a] * own.z * own.z));
    for (int k = 0; k < a; ++k)
      store3(y + 3 * k, axpy(-row[k], own, load3(y + 3 * k)));
  }
  store3(out, sum);
}

// J_end is not used yet: the end has not been looked at.
static void find_mobilities(ffi_lane_work *w)
{
  factor_mass(w);
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    memcpy(c->J_end, c->J, 3 * (size_t)c->columns * sizeof *c->J);
    find_mobility(w, c->dof, c->columns, c->J_end, c->mobility);
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    ffi_lane_spring *s = &w->spring[i];
    const int *path = w->dynamics->path + w->model->dof_row[s->v], depth = w->model->dof_depth[s->v];
    real y[3 * 64], out[3];
    s->mobility = splat(__builtin_inf());
    if (depth >= 64)
      continue;
    for (int k = 0; k < 3 * (depth + 1); ++k)
      y[k] = splat(k == 3 * depth ? 1 : 0);
    find_mobility(w, path, depth + 1, y, out);
    s->mobility = out[0];
  }
}

static real row_velocity(const ffi_lane_bounds *s, real K, real mobile)
{
  return smaller_of(s->rate / square_root(K), square_root(mobile) * s->end);
}
static real row_force(const ffi_lane_bounds *s, real K, real B, double h)
{
  return square_root(K) * (s->once + B / K * s->end) / h;
}

static real row_by_row(const ffi_lane_work *w, const sizes *size, double h)
{
  const ffi_lane_bounds *s = &w->bounds;
  const real zero = splat(0);
  real block = zero, joint = zero, force = zero;
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    const real K = c->K, B = c->B;
    for (int r = 0; r < 3; ++r) {
      block = larger(block, select_bits(c->active, row_velocity(s, K, c->mobility[r]), zero));
      force = larger(force, select_bits(c->active, row_force(s, K, B, h), zero));
    }
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const ffi_lane_spring *j = &w->spring[i];
    const real_bits has = is_less(zero, j->now_K);
    joint = larger(joint, select_bits(has, row_velocity(s, j->now_K, j->mobility), zero));
    force = larger(force, select_bits(has, row_force(s, j->now_K, j->now_B, h), zero));
  }
  return larger(share_of(force, size, FORCE),
                larger(share_of(block, size, BLOCK), share_of(joint, size, JOINT)));
}

real FFI_KERNEL(lane_error_end)(ffi_lane_work *w, double whole)
{
  const real tolerance = splat(w->plan->world->def.expo.force_tolerance);
  const real fall = free_fall(w, whole);
  sizes size = {{fall, fall, w->bounds.force}, {fall, fall, w->bounds.force}};
  real error = at_once(&w->bounds, &size, whole);
  if (!any_lane(w->ok & ~is_within(error, tolerance)))
    return error;
  find_sizes(w, whole, &size);
  error = select_bits(is_within(error, tolerance), error, at_once(&w->bounds, &size, whole));
  if (!any_lane(w->ok & ~is_within(error, tolerance)))
    return error;
  find_mobilities(w);
  return select_bits(is_within(error, tolerance), error, row_by_row(w, &size, whole));
}
