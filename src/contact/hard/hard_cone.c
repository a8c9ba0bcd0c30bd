// The cone of friction as one convex set: the nearest point of it, and how that moves. docs/theory/impact.md section 2
//
// In the metric 1/r, with k = sqrt(r_n / r_t), the tangents times k and m = mu k, the set is |t| <= m n and the metric the usual one. A pyramid is regular, so a
// turn by a number of its sectors and a reflection bring any point before the face t1 = m n with 0 <= t2 <= tan(half sector) t1; the nearest point
// is on that face or on its edge.
#include "contact/hard/hard_prox.h"

#include <string.h>

enum { T1, T2, N };

// Where a point lies, in scaled coordinates.
typedef enum place { INSIDE, OUTSIDE, ON_FACE, ON_EDGE } place;

typedef struct cone {
  double k, m;
  double t[2], n; // the point; of a pyramid, turned
  double cosine, sine;
  double slope; // of a pyramid's edge, with the sign of t2
  double length;
} cone;

static place find_round(cone *c)
{
  c->length = sqrt(c->t[0] * c->t[0] + c->t[1] * c->t[1]);
  if (c->length <= c->m * c->n)
    return INSIDE;
  return c->n + c->m * c->length <= 0 ? OUTSIDE : ON_FACE;
}

static place find_pyramid(cone *c, int faces)
{
  const double sector = 2 * 3.14159265358979323846 / faces, x = c->t[0], y = c->t[1];
  const double turn = sector * round(atan2(y, x) / sector);
  c->cosine = cos(turn);
  c->sine = sin(turn);
  c->t[0] = c->cosine * x + c->sine * y;
  c->t[1] = c->cosine * y - c->sine * x;
  c->slope = c->t[1] < 0 ? -tan(sector / 2) : tan(sector / 2);
  const double beyond = (c->t[0] - c->m * c->n) / (1 + c->m * c->m);
  if (beyond <= 0)
    return INSIDE;
  if (fabs(c->t[1]) <= fabs(c->slope) * (c->t[0] - beyond))
    return ON_FACE;
  return c->m * (c->t[0] + c->slope * c->t[1]) + c->n <= 0 ? OUTSIDE : ON_EDGE;
}

static cone begin(double mu, const double *r, const double *x)
{
  cone c = {.k = sqrt(r[N] / r[T1]), .n = x[N], .cosine = 1};
  c.m = mu * c.k;
  c.t[0] = c.k * x[T1];
  c.t[1] = c.k * x[T2];
  return c;
}

// A point that can only be pressed, or not even that; 0 if it can rub.
static int is_simple(double mu, const double *r)
{
  return !(mu > 0) || !(r[T1] > 0) || !(r[N] > 0);
}

static void finish(const cone *c, double x, double y, double n, double *out)
{
  out[T1] = (c->cosine * x - c->sine * y) / c->k;
  out[T2] = (c->sine * x + c->cosine * y) / c->k;
  out[N] = n;
}

void ffi_friction_cone_nearest(double mu, int faces, const double *r, const double *x, double *out)
{
  if (is_simple(mu, r)) {
    out[T1] = out[T2] = 0;
    out[N] = !(r[N] > 0) || x[N] < 0 ? 0 : x[N];
    return;
  }
  cone c = begin(mu, r, x);
  const place at = faces ? find_pyramid(&c, faces) : find_round(&c);
  if (at == INSIDE || at == OUTSIDE) {
    for (int i = 0; i < 3; ++i)
      out[i] = at == INSIDE ? x[i] : 0;
  } else if (!faces) {
    const double n = (c.n + c.m * c.length) / (1 + c.m * c.m), share = c.m * n / c.length;
    finish(&c, share * c.t[0], share * c.t[1], n, out);
  } else if (at == ON_FACE) {
    const double beyond = (c.t[0] - c.m * c.n) / (1 + c.m * c.m);
    finish(&c, c.t[0] - beyond, c.t[1], c.n + c.m * beyond, out);
  } else {
    const double n = (c.m * (c.t[0] + c.slope * c.t[1]) + c.n) / (1 + c.m * c.m * (1 + c.slope * c.slope));
    finish(&c, c.m * n, c.m * c.slope * n, n, out);
  }
}

// D := D + weight a a'
static void add_outer(double weight, const double a[3], double *D)
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      D[3 * i + j] += weight * a[i] * a[j];
}

int ffi_friction_cone_derivative(double mu, int faces, const double *r, const double *x, double *D)
{
  memset(D, 0, 9 * sizeof *D);
  if (is_simple(mu, r)) {
    D[8] = r[N] > 0 && x[N] > 0;
    return D[8] > 0;
  }
  cone c = begin(mu, r, x);
  const place at = faces ? find_pyramid(&c, faces) : find_round(&c);
  if (at == OUTSIDE)
    return 0;
  if (at == INSIDE || (faces && at == ON_FACE))
    D[0] = D[4] = D[8] = 1;
  const double whole = 1 + c.m * c.m;
  if (!faces && at == ON_FACE) {
    const double ex = c.t[0] / c.length, ey = c.t[1] / c.length, along[3] = {c.m * ex, c.m * ey, 1},
                 across[3] = {-ey, ex, 0};
    add_outer(1 / whole, along, D);
    add_outer(c.m * (c.n + c.m * c.length) / (whole * c.length), across, D);
  } else if (at == ON_FACE) {
    const double out[3] = {c.cosine, c.sine, -c.m};
    add_outer(-1 / whole, out, D);
  } else if (at == ON_EDGE) {
    const double edge[3] = {c.m * (c.cosine - c.sine * c.slope), c.m * (c.sine + c.cosine * c.slope), 1};
    add_outer(1 / (whole + c.m * c.m * c.slope * c.slope), edge, D);
  }
  D[2] /= c.k; // t by n
  D[5] /= c.k;
  D[6] *= c.k; // n by t
  D[7] *= c.k;
  return 3;
}
