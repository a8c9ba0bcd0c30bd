/// lane_masks.h: decisions of lanes: masks, and numbers chosen by them.
#ifndef FFI_STEP_LANES_KERNELS_LANE_MASKS_H
#define FFI_STEP_LANES_KERNELS_LANE_MASKS_H

#include "dynamics/lanes.h"

#if FFI_LANES == 1
FFI_ALWAYS real_bits is_less(real a, real b)
{
  return a < b ? ~(real_bits)0 : 0;
}
FFI_ALWAYS real_bits is_within(real a, real b) // a <= b
{
  return a <= b ? ~(real_bits)0 : 0;
}
#else
FFI_ALWAYS real_bits is_less(real a, real b)
{
  return (real_bits)(a < b);
}
FFI_ALWAYS real_bits is_within(real a, real b)
{
  return (real_bits)(a <= b);
}
#endif

FFI_ALWAYS real size_of(real x)
{
  return real_of(bits_of(x) & 0x7fffffffffffffffu);
}
/// The larger one; b where a is NaN.
FFI_ALWAYS real larger(real a, real b)
{
  return select_bits(is_less(b, a), a, b);
}
FFI_ALWAYS real smaller_of(real a, real b)
{
  return select_bits(is_less(a, b), a, b);
}
FFI_ALWAYS real square_root(real x)
{
  double a[FFI_LANES];
  memcpy(a, &x, sizeof a);
  for (int i = 0; i < FFI_LANES; ++i)
    a[i] = __builtin_sqrt(a[i]);
  memcpy(&x, a, sizeof a);
  return x;
}
FFI_ALWAYS int any_lane(real_bits mask)
{
  uint64_t a[FFI_LANES], any = 0;
  memcpy(a, &mask, sizeof a);
  for (int i = 0; i < FFI_LANES; ++i)
    any |= a[i];
  return any != 0;
}
FFI_ALWAYS int lane_has(real_bits mask, int lane)
{
  uint64_t a[FFI_LANES];
  memcpy(a, &mask, sizeof a);
  return a[lane] != 0;
}
FFI_ALWAYS double lane_of(real x, int lane)
{
  double a[FFI_LANES];
  memcpy(a, &x, sizeof a);
  return a[lane];
}
FFI_ALWAYS void set_lane(real *x, int lane, double value)
{
  memcpy((char *)x + sizeof(double) * (size_t)lane, &value, sizeof value);
}
FFI_ALWAYS real length3(vec3 a)
{
  return square_root(dot(a, a));
}
/// a less its part along the unit vector n.
FFI_ALWAYS vec3 across(vec3 n, vec3 a)
{
  return axpy(-dot(n, a), n, a);
}

#endif
