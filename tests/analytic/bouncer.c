// The phases of the bouncing motion in closed form.
#include "analytic/bouncer.h"

#include <math.h>

// The smooth motion `t` after the last event, without regard to the next.
static void glide(const bouncer *b, double t, double *z, double *v)
{
  if (!b->pushes) {
    *z = b->z + t * (b->v - b->gravity * t / 2);
    *v = b->v - b->gravity * t;
    return;
  }
  const double rest = -b->mass * b->gravity / b->stiffness, rate = b->damping / (2 * b->mass),
               wave = sqrt(b->stiffness / b->mass - rate * rate);
  const double x = b->z - rest, y = (b->v + rate * x) / wave, decay = exp(-rate * t), c = cos(wave * t),
               s = sin(wave * t);
  *z = rest + decay * (x * c + y * s);
  *v = decay * (b->v * c - (rate * y + wave * x) * s);
}

// Positive while the present piece lasts, once it has begun.
static double lasts(const bouncer *b, double t)
{
  double z, v;
  glide(b, t, &z, &v);
  const double force = -b->stiffness * z - b->damping * v;
  if (b->pushes)
    return force;
  return z > 0 ? 1 : -force;
}

// When the present piece ends, counted from its begin; infinite if not within `horizon`. Looks at times so close that
// no piece that these tests have fits between two of them.
static double ending(const bouncer *b, double horizon)
{
  const double look = 1e-2 * sqrt(b->mass / b->stiffness);
  double low = look * 1e-3; // at 0 the sign is that of rounding
  while (lasts(b, low) > 0) {
    if (low > horizon)
      return INFINITY;
    low += look;
  }
  double high = low;
  low = low - look > 0 ? low - look : 0;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high)
      return high;
    if (lasts(b, middle) > 0)
      low = middle;
    else
      high = middle;
  }
}

// Trace and determinant of (x, v) after a step to before it, x'' = -k x - b v. 0 if the step is exact.
static int step_of(ff_stepper stepper, double h, double k, double b, double *trace, double *determinant)
{
  switch (stepper) {
  case FF_STEPPER_EULER: // [1 - h^2 k/2, h - h^2 b/2; -h k, 1 - h b]
    *trace = 2 - h * h * k / 2 - h * b;
    *determinant = (1 - h * h * k / 2) * (1 - h * b) + h * k * (h - h * h * b / 2);
    return 1;
  case FF_STEPPER_SYMPLECTIC: // [1 - h^2 k, h - h^2 b; -h k, 1 - h b]
    *trace = 2 - h * h * k - h * b;
    *determinant = 1 - h * b;
    return 1;
  case FF_STEPPER_IMPLICIT: // the inverse of [1, -h; h k, 1 + h b]
    *determinant = 1 / (1 + h * b + h * h * k);
    *trace = (2 + h * b) * *determinant;
    return 1;
  default: return 0;
  }
}

bouncer bouncer_as_stepped(const bouncer *b, ff_stepper stepper, double dt)
{
  bouncer out = *b;
  double trace, determinant;
  if (!step_of(stepper, dt, b->stiffness / b->mass, b->damping / b->mass, &trace, &determinant))
    return out;
  const double rate = log(determinant) / (2 * dt), wave = acos(trace / 2 / sqrt(determinant)) / dt;
  out.stiffness = b->mass * (rate * rate + wave * wave);
  out.damping = -2 * b->mass * rate;
  return out;
}

void bouncer_at(bouncer *b, double time, double *z, double *v)
{
  for (;;) {
    const double end = ending(b, time - b->time);
    if (!(end <= time - b->time))
      break;
    glide(b, end, z, v);
    b->z = *z;
    b->v = *v;
    b->time += end;
    b->pushes = !b->pushes;
    b->landings += b->pushes;
    b->releases += !b->pushes;
  }
  glide(b, time - b->time, z, v);
}
