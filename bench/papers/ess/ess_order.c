// The order test's field and its closed-form motion.
#include "papers/ess/ess_order.h"

#include <math.h>

const double bench_ess_order_start[3] = {-0.4, -0.15, 0.3};
const double bench_ess_order_duration = 0.5;

// ---- In closed form -------------------------------------------------------------------------------------

// x' = -y + 1, y' = x + 1: about (-1, 1). The motion starts here.
static void turn_left(double t, const double from[2], double to[2])
{
  const double c = cos(t), s = sin(t), u = from[0] + 1, w = from[1] - 1;
  to[0] = -1 + u * c - w * s;
  to[1] = 1 + w * c + u * s;
}

// x' = y + 1, y' = -x + 1: about (1, -1), in the opposite sense. After y = 0.
static void turn_right(double t, const double from[2], double to[2])
{
  const double c = cos(t), s = sin(t), u = from[0] - 1, w = from[1] + 1;
  to[0] = 1 + u * c + w * s;
  to[1] = -1 + w * c - u * s;
}

// x' = 10 x + 1, y' = y + 1. After x = 0 as well.
static void grow(double t, const double from[2], double to[2])
{
  to[0] = (from[0] + 0.1) * exp(10 * t) - 0.1;
  to[1] = (from[1] + 1) * exp(t) - 1;
}

// The first t > 0 with a cos t + b sin t = c, where the left side rises through it.
static double first_rise(double a, double b, double c)
{
  const double t = atan2(b, a) - acos(c / hypot(a, b));
  return t > 0 ? t : t + 2 * acos(-1.0);
}

void bench_ess_order_crossings(double at[3])
{
  const double *start = bench_ess_order_start;
  double between[2];
  at[1] = first_rise(start[1] - 1, start[0] + 1, -1);
  turn_left(at[1], start, between);
  at[0] = at[1] + first_rise(between[0] - 1, between[1] + 1, -1);
  at[2] = log(start[2] + 1); // z' = -z - 1
}

int bench_ess_order_at(void *ignored, double t, double *x)
{
  const double *start = bench_ess_order_start;
  double at[3], first[2], second[2];
  (void)ignored;
  bench_ess_order_crossings(at);
  turn_left(fmin(t, at[1]), start, first);
  turn_right(fmin(t, at[0]) - at[1], first, second);
  if (t <= at[1])
    x[0] = first[0], x[1] = first[1];
  else if (t <= at[0])
    x[0] = second[0], x[1] = second[1];
  else
    grow(t - at[0], second, x);
  x[2] = t <= at[2] ? (start[2] + 1) * exp(-t) - 1 : (1 - exp(3 * (t - at[2]))) / 3; // z' = 3 z - 1
  return 1;
}

// ---- As a system ----------------------------------------------------------------------------------------

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const int is_right = side[0] > 0, is_above = side[1] > 0;
  (void)t, (void)user;
  if (is_right && is_above)
    dx[0] = 10 * x[0] + 1, dx[1] = x[1] + 1;
  else if (is_right)
    dx[0] = -2 * x[1] + 1, dx[1] = x[0] / 2 + 2;
  else if (is_above)
    dx[0] = x[1] + 1, dx[1] = -x[0] + 1;
  else
    dx[0] = -x[1] + 1, dx[1] = x[0] + 1;
  dx[2] = side[2] > 0 ? 3 * x[2] - 1 : -x[2] - 1;
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0], h[1] = x[1], h[2] = -x[2];
}

static void guard_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x;
  guard(dx, rate, user);
}

ff_ess_def bench_ess_order_def(void)
{
  ff_ess_def def = ff_ess_def_default();
  def.system =
      (ff_ess_system){.size = 3, .guards = 3, .field = field, .guard = guard, .guard_rate = guard_rate};
  return def;
}
