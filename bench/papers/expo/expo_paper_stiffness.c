// Fig. 4: mean local errors on solo-trot over stiffness at damping ratio 1/2, and over the damping ratio at K = 1e5
// N/m.
//
// Steps as in the paper: 2 ms, one per control period; explicit Euler 1/2 ms. The damping ratio is B / (2 sqrt(K)), for
// 1 kg.
#include "papers/expo/expo_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const bench_expo_paper_stiffness_schemes[BENCH_EXPO_STIFFNESS_SCHEMES] = {
    "expo", "expo-paper", "expo-paper:order-1", "implicit", "euler"};

static int steps_of(int scheme)
{
  return strcmp(bench_expo_paper_stiffness_schemes[scheme], "euler") == 0 ? 4 : 1;
}

static void choose(const bench_expo_paper *p, int i, bench_expo_paper_setting *s)
{
  const int is_stiffness = i < BENCH_EXPO_STIFFNESSES;
  s->stiffness = is_stiffness ? pow(10, 3 + 0.5 * i) : 1e5;
  s->ratio = is_stiffness ? 0.5 : 0.2 * (i - BENCH_EXPO_STIFFNESSES + 1);
  // The quick variant: whole decades from 1e4, and the smallest and the largest ratio.
  s->is_measured =
      !p->run.is_quick ||
      (is_stiffness ? i % 2 == 0 && i >= 2 : i == BENCH_EXPO_STIFFNESSES || i + 1 == BENCH_EXPO_SETTINGS);
}

static int own_truths(const bench_expo_paper *p)
{
  return !p->run.is_quick;
}

// Truths of expo, expo-paper, implicit and euler.
static double setting_work(const bench_expo_paper *p)
{
  const double steps = (p->run.is_quick ? 32.0 : 128.0) * p->tests[BENCH_EXPO_TROT].trial.periods;
  return steps * (own_truths(p) ? 6 + 4 + 20 + 8 * 2 : 6);
}

double bench_expo_paper_stiffness_work(const void *paper)
{
  const bench_expo_paper *p = paper;
  double work = 0;
  for (int i = 0; i < BENCH_EXPO_SETTINGS && p->has_test[BENCH_EXPO_TROT]; ++i) {
    bench_expo_paper_setting s;
    choose(p, i, &s);
    work += s.is_measured ? setting_work(p) : 0;
  }
  return work;
}

static void add_spread(const ff_local_error *l, int scheme, bench_expo_paper_setting *s)
{
  int count = 0;
  for (int k = 0; l->solution && k < l->solution->periods; ++k)
    count += isfinite(l->error[k]);
  s->periods = count > s->periods ? count : s->periods;
  s->median[scheme] = l->max_norm.median;
  s->worst[scheme] = l->max_norm.largest / (count * l->max_norm.mean);
}

// Errors against each stepper's own truth, or against expo's.
static ff_status measure(const bench_expo_paper *p, const ff_trial *trial, int is_own,
                         bench_expo_paper_setting *s, ff_error *error)
{
  const double finest = p->run.is_quick ? 1e-3 / 16 : 1e-3 / 64;
  ff_solution *truths[FF_STEPPER_COUNT] = {NULL};
  ff_local_error list[BENCH_EXPO_STIFFNESS_SCHEMES] = {0};
  ff_status status = FF_OK;
  for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES && status == FF_OK; ++i) {
    ff_local_error *l = &list[i];
    ff_scheme_find(bench_expo_paper_stiffness_schemes[i], &l->scheme);
    const ff_stepper whose = is_own ? l->scheme.stepper : FF_STEPPER_EXPO;
    const ff_scheme truth = ff_scheme_of(whose);
    ff_error ignored;
    if (!truths[whose]) // the schemes of a truth that fails get no figures
      ff_solution_create(trial, &truth, ff_solution_substeps(trial, whose, finest), NULL, &truths[whose],
                         &ignored);
    l->solution = truths[whose];
    l->substeps = steps_of(i);
  }
  status = ff_local_error_measure(trial, list, BENCH_EXPO_STIFFNESS_SCHEMES, 1, NULL, error);
  for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES && status == FF_OK; ++i) {
    (is_own ? s->own : s->error)[i] = list[i].max_norm.mean;
    if (!is_own)
      add_spread(&list[i], i, s);
    s->failures[i] += list[i].failures;
  }
  ff_local_error_free(list, BENCH_EXPO_STIFFNESS_SCHEMES);
  for (int i = 0; i < FF_STEPPER_COUNT; ++i)
    ff_solution_destroy(truths[i]);
  return status;
}

enum { GROUNDS_MOST = 16 };

// The test on a ground of this stiffness and damping.
static ff_status run_setting(bench_expo_paper *p, bench_expo_paper_setting *s, ff_error *error)
{
  ff_trial trial = p->tests[BENCH_EXPO_TROT].trial;
  ff_ground_def grounds[GROUNDS_MOST];
  ff_sim_def sim = *trial.sim;
  for (int g = 0; g < sim.ground_count && g < GROUNDS_MOST; ++g) {
    grounds[g] = sim.ground[g];
    grounds[g].gives_pair = 1;
    grounds[g].shape.material.stiffness = s->stiffness;
    grounds[g].shape.material.damping = 2 * s->ratio * sqrt(s->stiffness);
  }
  sim.ground = grounds;
  trial.sim = &sim;
  for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i)
    s->error[i] = s->own[i] = s->median[i] = s->worst[i] = NAN, s->failures[i] = 0;
  ff_status status = measure(p, &trial, 0, s, error);
  if (status == FF_OK && own_truths(p))
    status = measure(p, &trial, 1, s, error);
  return status;
}

static void add_row(const bench_expo_paper *p, int setting, int scheme, const char *what, double value,
                    const char *unit)
{
  const bench_expo_paper_setting *s = &p->settings[setting];
  const int is_stiffness = setting < BENCH_EXPO_STIFFNESSES;
  char metric[96];
  snprintf(metric, sizeof metric, "error:%s:%s=%g:common:%s", bench_expo_paper_stiffness_schemes[scheme],
           is_stiffness ? "K" : "ratio", is_stiffness ? s->stiffness : s->ratio, what);
  bench_paper_row(&p->run, "stiffness", metric, value, unit);
}

static void report(const bench_expo_paper *p)
{
  char titles[BENCH_EXPO_STIFFNESS_SCHEMES][24];
  bench_table table = p->run.table;
  table.width = 20;
  for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i)
    snprintf(titles[i], sizeof titles[i], "%s", bench_expo_paper_stiffness_schemes[i]);
  bench_table_say(
      &table, "Fig. 4: mean local error on solo-trot against the truth of expo; steps of 2 ms, euler 1/2 ms");
  bench_table_titles(&table, "", BENCH_EXPO_STIFFNESS_SCHEMES, titles);
  for (int k = 0; k < BENCH_EXPO_SETTINGS; ++k) {
    const bench_expo_paper_setting *s = &p->settings[k];
    char name[48];
    if (!s->is_measured)
      continue;
    snprintf(name, sizeof name, "K %.1e ratio %.1f", s->stiffness, s->ratio);
    bench_table_row(&table, name);
    for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i) {
      bench_table_error(&table, s->error[i]);
      add_row(p, k, i, "mean", s->error[i], "SI");
      add_row(p, k, i, "median", s->median[i], "SI");
      add_row(p, k, i, "worst", s->worst[i], "of the sum");
    }
    bench_table_end(&table);
  }
}

ff_status bench_expo_paper_stiffness_run(void *paper, ff_error *error)
{
  bench_expo_paper *p = paper;
  const int grounds = p->tests[BENCH_EXPO_TROT].trial.sim->ground_count;
  if (!p->has_test[BENCH_EXPO_TROT] || grounds < 1 || grounds > GROUNDS_MOST)
    return FF_OK;
  for (int i = 0; i < BENCH_EXPO_SETTINGS; ++i) {
    choose(p, i, &p->settings[i]);
    if (!p->settings[i].is_measured)
      continue;
    bench_progress_part(&p->run.progress, setting_work(p), "stiffness and damping");
    const ff_status status = run_setting(p, &p->settings[i], error);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&p->run.progress);
  report(p);
  return FF_OK;
}
