// Table 2: the longest steps with which each test stays bounded, with the controller in the loop and without resets.
//
// Bounded: no step fails and |v| stays below ten times the truth's largest. The result is the longest step for which
// this holds for it and for all shorter ones that were tried, because a run that diverges at once may fly off slowly.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "published" is expo-paper with the springs of its authors' code, whose rest position is where a contact was first
// detected: the paper's scheme and contact law together.
const char *const bench_expo_paper_stability_schemes[BENCH_EXPO_STABILITY_SCHEMES] = {
    "expo", "published", "expo-paper", "euler", "implicit", "rk4"};

static void choose(int scheme, ff_sim_def *sim, ff_scheme *out)
{
  const int is_published = strcmp(bench_expo_paper_stability_schemes[scheme], "published") == 0;
  if (is_published)
    sim->normal_anchor = FF_ANCHOR_FIRST_TOUCH;
  ff_scheme_find(is_published ? "expo-paper" : bench_expo_paper_stability_schemes[scheme], out);
}

static const double bound = 10; // in units of the truth's largest speed

// Explicit Euler is tried with up to 512 steps per period, the others with 128, as in the paper's code; the quick
// variant stops at 16 for the methods with long steps.
static int tries(const bench_expo_paper *p, int scheme)
{
  const int is_euler = strcmp(bench_expo_paper_stability_schemes[scheme], "euler") == 0;
  const int is_explicit = is_euler || strcmp(bench_expo_paper_stability_schemes[scheme], "rk4") == 0;
  return is_euler ? 10 : p->run.is_quick && !is_explicit ? 5 : 8;
}

static double steps_of(const bench_expo_paper *p, int t)
{
  double steps = 0;
  for (int s = 0; s < BENCH_EXPO_STABILITY_SCHEMES; ++s)
    steps += (double)((1 << tries(p, s)) - 1) * p->tests[t].trial.periods;
  return steps;
}

double bench_expo_paper_stability_work(const void *paper)
{
  const bench_expo_paper *p = paper;
  double work = 0;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    work += p->has_test[t] ? steps_of(p, t) * (t == BENCH_EXPO_WALK ? 15 : 6) : 0;
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

// The largest |v| of a run; INFINITY if a step or the controller failed or |v| exceeded the limit.
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

static ff_status try_test(bench_expo_paper *p, int t, ff_error *error)
{
  bench_expo_paper_stability *s = &p->stability[t];
  s->limit = bound * truth_speed(p->errors[t]->common_solution);
  double done = 0;
  for (int i = 0; i < BENCH_EXPO_STABILITY_SCHEMES; ++i) {
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
      bench_progress_share(&p->run.progress, done / steps_of(p, t));
    }
    s->substeps[i] = fewest;
    const int published = (int)lround(trial.period / bench_expo_paper_published_tests[t].stable_expo);
    if (scheme.stepper <= FF_STEPPER_EXPO_PAPER && (fewest == 0 || fewest > published)) {
      const ff_status status =
          bench_expo_paper_runaway_find(&trial, &scheme, published, &s->runaway[i], error);
      if (status != FF_OK)
        return status;
    }
  }
  return FF_OK;
}

static void report(const bench_expo_paper *p)
{
  char titles[2 * BENCH_EXPO_STABILITY_SCHEMES][24];
  int columns = 0;
  for (int i = 0; i < BENCH_EXPO_STABILITY_SCHEMES; ++i)
    snprintf(titles[columns++], sizeof titles[0], "%s", bench_expo_paper_stability_schemes[i]);
  snprintf(titles[columns++], sizeof titles[0], "paper: expo");
  snprintf(titles[columns++], sizeof titles[0], "euler");
  snprintf(titles[columns++], sizeof titles[0], "implicit");
  bench_table_say(&p->run.table, "Table 2: the longest step that stays bounded [ms]");
  bench_table_titles(&p->run.table, "", columns, titles);
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    const bench_expo_paper_published_test *published = &bench_expo_paper_published_tests[t];
    if (!p->has_test[t])
      continue;
    bench_table_row(&p->run.table, published->name);
    for (int i = 0; i < BENCH_EXPO_STABILITY_SCHEMES; ++i) {
      const int n = p->stability[t].substeps[i];
      const double dt = n > 0 ? 1e3 * p->tests[t].trial.period / n : NAN;
      char metric[64];
      bench_table_number(&p->run.table, dt);
      snprintf(metric, sizeof metric, "stable:%s", bench_expo_paper_stability_schemes[i]);
      if (p->run.rows)
        bench_json_rows_add(p->run.rows, published->name, metric, dt, "ms");
    }
    bench_table_number(&p->run.table, 1e3 * published->stable_expo);
    bench_table_number(&p->run.table, 1e3 * published->stable_euler);
    bench_table_number(&p->run.table, 1e3 * published->stable_implicit);
    bench_table_end(&p->run.table);
  }
}

ff_status bench_expo_paper_stability_run(void *paper, ff_error *error)
{
  bench_expo_paper *p = paper;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->has_test[t] || !p->errors[t])
      continue;
    bench_progress_part(&p->run.progress, steps_of(p, t) * (t == BENCH_EXPO_WALK ? 15 : 6), "stability");
    const ff_status status = try_test(p, t, error);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&p->run.progress);
  report(p);
  return FF_OK;
}
