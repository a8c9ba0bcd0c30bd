// The hopper as an event-selected system, and its closed form.
#include "ode/ess_hopper.h"

#include <math.h>

const ff_ess_rearm ffi_hopper_rearm[2] = {{0, 1}, {1, 0}};

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  const ffi_hopper *p = user;
  dx[0] = x[1];
  dx[1] = -p->g;
  if (side[0] > 0)
    dx[1] += p->preload + p->w * p->w * (1 - x[0]);
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = 1 - x[0];
  h[1] = x[0] - 1;
}

static void guard_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x;
  (void)user;
  rate[0] = -dx[0];
  rate[1] = dx[0];
}

ff_ess_system ffi_hopper_system(ffi_hopper *hopper)
{
  return (ff_ess_system){
      .size = 2, .guards = 2, .field = field, .guard = guard, .guard_rate = guard_rate, .user = hopper};
}

// On the ground y = x - rest, rest = 1 - (g - preload) / w^2, is y0 cos(w t) - v / w sin(w t). It is lowest at w t =
// atan2(v / w, -y0), and leaves after twice that time with +v.
typedef struct phases {
  double v, fall, ground, y0;
} phases;

static phases phases_of(const ffi_hopper *p, double x0)
{
  phases out = {.v = sqrt(2 * p->g * (x0 - 1)), .y0 = (p->g - p->preload) / (p->w * p->w)};
  out.fall = out.v / p->g;
  out.ground = 2 / p->w * atan2(out.v / p->w, -out.y0);
  return out;
}

double ffi_hopper_period(const ffi_hopper *p, double x0)
{
  const phases s = phases_of(p, x0);
  return 2 * s.fall + s.ground;
}

void ffi_hopper_exact(const ffi_hopper *p, double x0, double t, double x[2])
{
  const phases s = phases_of(p, x0);
  const double period = 2 * s.fall + s.ground;
  double since = fmod(t + s.fall, period); // since the last lift-off
  if (since <= 2 * s.fall) {
    x[0] = 1 + since * (s.v - 0.5 * p->g * since);
    x[1] = s.v - p->g * since;
    return;
  }
  since -= 2 * s.fall;
  const double c = cos(p->w * since), r = sin(p->w * since);
  x[0] = 1 - s.y0 + s.y0 * c - s.v / p->w * r;
  x[1] = -p->w * s.y0 * r - s.v * c;
}

double ffi_hopper_energy(const ffi_hopper *p, const double x[2])
{
  const double depth = fmax(1 - x[0], 0);
  return 0.5 * x[1] * x[1] + p->g * x[0] + p->preload * depth + 0.5 * p->w * p->w * depth * depth;
}
