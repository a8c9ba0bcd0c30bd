/// jet.h: numbers with their first and second derivatives along two directions a and b.
///
/// A function written with these instead of doubles gives its value, its gradient and its Hessian, all exact but for
/// rounding. f(x) of one jet needs f, f' and f'' at the value: ffi_jet_chain().
#ifndef FFI_MATH_JET_H
#define FFI_MATH_JET_H

#include <math.h>

typedef struct ffi_jet {
  double v;          ///< value
  double a, b;       ///< first derivatives
  double aa, ab, bb; ///< second derivatives
} ffi_jet;

static inline ffi_jet ffi_jet_constant(double v)
{
  return (ffi_jet){.v = v};
}

/// x + s y
static inline ffi_jet ffi_jet_add_scaled(ffi_jet x, double s, ffi_jet y)
{
  return (ffi_jet){x.v + s * y.v,   x.a + s * y.a,   x.b + s * y.b,
                   x.aa + s * y.aa, x.ab + s * y.ab, x.bb + s * y.bb};
}

static inline ffi_jet ffi_jet_scale(double s, ffi_jet x)
{
  return (ffi_jet){s * x.v, s * x.a, s * x.b, s * x.aa, s * x.ab, s * x.bb};
}

static inline ffi_jet ffi_jet_times(ffi_jet x, ffi_jet y)
{
  return (ffi_jet){x.v * y.v,
                   x.a * y.v + x.v * y.a,
                   x.b * y.v + x.v * y.b,
                   x.aa * y.v + 2 * x.a * y.a + x.v * y.aa,
                   x.ab * y.v + x.a * y.b + x.b * y.a + x.v * y.ab,
                   x.bb * y.v + 2 * x.b * y.b + x.v * y.bb};
}

/// f(x), from the value of f and its first two derivatives at x.v
static inline ffi_jet ffi_jet_chain(ffi_jet x, double f, double first, double second)
{
  return (ffi_jet){f,
                   first * x.a,
                   first * x.b,
                   first * x.aa + second * x.a * x.a,
                   first * x.ab + second * x.a * x.b,
                   first * x.bb + second * x.b * x.b};
}

/// 1 / x, x not 0
static inline ffi_jet ffi_jet_inverse(ffi_jet x)
{
  const double r = 1 / x.v;
  return ffi_jet_chain(x, r, -r * r, 2 * r * r * r);
}

/// Square root, x > 0
static inline ffi_jet ffi_jet_root(ffi_jet x)
{
  const double r = sqrt(x.v);
  return ffi_jet_chain(x, r, 0.5 / r, -0.25 / (r * x.v));
}

/// Natural logarithm, x > 0
static inline ffi_jet ffi_jet_log(ffi_jet x)
{
  const double r = 1 / x.v;
  return ffi_jet_chain(x, log(x.v), r, -r * r);
}

#endif
