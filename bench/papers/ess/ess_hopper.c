// The hopper's equations and its closed-form motion.
#include "papers/ess/ess_hopper.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double bench_ess_hopper_touchdown(const bench_ess_hopper *h)
{
  return sqrt(2 * (h->start - h->length) / h->gravity);
}

// In stance z oscillates about its equilibrium by a cos(w s) + b sin(w s), from the leg's length, moving down, until it
// reaches that length again.
typedef struct stance {
  double rest, a, b, w, time;
} stance;

static stance stance_of(const bench_ess_hopper *h)
{
  stance s = {.w = sqrt(h->stiffness / h->mass)};
  const double speed = -h->gravity * bench_ess_hopper_touchdown(h);
  s.rest = h->length + (h->preload - h->mass * h->gravity) / h->stiffness;
  s.a = h->length - s.rest;
  s.b = speed / s.w;
  s.time = (2 * pi + 2 * atan2(s.b, s.a)) / s.w; // b < 0, so the angle is in (-pi, 0)
  return s;
}

double bench_ess_hopper_stance(const bench_ess_hopper *h)
{
  return stance_of(h).time;
}

void bench_ess_hopper_exact(const bench_ess_hopper *h, double t, double x[2])
{
  const double fall = bench_ess_hopper_touchdown(h), g = h->gravity;
  const stance s = stance_of(h);
  if (t < fall) {
    x[0] = h->start - 0.5 * g * t * t;
    x[1] = -g * t;
    return;
  }
  t = fmod(t - fall, s.time + 2 * fall); // no loss: it lifts off with its touch-down speed and returns
  if (t < s.time) {
    const double c = cos(s.w * t), d = sin(s.w * t);
    x[0] = s.rest + s.a * c + s.b * d;
    x[1] = s.w * (s.b * c - s.a * d);
    return;
  }
  t -= s.time;
  x[0] = h->length + g * fall * t - 0.5 * g * t * t;
  x[1] = g * (fall - t);
}

int bench_ess_hopper_at(void *hopper, double t, double *x)
{
  bench_ess_hopper_exact(hopper, t, x);
  return 1;
}

// ---- As a system ----------------------------------------------------------------------------------------

enum { TOUCH, LIFT };

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const bench_ess_hopper *h = ((const bench_ess_simulator_user *)user)->model;
  (void)t;
  dx[0] = x[1];
  dx[1] = -h->gravity;
  if (side[TOUCH] > 0)
    dx[1] += (h->stiffness * (h->length - x[0]) + h->preload) / h->mass;
  return 0;
}

static void guard(const double *x, double *value, void *user)
{
  const bench_ess_hopper *h = ((const bench_ess_simulator_user *)user)->model;
  value[TOUCH] = h->length - x[0];
  value[LIFT] = x[0] - h->length;
}

static void guard_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x, (void)user;
  rate[TOUCH] = -dx[0];
  rate[LIFT] = dx[0];
}

ff_ess_def bench_ess_hopper_def(void)
{
  static const ff_ess_rearm rearm[] = {{TOUCH, LIFT}, {LIFT, TOUCH}};
  ff_ess_def def = ff_ess_def_default();
  def.system =
      (ff_ess_system){.size = 2, .guards = 2, .field = field, .guard = guard, .guard_rate = guard_rate};
  def.rearm = rearm;
  def.rearm_count = 2;
  return def;
}
