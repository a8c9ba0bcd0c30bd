// Claims on error and time: C1, less error in equal time; C4, cheaper than the implicit method at equal error; C6,
// fewer multiplications; C7, explicit Euler is second best. Where C1 fails, the report states the tests and a reason
// from the data: the medians, and the number of periods that hold most of the error.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_curves.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- C1: less error in equal time -----------------------------------------------------------------------------------

static const double slowest = 5; // smallest real-time factor that counts
enum { POINTS = 400 };           // real-time factors

// The published scheme is judged with its best exponential, `expo` with its defaults.
static bench_expo_paper_curves_scheme judged_scheme(ff_stepper stepper)
{
  return (bench_expo_paper_curves_scheme){stepper, stepper == FF_STEPPER_EXPO ? "expo" : NULL};
}

static bench_expo_paper_curves_scheme any_of(ff_stepper stepper)
{
  return (bench_expo_paper_curves_scheme){stepper, NULL};
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
  int is_beaten, points; // real-time factors compared
} duel;

static double factor(double fastest, int k)
{
  return slowest * pow(fastest / slowest, k / (POINTS - 1.0)) * (1 - 1e-12);
}

// `own` and `others`: the errors and speeds of both.
static duel fight(const bench_expo_paper_curves *own, const bench_expo_paper_curves *others,
                  ff_stepper stepper, ff_stepper other)
{
  duel d = {.least = INFINITY};
  const double fastest = bench_expo_paper_curves_best_speed(own, judged_scheme(stepper), 1e300);
  for (int k = 0; k < POINTS && fastest > slowest; ++k, ++d.points) {
    const double r = factor(fastest, k);
    const double ratio = bench_expo_paper_curves_best_error(others, any_of(other), r) /
                         bench_expo_paper_curves_best_error(own, judged_scheme(stepper), r);
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

// A row on who is better where, and why: the medians, and the periods that hold nine tenths of the error.
static void add_beaten(const bench_expo_paper_curves *curves, ff_stepper stepper, ff_stepper other,
                       const duel *d, const char *test, bench_claim *claim)
{
  const ff_comparison *c = curves->comparison;
  const int own = bench_expo_paper_curves_best(curves, judged_scheme(stepper), d->at),
            best = bench_expo_paper_curves_best(curves, any_of(other), d->at);
  char *changes = calloc((size_t)c->common_solution->periods + 1, 1);
  char why[120] = "";
  ff_error ignored;
  int judged, changing;
  if (own >= 0 && best >= 0 && changes &&
      ff_solution_changes(c->common_solution, c->trial, changes, &ignored) == FF_OK) {
    const ff_local_error *l = &c->common[own];
    const int worst = count_worst(l, changes, &judged, &changing);
    snprintf(why, sizeof why, "\t%.2g\t%.4g\t%d of %d\t%d",
             c->common[best].max_norm.median / l->max_norm.median, 1e3 * c->trial->period / l->substeps,
             worst, judged, changing);
  }
  bench_claim_detail(claim, "%s\t%s\t%.3g to %.3g\t%.2g%s", test, ff_stepper_name(other), d->from, d->to,
                     d->least, why);
  free(changes);
}

// The interval of a duel: the judged one by its slower times and the other by its faster ones, and the reverse.
static void interval(const bench_expo_paper_curves *c, ff_stepper stepper, ff_stepper other, double *low,
                     double *high)
{
  bench_expo_paper_curves slow = *c;
  slow.is_slow = 1;
  *low = fight(&slow, c, stepper, other).least;
  *high = fight(c, &slow, stepper, other).least;
}

static void judge_test(const bench_expo_paper *p, int t, ff_stepper stepper, bench_claim *claim)
{
  const char *name = bench_expo_paper_published_tests[t].name;
  bench_expo_paper_curves curves = {.comparison = p->errors[t]};
  double least = NAN;
  char metric[64];
  if (stepper == FF_STEPPER_EXPO_PAPER)
    curves.finest = bench_expo_paper_curves_common_step(p->errors[t]);
  for (int other = 0; other < FF_STEPPER_COUNT; ++other) {
    if (!is_compared(other, stepper))
      continue;
    const duel d = fight(&curves, &curves, stepper, (ff_stepper)other);
    if (d.points == 0)
      continue;
    least = fmin(least, d.least);
    double low, high;
    interval(&curves, stepper, (ff_stepper)other, &low, &high);
    if (bench_claim_decide_least(claim, low, d.least, high))
      bench_claim_because(claim, "%s on %s at %.3g times real time", ff_stepper_name((ff_stepper)other), name,
                          d.at);
    if (d.is_beaten && claim->where[0] == '\0')
      bench_claim_detail(
          claim, "test\tless error has\tat times real time\tleast ratio of errors\tof medians\tits step "
                 "[ms]\tperiods with nine tenths of its error\tof these with other contacts at the end");
    if (d.is_beaten)
      add_beaten(&curves, stepper, (ff_stepper)other, &d, name, claim);
  }
  snprintf(metric, sizeof metric, "decided:%s:%s", claim->rule->id, name);
  if (p->run.rows && !isnan(least))
    bench_json_rows_add(p->run.rows, "paper", metric, least, "x");
}

// The smallest ratio of any other stepper's error to that of the published scheme.
static double least_of_all(const bench_expo_paper_curves *c)
{
  double least = NAN;
  for (int other = 0; other < FF_STEPPER_COUNT; ++other) {
    if (!is_compared(other, FF_STEPPER_EXPO_PAPER))
      continue;
    const duel d = fight(c, c, FF_STEPPER_EXPO_PAPER, (ff_stepper)other);
    if (d.points > 0)
      least = fmin(least, d.least);
  }
  return least;
}

// The published scheme by other measures: as the paper measures, with the paper's springs, and with Euler's shorter
// steps.
static void add_measures(const bench_expo_paper *p, bench_claim *claim)
{
  if (claim->where[0])
    bench_claim_detail(claim, "%s", ""); // another table
  bench_claim_detail(
      claim, "least ratio on\tjudged\teach against its own reference solution\tsprings at rest at first "
             "touch\tthe same, own reference solutions\twith all steps measured");
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    double ratio[5] = {NAN, NAN, NAN, NAN, NAN};
    for (int touch = 0; touch < 2; ++touch) {
      const ff_comparison *c = touch ? p->touched[t] : p->errors[t];
      if (!c)
        continue;
      const double finest = bench_expo_paper_curves_common_step(c);
      ratio[2 * touch] = least_of_all(&(bench_expo_paper_curves){.comparison = c, .finest = finest});
      if (c->own)
        ratio[2 * touch + 1] =
            least_of_all(&(bench_expo_paper_curves){.comparison = c, .finest = finest, .is_own = 1});
    }
    ratio[4] = least_of_all(&(bench_expo_paper_curves){.comparison = p->errors[t]});
    bench_claim_detail(claim, "%s\t%.2g\t%.2g\t%.2g\t%.2g\t%.2g", bench_expo_paper_published_tests[t].name,
                       ratio[0], ratio[1], ratio[2], ratio[3], ratio[4]);
  }
}

void bench_expo_paper_speed_judge(bench_expo_paper *p, ff_stepper stepper)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C1", ff_stepper_name(stepper));
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    if (p->errors[t])
      judge_test(p, t, stepper, c);
  if (stepper == FF_STEPPER_EXPO_PAPER)
    add_measures(p, c);
}

// ---- C4: cheaper than implicit --------------------------------------------------------------------------------------

static const double cheaper = 2;

typedef struct gains {
  double least, most, at; // speed over implicit's, and the step of implicit [ms] where it is smallest
  int count, few,
      beyond; // implicit's steps: all; those with a gain below 2; those with errors below all of the stepper's own
} gains;

static gains compare_cost(const bench_expo_paper_curves *own, const bench_expo_paper_curves *implicit,
                          bench_expo_paper_curves_scheme scheme)
{
  gains g = {.least = INFINITY};
  const ff_comparison *e = own->comparison;
  for (int i = 0; i < e->count; ++i) {
    const ff_local_error *l = &e->common[i];
    const double error = bench_expo_paper_curves_error(implicit, i);
    if (l->scheme.stepper != FF_STEPPER_IMPLICIT || !(error < 1)) // above 1 the motion is lost
      continue;
    const double gain =
        bench_expo_paper_curves_best_speed(own, scheme, error) / bench_expo_paper_curves_speed(implicit, i);
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
  snprintf(metric, sizeof metric, "decided:%s:%s", c->rule->id, test);
  bench_json_rows_add(p->run.rows, "paper", metric, g->least, "x");
  snprintf(metric, sizeof metric, "most:%s:%s", c->rule->id, test);
  bench_json_rows_add(p->run.rows, "paper", metric, g->most, "x");
}

static void judge_cost(const bench_expo_paper *p, int t, ff_stepper stepper, bench_claim *c)
{
  const char *name = bench_expo_paper_published_tests[t].name;
  const bench_expo_paper_curves fast = {.comparison = p->errors[t]},
                                slow = {.comparison = p->errors[t], .is_slow = 1};
  const gains g = compare_cost(&fast, &fast, judged_scheme(stepper)),
              best = compare_cost(&fast, &fast, any_of(stepper));
  if (g.count == 0)
    return;
  bench_claim_detail(c, "%s\t%.3g to %.3g times\t%.3g times\t%d of %d\t%d", name, g.least, g.most, best.least,
                     g.few, g.count, g.beyond);
  if (g.most == 0)
    return;
  add_cost_rows(p, c, name, &g);
  if (bench_claim_decide_least(c, compare_cost(&slow, &fast, judged_scheme(stepper)).least, g.least,
                               compare_cost(&fast, &slow, judged_scheme(stepper)).least))
    bench_claim_because(c, "on %s against %.4g ms", name, g.at);
}

// The configuration of a scheme with one step per period; NULL if there is none.
static const ff_local_error *longest_of(const ff_comparison *c, const char *name)
{
  for (int i = 0; i < c->count; ++i)
    if (c->common[i].substeps == 1 && strcmp(c->common[i].scheme.name, name) == 0)
      return ff_comparison_timed(c, i);
  return NULL;
}

// The share of the time that the slowest tenth of the periods takes; NAN if there are no times.
static double slowest_tenth(const ff_local_error *l)
{
  const int n = l->seconds ? l->solution->periods : 0;
  double *sorted = calloc((size_t)n + 1, sizeof *sorted), sum = 0, part = 0;
  int count = 0;
  for (int k = 0; k < n && sorted; ++k)
    if (isfinite(l->error[k]) && l->seconds[k] > 0)
      sum += sorted[count++] = l->seconds[k];
  if (sorted)
    qsort(sorted, (size_t)count, sizeof *sorted, descending);
  for (int k = 0; k < count / 10; ++k)
    part += sorted[k];
  free(sorted);
  return count >= 10 ? part / sum : (double)NAN;
}

// Where the time of expo goes with one step per period: to the corrector, and to few periods.
static void add_corrector(const bench_expo_paper *p, bench_claim *claim)
{
  bench_claim_detail(claim, "%s", ""); // another table
  bench_claim_detail(claim,
                     "one step per period\tus, expo\tus without the corrector (expo:order-1)\tshare of the "
                     "corrector\tshare of the slowest tenth of the periods\terror over that without it");
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    const ff_local_error *with = p->errors[t] ? longest_of(p->errors[t], "expo") : NULL,
                         *without = p->errors[t] ? longest_of(p->errors[t], "expo:order-1") : NULL;
    if (with && without)
      bench_claim_detail(claim, "%s\t%.3g\t%.3g\t%.2g\t%.2g\t%.2g", bench_expo_paper_published_tests[t].name,
                         with->step_us, without->step_us, 1 - without->step_us / with->step_us,
                         slowest_tenth(with), with->max_norm.mean / without->max_norm.mean);
  }
}

void bench_expo_paper_speed_judge_cost(bench_expo_paper *p, ff_stepper stepper)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C4", ff_stepper_name(stepper));
  bench_claim_detail(
      c,
      "test\tgains\tleast with any options\tsteps of implicit with less than %.0f\tsteps whose error "
      "it does not reach",
      cheaper);
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    if (p->errors[t])
      judge_cost(p, t, stepper, c);
  if (stepper == FF_STEPPER_EXPO)
    add_corrector(p, c);
}

// ---- C6: fewer multiplications; C7: the second best -----------------------------------------------------------------

static double best_reduced(const bench_expo_paper_curves *c, double speed)
{
  static const char *const reduced[] = {"expo-paper:order-1", "expo-paper:order-2", "expo-paper:order-3",
                                        "expo-paper:order-5", "expo-paper:order-7"};
  double least = INFINITY;
  for (size_t i = 0; i < sizeof reduced / sizeof *reduced; ++i)
    least = fmin(least, bench_expo_paper_curves_best_error(
                            c, (bench_expo_paper_curves_scheme){FF_STEPPER_EXPO_PAPER, reduced[i]}, speed));
  return least;
}

// Appends the ratios of a test to list, exact over reduced.
static int add_ratios(const bench_expo_paper_curves *exact, const bench_expo_paper_curves *reduced,
                      double *list)
{
  const bench_expo_paper_curves_scheme standard = {FF_STEPPER_EXPO_PAPER, "expo-paper:exact"};
  const double fastest = bench_expo_paper_curves_best_speed(exact, standard, 1e300);
  int count = 0;
  for (int k = 0; k < POINTS && fastest > slowest; ++k) {
    const double r = factor(fastest, k);
    list[count++] = bench_expo_paper_curves_best_error(exact, standard, r) / best_reduced(reduced, r);
  }
  return count;
}

static double median_ratio(const bench_expo_paper *p, int exact_is_slow, int reduced_is_slow,
                           bench_claim *details)
{
  double list[BENCH_EXPO_TESTS * POINTS], scratch[BENCH_EXPO_TESTS * POINTS];
  int count = 0;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const bench_expo_paper_curves exact = {.comparison = p->errors[t], .is_slow = exact_is_slow},
                                  reduced = {.comparison = p->errors[t], .is_slow = reduced_is_slow};
    const int added = add_ratios(&exact, &reduced, list + count);
    const double median = ff_spread_of(list + count, added, scratch).median;
    if (details)
      bench_claim_detail(details, "%s\t%.3g", bench_expo_paper_published_tests[t].name, median);
    count += added;
  }
  return ff_spread_of(list, count, scratch).median;
}

void bench_expo_paper_speed_judge_orders(bench_expo_paper *p)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C6", "expo");
  const double figure = median_ratio(p, 0, 0, c);
  bench_claim_decide_between(c, median_ratio(p, 0, 1, NULL), figure, median_ratio(p, 1, 0, NULL));
}

// The share of real-time factors at which Euler has the least error of the three other steppers of the paper.
static double share_of_euler(const bench_expo_paper_curves *euler, const bench_expo_paper_curves *others)
{
  const double fastest = bench_expo_paper_curves_best_speed(euler, any_of(FF_STEPPER_EXPO_PAPER), 1e300);
  int won = 0, count = 0;
  for (int k = 0; k < POINTS && fastest > slowest; ++k, ++count) {
    const double r = factor(fastest, k);
    const double error = bench_expo_paper_curves_best_error(euler, any_of(FF_STEPPER_EULER), r);
    won += error < bench_expo_paper_curves_best_error(others, any_of(FF_STEPPER_IMPLICIT), r) &&
           error < bench_expo_paper_curves_best_error(others, any_of(FF_STEPPER_RK4), r);
  }
  return count > 0 ? (double)won / count : NAN;
}

void bench_expo_paper_speed_judge_second(bench_expo_paper *p)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C7", "expo");
  double share[3] = {0}; // as measured, Euler by its slower times, the others by theirs
  int count = 0;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const bench_expo_paper_curves fast = {.comparison = p->errors[t]},
                                  slow = {.comparison = p->errors[t], .is_slow = 1};
    const double one = share_of_euler(&fast, &fast);
    bench_claim_detail(c, "%s\t%.3g", bench_expo_paper_published_tests[t].name, one);
    share[0] += one;
    share[1] += share_of_euler(&slow, &fast);
    share[2] += share_of_euler(&fast, &slow);
    ++count;
  }
  if (count > 0)
    bench_claim_decide_between(c, share[1] / count, share[0] / count, share[2] / count);
}
