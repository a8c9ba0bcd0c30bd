/// larger.h: the larger of two numbers. fmax is a call, and cares for what is not a number.
#ifndef FFI_MATH_LARGER_H
#define FFI_MATH_LARGER_H

static inline double ffi_larger(double a, double b)
{
  return a > b ? a : b;
}

#endif
