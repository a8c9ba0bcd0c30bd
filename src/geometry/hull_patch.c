// The four points of a hull on a plane.  docs/theory/detection.md, section 1
#include "geometry/hull_patch.h"

#include "math/jet.h"
#include "math/larger.h"
#include "math/vec3.h"

#include <float.h>

// Heights above the lowest, parts of the hull's size: corners up to `whole` carry with their whole share, those from
// `none` on not at all.
static const double whole = 5e-3, none = 6e-2;

// Heights are counted from a smooth minimum, which is this part of the size wide, and not counted beyond `far` widths.
static const double width = 2e-3;
static const double far = 40;

// Area, as a part of the square of the size, below which a patch is a line or a point. Its ends move inwards by about
// this part; rounding of areas, eps, is divided by it.
static const double flat = 1e-6;

// Points are lowered by the deviation of the heights from a plane. Deviations below this part of the size count less:
// a patch that is flat has none, and none begins with a kink. Patches of a smaller area than the other part of the
// square of the size are nearly lines: rounding of their planes.
static const double even = 1e-4, broad = 1e-3;

static const double rounding = 1e-11; // of the size: no deviation

enum { LANES = 8 };

// Directions to the four points: corners of a tetrahedron. Along each axis of the shape they are seen as the corners of
// a square.
static const double direction[FFI_HULL_PATCH_POINTS][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

// The hull as seen along the normal, which turns by a along `across`[0] and by b along `across`[1].
typedef struct view {
  const ffi_hull_patch *patch;
  double up[3], across[2][3];
  double origin[3]; // the lowest corner
  double low;       // its height
  double share;     // its share
} view;

// Sums over the corners that carry: weights, weights times r, weights times r r', r from the origin.
typedef struct moments {
  ffi_jet w, r[3], rr[6];
} moments;

static void find_lowest(view *v)
{
  const ffi_hull_patch *p = v->patch;
  const double ux = v->up[0], uy = v->up[1], uz = v->up[2];
  const double *x = p->x, *y = p->y, *z = p->z;
  int best = 0, i = 0;
  double low = (double)INFINITY;
  for (; i + LANES <= p->count; i += LANES) { // most blocks have none that is lower
    double high[LANES], least = (double)INFINITY;
    for (int k = 0; k < LANES; ++k)
      high[k] = ux * x[i + k] + uy * y[i + k] + uz * z[i + k];
    for (int k = 0; k < LANES; ++k)
      least = high[k] < least ? high[k] : least;
    for (int k = 0; k < LANES && least < low; ++k)
      if (high[k] == least)
        low = least, best = i + k;
  }
  for (; i < p->count; ++i) {
    const double high = ux * x[i] + uy * y[i] + uz * z[i];
    if (high < low)
      low = high, best = i;
  }
  v->low = low;
  v->share = p->share[best];
  ffi_v3_set(p->x[best], p->y[best], p->z[best], v->origin);
}

// While no corner is between carrying wholly and not at all, weights are shares and nothing depends on the normal. The
// smooth minimum is at least the lowest corner, and higher by no more than the share of that lets it. Returns 0 if
// there is one.
static int sum_standing(const view *v, double w[1], double r[3], double rr[6])
{
  const ffi_hull_patch *p = v->patch;
  const double near = whole * p->size;
  const double apart = p->size * (none - width * log(ffi_larger(v->share, DBL_MIN)));
  for (int i = 0; i < p->count; ++i) {
    const double x = p->x[i] - v->origin[0], y = p->y[i] - v->origin[1], z = p->z[i] - v->origin[2];
    const double high = v->up[0] * x + v->up[1] * y + v->up[2] * z;
    if (high >= apart)
      continue;
    if (high > near)
      return 0;
    const double s = p->share[i];
    w[0] += s;
    r[0] += s * x, r[1] += s * y, r[2] += s * z;
    rr[0] += s * x * x, rr[1] += s * x * y, rr[2] += s * x * z;
    rr[3] += s * y * y, rr[4] += s * y * z, rr[5] += s * z * z;
  }
  return w[0] > 0;
}

static void arm_of(const view *v, int i, double r[3])
{
  const ffi_hull_patch *p = v->patch;
  ffi_v3_set(p->x[i] - v->origin[0], p->y[i] - v->origin[1], p->z[i] - v->origin[2], r);
}

// Height over the lowest corner.
static ffi_jet height_of(const view *v, const double r[3])
{
  const double y = ffi_v3_dot(v->up, r);
  return (ffi_jet){y, ffi_v3_dot(v->across[0], r), ffi_v3_dot(v->across[1], r), -y, 0, -y};
}

// -e log sum share exp(-y / e)
static ffi_jet smooth_minimum(const view *v)
{
  const ffi_hull_patch *p = v->patch;
  const double e = width * p->size;
  ffi_jet sum = {0};
  for (int i = 0; i < p->count; ++i) {
    double r[3];
    arm_of(v, i, r);
    if (!(ffi_v3_dot(v->up, r) < far * e) || !(p->share[i] > 0))
      continue;
    const ffi_jet y = ffi_jet_scale(-1 / e, height_of(v, r));
    const double f = p->share[i] * exp(y.v);
    sum = ffi_jet_add_scaled(sum, 1, ffi_jet_chain(y, f, f, f));
  }
  return ffi_jet_scale(-e, ffi_jet_log(sum));
}

// From 1 at 0 to 0 at 1, (1 - p^3)^4: flat at 0, and its square root is flat at 1.
static ffi_jet fade(ffi_jet p)
{
  const double cube = p.v * p.v * p.v, rest = 1 - cube, square = rest * rest;
  return ffi_jet_chain(p, square * square, -12 * p.v * p.v * square * rest,
                       -24 * p.v * square * rest + 108 * p.v * cube * square);
}

static void sum_tilted(const view *v, moments *m)
{
  const ffi_hull_patch *p = v->patch;
  const ffi_jet least = smooth_minimum(v);
  const double per = 1 / ((none - whole) * p->size);
  *m = (moments){.w = {0}};
  for (int i = 0; i < p->count; ++i) {
    double r[3];
    arm_of(v, i, r);
    if (!(ffi_v3_dot(v->up, r) < least.v + none * p->size))
      continue;
    ffi_jet part = ffi_jet_add_scaled(height_of(v, r), -1, least);
    part.v -= whole * p->size;
    part = ffi_jet_scale(per, part);
    const ffi_jet one = ffi_jet_constant(1), w = ffi_jet_scale(p->share[i], part.v <= 0 ? one : fade(part));
    m->w = ffi_jet_add_scaled(m->w, 1, w);
    for (int j = 0, n = 0; j < 3; ++j) {
      m->r[j] = ffi_jet_add_scaled(m->r[j], r[j], w);
      for (int k = j; k < 3; ++k, ++n)
        m->rr[n] = ffi_jet_add_scaled(m->rr[n], r[j] * r[k], w);
    }
  }
}

// Its mean and its square root times direction k: with invariants t and s^2 of the covariance C (first and second), a
// C of rank two or less has the root (C + (t C - C^2) / s) / sqrt(t + 2 s), by the theorem of Cayley and Hamilton. For
// other C this is taken as the definition; it has no kinks.

// The deviation from a plane: its square is the smallest eigenvalue of C, nearly its third invariant over the second.
static double third_invariant(double C[3][3])
{
  double cross[3];
  ffi_v3_cross(C[1], C[2], cross);
  return ffi_v3_dot(C[0], cross);
}

// The same for numbers, of a patch that stands.
static void place_standing(const view *v, const double w, const double r[3], const double rr[6],
                           ffi_hull_patch_point out[FFI_HULL_PATCH_POINTS])
{
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  double mean[3], C[3][3], trace, square = 0;
  for (int j = 0; j < 3; ++j)
    mean[j] = r[j] / w;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) {
      C[j][k] = rr[at[j][k]] / w - mean[j] * mean[k];
      square += C[j][k] * C[j][k];
    }
  trace = C[0][0] + C[1][1] + C[2][2];
  const double least = flat * v->patch->size * v->patch->size;
  const double second = ffi_larger(0.5 * (trace * trace - square), 0);
  const double s = sqrt(second + least * least), per = 1 / sqrt(trace + 2 * s);
  const double wide = broad * v->patch->size * v->patch->size;
  const double square_low = third_invariant(C) / (second + wide * wide), soft = even * v->patch->size;
  const double low = square_low / sqrt(fabs(square_low) + soft * soft);
  const int moves = low > rounding * v->patch->size;
  for (int i = 0; i < FFI_HULL_PATCH_POINTS; ++i) {
    double once[3], twice[3];
    for (int j = 0; j < 3; ++j)
      once[j] = ffi_v3_dot(C[j], direction[i]);
    out[i] = (ffi_hull_patch_point){.moves = moves};
    for (int j = 0, n = 0; j < 3; ++j) {
      twice[j] = ffi_v3_dot(C[j], once);
      out[i].at[j] = v->origin[j] + mean[j] + per * (once[j] + (trace * once[j] - twice[j]) / s);
      out[i].at[j] -= moves ? low * v->up[j] : 0;
      for (int k = j; k < 3; ++k, ++n)
        out[i].bend[n] = moves ? low * (v->up[j] * v->up[k] - (j == k)) : 0;
    }
  }
}

// Gradient and Hessian in the plane's axes to the shape's. Heights go with the length of the normal, so the Hessian has
// the height on its diagonal.
static void place_moving(const view *v, ffi_jet height, ffi_hull_patch_point *out)
{
  const double *up = v->up, *s = v->across[0], *t = v->across[1];
  const double aa = height.aa + height.v, bb = height.bb + height.v;
  for (int j = 0, n = 0; j < 3; ++j) {
    out->at[j] = v->origin[j] + height.v * up[j] + height.a * s[j] + height.b * t[j];
    for (int k = j; k < 3; ++k, ++n)
      out->bend[n] = aa * s[j] * s[k] + height.ab * (s[j] * t[k] + t[j] * s[k]) + bb * t[j] * t[k];
  }
  out->moves = 1;
}

// The covariance, and what its root needs of it.
typedef struct spread {
  ffi_jet mean[3], C[6], trace;
  ffi_jet by_s, per; // 1 / s, 1 / sqrt(t + 2 s)
  ffi_jet low;       // the deviation from a plane
} spread;

static ffi_jet minor_of(const ffi_jet C[6], int a, int b, int c, int d)
{
  return ffi_jet_add_scaled(ffi_jet_times(C[a], C[b]), -1, ffi_jet_times(C[c], C[d]));
}

static ffi_jet deviation(const view *v, const ffi_jet C[6], ffi_jet second)
{
  const double soft = even * v->patch->size, wide = broad * v->patch->size * v->patch->size;
  ffi_jet third = ffi_jet_times(C[0], minor_of(C, 3, 5, 4, 4));
  third = ffi_jet_add_scaled(third, -1, ffi_jet_times(C[1], minor_of(C, 1, 5, 4, 2)));
  third = ffi_jet_add_scaled(third, 1, ffi_jet_times(C[2], minor_of(C, 1, 4, 3, 2)));
  second.v += wide * wide;
  const ffi_jet square = ffi_jet_times(third, ffi_jet_inverse(second));
  ffi_jet sum = ffi_jet_scale(square.v < 0 ? -1 : 1, square);
  sum.v += soft * soft;
  return ffi_jet_times(square, ffi_jet_inverse(ffi_jet_root(sum)));
}

static void find_spread(const view *v, const moments *m, spread *out)
{
  const ffi_jet inverse = ffi_jet_inverse(m->w);
  for (int j = 0; j < 3; ++j)
    out->mean[j] = ffi_jet_times(m->r[j], inverse);
  ffi_jet square = {0};
  for (int j = 0, n = 0; j < 3; ++j)
    for (int k = j; k < 3; ++k, ++n) {
      out->C[n] =
          ffi_jet_add_scaled(ffi_jet_times(m->rr[n], inverse), -1, ffi_jet_times(out->mean[j], out->mean[k]));
      square = ffi_jet_add_scaled(square, j == k ? 1 : 2, ffi_jet_times(out->C[n], out->C[n]));
    }
  out->trace = ffi_jet_add_scaled(ffi_jet_add_scaled(out->C[0], 1, out->C[3]), 1, out->C[5]);
  const double least = flat * v->patch->size * v->patch->size;
  ffi_jet second = ffi_jet_scale(0.5, ffi_jet_add_scaled(ffi_jet_times(out->trace, out->trace), -1, square));
  second.v = ffi_larger(second.v, 0) + least * least;
  const ffi_jet s = ffi_jet_root(second);
  out->by_s = ffi_jet_inverse(s);
  out->per = ffi_jet_inverse(ffi_jet_root(ffi_jet_add_scaled(out->trace, 2, s)));
  out->low = deviation(v, out->C, second);
}

static void times_covariance(const ffi_jet C[6], const ffi_jet x[3], ffi_jet out[3])
{
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int j = 0; j < 3; ++j) {
    out[j] = (ffi_jet){0};
    for (int k = 0; k < 3; ++k)
      out[j] = ffi_jet_add_scaled(out[j], 1, ffi_jet_times(C[at[j][k]], x[k]));
  }
}

static void place_tilted(const view *v, const moments *m, ffi_hull_patch_point out[FFI_HULL_PATCH_POINTS])
{
  spread s;
  find_spread(v, m, &s);
  ffi_jet up[3];
  for (int j = 0; j < 3; ++j)
    up[j] = (ffi_jet){v->up[j], v->across[0][j], v->across[1][j], -v->up[j], 0, -v->up[j]};
  // up' (C + (t C - C^2) / s) e / sqrt(t + 2 s), the row times C first: it is that of all four
  ffi_jet once[3], twice[3], row[3], mean = ffi_jet_scale(-1, s.low);
  times_covariance(s.C, up, once);
  times_covariance(s.C, once, twice);
  for (int j = 0; j < 3; ++j) {
    const ffi_jet rest = ffi_jet_add_scaled(ffi_jet_times(s.trace, once[j]), -1, twice[j]);
    row[j] = ffi_jet_times(ffi_jet_add_scaled(once[j], 1, ffi_jet_times(rest, s.by_s)), s.per);
    mean = ffi_jet_add_scaled(mean, 1, ffi_jet_times(up[j], s.mean[j]));
  }
  for (int i = 0; i < FFI_HULL_PATCH_POINTS; ++i) {
    ffi_jet height = mean;
    for (int j = 0; j < 3; ++j)
      height = ffi_jet_add_scaled(height, direction[i][j], row[j]);
    place_moving(v, height, &out[i]);
  }
}

void ffi_hull_patch_find(const ffi_hull_patch *patch, const double up[3],
                         ffi_hull_patch_point out[FFI_HULL_PATCH_POINTS])
{
  view v = {.patch = patch};
  double w = 0, r[3] = {0}, rr[6] = {0};
  moments m;
  ffi_v3_copy(up, v.up);
  find_lowest(&v);
  if (sum_standing(&v, &w, r, rr)) {
    place_standing(&v, w, r, rr, out);
    return;
  }
  const int axis = fabs(up[0]) < 0.7 ? 0 : 1;
  double x[3] = {axis == 0, axis == 1, 0};
  ffi_v3_cross(up, x, v.across[0]);
  ffi_v3_scale(1 / ffi_v3_norm(v.across[0]), v.across[0], v.across[0]);
  ffi_v3_cross(up, v.across[0], v.across[1]);
  sum_tilted(&v, &m);
  place_tilted(&v, &m, out);
}
