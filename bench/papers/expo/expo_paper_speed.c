// Claims on error and time: C1, less error in equal time; C4, cheaper than the implicit method at equal error. Where
// one fails, the report states the tests and a reason from the data: the medians, and the number of periods that hold
// most of the error.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_curves.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- C1: less error in equal time -----------------------------------------------------------------------

static const double slowest = 5; // smallest real-time factor that counts

// The published scheme is judged with its best exponential, `expo` with its defaults.
static const char *only_name(ff_stepper stepper)
{
  return stepper == FF_STEPPER_EXPO ? "expo" : NULL;
}

// Whether a stepper is compared with the judged one. `expo` is ours, and the symplectic method is not in the paper.
static int is_compared(int other, ff_stepper stepper)
{
  return other != (int)stepper && other != FF_STEPPER_SYMPLECTIC &&
         !(other == FF_STEPPER_EXPO && stepper == FF_STEPPER_EXPO_PAPER);
}

// One stepper against one other on one test.
typedef struct duel {
  double least, at;      // ratio of the other's error to its own, and the real-time factor where it occurs
  double from, to;       // range of real-time factors in which the other is better somewhere
  int is_beaten, points; // largest real-time factor compared
} duel;

static duel fight(const ff_comparison *c, ff_stepper stepper, ff_stepper other)
{
  enum { POINTS = 400 };
  duel d = {.least = INFINITY};
  const double fastest = bench_expo_paper_curves_best_speed(c, stepper, only_name(stepper), 1e300);
  for (int k = 0; k < POINTS && fastest > slowest; ++k, ++d.points) {
    const double r = slowest * pow(fastest / slowest, k / (POINTS - 1.0)) * (1 - 1e-12);
    const double own = bench_expo_paper_curves_best_error(c, stepper, only_name(stepper), r);
    const double ratio = bench_expo_paper_curves_best_error(c, other, NULL, r) / own;
    if (d.points == 0 || ratio < d.least) {
      d.least = ratio;
      d.at = r;
    }
    if (ratio < 1) {
      d.from = d.is_beaten ? d.from : r;
      d.to = r;
      d.is_beaten = 1;
    }
  }
  return d;
}

static int descending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

// The smallest number of periods that hold nine tenths of an error; *changing: how many of them start and end with
// different contacts.
static int count_worst(const ff_local_error *l, const char *changes, int *judged, int *changing)
{
  const int n = l->solution->periods;
  double *sorted = calloc((size_t)n + 1, sizeof *sorted), sum = 0, part = 0, edge = INFINITY;
  int count = 0, worst = 0;
  *judged = *changing = 0;
  for (int k = 0; k < n && sorted; ++k)
    if (isfinite(l->error[k]))
      sum += sorted[count++] = l->error[k];
  if (sorted)
    qsort(sorted, (size_t)count, sizeof *sorted, descending);
  for (; worst < count && part < 0.9 * sum; ++worst) {
    part += sorted[worst];
    edge = sorted[worst];
  }
  for (int k = 0; k < n; ++k)
    *changing += isfinite(l->error[k]) && l->error[k] >= edge && changes[k];
  *judged = count;
  free(sorted);
  return worst;
}

// The reason, if it fits.
static void add_reason(const bench_expo_paper *p, int t, ff_stepper stepper, ff_stepper other, double speed,
                       bench_claim *claim)
{
  const ff_comparison *c = p->errors[t];
  const int own = bench_expo_paper_curves_best(c, stepper, only_name(stepper), speed),
            best = bench_expo_paper_curves_best(c, other, NULL, speed);
  char *changes = calloc((size_t)c->common_solution->periods + 1, 1);
  ff_error ignored;
  int judged, changing;
  if (own >= 0 && best >= 0 && changes &&
      ff_solution_changes(c->common_solution, c->trial, changes, &ignored) == FF_OK) {
    const ff_local_error *l = &c->common[own];
    const int worst = count_worst(l, changes, &judged, &changing);
    bench_claim_where(
        claim,
        " (by medians the other's error is %.2g times its own; nine tenths of its error, with steps of %.4g ms, are "
        "in %d of %d "
        "periods, of which %d start and end with different contacts)",
        c->common[best].max_norm.median / l->max_norm.median, 1e3 * c->trial->period / l->substeps, worst,
        judged, changing);
  }
  free(changes);
}

static void judge_test(const bench_expo_paper *p, int t, ff_stepper stepper, bench_claim *claim)
{
  double least = NAN;
  char metric[64];
  for (int other = 0; other < FF_STEPPER_COUNT; ++other) {
    if (!is_compared(other, stepper))
      continue;
    const duel d = fight(p->errors[t], stepper, (ff_stepper)other);
    if (d.points == 0)
      continue;
    least = fmin(least, d.least);
    if (!claim->is_judged || d.least < claim->figure) {
      claim->is_judged = 1;
      claim->figure = d.least;
      bench_claim_because(
          claim,
          "smallest ratio of another stepper's error to its own, over all tests and real-time factors from %.0f to "
          "its largest: "
          "%s on %s at %.3g times real time",
          slowest, ff_stepper_name((ff_stepper)other), bench_expo_paper_published_tests[t].name, d.at);
    }
    if (d.is_beaten) {
      bench_claim_where(
          claim, "%s%s: between %.3g and %.3g times real time %s has a smaller error, down to %.2g times",
          claim->where[0] ? "\n" : "", bench_expo_paper_published_tests[t].name, d.from, d.to,
          ff_stepper_name((ff_stepper)other), d.least);
      add_reason(p, t, stepper, (ff_stepper)other, d.at, claim);
    }
  }
  snprintf(metric, sizeof metric, "decided:%s:%s", claim->id, bench_expo_paper_published_tests[t].name);
  if (p->run.rows && !isnan(least))
    bench_json_rows_add(p->run.rows, "paper", metric, least, "x");
}

void bench_expo_paper_speed_judge(bench_expo_paper *p, ff_stepper stepper)
{
  bench_claim *c =
      bench_expo_paper_claims_begin(p, "C1", ff_stepper_name(stepper),
                                    "less error than every other stepper in equal time, in all tests", "x");
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    if (p->errors[t])
      judge_test(p, t, stepper, c);
  c->holds = c->is_judged && c->figure >= 1;
}

// ---- C4: cheaper than implicit --------------------------------------------------------------------------

static const double cheaper = 2;

typedef struct gains {
  double least, most, at; // speed over implicit's, and the step of implicit [ms] where it is smallest
  int count, few,
      beyond; // implicit's steps: all; those with a gain below 2; those with errors below all of the stepper's own
} gains;

static gains compare_cost(const ff_comparison *e, ff_stepper stepper)
{
  gains g = {.least = INFINITY};
  for (int i = 0; i < e->count; ++i) {
    const ff_local_error *l = &e->common[i];
    const double error = bench_expo_paper_curves_error(e, i);
    if (l->scheme.stepper != FF_STEPPER_IMPLICIT || !(error < 1)) // above 1 the motion is lost
      continue;
    // With the best order or exponential for this error.
    const double gain = bench_expo_paper_curves_best_speed(e, stepper, NULL, error) / l->speed;
    ++g.count;
    if (gain == 0) { // no measured step has so small an error
      ++g.beyond;
      continue;
    }
    g.few += gain < cheaper;
    g.most = fmax(g.most, gain);
    if (gain < g.least) {
      g.least = gain;
      g.at = 1e3 * e->trial->period / l->substeps;
    }
  }
  return g;
}

static void add_cost_rows(const bench_expo_paper *p, const bench_claim *c, const char *test, const gains *g)
{
  char metric[64];
  if (!p->run.rows)
    return;
  snprintf(metric, sizeof metric, "decided:%s:%s", c->id, test);
  bench_json_rows_add(p->run.rows, "paper", metric, g->least, "x");
  snprintf(metric, sizeof metric, "most:%s:%s", c->id, test);
  bench_json_rows_add(p->run.rows, "paper", metric, g->most, "x");
}

void bench_expo_paper_speed_judge_cost(bench_expo_paper *p, ff_stepper stepper)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C4", ff_stepper_name(stepper),
                                                 "2 to 100 times cheaper than implicit at equal error", "x");
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const char *name = bench_expo_paper_published_tests[t].name;
    const gains g = compare_cost(p->errors[t], stepper);
    if (g.count == 0)
      continue;
    bench_claim_where(c, "%s%s: ", c->where[0] ? "\n" : "", name);
    if (g.most > 0)
      bench_claim_where(c, "%.3g to %.3g times", g.least, g.most);
    if (g.few > 0)
      bench_claim_where(c, ", less than %.0f for %d of implicit's %d steps, smallest against %.4g ms",
                        cheaper, g.few, g.count, g.at);
    if (g.beyond > 0)
      bench_claim_where(c, ", %d of implicit's %d errors are below all of its own", g.beyond, g.count);
    if (g.most == 0)
      continue;
    add_cost_rows(p, c, name, &g);
    if (!c->is_judged || g.least < c->figure) {
      c->is_judged = 1;
      c->figure = g.least;
      bench_claim_because(
          c, "smallest gain in time over all of implicit's steps and tests: on %s against %.4g ms", name,
          g.at);
    }
  }
  c->holds = c->is_judged && c->figure >= cheaper;
}
