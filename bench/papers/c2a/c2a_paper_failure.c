// Sections IV-A and IV-E: the number of steps until the trotting robot fails, with fixed steps of several lengths (Fig.
// 3), with the paper's controller and with the scene's; and with dissipation (Fig. 5), with the paper's.
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>

const double bench_c2a_paper_failure_steps[BENCH_C2A_FAILURE_STEPS_ALL] = {
    1e-3, 1.5e-3, 1.75e-3, 2e-3,  3e-3,  4e-3,  5e-3,  6e-3, 7e-3,
    8e-3, 9e-3,   10e-3,   12e-3, 15e-3, 20e-3, 25e-3, 30e-3};
const double bench_c2a_paper_failure_short_steps[BENCH_C2A_SHORT_STEPS] = {0.5e-3, 0.75e-3};
const double bench_c2a_paper_failure_lambdas[BENCH_C2A_LAMBDAS] = {0,   0.01, 0.1, 0.2, 0.3, 0.4,
                                                                   0.5, 0.6,  0.7, 0.8, 0.9, 1};

static const double usual = 5e-3; // the step of Fig. 5

static double duration_of(const bench_c2a_paper *b)
{
  return b->run.is_quick ? 2 : 5;
}

double bench_c2a_paper_failure_work(const void *paper)
{
  const bench_c2a_paper *b = paper;
  return 0.6 * BENCH_C2A_CONTROLLERS * duration_of(b);
}

double bench_c2a_paper_failure_dissipation_work(const void *paper)
{
  const bench_c2a_paper *b = paper;
  return 0.4 * duration_of(b);
}

// The samples before the failure: one gait, or the first half of the steps to failure if that is shorter.
static double share_before(const bench_c2a_trot_run *r, double dt)
{
  const double gait = bench_c2a_trot_gait / dt, half = bench_c2a_trot_end(r, INFINITY) / 2,
               count = fmin(gait, half);
  double sum = 0, n = 0;
  for (int k = 0; k < r->sample_count && k < count; ++k)
    if (isfinite(r->samples[k].error)) {
      sum += bench_c2a_trot_share(&r->samples[k]);
      ++n;
    }
  return n > 0 ? sum / n : NAN;
}

static ff_status run(const bench_c2a_paper *b, bench_c2a_trot_controller controller, double dt,
                     const ff_c2a_def *c2a, bench_c2a_paper_ending *out, ff_error *error)
{
  const bench_c2a_trot_def def = {.scenes = b->run.scenes,
                                  .controller = controller,
                                  .dt = dt,
                                  .duration = duration_of(b),
                                  .c2a = *c2a,
                                  .sampled = (int)ceil(bench_c2a_trot_gait / dt)};
  bench_c2a_trot_run r;
  const ff_status status = bench_c2a_trot_go(&def, &r, error);
  if (status == FF_OK)
    *out = (bench_c2a_paper_ending){.failed = r.failed_at >= 0 ? (double)r.failed_at : NAN,
                                    .fell = r.fell_at >= 0 ? (double)r.fell_at : NAN,
                                    .end = bench_c2a_trot_end(&r, INFINITY),
                                    .taken = r.steps,
                                    .share = share_before(&r, dt)};
  bench_c2a_trot_run_free(&r);
  return status;
}

// ---- Fig. 3 ---------------------------------------------------------------------------------------------

// Ranks from 1; equal values get their mean rank.
static void rank(int n, const double *x, double *out)
{
  for (int i = 0; i < n; ++i) {
    double below = 0, same = 0;
    for (int k = 0; k < n; ++k) {
      below += x[k] < x[i];
      same += x[k] == x[i];
    }
    out[i] = below + 0.5 * (same + 1);
  }
}

// Spearman's rank correlation; NAN if all values of one side are equal.
static double correlation(int n, const double *x, const double *y)
{
  double a[BENCH_C2A_FAILURE_STEPS_ALL], b[BENCH_C2A_FAILURE_STEPS_ALL], ab = 0, aa = 0, bb = 0;
  rank(n, x, a);
  rank(n, y, b);
  for (int i = 0; i < n; ++i) {
    const double u = a[i] - 0.5 * (n + 1), w = b[i] - 0.5 * (n + 1);
    ab += u * w, aa += u * u, bb += w * w;
  }
  return ab / sqrt(aa * bb);
}

static void add_end(const bench_c2a_paper *b, const char *which, const char *at,
                    const bench_c2a_paper_ending *e)
{
  char metric[64];
  snprintf(metric, sizeof metric, "steps_to_failure:%s", at);
  bench_paper_row(&b->run, which, metric, e->failed, "steps");
  snprintf(metric, sizeof metric, "steps_to_fall:%s", at);
  bench_paper_row(&b->run, which, metric, e->fell, "steps");
  snprintf(metric, sizeof metric, "energy_error:%s", at);
  bench_paper_row(&b->run, which, metric, e->share, "1");
}

static void report_ending(const bench_c2a_paper *b, const char *which, double dt,
                          const bench_c2a_paper_ending *e)
{
  char name[24];
  snprintf(name, sizeof name, "%g ms", 1e3 * dt);
  bench_table_row(&b->run.table, name);
  bench_table_number(&b->run.table, e->failed);
  bench_table_number(&b->run.table, e->fell);
  bench_table_error(&b->run.table, e->share);
  bench_table_end(&b->run.table);
  snprintf(name, sizeof name, "dt=%gms", 1e3 * dt);
  add_end(b, which, name, e);
}

static void report_failures(const bench_c2a_paper *b, bench_c2a_trot_controller controller)
{
  static const char *const names[BENCH_C2A_CONTROLLERS] = {"for the present instant",
                                                           "for the middle of the period"},
                           *const rows[BENCH_C2A_CONTROLLERS] = {"fixed", "fixed:middle"};
  const bench_c2a_paper_failure *s = &b->failure[controller];
  char titles[][24] = {"to failure", "to a fall", "rel. KE error"};
  bench_table_say(
      &b->run.table,
      "Fig. 3: trot of %g s in fixed steps, torques planned %s: steps to failure, to a fall (blank: none), mean "
      "relative local error of kinetic energy before",
      duration_of(b), names[controller]);
  bench_table_titles(&b->run.table, "step", 3, titles);
  for (int i = 0; i < BENCH_C2A_SHORT_STEPS; ++i)
    report_ending(b, rows[controller], bench_c2a_paper_failure_short_steps[i], &s->shorter[i]);
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS_ALL; ++i)
    report_ending(b, rows[controller], bench_c2a_paper_failure_steps[i], &s->ends[i]);
  bench_paper_row(&b->run, rows[controller], "rank_correlation", s->correlation, "1");
  bench_paper_row(&b->run, rows[controller], "rank_correlation:time", s->correlation_time, "1");
  bench_paper_row(&b->run, rows[controller], "rank_correlation:all", s->correlation_all, "1");
}

static ff_status run_all(bench_c2a_paper *b, bench_c2a_trot_controller controller, ff_error *error)
{
  bench_c2a_paper_failure *s = &b->failure[controller];
  const ff_c2a_def plain = bench_c2a_trot_options();
  double share[BENCH_C2A_FAILURE_STEPS_ALL], steps[BENCH_C2A_FAILURE_STEPS_ALL],
      time[BENCH_C2A_FAILURE_STEPS_ALL];
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS_ALL; ++i) {
    const ff_status status = run(b, controller, bench_c2a_paper_failure_steps[i], &plain, &s->ends[i], error);
    if (status != FF_OK)
      return status;
    s->failures += i < BENCH_C2A_FAILURE_STEPS && isfinite(s->ends[i].end);
    share[i] = isfinite(s->ends[i].share) ? s->ends[i].share : INFINITY;
    steps[i] = s->ends[i].end;
    time[i] = steps[i] * bench_c2a_paper_failure_steps[i];
    bench_progress_share(&b->run.progress,
                         ((int)controller + (i + 1.0) / BENCH_C2A_FAILURE_STEPS_ALL) / BENCH_C2A_CONTROLLERS);
  }
  for (int i = 0; i < BENCH_C2A_SHORT_STEPS; ++i) {
    const ff_status status =
        run(b, controller, bench_c2a_paper_failure_short_steps[i], &plain, &s->shorter[i], error);
    if (status != FF_OK)
      return status;
  }
  s->correlation = correlation(BENCH_C2A_FAILURE_STEPS, share, steps);
  s->correlation_time = correlation(BENCH_C2A_FAILURE_STEPS, share, time);
  s->correlation_all = correlation(BENCH_C2A_FAILURE_STEPS_ALL, share, steps);
  s->is_measured = 1;
  return FF_OK;
}

ff_status bench_c2a_paper_failure_run(void *paper, ff_error *error)
{
  bench_c2a_paper *b = paper;
  for (int k = 0; k < BENCH_C2A_CONTROLLERS; ++k) {
    const ff_status status = run_all(b, (bench_c2a_trot_controller)k, error);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&b->run.progress);
  for (int k = 0; k < BENCH_C2A_CONTROLLERS; ++k)
    report_failures(b, (bench_c2a_trot_controller)k);
  return FF_OK;
}

// ---- Fig. 5 ---------------------------------------------------------------------------------------------

static double step_for(const bench_c2a_paper *b)
{
  double first = NAN;
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS_ALL; ++i) {
    const int fails = isfinite(b->failure[BENCH_C2A_PRESENT].ends[i].end);
    if (fails && bench_c2a_paper_failure_steps[i] == usual)
      return usual;
    if (fails && isnan(first))
      first = bench_c2a_paper_failure_steps[i];
  }
  return isnan(first) ? usual : first;
}

static void report_dissipation(const bench_c2a_paper *b)
{
  static const char *const names[2] = {"exponential", "rayleigh"};
  const bench_c2a_paper_dissipation *s = &b->dissipation;
  char titles[][24] = {"to failure", "to a fall", "Rayleigh: to failure", "to a fall"}, name[24];
  bench_table_say(
      &b->run.table,
      "Fig. 5: trot of %g s in steps of %g ms with dissipation; Rayleigh dissipation of lambda / dt",
      duration_of(b), 1e3 * s->dt);
  bench_table_titles(&b->run.table, "lambda", 4, titles);
  for (int i = 0; i < BENCH_C2A_LAMBDAS; ++i) {
    snprintf(name, sizeof name, "%g", bench_c2a_paper_failure_lambdas[i]);
    bench_table_row(&b->run.table, name);
    for (int k = 0; k < 2; ++k) {
      bench_table_number(&b->run.table, s->ends[k][i].failed);
      bench_table_number(&b->run.table, s->ends[k][i].fell);
    }
    bench_table_end(&b->run.table);
    snprintf(name, sizeof name, "lambda=%g", bench_c2a_paper_failure_lambdas[i]);
    for (int k = 0; k < 2; ++k)
      add_end(b, names[k], name, &s->ends[k][i]);
  }
}

ff_status bench_c2a_paper_failure_dissipation_run(void *paper, ff_error *error)
{
  bench_c2a_paper *b = paper;
  bench_c2a_paper_dissipation *s = &b->dissipation;
  s->dt = step_for(b);
  s->is_beyond = s->dt > bench_c2a_paper_failure_steps[BENCH_C2A_FAILURE_STEPS - 1];
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < BENCH_C2A_LAMBDAS; ++i) {
      ff_c2a_def c2a = bench_c2a_trot_options();
      if (k == 0)
        c2a.dissipation = bench_c2a_paper_failure_lambdas[i];
      else
        c2a.rayleigh = bench_c2a_paper_failure_lambdas[i] / s->dt;
      const ff_status status = run(b, BENCH_C2A_PRESENT, s->dt, &c2a, &s->ends[k][i], error);
      if (status != FF_OK)
        return status;
      bench_progress_share(&b->run.progress, (k * BENCH_C2A_LAMBDAS + i + 1.0) / (2 * BENCH_C2A_LAMBDAS));
    }
  s->is_measured = 1;
  bench_progress_end(&b->run.progress);
  report_dissipation(b);
  return FF_OK;
}
