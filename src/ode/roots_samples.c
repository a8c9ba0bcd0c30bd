#include "ode/roots_samples.h"

#include <math.h>

// Where a step is sampled, in parts of it. The ends have a neighbour, which shows whether a guard comes or goes there.
static const double grid[FFI_ROOTS_SAMPLES + 1] = {0,     1e-3, 0.125, 0.25,     0.375, 0.5,
                                                   0.625, 0.75, 0.875, 1 - 1e-3, 1};

static void look_up(ffi_roots *r, ffi_roots_samples *s, int i)
{
  ffi_roots_samples_evaluate(r, s->time[i], r->sample[i - 1]);
  s->is_known[i] = 1;
}

typedef struct point {
  double t, value;
} point;

// One guard along the step: its values at all samples.
typedef struct course {
  int guard;
  double value[FFI_ROOTS_SAMPLES + 1];
} course;

static point point_at(const ffi_roots_samples *s, const course *c, int i)
{
  return (point){s->time[i], c->value[i]};
}

// Middles that are not known come from the polynomial of degree 4 through the quarters.
static double guess(const double *v, int i)
{
  const double a = v[0], b = v[3], c = v[5], d = v[7], e = v[10];
  switch (i) {
  case 2: return (35 * a + 140 * b - 70 * c + 28 * d - 5 * e) / 128;
  case 4: return (-5 * a + 60 * b + 90 * c - 20 * d + 3 * e) / 128;
  case 6: return (3 * a - 20 * b + 90 * c + 60 * d - 5 * e) / 128;
  default: return (-5 * a + 28 * b - 70 * c + 140 * d + 35 * e) / 128;
  }
}

static void follow(const ffi_roots *r, const ffi_roots_samples *s, course *c)
{
  c->value[0] = r->value[c->guard];
  for (int i = 1; i <= FFI_ROOTS_SAMPLES; ++i)
    if (s->is_known[i])
      c->value[i] = r->sample[i - 1][c->guard];
  for (int i = 2; i < FFI_ROOTS_SAMPLES; i += 2)
    if (!s->is_known[i])
      c->value[i] = guess(c->value, i);
}

// Guards that stay on their side and change by less than what they are from zero, in the whole step and by their slopes at its ends, do not pass. Most are so.
static int stays_away(const ffi_roots *r, int k)
{
  const double v[7] = {r->value[k],     r->sample[0][k], r->sample[2][k], r->sample[4][k],
                       r->sample[6][k], r->sample[8][k], r->sample[9][k]};
  double least = v[0], most = v[0];
  for (int i = 1; i < 7; ++i) {
    least = v[i] < least ? v[i] : least;
    most = v[i] > most ? v[i] : most;
  }
  const double from_zero = least > 0 ? least : -most;
  return from_zero > most - least && from_zero > 250 * fabs(v[1] - v[0]) &&
         from_zero > 250 * fabs(v[6] - v[5]) && r->side[k] * v[0] > 0;
}

// ---- Dips -------------------------------------------------------------------------------------------------

// A guard at three times, in the order of travel, made positive: nearest to zero at b.
typedef struct dip {
  double a, b, c, va, vb, vc;
} dip;

// Can it reach zero between a and c, if it is convex there? A convex function lies above its chords' continuations.
static int may_reach_zero(const dip *d)
{
  const double left = (d->va - d->vb) / (d->b - d->a), right = (d->vc - d->vb) / (d->c - d->b);
  return left * (d->c - d->b) >= d->vb || right * (d->b - d->a) >= d->vb;
}

// Where to look next: the bottom of the parabola through the three points, or a golden section of the longer half.
static double next_look(const dip *d, int is_golden)
{
  const double ab = d->b - d->a, cb = d->b - d->c;
  const double p = ab * (d->vb - d->vc), q = cb * (d->vb - d->va);
  const double bottom = d->b - 0.5 * (ab * p - cb * q) / (p - q); // not finite if they are on a line
  const double apart = 1e-3 * fabs(d->c - d->a);
  if (!is_golden && (bottom - d->a) * (d->c - bottom) > 0 && fabs(bottom - d->b) > apart)
    return bottom;
  return fabs(cb) > fabs(ab) ? d->b - 0.381966 * cb : d->b - 0.381966 * ab;
}

static void narrow(dip *d, double t, double v)
{
  const int is_before = (d->b - t) * (d->c - d->a) > 0;
  if (v < d->vb && is_before)
    *d = (dip){d->a, t, d->b, d->va, v, d->vb};
  else if (v < d->vb)
    *d = (dip){d->b, t, d->c, d->vb, v, d->vc};
  else if (is_before)
    *d = (dip){t, d->b, d->c, v, d->vb, d->vc};
  else
    *d = (dip){d->a, d->b, t, d->va, d->vb, v};
}

// Look for a time at which guard k, positive if multiplied by `side` at all three points, is beyond zero. 1: there is one, *t.
static int find_dip(ffi_roots *r, int k, int side, dip d, double *t, double *value)
{
  const double least = 1e-9 * fabs(d.c - d.a); // a dip narrower than that is a touch
  for (int i = 0; i < 90 && fabs(d.c - d.a) > least && may_reach_zero(&d); ++i) {
    *t = next_look(&d, i % 2);
    ffi_roots_samples_evaluate(r, *t, r->trial);
    *value = r->trial[k];
    if (ffi_roots_samples_has_passed(side, *value))
      return 1;
    if (!(side * *value > 0)) // not a number
      return 0;
    narrow(&d, *t, side * *value);
  }
  return 0;
}

// ---- Enclosures -------------------------------------------------------------------------------------------

static void enclose(ffi_roots *r, int k, int side, point low, point high)
{
  r->low[k] = low.t;
  r->low_value[k] = low.value;
  r->high[k] = high.t;
  r->high_value[k] = high.value;
  r->low_side[k] = (signed char)side;
}

void ffi_roots_samples_enclose_late(ffi_roots *r, const ffi_roots_samples *s, int k, double t, double value)
{
  int last = 0;
  for (int i = 1; i < FFI_ROOTS_SAMPLES; ++i)
    if (!ffi_roots_samples_is_middle(i) && s->forward * (t - s->time[i]) > 0)
      last = i;
  const point low = {s->time[last], last == 0 ? r->value[k] : r->sample[last - 1][k]};
  enclose(r, k, r->side[k], low, (point){t, value});
}

enum { NONE = -1, ENCLOSED = -2 };

// A guard is on `side` at samples h < i < j, nearest to zero at i. Does it go through zero and back? ENCLOSED, where that is asked for, or NONE, or a sample that has to
// be looked up first.
static int enclose_dip(ffi_roots *r, const ffi_roots_samples *s, const course *g, int side, int h, int i,
                       int j)
{
  const int k = g->guard;
  const point a = point_at(s, g, h), b = point_at(s, g, i), c = point_at(s, g, j);
  const dip d = {a.t, b.t, c.t, side * a.value, side * b.value, side * c.value};
  if (!(d.vb > 0 && d.vb < d.va && d.vb <= d.vc) || !may_reach_zero(&d))
    return NONE;
  if (!s->is_known[h] || !s->is_known[i] || !s->is_known[j])
    return !s->is_known[h] ? h : !s->is_known[i] ? i : j;
  point beyond;
  if (!find_dip(r, k, side, d, &beyond.t, &beyond.value))
    return NONE;
  const int is_before = (b.t - beyond.t) * (c.t - a.t) > 0;
  if (ffi_roots_samples_is_wanted(r, k, side))
    enclose(r, k, side, is_before ? a : b, beyond);
  else if (beyond.value != 0) // the way back, then
    enclose(r, k, -side, beyond, is_before ? b : c);
  return isnan(r->low[k]) ? NONE : ENCLOSED;
}

// The same around sample i, by its neighbours and, should these be wrong guesses, by the samples behind them.
static int enclose_dip_at(ffi_roots *r, const ffi_roots_samples *s, const course *g, int side, int i)
{
  const int near = enclose_dip(r, s, g, side, i - 1, i, i + 1);
  const int h = s->is_known[i - 1] ? i - 1 : i - 2, j = s->is_known[i + 1] ? i + 1 : i + 2;
  if (near != NONE || !s->is_known[i] || j - h == 2)
    return near;
  return enclose_dip(r, s, g, side, h, i, j);
}

// Go through the samples of guard k until it passes as is asked for. NONE or ENCLOSED, or a sample that has to be looked up first.
static int walk(ffi_roots *r, const ffi_roots_samples *s, int k)
{
  course g = {.guard = k};
  follow(r, s, &g);
  int side = r->side[k];
  for (int i = 0; i < FFI_ROOTS_SAMPLES; ++i) {
    const point now = point_at(s, &g, i), next = point_at(s, &g, i + 1);
    const int dip_at = i > 0 && side * now.value > 0 ? enclose_dip_at(r, s, &g, side, i) : NONE;
    if (dip_at != NONE)
      return dip_at;
    if (side != 0 && !ffi_roots_samples_has_passed(side, next.value))
      continue;
    if (!s->is_known[i] || !s->is_known[i + 1])
      return s->is_known[i] ? i + 1 : i;
    if (side != 0 && ffi_roots_samples_is_wanted(r, k, side)) {
      enclose(r, k, side, now, next);
      return ENCLOSED;
    }
    side = ffi_roots_samples_sign(next.value);
  }
  return NONE;
}

int ffi_roots_samples_take(ffi_roots *r, ffi_roots_samples *s, double from, double to)
{
  for (int i = 0; i <= FFI_ROOTS_SAMPLES; ++i) {
    s->time[i] = i == FFI_ROOTS_SAMPLES ? to : from + grid[i] * (to - from);
    s->is_known[i] = !ffi_roots_samples_is_middle(i);
    if (i > 0 && s->is_known[i])
      look_up(r, s, i);
  }
  int is_found = 0;
  for (int k = 0; k < r->guards; ++k) {
    r->low[k] = r->high[k] = NAN;
    if (stays_away(r, k) || (r->direction && r->direction[k] == FFI_ROOTS_IGNORE))
      continue;
    int result = walk(r, s, k);
    for (; result >= 0; result = walk(r, s, k)) {
      look_up(r, s, result);
      is_found = 1; // others may be seen to pass there
    }
    is_found |= result == ENCLOSED;
  }
  return is_found;
}
