// The four points of a hull on a plane.  docs/theory/detection.md, section 1
#include "geometry/plane/hull_patch.h"

#include "geometry/narrow_phase.h"
#include "math/jet.h"
#include "math/larger.h"
#include "math/vec3.h"

#include <float.h>
#include <string.h>

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

// Corners are taken two at a time, as all processors of the code's base have it.
enum { LANES = 2, SUMS = 10 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef long long mask __attribute__((vector_size(LANES * sizeof(long long))));

static lanes load(const double *x)
{
  lanes out;
  memcpy(&out, x, sizeof out);
  return out;
}

static lanes all(double x)
{
  return (lanes){x, x};
}

static int any(mask m)
{
  return (m[0] | m[1]) != 0;
}

// a where the mask is set, else b
static lanes choose(mask m, lanes a, lanes b)
{
  return (lanes)((m & (mask)a) | (~m & (mask)b));
}

static double total(lanes x)
{
  return x[0] + x[1];
}

static lanes along(const double u[3], lanes x, lanes y, lanes z)
{
  return u[0] * x + u[1] * y + u[2] * z;
}

static void find_lowest(view *v)
{
  const ffi_hull_patch *p = v->patch;
  lanes low = all((double)INFINITY);
  for (int i = 0; i < p->count; i += LANES) {
    const lanes high = along(v->up, load(p->x + i), load(p->y + i), load(p->z + i));
    low = choose(high < low, high, low);
  }
  v->low = ffi_smaller(low[0], low[1]);
  int best = 0;
  for (int i = 0; i < p->count; i += LANES) {
    const lanes high = along(v->up, load(p->x + i), load(p->y + i), load(p->z + i));
    const mask is_low = high <= all(v->low);
    if (!any(is_low))
      continue;
    for (best = i; !is_low[best - i]; ++best)
      ;
    break;
  }
  v->share = p->share[best];
  ffi_v3_set(p->x[best], p->y[best], p->z[best], v->origin);
}

// Two corners from the lowest one: where they are and their heights.
typedef struct arms {
  lanes x, y, z, high;
} arms;

static arms arms_of(const view *v, int i)
{
  const ffi_hull_patch *p = v->patch;
  arms out = {load(p->x + i) - v->origin[0], load(p->y + i) - v->origin[1], load(p->z + i) - v->origin[2],
              all(0)};
  out.high = along(v->up, out.x, out.y, out.z);
  return out;
}

// 1, r, r r' with a weight
static void list_terms(const arms *at, lanes s, lanes out[SUMS])
{
  const lanes x = s * at->x, y = s * at->y, z = s * at->z;
  out[0] = s, out[1] = x, out[2] = y, out[3] = z;
  out[4] = x * at->x, out[5] = x * at->y, out[6] = x * at->z;
  out[7] = y * at->y, out[8] = y * at->z, out[9] = z * at->z;
}

// While no corner is between carrying wholly and not at all, weights are shares and nothing depends on the normal. The
// smooth minimum is at least the lowest corner, and higher by no more than the share of that lets it. Returns 0 if
// there is one.
static int sum_standing(const view *v, double out[SUMS])
{
  const ffi_hull_patch *p = v->patch;
  const double near = whole * p->size;
  const double apart = p->size * (none - width * log(ffi_larger(v->share, DBL_MIN)));
  lanes sum[SUMS] = {all(0)}, term[SUMS];
  for (int i = 0; i < p->count; i += LANES) {
    const arms at = arms_of(v, i);
    const mask counts = at.high < all(apart);
    if (!any(counts))
      continue;
    if (any(counts & (at.high > all(near))))
      return 0;
    list_terms(&at, choose(counts, load(p->share + i), all(0)), term);
    for (int n = 0; n < SUMS; ++n)
      sum[n] += term[n];
  }
  for (int n = 0; n < SUMS; ++n)
    out[n] = total(sum[n]);
  return out[0] > 0;
}

// -e log sum share exp(-y / e)
static ffi_jet smooth_minimum(const view *v)
{
  const ffi_hull_patch *p = v->patch;
  const double e = width * p->size, per = 1 / e, highest = far * e;
  lanes sum[6] = {all(0)};
  for (int i = 0; i < p->count; i += LANES) {
    const arms at = arms_of(v, i);
    if (!any(at.high < all(highest)))
      continue;
    lanes f = all(0);
    for (int k = 0; k < LANES; ++k)
      f[k] = at.high[k] < highest ? p->share[i + k] * exp(-per * at.high[k]) : 0;
    const lanes a = per * along(v->across[0], at.x, at.y, at.z),
                b = per * along(v->across[1], at.x, at.y, at.z);
    const lanes y = per * at.high, fa = f * a, fb = f * b;
    sum[0] += f;
    sum[1] -= fa;
    sum[2] -= fb;
    sum[3] += fa * a + f * y;
    sum[4] += fa * b;
    sum[5] += fb * b + f * y;
  }
  const ffi_jet all_of = {total(sum[0]), total(sum[1]), total(sum[2]),
                          total(sum[3]), total(sum[4]), total(sum[5])};
  return ffi_jet_scale(-e, ffi_jet_log(all_of));
}

// The weights of corners without their shares, v a b aa ab bb: from 1 at p = 0 to 0 at 1 by (1 - p^3)^4, which is flat
// at 0, and whose square root is flat at 1. Beyond both ends the derivatives are those at the ends: zero.
static void weigh(const view *v, const arms *at, const ffi_jet *least, lanes out[6])
{
  const double per = 1 / ((none - whole) * v->patch->size);
  const lanes a = per * (along(v->across[0], at->x, at->y, at->z) - least->a);
  const lanes b = per * (along(v->across[1], at->x, at->y, at->z) - least->b);
  const lanes aa = per * (-at->high - least->aa), bb = per * (-at->high - least->bb);
  const double ab = -per * least->ab;
  lanes p = per * (at->high - least->v) - whole / (none - whole);
  p = choose(p > all(0), p, all(0));
  p = choose(p < all(1), p, all(1));
  const lanes square = p * p, cube = square * p, rest = 1 - cube, rest2 = rest * rest, rest3 = rest2 * rest;
  const lanes first = -12 * square * rest3, second = -24 * p * rest3 + 108 * square * square * rest2;
  out[0] = rest2 * rest2;
  out[1] = first * a;
  out[2] = first * b;
  out[3] = first * aa + second * a * a;
  out[4] = first * ab + second * a * b;
  out[5] = first * bb + second * b * b;
}

static void sum_tilted(const view *v, moments *m)
{
  const ffi_hull_patch *p = v->patch;
  const ffi_jet least = smooth_minimum(v);
  const double highest = least.v + none * p->size;
  lanes sum[SUMS][6] = {{all(0)}}, term[SUMS], w[6];
  for (int i = 0; i < p->count; i += LANES) {
    const arms at = arms_of(v, i);
    if (!any(at.high < all(highest)))
      continue;
    weigh(v, &at, &least, w);
    list_terms(&at, load(p->share + i), term);
    for (int n = 0; n < SUMS; ++n)
      for (int k = 0; k < 6; ++k)
        sum[n][k] += term[n] * w[k];
  }
  ffi_jet *const to[SUMS] = {&m->w,     &m->r[0],  &m->r[1],  &m->r[2],  &m->rr[0],
                             &m->rr[1], &m->rr[2], &m->rr[3], &m->rr[4], &m->rr[5]};
  for (int n = 0; n < SUMS; ++n)
    *to[n] = (ffi_jet){total(sum[n][0]), total(sum[n][1]), total(sum[n][2]),
                       total(sum[n][3]), total(sum[n][4]), total(sum[n][5])};
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
static void place_standing(const view *v, const double sum[SUMS],
                           ffi_hull_patch_point out[FFI_HULL_PATCH_POINTS])
{
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const double w = sum[0], *r = sum + 1, *rr = sum + 4;
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
  double sum[SUMS];
  moments m;
  ffi_v3_copy(up, v.up);
  find_lowest(&v);
  if (sum_standing(&v, sum)) {
    place_standing(&v, sum, out);
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
