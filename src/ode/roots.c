#include "ode/roots_samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

void ffi_roots_begin(ffi_roots *r)
{
  for (int k = 0; k < r->guards; ++k)
    r->side[k] = ffi_roots_samples_sign(r->value[k]);
}

int ffi_roots_take(ffi_roots *r)
{
  for (int k = 0; k < r->guards; ++k)
    if (ffi_roots_samples_has_passed(r->side[k], r->value[k]) &&
        ffi_roots_samples_is_wanted(r, k, r->side[k])) {
      r->side[k] = ffi_roots_samples_sign(r->value[k]);
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

// ---- Which is first ---------------------------------------------------------------------------------------

// The guard whose enclosure ends first, or -1.
static int first_enclosed(const ffi_roots *r, double forward)
{
  int first = -1;
  for (int k = 0; k < r->guards; ++k)
    if (!isnan(r->high[k]) && (first < 0 || forward * (r->high[k] - r->high[first]) < 0))
      first = k;
  return first;
}

// Narrow guard k's enclosure, t being inside of it.
static void narrow_one(ffi_roots *r, int k, ffi_roots_samples *s, double t, double value)
{
  const int is_high = ffi_roots_samples_has_passed(r->low_side[k], value);
  *(is_high ? &r->high[k] : &r->low[k]) = t;
  *(is_high ? &r->high_value[k] : &r->low_value[k]) = value;
  if (k != s->halved)
    return;
  if (s->stayed == (is_high ? -1 : 1))
    *(is_high ? &r->low_value[k] : &r->high_value[k]) *= 0.5;
  s->stayed = is_high ? -1 : 1;
}

// All guards have these values at time t. Afterwards none that is asked for has passed there and has an enclosure that ends later.
static void narrow_all(ffi_roots *r, ffi_roots_samples *s, double t, const double *value)
{
  for (int k = 0; k < r->guards; ++k) {
    if ((t - r->low[k]) * (r->high[k] - t) > 0)
      narrow_one(r, k, s, t, value[k]);
    else if (!(s->forward * (t - r->low[k]) >= 0) && ffi_roots_samples_has_passed(r->side[k], value[k]) &&
             ffi_roots_samples_is_wanted(r, k, r->side[k]))
      ffi_roots_samples_enclose_late(r, s, k, t, value[k]);
  }
}

static void look(ffi_roots *r, ffi_roots_samples *s, double t)
{
  ffi_roots_samples_evaluate(r, t, r->trial);
  narrow_all(r, s, t, r->trial);
}

// Where an enclosure ends all guards have to be looked at: samples that were looked up late, for some of them, and bottoms of dips.
static void look_at_ends(ffi_roots *r, ffi_roots_samples *s)
{
  for (int i = 0; i <= FFI_ROOTS_SAMPLES; ++i)
    if (ffi_roots_samples_is_middle(i) && s->is_known[i])
      narrow_all(r, s, s->time[i], r->sample[i - 1]);
  for (int k = 0; k < r->guards; ++k) {
    const double end[2] = {r->low[k], r->high[k]};
    for (int e = 0; e < 2 && !isnan(end[e]); ++e) {
      int is_sample = 0;
      for (int i = 0; i <= FFI_ROOTS_SAMPLES; ++i)
        is_sample |= end[e] == s->time[i];
      if (!is_sample)
        look(r, s, end[e]);
    }
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
static int locate(ffi_roots *r, ffi_roots_samples *s)
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
static void go_beyond(ffi_roots *r, ffi_roots_samples *s, int k)
{
  const double from = r->high[k], to = s->time[FFI_ROOTS_SAMPLES], far = 1e-7 * fabs(to - s->time[0]);
  for (double ahead = s->exact; r->high_value[k] == 0 && ahead < far; ahead *= 2) {
    const double t = from + s->forward * ahead;
    if (s->forward * (to - t) < 0)
      return;
    ffi_roots_samples_evaluate(r, t, r->trial);
    if (!(r->low_side[k] * r->trial[k] < 0)) // zero, or flickering
      continue;
    look(r, s, t);
    r->high[k] = t;
    r->high_value[k] = r->trial[k];
  }
}

int ffi_roots_find(ffi_roots *r, double from, double to, double *t)
{
  ffi_roots_samples s = {.forward = to > from ? 1 : -1, .halved = -1};
  s.exact = 2 * DBL_EPSILON * fmax(fabs(from), fabs(to));
  int first = -1;
  if (ffi_roots_samples_take(r, &s, from, to)) {
    look_at_ends(r, &s);
    first = locate(r, &s);
  }
  if (first >= 0)
    go_beyond(r, &s, first);
  *t = first < 0 ? to : r->high[first];
  if (*t == to)
    memcpy(r->value, r->sample[FFI_ROOTS_SAMPLES - 1], (size_t)r->guards * sizeof *r->value);
  else
    ffi_roots_samples_evaluate(r, *t, r->value);
  for (int k = 0; k < r->guards; ++k) {
    const int waits = first >= 0 && s.forward * (*t - r->high[k]) >= 0; // passed, and is to be taken
    r->side[k] = waits ? r->low_side[k] : ffi_roots_samples_sign(r->value[k]);
  }
  return first >= 0;
}
