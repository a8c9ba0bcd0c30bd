#include "contact/impact/nt_scaling.h"

#include <math.h>

// x'Jx, without cancellation near the rim.
static double determinant(const double *x)
{
  const double length = sqrt(x[0] * x[0] + x[1] * x[1]);
  return (x[2] - length) * (x[2] + length);
}

static int set_cone(ffi_nt_scaling_cone *c, const double *w, const double *y)
{
  const double dw = determinant(w), dy = determinant(y);
  if (!(dw > 0 && dy > 0 && w[2] > 0 && y[2] > 0))
    return 0;
  const double a = sqrt(dw), b = sqrt(dy);
  const double both = (w[0] * y[0] + w[1] * y[1] + w[2] * y[2]) / (a * b), half = 1 / sqrt(2 * (1 + both));
  const double middle[3] = {(w[0] / a - y[0] / b) * half, (w[1] / a - y[1] / b) * half,
                            (w[2] / a + y[2] / b) * half};
  const double share = 1 / sqrt(2 * (middle[2] + 1));
  for (int i = 0; i < 3; ++i) {
    c->v[i] = (middle[i] + (i == 2)) * share;
    c->g[i] = i == 2 ? middle[i] : -middle[i];
  }
  c->beta = sqrt(a / b);
  return 1;
}

int ffi_nt_scaling_set(ffi_nt_scaling *s, const double *w, const double *y)
{
  for (int k = 0; k < s->cones; ++k)
    if (!set_cone(&s->cone[k], w + 3 * k, y + 3 * k))
      return 0;
  w += 3 * s->cones;
  y += 3 * s->cones;
  for (int i = 0; i < s->lines; ++i) {
    if (!(w[i] > 0 && y[i] > 0))
      return 0;
    s->line[i] = sqrt(w[i] / y[i]);
  }
  return 1;
}

// out = scale (2 v v' - J) x with v_t times `sign`.
static void reflect(const double *v, double sign, double scale, const double *x, double *out)
{
  const double along = 2 * (sign * (v[0] * x[0] + v[1] * x[1]) + v[2] * x[2]);
  out[0] = scale * (sign * along * v[0] + x[0]);
  out[1] = scale * (sign * along * v[1] + x[1]);
  out[2] = scale * (along * v[2] - x[2]);
}

void ffi_nt_scaling_apply(const ffi_nt_scaling *s, const double *x, double *out)
{
  for (int k = 0; k < s->cones; ++k, x += 3, out += 3)
    reflect(s->cone[k].v, 1, s->cone[k].beta, x, out);
  for (int i = 0; i < s->lines; ++i)
    out[i] = s->line[i] * x[i];
}

void ffi_nt_scaling_remove(const ffi_nt_scaling *s, const double *x, double *out)
{
  for (int k = 0; k < s->cones; ++k, x += 3, out += 3)
    reflect(s->cone[k].v, -1, 1 / s->cone[k].beta, x, out);
  for (int i = 0; i < s->lines; ++i)
    out[i] = x[i] / s->line[i];
}

void ffi_nt_scaling_square(const ffi_nt_scaling_cone *c, double out[9])
{
  const double share = 1 / (c->beta * c->beta);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = share * (2 * c->g[i] * c->g[j] + (i != j ? 0 : i == 2 ? -1 : 1));
}

void ffi_nt_scaling_jordan_product(const ffi_nt_scaling *s, const double *x, const double *y, double *out)
{
  for (int k = 0; k < s->cones; ++k, x += 3, y += 3, out += 3) {
    out[0] = x[2] * y[0] + y[2] * x[0];
    out[1] = x[2] * y[1] + y[2] * x[1];
    out[2] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  }
  for (int i = 0; i < s->lines; ++i)
    out[i] = x[i] * y[i];
}

void ffi_nt_scaling_jordan_divide(const ffi_nt_scaling *s, const double *l, const double *d, double *out)
{
  for (int k = 0; k < s->cones; ++k, l += 3, d += 3, out += 3) {
    const double n = (l[2] * d[2] - l[0] * d[0] - l[1] * d[1]) / determinant(l);
    out[0] = (d[0] - n * l[0]) / l[2];
    out[1] = (d[1] - n * l[1]) / l[2];
    out[2] = n;
  }
  for (int i = 0; i < s->lines; ++i)
    out[i] = d[i] / l[i];
}

// The smallest positive root of determinant(x + length d) = 0; 1 if it is beyond.
static double cone_length(const double *x, const double *d)
{
  const double a = d[2] * d[2] - d[0] * d[0] - d[1] * d[1], b = x[2] * d[2] - x[0] * d[0] - x[1] * d[1],
               c = determinant(x), inside = b * b - a * c;
  if (inside < 0 || (a >= 0 && b >= 0))
    return 1;
  const double length = c / (sqrt(inside) - b);
  return length < 1 ? length : 1;
}

double ffi_nt_scaling_length(const ffi_nt_scaling *s, const double *x, const double *d)
{
  double length = 1;
  for (int k = 0; k < s->cones; ++k, x += 3, d += 3)
    length = fmin(length, cone_length(x, d));
  for (int i = 0; i < s->lines; ++i)
    if (d[i] < 0)
      length = fmin(length, -x[i] / d[i]);
  return length;
}

double ffi_nt_scaling_outside(const ffi_nt_scaling *s, const double *x)
{
  double largest = -(double)INFINITY;
  for (int k = 0; k < s->cones; ++k, x += 3)
    largest = fmax(largest, sqrt(x[0] * x[0] + x[1] * x[1]) - x[2]);
  for (int i = 0; i < s->lines; ++i)
    largest = fmax(largest, -x[i]);
  return largest;
}

void ffi_nt_scaling_shift(const ffi_nt_scaling *s, double by, double *x)
{
  for (int k = 0; k < s->cones; ++k, x += 3)
    x[2] += by;
  for (int i = 0; i < s->lines; ++i)
    x[i] += by;
}
