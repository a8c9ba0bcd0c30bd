#include "step/expo/expo_dense_output.h"

#include "math/poles.h"

#include <math.h>

void ffi_expo_dense_output(const ffi_frozen *z, double h, double tau, int rows, const double *alpha,
                           double *moved, double *turned)
{
  double residue[FFI_COMPLEX], weight[2][FFI_COMPLEX];
  ffi_poles_inside(tau / h, residue);
  for (int k = 0; k < FFI_POLES; ++k)
    for (int order = 1; order < 3; ++order) {
      const double zr = z->inverse[order][k], zi = z->inverse[order][4 + k];
      weight[order - 1][k] = -2 * (residue[k] * zr - residue[4 + k] * zi);
      weight[order - 1][4 + k] = 2 * (residue[k] * zi + residue[4 + k] * zr);
    }
  for (int r = 0; r < rows; ++r) {
    const double *a = alpha + FFI_COMPLEX * r;
    turned[r] = moved[r] = 0;
    for (int k = 0; k < FFI_COMPLEX; ++k) {
      turned[r] += weight[0][k] * a[k];
      moved[r] += h * weight[1][k] * a[k];
    }
  }
}

// False position with halved weights: it gains more than half a digit with each try, and most of the time doubles them.
double ffi_crossing(ffi_expo_dense_output_value value, const void *user, double from, double to,
                    double before, double after)
{
  enum { MOST_TRIES = 12 };
  const double enough = 1e-13 * (fabs(before) + fabs(after));
  double middle = from;
  if (before == 0 || before * after >= 0)
    return from;
  for (int k = 0, side = 0; k < MOST_TRIES; ++k) {
    middle = from + (to - from) * before / (before - after);
    const double now = value(user, middle);
    if (now * after > 0) {
      to = middle;
      after = now;
      before *= side < 0 ? 0.5 : 1;
      side = -1;
    } else {
      from = middle;
      before = now;
      after *= side > 0 ? 0.5 : 1;
      side = 1;
    }
    if (fabs(now) <= enough)
      break;
  }
  return middle;
}
