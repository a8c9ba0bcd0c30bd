// Motions of tests by Dormand and Prince's steps.
#include "ode/dopri5_motion.h"

#include "math/near.h"

void ffi_dopri5_motion_begin(ffi_dopri5_motion *m, int size, int tangent, ff_ode_rate rate, double t,
                             const double *x)
{
  ffi_dopri5 *d = &m->steps;
  d->size = size;
  d->tangent = tangent;
  d->rate = rate;
  d->user = m;
  ffi_block measure = {0};
  ffi_dopri5_layout(d, &measure);
  assert_true(measure.used <= sizeof m->memory);
  ffi_block memory = {.base = m->memory};
  ffi_dopri5_layout(d, &memory);
  ffi_dopri5_begin(d, t, x);
}

ffi_dopri5_motion ffi_dopri5_motion_with_tolerance(double tolerance)
{
  return (ffi_dopri5_motion){.steps = {.relative_tolerance = tolerance, .absolute_tolerance = tolerance}};
}

ffi_dopri5_motion ffi_dopri5_motion_with_fixed_step(double step)
{
  return (ffi_dopri5_motion){.steps = {.fixed_step = step}};
}

void ffi_dopri5_motion_go(ffi_dopri5_motion *m, double t_end)
{
  ff_error error;
  while (m->steps.t != t_end)
    if (ffi_dopri5_step(&m->steps, t_end, &error) != FF_OK)
      fail_msg("%s", error.message);
}
