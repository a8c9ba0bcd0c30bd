// Table 2: the longest steps with which each test stays bounded, the controller in the loop and nothing reset.
//
// Bounded: no step fails and |v| stays below ten times the truth's largest. What is told is the longest step of which that is true, and of all shorter
// ones that were tried: a method that is thrown off at once may well fly off slowly.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_stated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "published" is expo-paper with the springs of its authors' code, at rest where a contact was first seen: the scheme and the law of the paper together.
const char *const bench_stable_schemes[BENCH_STABLE_SCHEMES] = {"expo",  "published", "expo-paper",
                                                                "euler", "implicit",  "rk4"};

static void choose(int scheme, ff_sim_def *sim, ff_scheme *out)
{
  const int is_published = strcmp(bench_stable_schemes[scheme], "published") == 0;
  if (is_published)
    sim->normal_anchor = FF_ANCHOR_FIRST_TOUCH;
  ff_scheme_find(is_published ? "expo-paper" : bench_stable_schemes[scheme], out);
}

static const double bound = 10; // times the truth's largest speed

// Explicit Euler is tried with up to 512 steps per period, the others with 128, as in the paper's code; the quick variant stops at 16 of those that
// are meant to take long steps.
static int tries(const bench_paper *p, int scheme)
{
  const int is_euler = strcmp(bench_stable_schemes[scheme], "euler") == 0;
  const int is_explicit = is_euler || strcmp(bench_stable_schemes[scheme], "rk4") == 0;
  return is_euler ? 10 : p->is_quick && !is_explicit ? 5 : 8;
}

static double steps_of(const bench_paper *p, int t)
{
  double steps = 0;
  for (int s = 0; s < BENCH_STABLE_SCHEMES; ++s)
    steps += (double)((1 << tries(p, s)) - 1) * p->tests[t].trial.periods;
  return steps;
}

double bench_paper_stability_work(const bench_paper *p)
{
  double work = 0;
  for (int t = 0; t < BENCH_TESTS; ++t)
    work += p->has_test[t] ? steps_of(p, t) * (t == BENCH_WALK ? 15 : 6) : 0;
  return work;
}

static double norm(int n, const double *v)
{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += v[i] * v[i];
  return sqrt(sum);
}

static double truth_speed(const ff_solution *t)
{
  double most = 0;
  for (int k = 0; k <= t->periods; ++k)
    most = fmax(most, norm(t->nv, t->v + (size_t)k * (size_t)t->nv));
  return most;
}

// The largest |v| of a run; INFINITY if a step, or the controller, failed or |v| went beyond the limit.
static ff_status run(const ff_trial *trial, const ff_scheme *scheme, int substeps, double limit,
                     double *speed, ff_error *error)
{
  const int nv = ff_model_get_size(trial->model).nv;
  double *tau = calloc((size_t)nv + 1, sizeof *tau), most = 0;
  ff_sim *sim = NULL;
  ff_error ignored;
  ff_status status =
      tau ? ff_trial_sim(trial, scheme, substeps, &sim, error) : (error->status = FF_ERROR_MEMORY);
  if (status == FF_OK)
    status = ff_sim_reset(sim, trial->q, trial->v, error);
  if (trial->begin)
    trial->begin(trial->user);
  for (int k = 0; k < trial->periods && status == FF_OK && isfinite(most); ++k) {
    memset(tau, 0, (size_t)nv * sizeof *tau);
    if (trial->control &&
        trial->control(k * trial->period, ff_sim_q(sim), ff_sim_v(sim), tau, trial->user, &ignored) != FF_OK)
      most = INFINITY;
    for (int i = 0; i < substeps && isfinite(most); ++i) {
      if (ff_sim_step(sim, tau, &ignored) != FF_OK)
        most = INFINITY;
      most = fmax(most, norm(nv, ff_sim_v(sim)));
      if (most > limit)
        most = INFINITY;
    }
  }
  ff_sim_destroy(sim);
  free(tau);
  *speed = most;
  return status;
}

static ff_status try_test(bench_paper *p, int t, ff_error *error)
{
  bench_stability *s = &p->stability[t];
  s->limit = bound * truth_speed(p->errors[t]->common_solution);
  double done = 0;
  for (int i = 0; i < BENCH_STABLE_SCHEMES; ++i) {
    ff_trial trial = p->tests[t].trial;
    ff_scheme scheme;
    ff_sim_def sim = *trial.sim;
    trial.sim = &sim;
    choose(i, &sim, &scheme);
    int fewest = 0, is_unbroken = 1;
    for (int e = tries(p, i) - 1; e >= 0; --e) {
      const ff_status status = run(&trial, &scheme, 1 << e, s->limit, &s->speed[i][e], error);
      if (status != FF_OK)
        return status;
      is_unbroken = is_unbroken && isfinite(s->speed[i][e]);
      if (is_unbroken)
        fewest = 1 << e;
      done += (double)(1 << e) * trial.periods;
      bench_progress_share(&p->progress, done / steps_of(p, t));
    }
    s->substeps[i] = fewest;
    const int stated = (int)lround(trial.period / bench_stated_tests[t].stable_expo);
    if (scheme.stepper <= FF_STEPPER_EXPO_PAPER && (fewest == 0 || fewest > stated)) {
      const ff_status status = bench_paper_runaway(&trial, &scheme, stated, &s->runaway[i], error);
      if (status != FF_OK)
        return status;
    }
  }
  return FF_OK;
}

static void report(const bench_paper *p)
{
  char titles[2 * BENCH_STABLE_SCHEMES][24];
  int columns = 0;
  for (int i = 0; i < BENCH_STABLE_SCHEMES; ++i)
    snprintf(titles[columns++], sizeof titles[0], "%s", bench_stable_schemes[i]);
  snprintf(titles[columns++], sizeof titles[0], "paper: expo");
  snprintf(titles[columns++], sizeof titles[0], "euler");
  snprintf(titles[columns++], sizeof titles[0], "implicit");
  bench_sheet_say(&p->sheet, "Table 2: the longest step that stays bounded [ms]");
  bench_sheet_titles(&p->sheet, "", columns, titles);
  for (int t = 0; t < BENCH_TESTS; ++t) {
    const bench_stated_test *stated = &bench_stated_tests[t];
    if (!p->has_test[t])
      continue;
    bench_sheet_row(&p->sheet, stated->name);
    for (int i = 0; i < BENCH_STABLE_SCHEMES; ++i) {
      const int n = p->stability[t].substeps[i];
      const double dt = n > 0 ? 1e3 * p->tests[t].trial.period / n : NAN;
      char metric[64];
      bench_sheet_number(&p->sheet, dt);
      snprintf(metric, sizeof metric, "stable:%s", bench_stable_schemes[i]);
      if (p->rows)
        bench_rows_add(p->rows, stated->name, metric, dt, "ms");
    }
    bench_sheet_number(&p->sheet, 1e3 * stated->stable_expo);
    bench_sheet_number(&p->sheet, 1e3 * stated->stable_euler);
    bench_sheet_number(&p->sheet, 1e3 * stated->stable_implicit);
    bench_sheet_end(&p->sheet);
  }
}

ff_status bench_paper_stability(bench_paper *p, ff_error *error)
{
  for (int t = 0; t < BENCH_TESTS; ++t) {
    if (!p->has_test[t] || !p->errors[t])
      continue;
    bench_progress_part(&p->progress, steps_of(p, t) * (t == BENCH_WALK ? 15 : 6), "stability");
    const ff_status status = try_test(p, t, error);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&p->progress);
  report(p);
  return FF_OK;
}
