/// counted.h: a number type that counts its floating-point operations.
///
/// The dynamics kernels (src/dynamics/kernels/) are written over a type `real`. Compiled as C++ with FFI_COUNT_FLOPS
/// they use this one, and every addition, subtraction, multiplication and division of a real is counted. The count is
/// exact, since no kernel branches on data. A fused multiply-add counts as two; sign changes, comparisons and bit
/// operations are not counted.
#ifndef BENCH_COUNTED_H
#define BENCH_COUNTED_H

#include "micro/flops.h"

#include <stdint.h>
#include <string.h>

// C++ has no `restrict`; the kernels are C17.
#define restrict

struct real {
  double x;
};
typedef real real_u;
typedef int64_t real_bits;

/// The only counter; counting is single-threaded.
extern bench_flops bench_flops_now;

static inline real counted_add(double a, double b)
{
  ++bench_flops_now.additions;
  return real{a + b};
}
static inline real counted_subtract(double a, double b)
{
  ++bench_flops_now.additions;
  return real{a - b};
}
static inline real counted_multiply(double a, double b)
{
  ++bench_flops_now.multiplications;
  return real{a * b};
}
static inline real counted_divide(double a, double b)
{
  ++bench_flops_now.divisions;
  return real{a / b};
}

#define COUNTED_OPERATOR(op, function)                                                                       \
  static inline real operator op(real a, real b)                                                             \
  {                                                                                                          \
    return function(a.x, b.x);                                                                               \
  }                                                                                                          \
  static inline real operator op(double a, real b)                                                           \
  {                                                                                                          \
    return function(a, b.x);                                                                                 \
  }                                                                                                          \
  static inline real operator op(real a, double b)                                                           \
  {                                                                                                          \
    return function(a.x, b);                                                                                 \
  }                                                                                                          \
  static inline real &operator op##=(real &a, real b)                                                        \
  {                                                                                                          \
    return a = function(a.x, b.x);                                                                           \
  }                                                                                                          \
  static inline real &operator op##=(real &a, double b)                                                      \
  {                                                                                                          \
    return a = function(a.x, b);                                                                             \
  }

COUNTED_OPERATOR(+, counted_add)
COUNTED_OPERATOR(-, counted_subtract)
COUNTED_OPERATOR(*, counted_multiply)
COUNTED_OPERATOR(/, counted_divide)

static inline real operator-(real a)
{
  return real{-a.x};
}

#define COUNTED_COMPARISON(op)                                                                               \
  static inline bool operator op(real a, real b)                                                             \
  {                                                                                                          \
    return a.x op b.x;                                                                                       \
  }

COUNTED_COMPARISON(<)
COUNTED_COMPARISON(>)
COUNTED_COMPARISON(<=)
COUNTED_COMPARISON(>=)
COUNTED_COMPARISON(==)
COUNTED_COMPARISON(!=)

// As in lanes.h.
static inline real splat(double x)
{
  return real{x};
}
static inline real_bits bits_of(real x)
{
  real_bits b;
  memcpy(&b, &x, sizeof b);
  return b;
}
static inline real real_of(real_bits b)
{
  real x;
  memcpy(&x, &b, sizeof x);
  return x;
}

#endif
