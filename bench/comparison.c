#include "comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of truths: the exponential is not to be what limits them.
static const double fine_tolerance = 1e-9;

// Microseconds of a step of Solo, in the order of ff_stepper: guesses for a progress bar.
static const double typical_us[FF_STEPPER_COUNT] = {6, 4, 2, 2, 8, 20, 50, 5, 8, 30};

bench_comparison_def bench_comparison_def_default(void)
{
  bench_comparison_def def = {.has_own = 1,
                              .has_common = 1,
                              .finest = 1e-3 / 64,
                              .check_finer = 4,
                              .check_refinements = 2,
                              .rounds = 5};
  for (int i = 0; i < FF_STEPPER_SOFT_COUNT; ++i) // they solve one equation: hard contact is another
    if (i != FF_STEPPER_ESS)                      // whose error is its tolerance, whatever the step
      def.schemes[def.scheme_count++] = bench_scheme_of((ff_stepper)i);
  return def;
}

int bench_comparison_substeps(const bench_trial *trial, const bench_comparison_def *def,
                              const bench_scheme *scheme, int *list)
{
  const int is_first_order = scheme->stepper == FF_STEPPER_EULER || scheme->stepper == FF_STEPPER_SYMPLECTIC;
  const int most = bench_trial_substeps(trial, def->finest * (is_first_order ? 1 : 8));
  int count = 0;
  if (def->substeps_count > 0) {
    memcpy(list, def->substeps, (size_t)def->substeps_count * sizeof *list);
    return def->substeps_count;
  }
  for (int n = 1; n <= most && count < BENCH_SUBSTEPS_MOST; n *= 2)
    list[count++] = n;
  return count;
}

// ---- Work --------------------------------------------------------------------------------------------------

static double judged_periods(const bench_trial *t)
{
  return ceil((double)t->periods / bench_trial_next(t, 0));
}

static double truth_work(const bench_trial *trial, const bench_comparison_def *def, ff_stepper stepper)
{
  return typical_us[stepper] * trial->periods * bench_truth_substeps(trial, stepper, def->finest);
}

static double check_work(const bench_trial *trial, const bench_comparison_def *def)
{
  return typical_us[FF_STEPPER_RK4] * judged_periods(trial) * def->check_finer *
         bench_truth_substeps(trial, FF_STEPPER_RK4, def->finest);
}

// The augmented matrix takes ten times as long as the fast path: such schemes are timed once.
static int is_slow(const bench_scheme *s)
{
  return s->stepper == FF_STEPPER_EXPO_PAPER && s->expo.exponential != FF_EXPONENTIAL_AUTO;
}
enum { SLOW = 10 };

// Of so many rounds.
static double rounds_work(const bench_trial *trial, const bench_comparison_def *def, int rounds)
{
  double work = 0;
  int list[BENCH_SUBSTEPS_MOST];
  for (int s = 0; s < def->scheme_count; ++s) {
    const int n = bench_comparison_substeps(trial, def, &def->schemes[s], list);
    for (int i = 0; i < n; ++i)
      work += typical_us[def->schemes[s].stepper] * judged_periods(trial) * list[i] *
              (is_slow(&def->schemes[s]) ? SLOW : rounds);
  }
  return work;
}

static int uses(const bench_comparison_def *def, int stepper)
{
  for (int s = 0; s < def->scheme_count; ++s)
    if ((int)def->schemes[s].stepper == stepper)
      return 1;
  return 0;
}

// The truth that is common is also expo's own.
static int needs_own(const bench_comparison_def *def, int stepper)
{
  return def->has_own && uses(def, stepper) && !(def->has_common && stepper == FF_STEPPER_EXPO);
}

double bench_comparison_work(const bench_trial *trial, const bench_comparison_def *def)
{
  double work = 0;
  for (int s = 0; s < FF_STEPPER_COUNT; ++s)
    work += needs_own(def, s) ? truth_work(trial, def, (ff_stepper)s) : 0;
  if (def->has_common)
    work += truth_work(trial, def, FF_STEPPER_EXPO) + check_work(trial, def) +
            rounds_work(trial, def, def->rounds) + (def->has_own ? rounds_work(trial, def, 1) : 0);
  else
    work += rounds_work(trial, def, def->rounds);
  return work;
}

// ---- Truths ------------------------------------------------------------------------------------------------

static bench_scheme truth_scheme(ff_stepper stepper)
{
  bench_scheme s = bench_scheme_of(stepper);
  s.expo.force_tolerance = fine_tolerance;
  return s;
}

static ff_status find_common(bench_comparison *c, bench_progress *progress, ff_error *error)
{
  const bench_scheme expo = truth_scheme(FF_STEPPER_EXPO);
  const int substeps = bench_truth_substeps(c->trial, FF_STEPPER_EXPO, c->def.finest);
  bench_progress_part(progress, truth_work(c->trial, &c->def, FF_STEPPER_EXPO), "common truth");
  ff_status status =
      bench_truth_create(c->trial, &expo, substeps, bench_progress_share, progress, &c->common_truth, error);
  c->check = bench_scheme_of(FF_STEPPER_RK4);
  c->check_substeps = substeps * c->def.check_finer;
  bench_progress_part(progress, check_work(c->trial, &c->def), "common truth by another method");
  if (status == FF_OK)
    status = bench_truth_check(c->common_truth, c->trial, &c->check, c->check_substeps,
                               c->def.check_refinements, bench_progress_share, progress, error);
  return status;
}

// A stepper whose truth fails is left out; that is told.
static void find_own(bench_comparison *c, bench_progress *progress)
{
  for (int s = 0; s < FF_STEPPER_COUNT; ++s) {
    if (!needs_own(&c->def, s))
      continue;
    char what[48];
    ff_error error = {0};
    const bench_scheme scheme = truth_scheme((ff_stepper)s);
    snprintf(what, sizeof what, "truth of %s", scheme.name);
    bench_progress_part(progress, truth_work(c->trial, &c->def, scheme.stepper), what);
    if (bench_truth_create(c->trial, &scheme, bench_truth_substeps(c->trial, scheme.stepper, c->def.finest),
                           bench_progress_share, progress, &c->own_truth[s], &error) != FF_OK)
      snprintf(c->own_failure[s], sizeof c->own_failure[s], "%.255s", error.message);
  }
}

// ---- Configurations ----------------------------------------------------------------------------------------

static ff_status list_them(bench_comparison *c, ff_error *error)
{
  int list[BENCH_SUBSTEPS_MOST];
  for (int s = 0; s < c->def.scheme_count; ++s)
    c->count += bench_comparison_substeps(c->trial, &c->def, &c->def.schemes[s], list);
  c->common = c->def.has_common ? calloc((size_t)c->count + 1, sizeof *c->common) : NULL;
  c->own = c->def.has_own ? calloc((size_t)c->count + 1, sizeof *c->own) : NULL;
  if ((c->def.has_common && !c->common) || (c->def.has_own && !c->own)) {
    snprintf(error->message, sizeof error->message, "there is not enough memory");
    return error->status = FF_ERROR_MEMORY;
  }
  for (int s = 0, at = 0; s < c->def.scheme_count; ++s) {
    const bench_scheme *scheme = &c->def.schemes[s];
    const int n = bench_comparison_substeps(c->trial, &c->def, scheme, list);
    const bench_truth *own = c->own_truth[scheme->stepper];
    if (c->def.has_common && scheme->stepper == FF_STEPPER_EXPO)
      own = c->common_truth;
    for (int i = 0; i < n; ++i, ++at) {
      if (c->common)
        c->common[at] = (bench_local){
            .scheme = *scheme, .substeps = list[i], .truth = c->common_truth, .rounds = is_slow(scheme)};
      if (c->own)
        c->own[at] =
            (bench_local){.scheme = *scheme, .substeps = list[i], .truth = own, .rounds = is_slow(scheme)};
    }
  }
  return FF_OK;
}

ff_status bench_comparison_run(const bench_trial *trial, const bench_comparison_def *def,
                               bench_progress *progress, bench_comparison **out, ff_error *error)
{
  bench_comparison *c = calloc(1, sizeof *c);
  ff_status status = c ? FF_OK : (error->status = FF_ERROR_MEMORY);
  *out = NULL;
  if (status == FF_OK) {
    c->trial = trial;
    c->def = *def;
    if (def->has_common)
      status = find_common(c, progress, error);
  }
  if (status == FF_OK) {
    find_own(c, progress);
    status = list_them(c, error);
  }
  if (status == FF_OK && c->common) {
    bench_progress_part(progress, rounds_work(trial, def, def->rounds), "errors and times");
    status = bench_local_run(trial, c->common, c->count, def->rounds, bench_progress_share, progress, error);
  }
  if (status == FF_OK && c->own) {
    const int rounds = c->common ? 1 : def->rounds;
    bench_progress_part(progress, rounds_work(trial, def, rounds), "errors against own truths");
    status = bench_local_run(trial, c->own, c->count, rounds, bench_progress_share, progress, error);
  }
  if (status == FF_OK)
    *out = c;
  else
    bench_comparison_destroy(c);
  return status;
}

void bench_comparison_destroy(bench_comparison *c)
{
  if (!c)
    return;
  if (c->common)
    bench_local_free(c->common, c->count);
  if (c->own)
    bench_local_free(c->own, c->count);
  free(c->common);
  free(c->own);
  bench_truth_destroy(c->common_truth);
  for (int s = 0; s < FF_STEPPER_COUNT; ++s)
    bench_truth_destroy(c->own_truth[s]);
  free(c);
}

const bench_local *bench_comparison_timed(const bench_comparison *c, int i)
{
  return c->common ? &c->common[i] : &c->own[i];
}
