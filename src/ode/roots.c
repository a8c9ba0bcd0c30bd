#include "ode/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Where a step is sampled, in parts of it. The ends have a neighbour, which shows whether a guard comes or goes there.
static const double grid[FFI_ROOTS_SAMPLES] = {1e-3, 0.25, 0.5, 0.75, 1 - 1e-3, 1};

void ffi_roots_layout(ffi_roots *r, ffi_block *block)
{
  const size_t n = (size_t)r->guards;
  r->side = ffi_block_take(block, n, sizeof *r->side);
  r->value = ffi_block_take(block, n, sizeof *r->value);
  for (int i = 0; i < FFI_ROOTS_SAMPLES; ++i)
    r->sample[i] = ffi_block_take(block, n, sizeof **r->sample);
  r->trial = ffi_block_take(block, n, sizeof *r->trial);
  r->low = ffi_block_take(block, n, sizeof *r->low);
  r->high = ffi_block_take(block, n, sizeof *r->high);
  r->low_value = ffi_block_take(block, n, sizeof *r->low_value);
  r->high_value = ffi_block_take(block, n, sizeof *r->high_value);
  r->low_side = ffi_block_take(block, n, sizeof *r->low_side);
}

static void evaluate(ffi_roots *r, double t, double *value)
{
  ++r->evaluations;
  r->at(t, value, r->user);
}

static signed char sign_of(double value)
{
  return (signed char)((value > 0) - (value < 0));
}

void ffi_roots_begin(ffi_roots *r)
{
  for (int k = 0; k < r->guards; ++k)
    r->side[k] = sign_of(r->value[k]);
}

// Has a guard that was on `side` passed at this value? Not a number has not.
static int has_passed(int side, double value)
{
  return side != 0 && side * value <= 0;
}

// Is passing from this side asked for?
static int is_wanted(const ffi_roots *r, int k, int side)
{
  const int direction = r->direction ? r->direction[k] : 0;
  return direction == 0 || direction == -side;
}

int ffi_roots_take(ffi_roots *r)
{
  for (int k = 0; k < r->guards; ++k)
    if (has_passed(r->side[k], r->value[k]) && is_wanted(r, k, r->side[k])) {
      r->side[k] = sign_of(r->value[k]);
      return k;
    }
  return -1;
}

int ffi_roots_lost(const ffi_roots *r)
{
  for (int k = 0; k < r->guards; ++k)
    if (isnan(r->value[k]))
      return k;
  return -1;
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
    evaluate(r, *t, r->trial);
    *value = r->trial[k];
    if (has_passed(side, *value))
      return 1;
    if (!(side * *value > 0)) // not a number
      return 0;
    narrow(&d, *t, side * *value);
  }
  return 0;
}

// ---- Enclosures -------------------------------------------------------------------------------------------

typedef struct point {
  double t, value;
} point;

static point point_at(const ffi_roots *r, int k, const double *time, int i)
{
  return (point){time[i], i == 0 ? r->value[k] : r->sample[i - 1][k]};
}

static void enclose(ffi_roots *r, int k, int side, point low, point high)
{
  r->low[k] = low.t;
  r->low_value[k] = low.value;
  r->high[k] = high.t;
  r->high_value[k] = high.value;
  r->low_side[k] = (signed char)side;
}

// Guard k is on `side` at samples i - 1, i, i + 1. Does it go through zero and back in between? 1: enclosed, where that is asked for.
static int enclose_dip(ffi_roots *r, int k, int side, const double *time, int i)
{
  const point a = point_at(r, k, time, i - 1), b = point_at(r, k, time, i), c = point_at(r, k, time, i + 1);
  const dip d = {a.t, b.t, c.t, side * a.value, side * b.value, side * c.value};
  if (!(d.vb > 0 && d.vb < d.va && d.vb <= d.vc))
    return 0;
  point beyond;
  if (!find_dip(r, k, side, d, &beyond.t, &beyond.value))
    return 0;
  const int is_before = (b.t - beyond.t) * (c.t - a.t) > 0;
  if (is_wanted(r, k, side))
    enclose(r, k, side, is_before ? a : b, beyond);
  else if (beyond.value != 0) // the way back, then
    enclose(r, k, -side, beyond, is_before ? b : c);
  return !isnan(r->low[k]);
}

// Enclose the first pass of guard k that is asked for: low, high and the values there, or NaN.
static void search_samples(ffi_roots *r, int k, const double *time)
{
  r->low[k] = r->high[k] = NAN;
  if (r->direction && r->direction[k] == FFI_ROOTS_IGNORE)
    return;
  int side = r->side[k];
  for (int i = 0; i < FFI_ROOTS_SAMPLES; ++i) {
    const point now = point_at(r, k, time, i), next = point_at(r, k, time, i + 1);
    if (side == 0) {
      side = sign_of(next.value);
      continue;
    }
    if (i > 0 && enclose_dip(r, k, side, time, i))
      return;
    if (!has_passed(side, next.value))
      continue;
    if (is_wanted(r, k, side)) {
      enclose(r, k, side, now, next);
      return;
    }
    side = sign_of(next.value);
  }
}

// ---- Which is first ---------------------------------------------------------------------------------------

// One search for the first pass in a step.
typedef struct search {
  double time[FFI_ROOTS_SAMPLES + 1]; // of the samples, its beginning first
  double forward;                     // +1 or -1
  double exact;                       // enclosures need not be shorter
  int halved;                         // whose ends' values are halved as they stay: the Illinois rule
  int stayed;                         // which of them stayed: -1 low, +1 high, 0 none
} search;

// The guard whose enclosure ends first, or -1.
static int first_enclosed(const ffi_roots *r, double forward)
{
  int first = -1;
  for (int k = 0; k < r->guards; ++k)
    if (!isnan(r->high[k]) && (first < 0 || forward * (r->high[k] - r->high[first]) < 0))
      first = k;
  return first;
}

// Guard k has passed at t by its value in `trial`, though no sample had shown it before its enclosure, if it has one.
static void enclose_late(ffi_roots *r, int k, const search *s, double t)
{
  int i = 0;
  while (i + 1 < FFI_ROOTS_SAMPLES && s->forward * (t - s->time[i + 1]) > 0)
    ++i;
  enclose(r, k, r->side[k], point_at(r, k, s->time, i), (point){t, r->trial[k]});
}

// Narrow guard k's enclosure, t being inside of it.
static void narrow_one(ffi_roots *r, int k, search *s, double t)
{
  const int is_high = has_passed(r->low_side[k], r->trial[k]);
  *(is_high ? &r->high[k] : &r->low[k]) = t;
  *(is_high ? &r->high_value[k] : &r->low_value[k]) = r->trial[k];
  if (k != s->halved)
    return;
  if (s->stayed == (is_high ? -1 : 1))
    *(is_high ? &r->low_value[k] : &r->high_value[k]) *= 0.5;
  s->stayed = is_high ? -1 : 1;
}

// Look at all guards at time t. Afterwards none that is asked for has passed there and has an enclosure that ends later.
static void look(ffi_roots *r, search *s, double t)
{
  evaluate(r, t, r->trial);
  for (int k = 0; k < r->guards; ++k) {
    if ((t - r->low[k]) * (r->high[k] - t) > 0)
      narrow_one(r, k, s, t);
    else if (!(s->forward * (t - r->low[k]) >= 0) && has_passed(r->side[k], r->trial[k]) &&
             is_wanted(r, k, r->side[k]))
      enclose_late(r, k, s, t);
  }
}

// Ends of enclosures that are not samples are the bottoms of dips: look at the other guards there.
static void look_at_dips(ffi_roots *r, search *s)
{
  for (int k = 0; k < r->guards; ++k) {
    int is_low = 0, is_high = 0;
    for (int i = 0; i <= FFI_ROOTS_SAMPLES; ++i) {
      is_low |= r->low[k] == s->time[i];
      is_high |= r->high[k] == s->time[i];
    }
    if (!isnan(r->low[k]) && !(is_low && is_high))
      look(r, s, is_low ? r->high[k] : r->low[k]);
  }
}

// A time inside of guard k's enclosure, off its ends by half of what times are exact to: where its chord is zero, or the middle.
static double guess(const ffi_roots *r, int k, int is_middle, double exact)
{
  const double low = r->low[k], length = r->high[k] - low;
  const double least = 0.5 * exact / fabs(length);
  double part = r->low_value[k] / (r->low_value[k] - r->high_value[k]);
  if (is_middle || !(part >= 0 && part <= 1)) // not a number either
    part = 0.5;
  return low + length * fmin(fmax(part, least), 1 - least);
}

// Narrow the enclosure that ends first until it is as short as times are exact; every other then ends no earlier and begins no earlier. The guard, or -1.
static int locate(ffi_roots *r, search *s)
{
  const int most = 2000; // a guard takes 10 as a rule and 100 at worst
  double before = 0;     // length of the enclosure three looks ago
  for (int i = 0, looks = 0;; ++i, ++looks) {
    const int k = first_enclosed(r, s->forward);
    const double length = k < 0 ? 0 : fabs(r->high[k] - r->low[k]);
    if (length <= s->exact || looks == most)
      return k;
    if (k != s->halved)
      i = s->stayed = 0;
    s->halved = k;
    int is_middle = looks > 30 && looks % 2 == 0;
    if (i % 3 == 0) {
      is_middle |= i > 0 && length > 0.125 * before;
      before = length;
    }
    const double t = guess(r, k, is_middle, s->exact);
    if (t == r->low[k] || t == r->high[k]) // no number lies between
      return k;
    look(r, s, t);
  }
}

// Guard k has passed at its `high` and may be zero there, to rounding, for a while. Its next side is known once it is beyond: go on to there, if that
// is not far. A shallow dip of depth d is zero for eps / sqrt(d), so 1e-7 of the step is enough for what is not lost in rounding altogether.
static void go_beyond(ffi_roots *r, search *s, int k)
{
  const double from = r->high[k], to = s->time[FFI_ROOTS_SAMPLES], far = 1e-7 * fabs(to - s->time[0]);
  for (double ahead = s->exact; r->high_value[k] == 0 && ahead < far; ahead *= 2) {
    const double t = from + s->forward * ahead;
    if (s->forward * (to - t) < 0)
      return;
    evaluate(r, t, r->trial);
    if (!(r->low_side[k] * r->trial[k] < 0)) // zero, or flickering
      continue;
    look(r, s, t);
    r->high[k] = t;
    r->high_value[k] = r->trial[k];
  }
}

int ffi_roots_find(ffi_roots *r, double from, double to, double *t)
{
  search s = {.time = {from}, .forward = to > from ? 1 : -1, .halved = -1};
  s.exact = 2 * DBL_EPSILON * fmax(fabs(from), fabs(to));
  for (int i = 0; i < FFI_ROOTS_SAMPLES; ++i) {
    s.time[i + 1] = grid[i] < 1 ? from + grid[i] * (to - from) : to;
    evaluate(r, s.time[i + 1], r->sample[i]);
  }
  for (int k = 0; k < r->guards; ++k)
    search_samples(r, k, s.time);
  look_at_dips(r, &s);
  const int first = locate(r, &s);
  if (first >= 0)
    go_beyond(r, &s, first);
  *t = first < 0 ? to : r->high[first];
  if (*t == to)
    memcpy(r->value, r->sample[FFI_ROOTS_SAMPLES - 1], (size_t)r->guards * sizeof *r->value);
  else
    evaluate(r, *t, r->value);
  for (int k = 0; k < r->guards; ++k) {
    const int waits = s.forward * (*t - r->high[k]) >= 0; // passed, and is to be taken
    r->side[k] = waits ? r->low_side[k] : sign_of(r->value[k]);
  }
  return first >= 0;
}
