/// larger.h: the larger of two numbers, inline: fmax is a call and treats NaN.
#ifndef FFI_MATH_LARGER_H
#define FFI_MATH_LARGER_H

static inline double ffi_larger(double a, double b)
{
  return a > b ? a : b;
}

#endif
