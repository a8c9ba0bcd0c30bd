// Work-precision comparison of projections and root finding: ff_ess with adaptive steps, over a grid of tolerances and
// epsilons. The time at an error is that of the fastest settings with at most this error. Errors of plates are measured
// at the integrator's own samples, those of the hopper, which is compared with MuJoCo, at MuJoCo's steps.
//
// Guards are located in two ways. "root" is the program of ess with bands of no width: the search that finds the edge
// of a band finds the guard itself, and nothing else differs. "dopri5" also samples each step, so that it misses no
// guard that crosses and returns within one; these motions have none.
#include "papers/ess/ess_paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const double bench_ess_paper_work_precision_levels[BENCH_ESS_ERROR_LEVELS] = {1e-1, 1e-2, 1e-3,
                                                                              1e-4, 1e-5, 1e-6};

const char *const bench_ess_paper_work_precision_searches[BENCH_ESS_SEARCHES] = {"ess", "root", "dopri5"};

// Half width of a band for "root" [m]: errors are compared down to 1e-6.
static const double no_width = 1e-10;

static const int springs[BENCH_ESS_SYSTEMS] = {0, 2, 10, 50, 100}; // 0: the hopper

enum { STARTS_MOST = 8 };
static int starts_of(const bench_ess_paper *b, int system)
{
  return springs[system] == 0 ? 1 : b->run.is_quick ? 2 : STARTS_MOST;
}

static int is_wanted(const bench_ess_paper *b, int system)
{
  return !b->run.is_quick || springs[system] == 0 || springs[system] == 2 || springs[system] == 50;
}

static double work_of(const bench_ess_paper *b, int system)
{
  return is_wanted(b, system) ? (0.5 + 0.07 * springs[system]) * starts_of(b, system) : 0;
}

double bench_ess_paper_work_precision_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  double work = 0;
  for (int i = 0; i < BENCH_ESS_SYSTEMS; ++i)
    work += work_of(b, i);
  return work;
}

// ---- One system -----------------------------------------------------------------------------------------

typedef struct subject {
  ff_ess_def def;
  const void *model;
  int starts;
  bench_ess_hopper hopper; // no springs: the hopper, whose exact motion is known
  bench_ess_plate plate;
  ff_ess_rearm *rearm;
  bench_ess_simulator tight;
  int rounds;
} subject;

static ff_status make_subject(const bench_ess_paper *b, int system, subject *s, ff_error *error)
{
  *s = (subject){.starts = starts_of(b, system), .rounds = b->run.is_quick ? 3 : 5};
  if (springs[system] == 0) {
    s->hopper = bench_ess_paper_usual_hopper;
    s->def = bench_ess_hopper_def();
    s->model = &s->hopper;
    s->rounds *= 10; // microseconds
    return FF_OK;
  }
  s->plate = bench_ess_paper_make_plate(springs[system], 0);
  s->rearm = calloc(2 * (size_t)springs[system], sizeof *s->rearm);
  if (!s->rearm)
    return error->status = FF_ERROR_MEMORY;
  s->def = bench_ess_plate_def(&s->plate, s->rearm);
  s->model = &s->plate;
  const ff_ess_def tight = bench_ess_paper_tight(s->def);
  return bench_ess_simulator_create(&tight, s->model, &s->tight, error);
}

static void forget_subject(subject *s)
{
  bench_ess_simulator_destroy(&s->tight);
  free(s->rearm);
}

// Mean square of the distance from the exact motion at all steps of MuJoCo, by one advance to each: the integrator's
// own samples are few where steps are long.
static double square_at_marks(const bench_ess_hopper *h, const bench_ess_simulator *simulator,
                              const double *x0)
{
  const int marks = (int)lround(bench_ess_paper_duration / bench_ess_paper_step);
  double sum = 0;
  for (int k = 1; k <= marks; ++k) {
    ff_error ignored;
    double exact[2];
    if (simulator->go(simulator->self, x0, k * bench_ess_paper_step, NULL, &ignored) != FF_OK)
      return NAN;
    const double *x = ff_ess_state(bench_ess_simulator_ess(simulator));
    bench_ess_hopper_exact(h, k * bench_ess_paper_step, exact);
    sum += pow(x[0] - exact[0], 2) + pow(x[1] - exact[1], 2);
  }
  return sum / (marks + 1); // the start is exact
}

// Squared error of a start; NAN if it fails.
static double square(const subject *s, const bench_ess_simulator *simulator, const double *x0,
                     bench_ess_trace *trace)
{
  ff_error ignored;
  if (!s->tight.self)
    return square_at_marks(&s->hopper, simulator, x0);
  if (simulator->go(simulator->self, x0, bench_ess_paper_duration, trace, &ignored) != FF_OK ||
      bench_ess_simulator_truth_begin(&s->tight, x0, &ignored) != FF_OK)
    return NAN;
  return pow(bench_ess_trace_error(trace, bench_ess_simulator_truth_at, s->tight.self), 2);
}

// One pair of settings, over all starts.
static ff_status try(const subject *s, ff_ess_method method, double epsilon, double tolerance,
                     bench_ess_paper_work_precision_curve *out, ff_error *error)
{
  ff_ess_def def = s->def;
  bench_ess_simulator simulator;
  bench_ess_trace trace = {0};
  double sum = 0, time = 0, slow = 0;
  def.method = method;
  def.epsilon = epsilon;
  def.relative_tolerance = tolerance;
  def.absolute_tolerance = tolerance;
  const ff_status status = bench_ess_simulator_create(&def, s->model, &simulator, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < s->starts; ++i) {
    double x0[BENCH_ESS_PLATE_SIZE] = {s->hopper.start}, seconds[2];
    if (s->tight.self)
      bench_ess_plate_start(i, x0);
    sum += square(s, &simulator, x0, &trace);
    for (int half = 0; half < 2; ++half)
      bench_ess_simulator_time(&simulator, 1, x0, bench_ess_paper_duration, (s->rounds + 1) / 2,
                               &seconds[half]);
    time += fmin(seconds[0], seconds[1]);
    slow += fmax(seconds[0], seconds[1]);
  }
  const int at = out->count;
  if (at < BENCH_ESS_WORK_PRECISION_POINTS) {
    out->error[at] = sqrt(sum / s->starts);
    out->seconds[at] = time / s->starts;
    out->slow[at] = bench_claim_slower(out->seconds[at], slow / s->starts);
    out->epsilon[at] = method == FF_ESS_PROJECT ? epsilon : NAN;
    out->tolerance[at] = tolerance;
    out->count += isfinite(out->error[at]) && isfinite(out->seconds[at]);
  }
  bench_ess_trace_free(&trace);
  bench_ess_simulator_destroy(&simulator);
  return FF_OK;
}

// The shortest time at an error of at most `level`; INFINITY if there is none.
static double fastest(const bench_ess_paper_work_precision_curve *c, double level, int is_slow)
{
  double least = INFINITY;
  for (int i = 0; i < c->count; ++i)
    if (c->error[i] <= level)
      least = fmin(least, is_slow ? c->slow[i] : c->seconds[i]);
  return least;
}

// Time of the other search over that of ess, each by its shorter or its longer times.
static double ratio_at(const bench_ess_paper_work_precision *e, int search, double level, int is_slow[2])
{
  const double ratio = fastest(&e->curves[search], level, is_slow[1]) /
                       fastest(&e->curves[BENCH_ESS_PROJECTED], level, is_slow[0]);
  return isfinite(ratio) && ratio > 0 ? ratio : NAN;
}

static void compare(bench_ess_paper_work_precision *e, int search, double target)
{
  bench_ess_paper_work_precision_ratio *r = &e->over[search];
  int fast[2] = {0, 0}, slow_ess[2] = {1, 0}, slow_other[2] = {0, 1};
  for (int i = 0; i < BENCH_ESS_ERROR_LEVELS; ++i)
    r->at_level[i] = ratio_at(e, search, bench_ess_paper_work_precision_levels[i], fast);
  r->at_mujoco = ratio_at(e, search, target, fast);
  r->at_mujoco_low = ratio_at(e, search, target, slow_ess);
  r->at_mujoco_high = ratio_at(e, search, target, slow_other);
}

// All grids in turns: ess has epsilons from 0.3 to 3e-6 in thirds of a decade for each of eight tolerances; the others
// have four tolerances per decade.
static ff_status measure(bench_ess_paper *b, int system, bench_ess_paper_work_precision *e, ff_error *error)
{
  subject s;
  ff_status status = make_subject(b, system, &s, error);
  for (int k = 0; k < 8 && status == FF_OK; ++k) {
    const double tolerance = pow(10, -1 - k);
    for (int i = 0; i < 16 && status == FF_OK; ++i)
      status =
          try(&s, FF_ESS_PROJECT, pow(10, -0.5 - i / 3.0), tolerance, &e->curves[BENCH_ESS_PROJECTED], error);
    for (int i = 0; i < 4 && status == FF_OK; ++i) {
      const double finer = tolerance * pow(10, 0.5 - 0.25 * i);
      status = try(&s, FF_ESS_PROJECT, no_width, finer, &e->curves[BENCH_ESS_SEARCHED], error);
      if (status == FF_OK)
        status = try(&s, FF_ESS_LOCATE, 1, finer, &e->curves[BENCH_ESS_SAMPLED], error);
    }
  }
  forget_subject(&s);
  for (int c = 0; c < BENCH_ESS_SEARCHES; ++c) {
    compare(e, c, b->target);
    e->seconds[c] = fastest(&e->curves[c], b->target, 0);
  }
  e->is_measured = status == FF_OK;
  return status;
}

// The hopper as a user would run it: with adaptive steps.
static void report_free(const bench_ess_paper *b)
{
  const bench_ess_paper_work_precision *e = &b->equal[0];
  const bench_ess_paper_method *peer = &b->hopper.methods[BENCH_ESS_HOP_CONTACT];
  if (!e->is_measured || !peer->is_measured)
    return;
  bench_table_say(
      &b->run.table,
      "Hopper with adaptive steps, at MuJoCo's error at MuJoCo's steps: ess %.3g us, dopri5 %.3g us, MuJoCo %.4g "
      "us, %.3g times that of ess",
      1e6 * e->seconds[BENCH_ESS_PROJECTED], 1e6 * e->seconds[BENCH_ESS_SAMPLED], 1e6 * peer->seconds,
      peer->seconds / e->seconds[BENCH_ESS_PROJECTED]);
  bench_paper_row(&b->run, "hopper", "time_ratio:free_steps", peer->seconds / e->seconds[0], "x");
}

static void report_search(const bench_ess_paper *b, int search)
{
  const char *name = bench_ess_paper_work_precision_searches[search];
  char titles[BENCH_ESS_ERROR_LEVELS + 1][24], metric[64];
  for (int i = 0; i < BENCH_ESS_ERROR_LEVELS; ++i)
    snprintf(titles[i], sizeof titles[i], "%.0e", bench_ess_paper_work_precision_levels[i]);
  snprintf(titles[BENCH_ESS_ERROR_LEVELS], sizeof titles[0], "%.2e", b->target);
  bench_table_say(
      &b->run.table,
      "Time of %s, which locates guards%s, over that of ess at equal RMS error; last column: at MuJoCo's "
      "error on the hopper",
      name, search == BENCH_ESS_SAMPLED ? " with samples" : " by the same search");
  bench_table_titles(&b->run.table, "", BENCH_ESS_ERROR_LEVELS + 1, titles);
  for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k) {
    const bench_ess_paper_work_precision *e = &b->equal[k];
    const char *which = springs[k] == 0 ? "hopper" : "plate";
    char prefix[24] = "";
    if (!e->is_measured)
      continue;
    if (springs[k] > 0)
      snprintf(prefix, sizeof prefix, "n=%d:", springs[k]);
    bench_table_row(&b->run.table, e->name);
    for (int i = 0; i < BENCH_ESS_ERROR_LEVELS; ++i) {
      bench_table_number(&b->run.table, e->over[search].at_level[i]);
      snprintf(metric, sizeof metric, "%s%s_over_ess:rms=%.0e", prefix, name,
               bench_ess_paper_work_precision_levels[i]);
      if (isfinite(e->over[search].at_level[i]))
        bench_paper_row(&b->run, which, metric, e->over[search].at_level[i], "x");
    }
    bench_table_number(&b->run.table, e->over[search].at_mujoco);
    bench_table_end(&b->run.table);
    snprintf(metric, sizeof metric, "%s%s_over_ess", prefix, name);
    bench_paper_row(&b->run, which, metric, e->over[search].at_mujoco, "x");
    snprintf(metric, sizeof metric, "%s%s:us_at_mujoco_error", prefix, name);
    bench_paper_row(&b->run, which, metric, 1e6 * e->seconds[search], "us");
  }
}

static void report(const bench_ess_paper *b)
{
  for (int search = BENCH_ESS_SEARCHED; search < BENCH_ESS_SEARCHES; ++search)
    report_search(b, search);
  for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k) {
    char metric[64] = "ess:us_at_mujoco_error";
    if (springs[k] > 0)
      snprintf(metric, sizeof metric, "n=%d:ess:us_at_mujoco_error", springs[k]);
    if (b->equal[k].is_measured)
      bench_paper_row(&b->run, springs[k] == 0 ? "hopper" : "plate", metric,
                      1e6 * b->equal[k].seconds[BENCH_ESS_PROJECTED], "us");
  }
}

ff_status bench_ess_paper_work_precision_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  double done = 0;
  for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k) {
    bench_ess_paper_work_precision *e = &b->equal[k];
    if (!is_wanted(b, k))
      continue;
    if (springs[k] == 0)
      snprintf(e->name, sizeof e->name, "hopper");
    else
      snprintf(e->name, sizeof e->name, "plate on %d", springs[k]);
    const ff_status status = measure(b, k, e, error);
    if (status != FF_OK)
      return status;
    done += work_of(b, k);
    bench_progress_share(&b->run.progress, done / bench_ess_paper_work_precision_work(b));
  }
  bench_progress_end(&b->run.progress);
  report(b);
  report_free(b);
  return FF_OK;
}
