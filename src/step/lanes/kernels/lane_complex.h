/// calm_complex.h: a complex number of each lane.
#ifndef FFI_STEP_LANES_KERNELS_LANE_COMPLEX_H
#define FFI_STEP_LANES_KERNELS_LANE_COMPLEX_H

#include "dynamics/lanes.h"

typedef struct complex_real {
  real re, im;
} complex_real;

FFI_ALWAYS complex_real load_pair(const real *a)
{
  const complex_real z = {a[0], a[1]};
  return z;
}
FFI_ALWAYS void store_pair(real *a, complex_real z)
{
  a[0] = z.re;
  a[1] = z.im;
}
FFI_ALWAYS complex_real times_pair(complex_real a, complex_real b)
{
  const complex_real z = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return z;
}
/// c - a b
FFI_ALWAYS complex_real subtract_pair(complex_real c, complex_real a, complex_real b)
{
  c.re = c.re - a.re * b.re + a.im * b.im;
  c.im = c.im - a.re * b.im - a.im * b.re;
  return c;
}
FFI_ALWAYS complex_real invert_pair(complex_real z)
{
  const real size = 1.0 / (z.re * z.re + z.im * z.im);
  const complex_real w = {z.re * size, -z.im * size};
  return w;
}

#endif
