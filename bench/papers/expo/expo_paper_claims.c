// What the paper claims of its scheme, judged by what was measured, for the published scheme and for `expo`. Claims on error and time are in paper_speed.c.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_curves.h"
#include "papers/expo/expo_paper_stated.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bench_claim *bench_claim_begin(bench_paper *p, const char *id, const char *scheme, const char *claim,
                               const char *unit)
{
  bench_claim *c = &p->claims[p->claim_count++];
  const int is_expo = strcmp(scheme, "expo") == 0;
  char whole[24];
  snprintf(whole, sizeof whole, "%s%s%s", id, is_expo ? "" : ":", is_expo ? "" : scheme);
  bench_claim_make(c, whole, claim, unit);
  return c;
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
  bench_claim *c = bench_claim_begin(
      p, "C2", scheme, "error stays flat up to K = 1e8 N/m and over damping ratios 0.2 to 1", "x");
  double at = NAN, at_euler = NAN;
  if (!p->settings[4].is_measured) // K = 1e5
    return;
  c->figure = growth(p, soft_scheme(scheme), &at);
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure <= flat;
  bench_claim_because(
      c,
      "largest error for K from 1e5 to 1e8 over that at 1e5, on solo-trot, at most %.0f; at K = %.1e. Explicit Euler: %.3g",
      flat, at, growth(p, soft_scheme("euler"), &at_euler));
  for (int k = 0; k < BENCH_STIFFNESSES; ++k)
    if (p->settings[k].is_measured && p->settings[k].stiffness > 0.99e5)
      bench_claim_where(c, "%sK = %.1e: %.2g", c->where[0] ? ", " : "its error at ", p->settings[k].stiffness,
                        p->settings[k].error[soft_scheme(scheme)]);
}

// ---- C3: long steps ----------------------------------------------------------------------------------------

static void tell_runaway(bench_claim *c, const char *test, const bench_runaway *r)
{
  if (!r->is_one)
    return;
  bench_claim_where(c, "%s%s: with the paper's step it runs away at t = %.4g s", c->where[0] ? "\n" : "",
                    test, r->time);
  if (r->at > 0)
    bench_claim_where(
        c,
        "; how it ended, which need not be where it went wrong: of the steps that brought energy that nobody gave, the one that found something "
        "deepest did so at t = %.4g s, %.3g mm deep, %.3g J before it, %.3g J after it",
        r->at, 1e3 * r->depth, r->energy, r->brought);
}

static void judge_stability(bench_paper *p, const char *scheme)
{
  bench_claim *c = bench_claim_begin(
      p, "C3", scheme, "stable with steps of 2 to 40 ms: no shorter than the paper's in any test", "x");
  const int s = strcmp(scheme, "expo") == 0 ? 0 : 1; // the published scheme with the springs of its authors
  for (int t = 0; t < BENCH_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const int n = p->stability[t].substeps[s];
    const double dt = n > 0 ? p->tests[t].trial.period / n : 0,
                 ratio = dt / bench_stated_tests[t].stable_expo;
    if (ratio < 1 - 1e-9)
      tell_runaway(c, bench_stated_tests[t].name, &p->stability[t].runaway[s]);
    if (!c->is_judged || ratio < c->figure) {
      c->is_judged = 1;
      c->figure = ratio;
      bench_claim_because(
          c, "longest bounded step over the paper's, the least of all tests: %.4g ms over %.4g ms on %s",
          1e3 * dt, 1e3 * bench_stated_tests[t].stable_expo, bench_stated_tests[t].name);
    }
  }
  c->holds = c->is_judged && c->figure >= 1 - 1e-9;
  if (s == 1)
    bench_claim_where(c, "%snormal springs are at rest where a contact is first seen, as in the paper",
                      c->where[0] ? "\n" : "");
}

// ---- C5: forces --------------------------------------------------------------------------------------------

static const double close_enough = 0.1;

static void judge_forces(bench_paper *p)
{
  bench_claim *c =
      bench_claim_begin(p, "C5", "expo", "contact forces are predicted well over 20 ms", "relative");
  for (int i = 0; i < BENCH_STARTS && p->has_test[BENCH_SQUAT]; ++i)
    if (!c->is_judged || p->predictions[i].error > c->figure) {
      c->is_judged = isfinite(p->predictions[i].error);
      c->figure = p->predictions[i].error;
      bench_claim_because(c, "mean error over the mean force, at most %.1f; worst for Solo %s", close_enough,
                          p->predictions[i].name);
    }
  c->holds = c->is_judged && c->figure <= close_enough;
}

// ---- Ours ----------------------------------------------------------------------------------------------------

static const double hundred = 100;

static void judge_trot(bench_paper *p)
{
  bench_claim *c =
      bench_claim_begin(p, "trot", "expo",
                        "expo has at most 1/100 of the published scheme's error on solo-trot with 2 ms", "x");
  double error[2] = {NAN, NAN};
  for (int i = 0; p->errors[BENCH_TROT] && i < p->errors[BENCH_TROT]->count; ++i) {
    const ff_local_error *l = &p->errors[BENCH_TROT]->common[i];
    for (int k = 0; k < 2; ++k)
      if (l->substeps == 1 && strcmp(l->scheme.name, k == 0 ? "expo" : "expo-paper") == 0)
        error[k] = bench_curve_error(p->errors[BENCH_TROT], i);
  }
  c->figure = error[1] / error[0];
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure >= hundred;
  if (c->is_judged)
    bench_claim_because(c, "mean error of expo-paper, %.2g, over that of expo, %.2g", error[1], error[0]);
}

void bench_paper_claims(bench_paper *p)
{
  static const ff_stepper judged[2] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
  p->claim_count = 0;
  for (int k = 0; k < 2; ++k)
    bench_paper_judge_speed(p, judged[k]);
  for (int k = 0; k < 2; ++k)
    judge_stiffness(p, ff_stepper_name(judged[k]));
  for (int k = 0; k < 2; ++k)
    judge_stability(p, ff_stepper_name(judged[k]));
  for (int k = 0; k < 2; ++k)
    bench_paper_judge_cost(p, judged[k]);
  judge_forces(p);
  judge_trot(p);
  bench_claims_report(p->claims, p->claim_count, &p->sheet, p->rows);
}
