/// lanes.h: the number type of the dynamics kernels.
///
/// The files in dynamics/kernels/ are written once over `real` and compiled once per variant, with
///   FFI_LANES  how many robots one `real` holds: 1 (a double) or the width of the machine's vectors
///   FFI_ISA    the instruction set's name, part of every symbol
/// Kernels never branch on data, only on the model's structure, so that every lane does the same work.
/// `real_u` is `real` with the alignment of double: the type of arrays that belong to the caller.
#ifndef FFI_DYNAMICS_LANES_H
#define FFI_DYNAMICS_LANES_H

#include <stdint.h>
#include <string.h>

#ifndef FFI_LANES
#error "compile the kernels once per variant, with FFI_LANES and FFI_ISA defined"
#endif

#ifdef FFI_PLAIN_INLINE // debug builds: with everything inlined, sanitizers take minutes to compile a kernel
#define FFI_ALWAYS static inline
#else
#define FFI_ALWAYS static inline __attribute__((always_inline))
#endif

// ffi_<name>_<isa>_x<lanes>: the symbol of a kernel in this variant.
#define FFI_JOIN_(name, isa, lanes) ffi_##name##_##isa##_x##lanes
#define FFI_JOIN(name, isa, lanes) FFI_JOIN_(name, isa, lanes)
#define FFI_KERNEL(name) FFI_JOIN(name, FFI_ISA, FFI_LANES)

#if defined(FFI_COUNT_FLOPS)
#include "micro/counted.h" // the bench's own `real`, which counts what is done to it
#elif FFI_LANES == 1
typedef double real;
typedef double real_u;
typedef uint64_t real_bits; // unsigned: bits are shifted into the sign
#else
typedef double real __attribute__((vector_size(8 * FFI_LANES), may_alias));
typedef double real_u __attribute__((vector_size(8 * FFI_LANES), aligned(8), may_alias));
typedef uint64_t real_bits __attribute__((vector_size(8 * FFI_LANES)));
#endif

#ifndef FFI_COUNT_FLOPS
/// The same number in every lane. (x - {0} is the broadcast that gcc and clang both turn into one instruction.)
FFI_ALWAYS real splat(double x)
{
#if FFI_LANES == 1
  return x;
#else
  return x - (real){0};
#endif
}

FFI_ALWAYS real_bits bits_of(real x)
{
  real_bits b;
  memcpy(&b, &x, sizeof b);
  return b;
}

FFI_ALWAYS real real_of(real_bits b)
{
  real x;
  memcpy(&x, &b, sizeof x);
  return x;
}
#endif

/// Bitwise: where the mask is all ones a, where it is zero b.
FFI_ALWAYS real select_bits(real_bits mask, real a, real b)
{
  return real_of((bits_of(a) & mask) | (bits_of(b) & ~mask));
}

/// Neighbouring numbers of an array, taken together: with one lane four at a time, with more lanes one.
#if FFI_LANES == 1 && !defined(FFI_COUNT_FLOPS)
enum { FFI_GROUP = 4 };
typedef double group __attribute__((vector_size(32), aligned(8), may_alias));
#else
enum { FFI_GROUP = 1 };
typedef real_u group;
#endif

/// Columns of a matrix that are solved for together: groups for which six rows fit the registers.
#ifdef __AVX512F__
enum { FFI_PANEL_GROUPS = 4 };
#else
enum { FFI_PANEL_GROUPS = 2 };
#endif
enum { FFI_PANEL = FFI_PANEL_GROUPS * FFI_GROUP };

/// y -= l x, n numbers each.
FFI_ALWAYS void subtract_scaled(real l, const real_u *x, real_u *y, int n)
{
  int k = 0;
  for (; k + FFI_GROUP <= n; k += FFI_GROUP)
    *(group *)(y + k) = *(group *)(y + k) - l * *(const group *)(x + k);
  for (; k < n; ++k)
    y[k] = y[k] - l * x[k];
}

/// A vector in three dimensions, one per lane.
typedef struct vec3 {
  real x, y, z;
} vec3;

FFI_ALWAYS vec3 vec(real x, real y, real z)
{
  vec3 v = {x, y, z};
  return v;
}
FFI_ALWAYS vec3 load3(const real *a)
{
  return vec(a[0], a[1], a[2]);
}
FFI_ALWAYS vec3 splat3(const double *a)
{
  return vec(splat(a[0]), splat(a[1]), splat(a[2]));
}
FFI_ALWAYS void store3(real *a, vec3 v)
{
  a[0] = v.x;
  a[1] = v.y;
  a[2] = v.z;
}
/// To an array of the caller: a vector, a spatial vector (linear, angular).
FFI_ALWAYS void give3(double *out, vec3 v)
{
  real_u *o = (real_u *)out;
  o[0] = v.x;
  o[1] = v.y;
  o[2] = v.z;
}
FFI_ALWAYS void give_spatial(double *out, vec3 lin, vec3 ang)
{
  give3(out, lin);
  give3(out + 3 * FFI_LANES, ang);
}
FFI_ALWAYS vec3 add(vec3 a, vec3 b)
{
  return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
FFI_ALWAYS vec3 sub(vec3 a, vec3 b)
{
  return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
FFI_ALWAYS vec3 scale(real s, vec3 a)
{
  return vec(s * a.x, s * a.y, s * a.z);
}
FFI_ALWAYS vec3 axpy(real s, vec3 a, vec3 b) // s a + b
{
  return vec(s * a.x + b.x, s * a.y + b.y, s * a.z + b.z);
}
FFI_ALWAYS real dot(vec3 a, vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
FFI_ALWAYS vec3 cross(vec3 a, vec3 b)
{
  return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
// Sums are written so that each product is fused into the running sum: a + b c + d e is two instructions,
// (a) + (b c + d e) is three.

/// u + a x b.
FFI_ALWAYS vec3 add_cross(vec3 u, vec3 a, vec3 b)
{
  return vec(u.x + a.y * b.z - a.z * b.y, u.y + a.z * b.x - a.x * b.z, u.z + a.x * b.y - a.y * b.x);
}
/// u - a x b.
FFI_ALWAYS vec3 sub_cross(vec3 u, vec3 a, vec3 b)
{
  return vec(u.x - a.y * b.z + a.z * b.y, u.y - a.z * b.x + a.x * b.z, u.z - a.x * b.y + a.y * b.x);
}
/// u + A v, A [9] row-major.
FFI_ALWAYS vec3 add_mul3(vec3 u, const real *A, vec3 v)
{
  return vec(u.x + A[0] * v.x + A[1] * v.y + A[2] * v.z, u.y + A[3] * v.x + A[4] * v.y + A[5] * v.z,
             u.z + A[6] * v.x + A[7] * v.y + A[8] * v.z);
}
/// A v, A [9] row-major.
FFI_ALWAYS vec3 mul3(const real *A, vec3 v)
{
  return vec(A[0] * v.x + A[1] * v.y + A[2] * v.z, A[3] * v.x + A[4] * v.y + A[5] * v.z,
             A[6] * v.x + A[7] * v.y + A[8] * v.z);
}
/// A' v.
FFI_ALWAYS vec3 mul3t(const real *A, vec3 v)
{
  return vec(A[0] * v.x + A[3] * v.y + A[6] * v.z, A[1] * v.x + A[4] * v.y + A[7] * v.z,
             A[2] * v.x + A[5] * v.y + A[8] * v.z);
}
/// S v, S [6] symmetric: xx xy xz yy yz zz.
FFI_ALWAYS vec3 mulsym(const double *S, vec3 v)
{
  return vec(S[0] * v.x + S[1] * v.y + S[2] * v.z, S[1] * v.x + S[3] * v.y + S[4] * v.z,
             S[2] * v.x + S[4] * v.y + S[5] * v.z);
}

#endif
