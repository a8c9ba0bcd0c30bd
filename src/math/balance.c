// Balancing: rounds over all rows until none gains. Parlett and Reinsch 1969.
#include "math/balance.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// Stop when a round over all rows lowers no sum of a row and its column by this factor: a smaller gain saves less than
// one squaring.
static const double worth = 0.95;

enum {
  MAX_ROUNDS = 100,  // never reached: each change lowers the norm, so rounding cannot make it cycle
  MAX_EXPONENT = 400 // of an entry of D: products of three stay far from overflow
};

static void off_diagonal_norms(int n, int stride, const double *A, int i, double *row, double *column)
{
  const double *Ai = A + (ptrdiff_t)i * stride;
  double r = 0, c = 0;
  for (int j = 0; j < n; ++j) {
    if (j == i)
      continue;
    r += fabs(Ai[j]);
    c += fabs(A[(ptrdiff_t)j * stride + i]);
  }
  *row = r;
  *column = c;
}

// Divide row i by f and multiply column i by it.
static void rescale(int n, int stride, double *A, int i, double f)
{
  double *Ai = A + (ptrdiff_t)i * stride, inverse = 1 / f;
  for (int j = 0; j < n; ++j)
    Ai[j] *= inverse;
  for (int j = 0; j < n; ++j)
    A[(ptrdiff_t)j * stride + i] *= f;
}

// The power of 2 that row i's unit should change by, or 1.
static double better_unit(double row, double column, double d)
{
  if (!(row >= DBL_MIN && column >= DBL_MIN && row <= DBL_MAX && column <= DBL_MAX))
    return 1;
  const double now = log2(d), wish = now + round((log2(row) - log2(column)) / 2);
  const double f = exp2(fmin(fmax(wish, -MAX_EXPONENT), MAX_EXPONENT) - now);
  return row / f + column * f < worth * (row + column) ? f : 1;
}

void ffi_balance(int n, int stride, double *A, double *d)
{
  for (int i = 0; i < n; ++i)
    d[i] = 1;
  for (int round = 0, changed = 1; changed && round < MAX_ROUNDS; ++round) {
    changed = 0;
    for (int i = 0; i < n; ++i) {
      double row, column;
      off_diagonal_norms(n, stride, A, i, &row, &column);
      double f = better_unit(row, column, d[i]);
      if (f == 1)
        continue;
      rescale(n, stride, A, i, f);
      d[i] *= f;
      changed = 1;
    }
  }
}
