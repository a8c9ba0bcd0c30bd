#include "control/plan_jump_course.h"

#include "control/smooth.h"

#include <math.h>

enum { MANY = 1000000 };

// Goes on from out[], where a piece of constant jerk begins, for at most T; returns what is left of t then.
static double piece(double t, double T, double from, double to, double out[3])
{
  const double s = fmin(t, T), jerk = T > 0 ? (to - from) / T : 0;
  out[0] += s * (out[1] + s * (from / 2 + s * jerk / 6));
  out[1] += s * (from + s * jerk / 2);
  out[2] = from + s * jerk;
  return t - s;
}

// The deceleration a that stays for a time `middle`, so that all three pieces end at rest after the way s. With rising and falling times T, both alike,
//   (w - a T/2)^2 - (a T/2)^2 = 2 a (s - v T + T^2 (a - 2 g)/6 - a T^2/6),   w = v + g T/2,
// is linear in a. Returns 0 if that leaves no time for the middle.
static int brake(double s, double v, double g, double T, double *a, double *middle)
{
  const double w = v + g * T / 2, way = 2 * s - 2 * v * T - 2 * g * T * T / 3 + w * T;
  *a = w * w / way;
  *middle = w / *a - T;
  return way > 0 && *middle >= 0;
}

// From a fall to rest by the least force: acceleration goes from -g to a within `load`, stays for `middle`, and goes to 0 within `load`.
typedef struct stop {
  double speed; ///< of the fall [m/s]
  double load, middle, a;
} stop;

// Returns how long it takes.
static double plan_stop(const ffi_plan_jump_course *c, double way, double v, stop *out)
{
  *out = (stop){.speed = v, .load = c->load_time};
  if (!brake(way, v, c->gravity, out->load, &out->a, &out->middle)) {
    out->load = 0; // the way is too short for more than a constant deceleration
    brake(way, v, c->gravity, 0, &out->a, &out->middle);
  }
  return 2 * out->load + out->middle;
}

// `t` after it begins at a height.
static void stop_at(const ffi_plan_jump_course *c, const stop *s, double height, double t, double out[3])
{
  out[0] = height;
  out[1] = -s->speed;
  t = piece(t, s->load, -c->gravity, s->a, out);
  if (t > 0)
    t = piece(t, s->middle, s->a, s->a, out);
  if (t > 0)
    piece(t, s->load, s->a, 0, out);
}

// A push is a landing backwards, one that begins at `high` with the speed of lift-off. Returns how long it takes.
static double plan_push(const ffi_plan_jump_course *c, stop *out)
{
  const double rise = c->gravity * c->flight_time / 2 + (c->touch - c->high) / c->flight_time;
  return plan_stop(c, c->high - c->low, rise, out);
}

double ffi_plan_jump_course_lift_time(const ffi_plan_jump_course *c)
{
  stop s;
  const double time = c->stand_time + c->crouch_time + plan_push(c, &s);
  return c->hold * ceil(time / c->hold - 1e-9);
}

void ffi_plan_jump_course_before(const ffi_plan_jump_course *c, double t, double out[3])
{
  const double stand[3] = {c->stand}, low[3] = {c->low};
  stop s;
  const double push = plan_push(c, &s), lift = ffi_plan_jump_course_lift_time(c), left = lift - t;
  if (left >= push) {
    ffi_smooth_between(stand, low, lift - push - c->stand_time, fmax(0, t - c->stand_time), out);
    return;
  }
  stop_at(c, &s, c->high, fmax(0, left), out);
  out[1] = -out[1];
}

void ffi_plan_jump_course_after(const ffi_plan_jump_course *c, double height, double speed, double t,
                                double out[3])
{
  const double least_way = 0.01, least_speed = 0.1; // of what is still a landing
  const double way = fmax(least_way, height - c->rest);
  const double stand[3] = {c->stand}, rest[3] = {height - way};
  stop s;
  const double end = plan_stop(c, way, fmax(least_speed, speed), &s);
  if (t >= end)
    ffi_smooth_between(rest, stand, c->rise_time, t - end, out);
  else
    stop_at(c, &s, height, t, out);
}

// Legs are stretched out just so far that drawing them in by a constant acceleration, from rest to the speed of the fall, ends at `touch`.
void ffi_plan_jump_course_reach(const ffi_plan_jump_course *c, double t, double out[3])
{
  const double middle = c->gravity * c->flight_time / 2, more = (c->touch - c->high) / c->flight_time;
  const double left[3] = {c->high, middle + more, -c->gravity}, tuck[3] = {c->tuck},
               ready[3] = {c->touch + (middle - more) * c->retract_time / 2};
  if (t < c->brake_time)
    ffi_smooth_between(left, tuck, c->brake_time, t, out);
  else
    ffi_smooth_between(tuck, ready, c->flight_time - c->retract_time - c->brake_time, t - c->brake_time, out);
}

int ffi_plan_jump_course_holds_left(const ffi_plan_jump_course *c, double height, double rate)
{
  const double drop = height - c->touch, g = c->gravity;
  if (rate > 0)
    return MANY;
  if (drop <= 0)
    return 0;
  return (int)fmin(MANY, round((rate + sqrt(rate * rate + 2 * g * drop)) / (g * c->hold)));
}

// a_k = p + r (k - m), k = 0..n-1, m = (n-1)/2: linear in k, as least squares with two conditions are. Velocities give p, places give r.
double ffi_plan_jump_course_stop(int holds, double hold, double z, double v)
{
  const double n = holds, m = (n - 1) / 2, p = -v / (n * hold);
  if (holds < 2)
    return p;
  const double squares = n * (n * n - 1) / 12; // of k - m
  const double r = (z + n * hold * v / 2) / (hold * hold * squares);
  return p - r * m;
}
