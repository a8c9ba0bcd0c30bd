// Runge-Kutta steps that end at changes of regime.
#include "properties/order/joint_regimes.h"

#include <footfall/dynamics.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

typedef struct motion {
  const ffi_order_scene *scene;
  ff_dynamics *dynamics;
  int n,
      regime
          [MOST]; // -1, 0, 1 as in element.h: the side of a stop that pushes, the side at which a motor has its limit
} motion;

// Spring and damper of an element, for a regime that acts so; of a stop: as if it were on `side`.
static double linear_force(const ff_element_def *e, int side, double q, double v)
{
  if (e->type == FF_ELEMENT_JOINT_PD)
    return -e->stiffness * (q - e->reference) - e->damping * v;
  return -e->stiffness * (q - (side < 0 ? e->lower : e->upper)) - e->damping * v;
}

static double force_in(const ff_element_def *e, int regime, double q, double v)
{
  if (e->type == FF_ELEMENT_JOINT_PD)
    return regime == 0 ? linear_force(e, 0, q, v) : regime * e->effort;
  return regime == 0 ? 0 : linear_force(e, regime, q, v);
}

// The regime that follows on `regime` in the state (q, v); the same while it holds.
static int regime_after(const ff_element_def *e, int regime, double q, double v)
{
  if (e->type == FF_ELEMENT_JOINT_PD) {
    const double force = linear_force(e, 0, q, v);
    return regime == 0 ? (force > e->effort) - (force < -e->effort) : regime * force < e->effort ? 0 : regime;
  }
  if (regime != 0)
    return regime * linear_force(e, regime, q, v) > 0 ? 0 : regime;
  const int side = q < e->lower ? -1 : q > e->upper ? 1 : 0;
  return side != 0 && side * linear_force(e, side, q, v) < 0 ? side : 0;
}

// y = (q, v); rate = (v, vdot).
static void rate_of(const motion *m, const double *y, double *rate)
{
  double tau[MOST] = {0};
  for (int i = 0; i < m->scene->def.element_count; ++i) {
    const ff_element_def *e = &m->scene->def.elements[i];
    tau[e->joint] += force_in(e, m->regime[i], y[e->joint], y[m->n + e->joint]);
  }
  memcpy(rate, y + m->n, (size_t)m->n * sizeof *rate);
  ff_dynamics_aba(m->dynamics, y, y + m->n, tau, rate + m->n);
}

static void runge_kutta(const motion *m, const double *y, double h, double *out)
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double rate[2 * MOST] = {0}, at[2 * MOST], sum[2 * MOST] = {0};
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < 2 * m->n; ++i)
      at[i] = y[i] + part[stage] * h * rate[i];
    rate_of(m, at, rate);
    for (int i = 0; i < 2 * m->n; ++i)
      sum[i] += weight[stage] * rate[i];
  }
  for (int i = 0; i < 2 * m->n; ++i)
    out[i] = y[i] + h * sum[i];
}

static int holds(const motion *m, const double *y)
{
  for (int i = 0; i < m->scene->def.element_count; ++i) {
    const ff_element_def *e = &m->scene->def.elements[i];
    if (regime_after(e, m->regime[i], y[e->joint], y[m->n + e->joint]) != m->regime[i])
      return 0;
  }
  return 1;
}

// A step of at most h from y to y; returns its length. One that is cut ends at the first number at which a regime no
// longer holds.
static double advance(motion *m, double *y, double h, int *changes)
{
  double next[2 * MOST], low = 0, high = h;
  runge_kutta(m, y, h, next);
  if (holds(m, next)) {
    memcpy(y, next, sizeof next);
    return h;
  }
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high)
      break;
    runge_kutta(m, y, middle, next);
    (holds(m, next) ? (low = middle) : (high = middle));
  }
  runge_kutta(m, y, high, next);
  memcpy(y, next, sizeof next);
  for (int i = 0; i < m->scene->def.element_count; ++i) {
    const ff_element_def *e = &m->scene->def.elements[i];
    const int after = regime_after(e, m->regime[i], y[e->joint], y[m->n + e->joint]);
    *changes += after != m->regime[i];
    m->regime[i] = after;
  }
  return high;
}

int ffi_joint_regimes_run(const ffi_order_scene *scene, int steps, double *end)
{
  ff_error error;
  motion m = {.scene = scene, .n = ff_model_get_size(scene->model).nv};
  double y[2 * MOST] = {0};
  int changes = 0;
  assert_true(m.n <= MOST && scene->def.element_count <= MOST);
  if (ff_dynamics_create(scene->model, NULL, &m.dynamics, &error) != FF_OK)
    fail_msg("%s", error.message);
  memcpy(y, scene->q, (size_t)m.n * sizeof *y);
  memcpy(y + m.n, scene->v, (size_t)m.n * sizeof *y);
  for (int i = 0; i < scene->def.element_count; ++i) {
    const ff_element_def *e = &scene->def.elements[i];
    m.regime[i] = regime_after(e, 0, y[e->joint], y[m.n + e->joint]);
  }
  for (int k = 0; k < steps; ++k)
    for (double left = scene->duration / steps; left > 0;)
      left -= advance(&m, y, left, &changes);
  memcpy(end, y, 2 * (size_t)m.n * sizeof *end);
  ff_dynamics_destroy(m.dynamics);
  return changes;
}
