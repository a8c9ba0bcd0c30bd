// Table 3: times of the phases of a step, on solo-trot; and the appendix's figures of the implicit method, on
// solo-squat with 10 ms.
//
// Steps start in the states of the common truth, one per 2 ms, with its torques. Each step is repeated and its fastest
// repeat counts. Phases are those of the library; each costs a clock reading.
#include "common/timer.h"
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const schemes[BENCH_EXPO_TIMED_SCHEMES] = {
    "expo-paper:order-1", "expo-paper:exact", "expo-paper", "expo", "implicit", "euler"};

enum { REPEATS = 5, QUICK_REPEATS = 2 };

static int repeats(const bench_expo_paper *p)
{
  return p->run.is_quick ? QUICK_REPEATS : REPEATS;
}

double bench_expo_paper_times_work(const void *paper)
{
  const bench_expo_paper *p = paper;
  const double trot = p->has_test[BENCH_EXPO_TROT] ? p->tests[BENCH_EXPO_TROT].trial.periods * 150.0 : 0;
  const double squat =
      p->has_test[BENCH_EXPO_SQUAT] ? p->tests[BENCH_EXPO_SQUAT].trial.periods * 4 * 30.0 : 0;
  return (trot + squat) * repeats(p);
}

typedef struct run {
  double (*phase)[FF_PHASE_COUNT]; // [steps], seconds, of the fastest repeat
  double *least;                   // [steps]
  double iterations;
  int substeps, steps; // per period; in all
} run;

static void take(run *r, int step, int repeat, const ff_step_info *info)
{
  double sum = 0;
  for (int i = 0; i < FF_PHASE_COUNT; ++i)
    sum += info->seconds[i];
  if (repeat == 0 || sum < r->least[step]) {
    r->least[step] = sum;
    memcpy(r->phase[step], info->seconds, sizeof r->phase[step]);
  }
  r->iterations += info->iterations;
}

// All judged periods of the truth. A step that fails is skipped.
static ff_status repeat_run(const ff_trial *trial, const ff_solution *truth, ff_sim *sim, int repeat, run *r,
                            ff_error *error)
{
  ff_error ignored;
  int step = 0;
  for (int k = 0; k < truth->periods; k = ff_trial_next(trial, k)) {
    const ff_status status =
        ff_sim_set_state(sim, truth->states + (size_t)k * (size_t)truth->state_size, error);
    if (status != FF_OK)
      return status;
    for (int i = 0; i < r->substeps; ++i)
      if (ff_sim_step(sim, truth->tau + (size_t)k * (size_t)truth->nv, &ignored) == FF_OK)
        take(r, step++, repeat, ff_sim_info(sim));
  }
  r->steps = step;
  return FF_OK;
}

static ff_status measure(const bench_expo_paper *p, int test, const char *name, int substeps,
                         bench_expo_paper_timed *out, ff_error *error)
{
  ff_trial trial = p->tests[test].trial;
  const ff_solution *truth = p->errors[test]->common_solution;
  const size_t most = (size_t)truth->periods * (size_t)substeps + 1;
  ff_scheme scheme;
  ff_sim *sim = NULL;
  run r = {
      .phase = calloc(most, sizeof *r.phase), .least = calloc(most, sizeof *r.least), .substeps = substeps};
  ff_sim_def def = *trial.sim;
  def.timing = 1;
  trial.sim = &def;
  ff_scheme_find(name, &scheme);
  *out = (bench_expo_paper_timed){.us = NAN};
  snprintf(out->name, sizeof out->name, "%s", name);
  ff_status status = r.phase && r.least ? ff_trial_sim(&trial, &scheme, substeps, &sim, error)
                                        : (error->status = FF_ERROR_MEMORY);
  for (int i = 0; i < repeats(p) && status == FF_OK; ++i)
    status = repeat_run(&trial, truth, sim, i, &r, error);
  if (status == FF_OK && r.steps > 0) {
    out->us = 0;
    for (int k = 0; k < r.steps; ++k)
      for (int i = 0; i < FF_PHASE_COUNT; ++i) {
        out->phase[i] += 1e6 * r.phase[k][i] / r.steps;
        out->us += 1e6 * r.phase[k][i] / r.steps;
      }
    out->iterations = r.iterations / ((double)r.steps * repeats(p));
  }
  ff_sim_destroy(sim);
  free(r.phase);
  free(r.least);
  return status;
}

// Minimum time of one call: derivatives of the dynamics, and of integrate and difference.
static ff_status measure_derivatives(const ff_model *model, bench_expo_paper_times *out, ff_error *error)
{
  enum { CALLS = 2000 };
  const ff_model_size size = ff_model_get_size(model);
  const size_t nv = (size_t)size.nv, square = nv * nv;
  ff_dynamics *dynamics = NULL;
  double *room = calloc(4 * square + 3 * nv + 2 * (size_t)size.nq + 1, sizeof *room);
  ff_status status =
      room ? ff_dynamics_create(model, NULL, &dynamics, error) : (error->status = FF_ERROR_MEMORY);
  out->aba_derivatives_us = out->lie_derivatives_us = INFINITY;
  if (status == FF_OK) {
    double *a = room, *b = a + square, *c = b + square, *d = c + square, *v = d + square, *tau = v + nv,
           *dv = tau + nv, *q = dv + nv, *q1 = q + size.nq;
    ff_model_neutral(model, q);
    ff_model_neutral(model, q1);
    for (int i = 0; i < CALLS; ++i) {
      double start = bench_timer_seconds();
      ff_dynamics_aba_derivatives(dynamics, q, v, tau, NULL, 0, a, b, c);
      out->aba_derivatives_us = fmin(out->aba_derivatives_us, 1e6 * (bench_timer_seconds() - start));
      start = bench_timer_seconds();
      ff_model_integrate_jacobians(model, q, dv, a, b);
      ff_model_difference_jacobians(model, q, q1, c, d);
      out->lie_derivatives_us = fmin(out->lie_derivatives_us, 1e6 * (bench_timer_seconds() - start));
    }
  }
  ff_dynamics_destroy(dynamics);
  free(room);
  return status;
}

static void report_trot(const bench_expo_paper *p)
{
  char titles[FF_PHASE_COUNT + 1][24] = {"step"};
  for (int i = 0; i < FF_PHASE_COUNT; ++i)
    snprintf(titles[i + 1], sizeof titles[0], "%s", ff_phase_name((ff_phase)i));
  bench_table_say(
      &p->run.table,
      "Table 3: us per step on solo-trot, 2 ms. The paper: 39 (94 with the standard exponential), euler 9");
  bench_table_titles(&p->run.table, "", FF_PHASE_COUNT + 1, titles);
  for (int s = 0; s < BENCH_EXPO_TIMED_SCHEMES; ++s) {
    const bench_expo_paper_timed *t = &p->times.trot[s];
    char metric[96];
    bench_table_row(&p->run.table, t->name);
    bench_table_number(&p->run.table, t->us);
    for (int i = 0; i < FF_PHASE_COUNT; ++i)
      bench_table_number(&p->run.table, isfinite(t->us) ? t->phase[i] : NAN);
    bench_table_end(&p->run.table);
    snprintf(metric, sizeof metric, "time:%s:step", t->name);
    if (p->run.rows)
      bench_json_rows_add(p->run.rows, "times", metric, t->us, "us");
    for (int i = 0; i < FF_PHASE_COUNT && p->run.rows; ++i) {
      snprintf(metric, sizeof metric, "time:%s:%s", t->name, ff_phase_name((ff_phase)i));
      bench_json_rows_add(p->run.rows, "times", metric, isfinite(t->us) ? t->phase[i] : NAN, "us");
    }
  }
}

const char *const bench_expo_paper_times_implicit_parts[FF_PHASE_COUNT] = {
    "residuals, line search", "derivatives", "linear systems", "the rest"};

static void report_implicit_parts(const bench_expo_paper *p)
{
  static const char *const metrics[FF_PHASE_COUNT] = {"residuals", "derivatives", "solve", "rest"};
  char titles[3][24] = {"us", "share", "paper"}, metric[64];
  bench_table_titles(&p->run.table, "", 3, titles);
  for (int i = 0; i < FF_PHASE_COUNT; ++i) {
    const double us = p->times.implicit.phase[i];
    bench_table_row(&p->run.table, bench_expo_paper_times_implicit_parts[i]);
    bench_table_number(&p->run.table, us);
    bench_table_number(&p->run.table, us / p->times.implicit.us);
    bench_table_number(&p->run.table, bench_expo_paper_published_implicit_share[i]);
    bench_table_end(&p->run.table);
    snprintf(metric, sizeof metric, "implicit:squat:%s", metrics[i]);
    if (p->run.rows)
      bench_json_rows_add(p->run.rows, "times", metric, us, "us");
  }
}

static void report_implicit(const bench_expo_paper *p)
{
  const bench_expo_paper_times *t = &p->times;
  bench_table_say(
      &p->run.table,
      "Implicit method on solo-squat, 10 ms: %.1f us per step (paper: %.0f), %.1f iterations (paper: %.0f); "
      "derivatives of the dynamics %.2f us per call "
      "(paper: %.0f), of integrate and difference %.2f us; expo takes %.1f us, %.1f times less (paper: about %.0f)",
      t->implicit.us, bench_expo_paper_published_implicit_us, t->implicit.iterations,
      bench_expo_paper_published_implicit_iterations, t->aba_derivatives_us,
      bench_expo_paper_published_aba_derivatives_us, t->lie_derivatives_us, t->expo.us,
      t->implicit.us / t->expo.us, bench_expo_paper_published_expo_is_faster);
  report_implicit_parts(p);
  if (!p->run.rows)
    return;
  bench_json_rows_add(p->run.rows, "times", "implicit:squat:step", t->implicit.us, "us");
  bench_json_rows_add(p->run.rows, "times", "implicit:squat:iterations", t->implicit.iterations, "per step");
  bench_json_rows_add(p->run.rows, "times", "implicit:aba-derivatives", t->aba_derivatives_us, "us");
  bench_json_rows_add(p->run.rows, "times", "implicit:lie-derivatives", t->lie_derivatives_us, "us");
  bench_json_rows_add(p->run.rows, "times", "expo:squat:step", t->expo.us, "us");
}

ff_status bench_expo_paper_times_run(void *paper, ff_error *error)
{
  bench_expo_paper *p = paper;
  ff_status status = FF_OK;
  for (int s = 0; s < BENCH_EXPO_TIMED_SCHEMES && p->has_test[BENCH_EXPO_TROT] && status == FF_OK; ++s)
    status = measure(p, BENCH_EXPO_TROT, schemes[s], strcmp(schemes[s], "euler") == 0 ? 16 : 1,
                     &p->times.trot[s], error);
  if (p->has_test[BENCH_EXPO_SQUAT] && status == FF_OK) {
    status = measure(p, BENCH_EXPO_SQUAT, "implicit", 4, &p->times.implicit, error);
    if (status == FF_OK)
      status = measure(p, BENCH_EXPO_SQUAT, "expo", 4, &p->times.expo, error);
    if (status == FF_OK)
      status = measure_derivatives(p->tests[BENCH_EXPO_SQUAT].trial.model, &p->times, error);
  }
  bench_progress_end(&p->run.progress);
  if (status == FF_OK && p->has_test[BENCH_EXPO_TROT])
    report_trot(p);
  if (status == FF_OK && p->has_test[BENCH_EXPO_SQUAT])
    report_implicit(p);
  return status;
}
