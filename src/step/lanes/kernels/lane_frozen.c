// The frozen system of a calm step over an interval, one robot in each lane: docs/theory/exponential.md, eqs 6 to 9. As
// step/frozen/frozen_solve.c, which has the poles in lanes. lane_matrix.c has the matrix and its factors.
#include "step/lanes/kernels/lane_complex.h"
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

#include <stddef.h>

// ---- A subinterval --------------------------------------------------------------------------------------------

// V [nv][4] = J' (K x + B u, K u + B c, K c + B c1, K c1) of all contacts, at time t: what the powers of 1/s multiply.
static void excite_contacts(ffi_lane_work *w, double t)
{
  const size_t nv = (size_t)w->model->size.nv;
  for (size_t k = 0; k < 4 * nv; ++k)
    w->V[k] = splat(0);
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    const vec3 x = load3(c->now_x), u = load3(c->now_u), rise = load3(c->c1);
    const vec3 now = axpy(splat(t), rise, load3(c->c));
    const vec3 one = axpy(c->B, u, scale(c->K, x)), two = axpy(c->B, now, scale(c->K, u));
    const vec3 three = axpy(c->B, rise, scale(c->K, now)), four = scale(c->K, rise);
    for (int a = 0; a < c->columns; ++a) {
      const vec3 J = load3(c->J + 3 * a);
      real *at = w->V + 4 * c->dof[a];
      at[0] = at[0] + dot(J, one);
      at[1] = at[1] + dot(J, two);
      at[2] = at[2] + dot(J, three);
      at[3] = at[3] + dot(J, four);
    }
  }
}

// alpha [nv][2] = the part of f + f1 t.
static void excite_forces(const ffi_lane_work *w, double t, double h, int pole, int has_ramp, real *alpha)
{
  const ffi_lane_poles *poles = &w->plan->poles;
  const int n = w->model->size.nv;
  const double one[2] = {h * poles->inverse[1][pole], h * poles->inverse[1][4 + pole]};
  const double two[2] = {h * h * poles->inverse[2][pole], h * h * poles->inverse[2][4 + pole]};
  if (!has_ramp) {
    for (int i = 0; i < n; ++i) {
      alpha[2 * i] = w->f[i] * one[0];
      alpha[2 * i + 1] = w->f[i] * one[1];
    }
    return;
  }
  for (int i = 0; i < n; ++i) {
    const real f1 = w->f1[i], f = w->f[i] + t * f1;
    alpha[2 * i] = f * one[0] + f1 * two[0];
    alpha[2 * i + 1] = f * one[1] + f1 * two[1];
  }
}

// alpha -= sum V_j (h/s)^(j + 1), the part of the contacts. Without slopes the last one is zero.
FFI_ALWAYS void add_contacts(const ffi_lane_work *w, double h, int pole, const int terms, real *alpha)
{
  const double power[4] = {h, h * h, h * h * h, h * h * h * h};
  double re[4], im[4];
#pragma GCC unroll 4
  for (int k = 0; k < terms; ++k) {
    re[k] = power[k] * w->plan->poles.inverse[k + 1][pole];
    im[k] = power[k] * w->plan->poles.inverse[k + 1][4 + pole];
  }
  for (int i = 0; i < w->model->size.nv; ++i) {
    real a = alpha[2 * i], b = alpha[2 * i + 1];
#pragma GCC unroll 4
    for (int k = 0; k < terms; ++k) {
      a = a - re[k] * w->V[4 * i + k];
      b = b - im[k] * w->V[4 * i + k];
    }
    alpha[2 * i] = a;
    alpha[2 * i + 1] = b;
  }
}

// Right-hand side of docs/theory/exponential.md, eq. 7.
static void excite(const ffi_lane_work *w, double t, double h, int pole, int has_ramp, real *alpha)
{
  const double *once = w->plan->poles.inverse[1];
  excite_forces(w, t, h, pole, has_ramp, alpha);
  if (has_ramp)
    add_contacts(w, h, pole, 4, alpha);
  else
    add_contacts(w, h, pole, 3, alpha);
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const ffi_lane_spring *s = &w->spring[i];
    real *at = alpha + 2 * s->v, z[2];
    lane_impedance(w->plan, -s->now_u * s->now_K, -s->now_u * s->now_B, 2, h, pole, z);
    at[0] = at[0] + z[0] - s->now_K * s->now_x * (h * once[pole]);
    at[1] = at[1] + z[1] - s->now_K * s->now_x * (h * once[4 + pole]);
  }
}

// Integrals of xi'', eq. 9: A [nv][4], once, twice, three and four times.
static void integrate(ffi_lane_work *w, double h)
{
  const double power[4] = {1, h, h * h, h * h * h};
  double weight[4][FFI_COMPLEX];
  for (int k = 0; k < 4; ++k)
    for (int p = 0; p < FFI_COMPLEX; ++p)
      weight[k][p] = power[k] * w->plan->poles.weight[k + 1][p];
  FFI_KERNEL(lane_weigh)(w, &weight[0][0], w->A);
}

void FFI_KERNEL(lane_weigh)(const ffi_lane_work *w, const double *weight, real *out)
{
  const size_t n = (size_t)w->model->size.nv;
  for (size_t i = 0; i < n; ++i) {
    real re[FFI_POLES], im[FFI_POLES];
    for (size_t p = 0; p < FFI_POLES; ++p) {
      re[p] = w->alpha[2 * (p * n + i)];
      im[p] = w->alpha[2 * (p * n + i) + 1];
    }
    for (int k = 0; k < 4; ++k) {
      const double *own = weight + FFI_COMPLEX * k;
      real sum = own[0] * re[0] + own[4] * im[0];
      for (int p = 1; p < FFI_POLES; ++p)
        sum = sum + own[p] * re[p] + own[4 + p] * im[p];
      out[4 * i + (size_t)k] = sum;
    }
  }
}

// ---- After it -------------------------------------------------------------------------------------------------

// A contact's impulses and state after the subinterval, eqs 6 and 9.
static void advance_contact(const ffi_lane_work *w, ffi_lane_contact *c, double t, double h)
{
  const real K = c->K, B = c->B;
  vec3 part[4];
  for (int k = 0; k < 4; ++k) {
    part[k] = vec(splat(0), splat(0), splat(0));
    for (int a = 0; a < c->columns; ++a)
      part[k] = axpy(w->A[4 * c->dof[a] + k], load3(c->J + 3 * a), part[k]);
  }
  for (int r = 0; r < 3; ++r) {
    const real once = r == 0 ? part[0].x : r == 1 ? part[0].y : part[0].z;
    const real twice = r == 0 ? part[1].x : r == 1 ? part[1].y : part[1].z;
    const real thrice = r == 0 ? part[2].x : r == 1 ? part[2].y : part[2].z;
    const real fourth = r == 0 ? part[3].x : r == 1 ? part[3].y : part[3].z;
    const real x = c->now_x[r], u = c->now_u[r], c1 = c->c1[r], b = c->c[r] + t * c1;
    const real end = x + h * (u + h * (b * (1.0 / 2) + h * c1 * (1.0 / 6))) + twice;
    const real whole = h * (x + h * (u * (1.0 / 2) + h * (b * (1.0 / 6) + h * c1 * (1.0 / 24)))) + thrice;
    const real area =
        h * h * (x * (1.0 / 2) + h * (u * (1.0 / 6) + h * (b * (1.0 / 24) + h * c1 * (1.0 / 120)))) + fourth;
    c->double_sum[r] = c->double_sum[r] + c->sum[r] * h - K * area - B * (whole - x * h);
    c->sum[r] = c->sum[r] - K * whole - B * (end - x);
    c->now_x[r] = end;
    c->now_u[r] = u + h * (b + h * c1 * (1.0 / 2)) + once;
  }
}

static void advance_spring(const ffi_lane_work *w, ffi_lane_spring *s, double h)
{
  const real *A = w->A + 4 * s->v, x = s->now_x, u = s->now_u;
  const real end = x + h * u + A[1], whole = h * (x + h * u / 2) + A[2];
  const real twice = h * h * (x / 2 + h * u / 6) + A[3];
  s->double_sum = s->double_sum + s->sum * h - s->now_K * twice - s->now_B * (whole - x * h);
  s->sum = s->sum - s->now_K * whole - s->now_B * (end - x);
  s->now_x = end;
  s->now_u = u + A[0];
}

static void advance(ffi_lane_work *w, double t, double h)
{
  for (int i = 0; i < w->contact_count; ++i)
    advance_contact(w, &w->contact[i], t, h);
  for (int i = 0; i < w->plan->motor_count; ++i)
    advance_spring(w, &w->spring[i], h);
  for (int i = 0; i < w->model->size.nv; ++i) {
    w->delta_x[i] = w->delta_x[i] + w->delta_v[i] * h + w->A[4 * i + 1];
    w->delta_v[i] = w->delta_v[i] + w->A[4 * i];
  }
}

// ---- The interval ---------------------------------------------------------------------------------------------

static void begin(ffi_lane_work *w, int has_ramps)
{
  for (int i = 0; i < w->model->size.nv; ++i)
    w->delta_v[i] = w->delta_x[i] = splat(0);
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    for (int r = 0; r < 3; ++r) {
      c->now_x[r] = c->x[r];
      c->now_u[r] = c->u[r];
      c->sum[r] = c->double_sum[r] = splat(0);
      if (!has_ramps)
        c->c1[r] = splat(0);
    }
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    ffi_lane_spring *s = &w->spring[i];
    s->now_x = s->x;
    s->now_u = s->u;
    s->sum = s->double_sum = splat(0);
  }
}

// Means by Expo paper eqs 23 and 25.
static void finish(ffi_lane_work *w, double whole)
{
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    for (int r = 0; r < 3; ++r) {
      c->mean[r] = c->sum[r] / whole;
      c->double_mean[r] = 2 * c->double_sum[r] / (whole * whole);
    }
  }
  for (int i = 0; i < w->plan->motor_count; ++i) {
    w->spring[i].mean = w->spring[i].sum / whole;
    w->spring[i].double_mean = 2 * w->spring[i].double_sum / (whole * whole);
  }
}

void FFI_KERNEL(lane_march)(ffi_lane_work *w, double h, int count, int how)
{
  const size_t n = (size_t)w->model->size.nv;
  const int has_ramps = how & LANE_MARCH_RAMPS;
  begin(w, has_ramps);
  for (int i = 0; i < count; ++i) {
    const double t = i * (h * count) / count;
    excite_contacts(w, t);
    for (int p = 0; p < FFI_POLES; ++p) {
      real *alpha = w->alpha + 2 * (size_t)p * n;
      excite(w, t, h, p, has_ramps, alpha);
      FFI_KERNEL(lane_solve)(w, p, alpha);
    }
    integrate(w, h);
    if (how & LANE_MARCH_BOUND)
      FFI_KERNEL(lane_error_add)(w, h, i, count);
    if (how & LANE_MARCH_EVENTS)
      FFI_KERNEL(calm_events)(w, t, h);
    advance(w, t, h);
  }
  finish(w, h * count);
}

void FFI_KERNEL(lane_predict)(ffi_lane_work *w, double dt, int subintervals, int how)
{
  const double h = dt / subintervals;
  const real_bits before = w->ok;
  FFI_KERNEL(lane_error_begin)(w, h);
  FFI_KERNEL(lane_factor)(w, h);
  FFI_KERNEL(lane_march)(w, h, subintervals, how | LANE_MARCH_BOUND);
  const real_bits without_events = w->ok;
  w->ok = before;
  w->error = FFI_KERNEL(lane_error_end)(w, dt);
  const real_bits is_resolved = is_within(w->error, splat(w->plan->world->def.expo.force_tolerance));
  w->finer = w->ok & ~is_resolved;
  w->ok &= without_events & is_resolved;
}
