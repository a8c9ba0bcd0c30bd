// The system of the order test, and its closed form.
#include "ode/ess_order_system.h"

#include <math.h>

const double ffi_order_start[3] = {-0.4, -0.15, 0.3}, ffi_order_duration = 0.5;
const double ffi_order_end[3] = {0.269850417833365, 0.337890438217040, -0.346637698427865};
const double ffi_order_times[3] = {0.209588078334644, 0.262364264467491, 0.369207153821749};
const int ffi_order_sequence[3] = {1, 2, 0};

// Table 4.1, as printed.
static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)user;
  if (side[0] < 0) {
    dx[0] = side[1] < 0 ? -x[1] + 1 : x[1] + 1;
    dx[1] = side[1] < 0 ? x[0] + 1 : -x[0] + 1;
  } else {
    dx[0] = side[1] < 0 ? -2 * x[1] + 1 : 10 * x[0] + 1;
    dx[1] = side[1] < 0 ? x[0] / 2 + 2 : x[1] + 1;
  }
  dx[2] = side[2] < 0 ? -x[2] - 1 : 3 * x[2] - 1;
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0];
  h[1] = x[1];
  h[2] = -x[2];
}

static void guard_slope(const double *x, double *Dh, void *user)
{
  (void)x;
  (void)user;
  for (int i = 0; i < 9; ++i)
    Dh[i] = i == 0 || i == 4 ? 1 : i == 8 ? -1 : 0;
}

ff_ess_system ffi_order_system(void)
{
  return (ff_ess_system){.size = 3, .guards = 3, .field = field, .guard = guard, .guard_slope = guard_slope};
}

// Turned by `angle` about (cx, cy).
static void turn(double cx, double cy, double angle, double x[2])
{
  const double a = x[0] - cx, b = x[1] - cy;
  x[0] = cx + a * cos(angle) - b * sin(angle);
  x[1] = cy + a * sin(angle) + b * cos(angle);
}

void ffi_order_exact(double t, double x[3])
{
  const double first = ffi_order_times[0], second = ffi_order_times[1], third = ffi_order_times[2];
  x[0] = ffi_order_start[0];
  x[1] = ffi_order_start[1];
  turn(-1, 1, fmin(t, first), x);
  if (t > first)
    turn(1, -1, -(fmin(t, third) - first), x);
  if (t > third) {
    x[0] = (x[0] + 0.1) * exp(10 * (t - third)) - 0.1;
    x[1] = (x[1] + 1) * exp(t - third) - 1;
  }
  x[2] = (ffi_order_start[2] + 1) * exp(-fmin(t, second)) - 1;
  if (t > second)
    x[2] = (x[2] - 1. / 3) * exp(3 * (t - second)) + 1. / 3;
}
