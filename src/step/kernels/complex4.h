/// complex4.h: four complex numbers at once, one for each pole: real parts, then imaginary parts, eight doubles.
///
/// With AVX-512 they are one register, and a product needs the parts swapped; otherwise two registers of four. A number
/// that multiplies many others is prepared once (factor4).
#ifndef FFI_STEP_COMPLEX4_H
#define FFI_STEP_COMPLEX4_H

#include "dynamics/lanes.h"

typedef double lanes4 __attribute__((vector_size(32), aligned(8), may_alias));

#if defined(__clang__)
#define SHUFFLE4(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define SHUFFLE8(a, ...) __builtin_shufflevector(a, a, __VA_ARGS__)
#else
typedef long long index4 __attribute__((vector_size(32)));
typedef long long index8 __attribute__((vector_size(64)));
#define SHUFFLE4(a, b, ...) __builtin_shuffle(a, b, (index4){__VA_ARGS__})
#define SHUFFLE8(a, ...) __builtin_shuffle(a, (index8){__VA_ARGS__})
#endif

#ifdef __AVX512F__

typedef double complex4 __attribute__((vector_size(64), aligned(8), may_alias));

/// z ready for products: w z = re w + im swap(w), re = (a|a), im = (-b|b).
typedef struct factor4 {
  complex4 re, im;
} factor4;

FFI_ALWAYS complex4 load_complex(const double *a)
{
  return *(const complex4 *)a;
}
FFI_ALWAYS void store_complex(double *a, complex4 z)
{
  *(complex4 *)a = z;
}
FFI_ALWAYS complex4 real_number(double a) // a + 0 i in every lane
{
  const complex4 real_part = {1, 1, 1, 1, 0, 0, 0, 0};
  return a * real_part;
}
FFI_ALWAYS complex4 add_scaled(complex4 c, double a, complex4 z) // c + a z, a real
{
  return c + a * z;
}
FFI_ALWAYS complex4 add_complex(complex4 a, complex4 b)
{
  return a + b;
}
FFI_ALWAYS complex4 swap_parts(complex4 z)
{
  return SHUFFLE8(z, 4, 5, 6, 7, 0, 1, 2, 3);
}
FFI_ALWAYS factor4 make_factor(complex4 z)
{
  const complex4 sign = {-1, -1, -1, -1, 1, 1, 1, 1};
  const factor4 f = {SHUFFLE8(z, 0, 1, 2, 3, 0, 1, 2, 3), SHUFFLE8(z, 4, 5, 6, 7, 4, 5, 6, 7) * sign};
  return f;
}
FFI_ALWAYS complex4 times(factor4 f, complex4 w)
{
  return f.re * w + f.im * swap_parts(w);
}
FFI_ALWAYS complex4 subtract_times(complex4 c, factor4 f, complex4 w)
{
  c = c - f.re * w;
  return c - f.im * swap_parts(w);
}
FFI_ALWAYS complex4 reciprocal(complex4 z)
{
  const complex4 conjugate = {1, 1, 1, 1, -1, -1, -1, -1};
  const lanes4 re = __builtin_shufflevector(z, z, 0, 1, 2, 3), im = __builtin_shufflevector(z, z, 4, 5, 6, 7);
  const lanes4 scale = 1.0 / (re * re + im * im); // half a register divides faster than a whole one
  return z * conjugate * __builtin_shufflevector(scale, scale, 0, 1, 2, 3, 0, 1, 2, 3);
}
/// A running sum of products, in two halves so that an addition need not wait for the one before.
typedef struct sum4 {
  complex4 first, second;
} sum4;

FFI_ALWAYS sum4 begin_sum(complex4 z)
{
  const sum4 s = {z, real_number(0)};
  return s;
}
FFI_ALWAYS sum4 subtract_from_sum(sum4 s, factor4 f, complex4 w)
{
  s.first = s.first - f.re * w;
  s.second = s.second - f.im * swap_parts(w);
  return s;
}
FFI_ALWAYS complex4 end_sum(sum4 s)
{
  return s.first + s.second;
}
/// Products with a weight, real parts added to imaginary parts.
FFI_ALWAYS lanes4 fold(complex4 z, complex4 w)
{
  const complex4 product = z * w;
  return __builtin_shufflevector(product, product, 0, 1, 2, 3) +
         __builtin_shufflevector(product, product, 4, 5, 6, 7);
}

#else

typedef struct complex4 {
  lanes4 re, im;
} complex4;
typedef complex4 factor4;

FFI_ALWAYS complex4 load_complex(const double *a)
{
  const complex4 z = {*(const lanes4 *)a, *(const lanes4 *)(a + 4)};
  return z;
}
FFI_ALWAYS void store_complex(double *a, complex4 z)
{
  *(lanes4 *)a = z.re;
  *(lanes4 *)(a + 4) = z.im;
}
FFI_ALWAYS complex4 real_number(double a)
{
  const complex4 z = {a - (lanes4){0}, {0}};
  return z;
}
FFI_ALWAYS complex4 add_scaled(complex4 c, double a, complex4 z)
{
  c.re = c.re + a * z.re;
  c.im = c.im + a * z.im;
  return c;
}
FFI_ALWAYS complex4 add_complex(complex4 a, complex4 b)
{
  a.re = a.re + b.re;
  a.im = a.im + b.im;
  return a;
}
FFI_ALWAYS factor4 make_factor(complex4 z)
{
  return z;
}
FFI_ALWAYS complex4 times(factor4 f, complex4 w)
{
  const complex4 z = {f.re * w.re - f.im * w.im, f.re * w.im + f.im * w.re};
  return z;
}
FFI_ALWAYS complex4 subtract_times(complex4 c, factor4 f, complex4 w)
{
  c.re = c.re - f.re * w.re;
  c.im = c.im - f.re * w.im;
  c.re = c.re + f.im * w.im;
  c.im = c.im - f.im * w.re;
  return c;
}
FFI_ALWAYS complex4 reciprocal(complex4 z)
{
  const lanes4 scale = 1.0 / (z.re * z.re + z.im * z.im);
  const complex4 w = {z.re * scale, -z.im * scale};
  return w;
}
typedef complex4 sum4;
FFI_ALWAYS sum4 begin_sum(complex4 z)
{
  return z;
}
FFI_ALWAYS sum4 subtract_from_sum(sum4 s, factor4 f, complex4 w)
{
  return subtract_times(s, f, w);
}
FFI_ALWAYS complex4 end_sum(sum4 s)
{
  return s;
}
FFI_ALWAYS lanes4 fold(complex4 z, complex4 w)
{
  return z.re * w.re + z.im * w.im;
}

#endif
#endif
