// Closed forms of an ellipsoid: support points, and radii of curvature.
#include "geometry/ellipsoid/ellipsoid.h"

#include "geometry/narrow_phase.h"
#include "math/vec3.h"

#include <math.h>

double ffi_ellipsoid_inner_radius(const double size[3])
{
  const double least = ffi_smaller(size[0], ffi_smaller(size[1], size[2]));
  const double most = ffi_larger(size[0], ffi_larger(size[1], size[2]));
  return least * (least / most);
}

// Unit d, and |S d|; 0 for a direction of zeros.
static double stretch(const double size[3], const double d[3], double unit[3])
{
  ffi_v3_set(0, 0, 0, unit);
  if (!(ffi_direction(d, unit) > 0))
    return 0;
  const double along[3] = {size[0] * unit[0], size[1] * unit[1], size[2] * unit[2]};
  return ffi_v3_norm(along);
}

static void support(const double size[3], const double d[3], double inner, double out[3])
{
  double unit[3];
  const double reach = stretch(size, d, unit);
  for (int k = 0; k < 3; ++k)
    out[k] = reach > 0 ? (size[k] * (size[k] / reach) - inner) * unit[k] : 0;
}

void ffi_ellipsoid_support(const double size[3], const double d[3], double out[3])
{
  support(size, d, 0, out);
}

void ffi_ellipsoid_support_core(const double size[3], const double d[3], double out[3])
{
  support(size, d, ffi_ellipsoid_inner_radius(size), out);
}

// The greatest |y - x|^2 on the surface is the least over l >= (greatest s)^2 of l (1 + sum x_k^2 / (l - s_k^2)), which
// is convex: its Lagrange dual. Every l gives an upper bound.
static double dual(const double size[3], const double x[3], double most, double beyond)
{
  double sum = 1;
  for (int k = 0; k < 3; ++k)
    if (x[k] != 0)
      sum += x[k] * x[k] / (beyond + (most - size[k]) * (most + size[k]));
  return (most * most + beyond) * sum;
}

double ffi_ellipsoid_farthest(const double size[3], const double x[3])
{
  const double most = ffi_larger(size[0], ffi_larger(size[1], size[2]));
  double low = 0, high = most * ffi_v3_norm(x);
  for (int i = 0; i < 200; ++i) { // thirds
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (dual(size, x, most, a) < dual(size, x, most, b))
      high = b;
    else
      low = a;
  }
  const double square = ffi_smaller(dual(size, x, most, 0), dual(size, x, most, high));
  return sqrt(square);
}

void ffi_ellipsoid_radii(const double size[3], const double R[9], const double d[3], double out[9])
{
  double local[3], unit[3], x[3], column[3];
  ffi_m3_tmulv(R, d, local);
  const double reach = stretch(size, local, unit);
  ffi_ellipsoid_support(size, local, x);
  ffi_m3_mulv(R, x, x);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k)
        column[k] = R[3 * r + k] * size[k] * (size[k] / reach) * R[3 * c + k];
      out[3 * r + c] = reach > 0 ? column[0] + column[1] + column[2] - x[r] * x[c] / reach : 0;
    }
}
