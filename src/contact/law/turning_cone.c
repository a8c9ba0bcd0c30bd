// Projection onto the cone of a contact with moments, and its derivative.  docs/theory/turning-friction.md, section 3
#include "contact/law/turning_cone.h"

#include <math.h>
#include <string.h>

enum { PARTS = FFI_TURNING_CONE_PARTS, ROWS = FFI_TURNING_CONE_ROWS, N = 2 };

// First row and number of rows of each part.
static const struct {
  int at, rows;
} parts[PARTS] = {{0, 2}, {3, 2}, {5, 1}};

// A point by its parts. is_out: the part is beyond its disc, and is shortened.
typedef struct place {
  double length[PARTS], n; // of the point; the normal of the nearest one
  double whole;            // 1/r_n + sum of limit^2 / r of the parts that are out
  int is_out[PARTS];
} place;

static int can_act(const double *limit, const double *r, int g)
{
  return limit[g] > 0 && r[parts[g].at] > 0;
}

// The nearest normal: the root of (n - x_n)/r_n = sum of limit (|x_g| - limit n)/r over the parts that are out, which
// are added one by one, those with the largest |x_g|/limit first.
static place find(const double *limit, const double *r, const double *x)
{
  place p = {.n = x[N], .whole = 1 / r[N]};
  double right = x[N] / r[N];
  for (int g = 0; g < PARTS; ++g) {
    const int at = parts[g].at;
    p.length[g] = parts[g].rows == 2 ? sqrt(x[at] * x[at] + x[at + 1] * x[at + 1]) : fabs(x[at]);
  }
  for (;;) {
    int next = -1;
    for (int g = 0; g < PARTS; ++g)
      if (can_act(limit, r, g) && !p.is_out[g] && p.length[g] > limit[g] * p.n &&
          (next < 0 || p.length[g] * limit[next] > p.length[next] * limit[g]))
        next = g;
    if (next < 0)
      return p;
    const double r_g = r[parts[next].at];
    p.is_out[next] = 1;
    right += limit[next] * p.length[next] / r_g;
    p.whole += limit[next] * limit[next] / r_g;
    p.n = right / p.whole;
  }
}

void ffi_turning_cone_nearest(const double *limit, const double *r, const double *x, double *out)
{
  memset(out, 0, ROWS * sizeof *out);
  if (!(r[N] > 0))
    return;
  const place p = find(limit, r, x);
  if (!(p.n > 0)) {
    out[N] = p.n <= 0 ? 0 : p.n; // NaN stays NaN
    return;
  }
  out[N] = p.n;
  for (int g = 0; g < PARTS; ++g) {
    const int at = parts[g].at;
    const double share = !can_act(limit, r, g) ? 0 : p.is_out[g] ? limit[g] * p.n / p.length[g] : 1;
    for (int i = at; i < at + parts[g].rows; ++i)
      out[i] = share * x[i];
  }
}

// A part that is shortened to `rim`: its own 2 x 2 or 1 x 1 part of D, and e, its direction.
static void shorten(const double *x, int g, double length, double rim, double e[2], double *D)
{
  const int at = parts[g].at, rows = parts[g].rows;
  for (int i = 0; i < rows; ++i)
    e[i] = x[at + i] / length;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      D[ROWS * (at + i) + at + j] = rim / length * ((i == j) - e[i] * e[j]);
}

static void stick(int g, double *D)
{
  for (int i = parts[g].at; i < parts[g].at + parts[g].rows; ++i)
    D[ROWS * i + i] = 1;
}

void ffi_turning_cone_derivative(const double *limit, const double *r, const double *x, double *D)
{
  memset(D, 0, ROWS * ROWS * sizeof *D);
  if (!(r[N] > 0))
    return;
  const place p = find(limit, r, x);
  if (!(p.n > 0))
    return;
  double *normal = D + ROWS * N, e[PARTS][2];
  normal[N] = 1 / (r[N] * p.whole);
  for (int g = 0; g < PARTS; ++g) {
    const int at = parts[g].at;
    if (!p.is_out[g]) {
      if (can_act(limit, r, g))
        stick(g, D);
      continue;
    }
    shorten(x, g, p.length[g], limit[g] * p.n, e[g], D);
    for (int i = 0; i < parts[g].rows; ++i)
      normal[at + i] = limit[g] / (r[at] * p.whole) * e[g][i];
  }
  for (int g = 0; g < PARTS; ++g)
    for (int i = 0; p.is_out[g] && i < parts[g].rows; ++i)
      for (int j = 0; j < ROWS; ++j)
        D[ROWS * (parts[g].at + i) + j] += limit[g] * e[g][i] * normal[j];
}

void ffi_turning_cone_disc_derivative(const double *limit, const double *r, const double *x, double *D)
{
  memset(D, 0, ROWS * ROWS * sizeof *D);
  if (!(x[N] > 0) || !(r[N] > 0))
    return;
  D[ROWS * N + N] = 1;
  for (int g = 0; g < PARTS; ++g) {
    const int at = parts[g].at, rows = parts[g].rows;
    const double length = rows == 2 ? sqrt(x[at] * x[at] + x[at + 1] * x[at + 1]) : fabs(x[at]);
    double e[2];
    if (!can_act(limit, r, g))
      continue;
    if (length <= limit[g] * x[N]) {
      stick(g, D);
      continue;
    }
    shorten(x, g, length, limit[g] * x[N], e, D);
    for (int i = 0; i < rows; ++i)
      D[ROWS * (at + i) + N] = limit[g] * e[i];
  }
}
