// What the paper claims of its scheme, judged by what was measured, for the published scheme and for `expo`.
//
// Errors are means against the common truth; one below what that truth is good to counts as being just that. Configurations of which a period failed count
// for nothing. "At a real-time factor r" means: of all steps that are at least so fast, the best; between two steps that were tried a curve is a straight line
// on logarithmic axes.
#include "paper.h"
#include "paper_stated.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bench_claim *begin(bench_paper *p, const char *id, const char *scheme, const char *claim,
                          const char *unit)
{
  bench_claim *c = &p->claims[p->claim_count++];
  *c = (bench_claim){.figure = NAN};
  snprintf(c->id, sizeof c->id, "%s%s%s", id, strcmp(scheme, "expo") == 0 ? "" : ":",
           strcmp(scheme, "expo") == 0 ? "" : scheme);
  snprintf(c->claim, sizeof c->claim, "%s", claim);
  snprintf(c->unit, sizeof c->unit, "%s", unit);
  return c;
}

static void because(bench_claim *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void because(bench_claim *c, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(c->why, sizeof c->why, format, list);
  va_end(list);
}

static double error_of(const bench_comparison *c, int i)
{
  const bench_local *l = &c->common[i];
  return l->failures == 0 && isfinite(l->max_norm.mean)
             ? fmax(l->max_norm.mean, c->common_truth->tolerance_mean)
             : INFINITY;
}

// `name` NULL: whatever its options.
static int is_of(const bench_comparison *c, int i, ff_stepper stepper, const char *name)
{
  const bench_scheme *s = &c->common[i].scheme;
  return s->stepper == stepper && (!name || strcmp(s->name, name) == 0);
}

// Are i and i + 1 two points of one curve, both good?
static int is_piece(const bench_comparison *c, int i)
{
  return i + 1 < c->count && strcmp(c->common[i].scheme.name, c->common[i + 1].scheme.name) == 0 &&
         isfinite(error_of(c, i)) && isfinite(error_of(c, i + 1));
}

// On the line through (log x0, log y0) and (log x1, log y1).
static double between(double x0, double y0, double x1, double y1, double x)
{
  return exp(log(y0) + (log(y1) - log(y0)) * (log(x) - log(x0)) / (log(x1) - log(x0)));
}

// The least error of a stepper's schemes that are at least so fast.
static double best_error(const bench_comparison *c, ff_stepper stepper, const char *name, double speed)
{
  double best = INFINITY;
  for (int i = 0; i < c->count; ++i) {
    if (!is_of(c, i, stepper, name))
      continue;
    const double fast = c->common[i].speed;
    if (fast >= speed)
      best = fmin(best, error_of(c, i));
    if (is_piece(c, i) && (fast - speed) * (c->common[i + 1].speed - speed) < 0)
      best = fmin(best, between(fast, error_of(c, i), c->common[i + 1].speed, error_of(c, i + 1), speed));
  }
  return best;
}

// The largest speed with at most so much error, 0: there is none.
static double best_speed(const bench_comparison *c, ff_stepper stepper, const char *name, double error)
{
  double best = 0;
  for (int i = 0; i < c->count; ++i) {
    if (!is_of(c, i, stepper, name))
      continue;
    const double own = error_of(c, i);
    if (own <= error && isfinite(own))
      best = fmax(best, c->common[i].speed);
    if (is_piece(c, i) && (own - error) * (error_of(c, i + 1) - error) < 0)
      best = fmax(best, between(own, c->common[i].speed, error_of(c, i + 1), c->common[i + 1].speed, error));
  }
  return best;
}

// ---- C1: less error in equal time --------------------------------------------------------------------------

static const double slowest = 5; // real-time factors from here on count

// The published scheme is taken with whichever exponential is best, `expo` as it is.
static const char *only_name(ff_stepper stepper)
{
  return stepper == FF_STEPPER_EXPO ? "expo" : NULL;
}

static void judge_test_speed(const bench_comparison *c, ff_stepper stepper, bench_claim *claim)
{
  enum { POINTS = 400 };
  const double fastest = best_speed(c, stepper, only_name(stepper), 1e300);
  for (int k = 0; k < POINTS && fastest > slowest; ++k) {
    const double r = slowest * pow(fastest / slowest, k / (POINTS - 1.0)) * (1 - 1e-12);
    const double own = best_error(c, stepper, only_name(stepper), r);
    for (int other = 0; other < FF_STEPPER_COUNT; ++other) {
      if (other == (int)stepper || other == FF_STEPPER_SYMPLECTIC ||
          (other == FF_STEPPER_EXPO && stepper == FF_STEPPER_EXPO_PAPER))
        continue;
      const double ratio = best_error(c, (ff_stepper)other, NULL, r) / own;
      if (ratio < claim->figure || !claim->is_judged) {
        claim->is_judged = 1;
        claim->figure = ratio;
        because(
            claim,
            "least ratio of another stepper's error to its own, over all tests and real-time factors from %.0f to its largest: "
            "%s on %s at %.3g times real time",
            slowest, ff_stepper_name((ff_stepper)other), c->trial->name, r);
      }
    }
  }
}

static void judge_speed(bench_paper *p, ff_stepper stepper)
{
  bench_claim *c = begin(p, "C1", ff_stepper_name(stepper),
                         "less error than every other stepper in equal time, in all tests", "x");
  for (int t = 0; t < BENCH_TESTS; ++t)
    if (p->errors[t]) {
      bench_claim one = {.figure = NAN};
      char metric[64];
      judge_test_speed(p->errors[t], stepper, &one);
      judge_test_speed(p->errors[t], stepper, c);
      snprintf(metric, sizeof metric, "decided:%s:%s", c->id, bench_stated_tests[t].name);
      if (p->rows && one.is_judged)
        bench_rows_add(p->rows, "paper", metric, one.figure, "x");
    }
  c->holds = c->is_judged && c->figure >= 1;
}

// ---- C2: flat in stiffness ---------------------------------------------------------------------------------

static const double flat = 10; // an error that grows by less while K grows by 1000

static int soft_scheme(const char *name)
{
  for (int i = 0; i < BENCH_SOFT_SCHEMES; ++i)
    if (strcmp(bench_soft_schemes[i], name) == 0)
      return i;
  return 0;
}

static double growth(const bench_paper *p, int scheme, double *at)
{
  double base = NAN, most = 0;
  for (int k = 0; k < BENCH_SETTINGS; ++k) {
    const bench_setting *s = &p->settings[k];
    if (!s->is_measured || s->stiffness < 0.99e5)
      continue;
    const double error = s->failures[scheme] == 0 && isfinite(s->error[scheme]) ? s->error[scheme] : INFINITY;
    if (k < BENCH_STIFFNESSES && s->stiffness < 1.01e5)
      base = error;
    if (error > most) {
      most = error;
      *at = s->stiffness;
    }
  }
  return most / base;
}

static void judge_stiffness(bench_paper *p, const char *scheme)
{
  bench_claim *c =
      begin(p, "C2", scheme, "error stays flat up to K = 1e8 N/m and over damping ratios 0.2 to 1", "x");
  double at = NAN, at_euler = NAN;
  if (!p->settings[4].is_measured) // K = 1e5
    return;
  c->figure = growth(p, soft_scheme(scheme), &at);
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure <= flat;
  because(
      c,
      "largest error for K from 1e5 to 1e8 over that at 1e5, on solo-trot, at most %.0f; at K = %.1e. Explicit Euler: %.3g",
      flat, at, growth(p, soft_scheme("euler"), &at_euler));
}

// ---- C3: long steps ----------------------------------------------------------------------------------------

static void judge_stability(bench_paper *p, const char *scheme)
{
  bench_claim *c =
      begin(p, "C3", scheme, "stable with steps of 2 to 40 ms: no shorter than the paper's in any test", "x");
  const int s = strcmp(scheme, bench_stable_schemes[0]) == 0 ? 0 : 1;
  for (int t = 0; t < BENCH_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const int n = p->stability[t].substeps[s];
    const double dt = n > 0 ? p->tests[t].trial.period / n : 0,
                 ratio = dt / bench_stated_tests[t].stable_expo;
    if (!c->is_judged || ratio < c->figure) {
      c->is_judged = 1;
      c->figure = ratio;
      because(c, "longest bounded step over the paper's, the least of all tests: %.4g ms over %.4g ms on %s",
              1e3 * dt, 1e3 * bench_stated_tests[t].stable_expo, bench_stated_tests[t].name);
    }
  }
  c->holds = c->is_judged && c->figure >= 1 - 1e-9;
}

// ---- C4: cheaper than implicit -----------------------------------------------------------------------------

static const double cheaper = 2;

static void judge_cost(bench_paper *p, ff_stepper stepper)
{
  bench_claim *c =
      begin(p, "C4", ff_stepper_name(stepper), "2 to 100 times cheaper than implicit at equal error", "x");
  double most = 0, at = 0;
  int beyond = 0;
  const char *where = "";
  for (int t = 0; t < BENCH_TESTS; ++t)
    for (int i = 0; p->errors[t] && i < p->errors[t]->count; ++i) {
      const bench_comparison *e = p->errors[t];
      const bench_local *l = &e->common[i];
      const double error = error_of(e, i);
      if (l->scheme.stepper != FF_STEPPER_IMPLICIT || !(error < 1))
        continue;
      const double speed =
          best_speed(e, stepper, NULL, error); // with the order or exponential that suits the error
      if (speed == 0) {                        // so little error only with steps that were not tried
        ++beyond;
        continue;
      }
      most = fmax(most, speed / l->speed);
      if (!c->is_judged || speed / l->speed < c->figure) {
        c->is_judged = 1;
        c->figure = speed / l->speed;
        at = 1e3 * p->tests[t].trial.period / l->substeps;
        where = bench_stated_tests[t].name;
      }
    }
  c->holds = c->is_judged && c->figure >= cheaper;
  because(
      c,
      "least gain in time over all of implicit's steps and tests: on %s against %.4g ms; most %.3g. %d of implicit's errors are below all of its own",
      where, at, most, beyond);
}

// ---- C5: forces --------------------------------------------------------------------------------------------

static const double close_enough = 0.1;

static void judge_forces(bench_paper *p)
{
  bench_claim *c = begin(p, "C5", "expo", "contact forces are predicted well over 20 ms", "relative");
  for (int i = 0; i < BENCH_STARTS && p->has_test[BENCH_SQUAT]; ++i)
    if (!c->is_judged || p->predictions[i].error > c->figure) {
      c->is_judged = isfinite(p->predictions[i].error);
      c->figure = p->predictions[i].error;
      because(c, "mean error over the mean force, at most %.1f; worst for Solo %s", close_enough,
              p->predictions[i].name);
    }
  c->holds = c->is_judged && c->figure <= close_enough;
}

// ---- Ours ----------------------------------------------------------------------------------------------------

static const double hundred = 100;

static void judge_trot(bench_paper *p)
{
  bench_claim *c =
      begin(p, "trot", "expo",
            "expo has at most 1/100 of the published scheme's error on solo-trot with 2 ms", "x");
  double error[2] = {NAN, NAN};
  for (int i = 0; p->errors[BENCH_TROT] && i < p->errors[BENCH_TROT]->count; ++i) {
    const bench_local *l = &p->errors[BENCH_TROT]->common[i];
    for (int k = 0; k < 2; ++k)
      if (l->substeps == 1 && strcmp(l->scheme.name, k == 0 ? "expo" : "expo-paper") == 0)
        error[k] = error_of(p->errors[BENCH_TROT], i);
  }
  c->figure = error[1] / error[0];
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure >= hundred;
  if (c->is_judged)
    because(c, "mean error of expo-paper, %.2g, over that of expo, %.2g", error[1], error[0]);
}

static void report(const bench_paper *p)
{
  char titles[3][24] = {"verdict", "figure", ""};
  bench_sheet_say(&p->sheet, "Claims");
  bench_sheet_titles(&p->sheet, "", 3, titles);
  for (int i = 0; i < p->claim_count; ++i) {
    const bench_claim *c = &p->claims[i];
    const char *verdict = !c->is_judged ? "not judged" : c->holds ? "holds" : "fails";
    char metric[64];
    bench_sheet_row(&p->sheet, c->id);
    bench_sheet_text(&p->sheet, verdict);
    char figure[32] = "", words[640];
    if (c->is_judged)
      snprintf(figure, sizeof figure, "%.3g", c->figure);
    snprintf(words, sizeof words, "  %s%s%s", c->claim, c->why[0] ? ": " : "", c->why);
    bench_sheet_text(&p->sheet, figure);
    bench_sheet_text(&p->sheet, words);
    bench_sheet_end(&p->sheet);
    snprintf(metric, sizeof metric, "claim:%s", c->id);
    if (p->rows && c->is_judged)
      bench_rows_add_word(p->rows, "paper", metric, verdict);
    snprintf(metric, sizeof metric, "decided:%s", c->id);
    if (p->rows && c->is_judged)
      bench_rows_add(p->rows, "paper", metric, c->figure, c->unit);
  }
}

void bench_paper_claims(bench_paper *p)
{
  static const ff_stepper judged[2] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
  p->claim_count = 0;
  for (int k = 0; k < 2; ++k)
    judge_speed(p, judged[k]);
  for (int k = 0; k < 2; ++k)
    judge_stiffness(p, ff_stepper_name(judged[k]));
  for (int k = 0; k < 2; ++k)
    judge_stability(p, ff_stepper_name(judged[k]));
  for (int k = 0; k < 2; ++k)
    judge_cost(p, judged[k]);
  judge_forces(p);
  judge_trot(p);
  report(p);
}
