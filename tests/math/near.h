/// near.h: comparing numbers, and making random ones that are the same in every run.
#ifndef FFI_TESTS_MATH_NEAR_H
#define FFI_TESTS_MATH_NEAR_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EPS DBL_EPSILON
#define PI 3.14159265358979323846

/// |actual - expected| <= tolerance, or say both.
#define assert_near(actual, expected, tolerance)                                                             \
  ffi_assert_near(actual, expected, tolerance, #actual, __FILE__, __LINE__)

static inline void ffi_assert_near(long double actual, long double expected, double tolerance,
                                   const char *what, const char *file, int line)
{
  if (fabsl(actual - expected) <= (long double)tolerance)
    return;
  print_error("%s = %.20Lg, expected %.20Lg: off by %.3Lg, allowed %.3g\n", what, actual, expected,
              fabsl(actual - expected), tolerance);
  _fail(file, line);
}

typedef struct rng {
  uint64_t state;
} rng;

static inline uint64_t random_bits(rng *r)
{
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline double random_in(rng *r, double low, double high)
{
  return low + (high - low) * (double)(random_bits(r) >> 11) * 0x1p-53;
}

static inline int random_below(rng *r, int n)
{
  return (int)(random_bits(r) % (uint64_t)n);
}

static inline void random_vector(rng *r, int n, double scale, double *out)
{
  for (int i = 0; i < n; ++i)
    out[i] = random_in(r, -scale, scale);
}

/// Uniform over the directions of n dimensions: inside the ball, then scaled.
static inline void random_unit(rng *r, int n, double *out)
{
  for (;;) {
    double s = 0;
    random_vector(r, n, 1, out);
    for (int i = 0; i < n; ++i)
      s += out[i] * out[i];
    if (s < 0.01 || s > 1)
      continue;
    for (int i = 0; i < n; ++i)
      out[i] /= sqrt(s);
    return;
  }
}

#endif
