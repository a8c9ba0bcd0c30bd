// The Expo paper's claims, judged by the measured data, for the published scheme and for `expo`. Claims on error and
// time are in expo_paper_speed.c.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_curves.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bench_claim *bench_expo_paper_claims_begin(bench_expo_paper *p, const char *id, const char *scheme,
                                           const char *claim, const char *unit)
{
  const int is_expo = strcmp(scheme, "expo") == 0;
  char whole[24];
  snprintf(whole, sizeof whole, "%s%s%s", id, is_expo ? "" : ":", is_expo ? "" : scheme);
  return bench_paper_claim(&p->run, whole, claim, unit);
}

// ---- C2: flat in stiffness ------------------------------------------------------------------------------

static const double flat = 10; // largest growth of the error while K grows by 1000

static int soft_scheme(const char *name)
{
  for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i)
    if (strcmp(bench_expo_paper_stiffness_schemes[i], name) == 0)
      return i;
  return 0;
}

static double growth(const bench_expo_paper *p, int scheme, double *at)
{
  double base = NAN, most = 0;
  for (int k = 0; k < BENCH_EXPO_SETTINGS; ++k) {
    const bench_expo_paper_setting *s = &p->settings[k];
    if (!s->is_measured || s->stiffness < 0.99e5)
      continue;
    const double error = s->failures[scheme] == 0 && isfinite(s->error[scheme]) ? s->error[scheme] : INFINITY;
    if (k < BENCH_EXPO_STIFFNESSES && s->stiffness < 1.01e5)
      base = error;
    if (error > most) {
      most = error;
      *at = s->stiffness;
    }
  }
  return most / base;
}

static void judge_stiffness(bench_expo_paper *p, const char *scheme)
{
  bench_claim *c = bench_expo_paper_claims_begin(
      p, "C2", scheme, "error stays flat up to K = 1e8 N/m and over damping ratios 0.2 to 1", "x");
  double at = NAN, at_euler = NAN;
  if (!p->settings[4].is_measured) // K = 1e5
    return;
  c->figure = growth(p, soft_scheme(scheme), &at);
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure <= flat;
  bench_claim_because(
      c,
      "largest error for K from 1e5 to 1e8 over the error at 1e5, on solo-trot; limit %.0f; at K = %.1e. Explicit "
      "Euler: %.3g",
      flat, at, growth(p, soft_scheme("euler"), &at_euler));
  for (int k = 0; k < BENCH_EXPO_STIFFNESSES; ++k)
    if (p->settings[k].is_measured && p->settings[k].stiffness > 0.99e5)
      bench_claim_where(c, "%sK = %.1e: %.2g", c->where[0] ? ", " : "its error at ", p->settings[k].stiffness,
                        p->settings[k].error[soft_scheme(scheme)]);
}

// ---- C3: long steps -------------------------------------------------------------------------------------

static void add_runaway(bench_claim *c, const char *test, const bench_expo_paper_runaway *r)
{
  if (!r->is_one)
    return;
  bench_claim_where(c, "%s%s: with the paper's step it diverges at t = %.4g s", c->where[0] ? "\n" : "", test,
                    r->time);
  if (r->at > 0)
    bench_claim_where(
        c,
        "; the end of the run, not necessarily the cause: among the steps that gained energy without input, the "
        "deepest "
        "new contact was found at t = %.4g s, %.3g mm deep, %.3g J before the step, %.3g J after it",
        r->at, 1e3 * r->depth, r->energy, r->brought);
}

static void judge_stability(bench_expo_paper *p, const char *scheme)
{
  bench_claim *c = bench_expo_paper_claims_begin(
      p, "C3", scheme, "stable with steps of 2 to 40 ms: in no test shorter than the paper's", "x");
  const int s = strcmp(scheme, "expo") == 0 ? 0 : 1; // the published scheme with its authors' springs
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const int n = p->stability[t].substeps[s];
    const double dt = n > 0 ? p->tests[t].trial.period / n : 0,
                 ratio = dt / bench_expo_paper_published_tests[t].stable_expo;
    if (ratio < 1 - 1e-9)
      add_runaway(c, bench_expo_paper_published_tests[t].name, &p->stability[t].runaway[s]);
    if (!c->is_judged || ratio < c->figure) {
      c->is_judged = 1;
      c->figure = ratio;
      bench_claim_because(
          c, "longest bounded step over the paper's, minimum of all tests: %.4g ms over %.4g ms on %s",
          1e3 * dt, 1e3 * bench_expo_paper_published_tests[t].stable_expo,
          bench_expo_paper_published_tests[t].name);
    }
  }
  c->holds = c->is_judged && c->figure >= 1 - 1e-9;
  if (s == 1)
    bench_claim_where(
        c,
        "%snormal springs have their rest position where the contact is first detected, as in the "
        "paper",
        c->where[0] ? "\n" : "");
}

// ---- C5: forces -----------------------------------------------------------------------------------------

static const double close_enough = 0.1;

static void judge_forces(bench_expo_paper *p)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C5", "expo",
                                                 "contact forces are predicted well over 20 ms", "relative");
  for (int i = 0; i < BENCH_EXPO_STARTS && p->has_test[BENCH_EXPO_SQUAT]; ++i)
    if (!c->is_judged || p->predictions[i].error > c->figure) {
      c->is_judged = isfinite(p->predictions[i].error);
      c->figure = p->predictions[i].error;
      bench_claim_because(c, "mean error over the mean force; limit %.1f; worst for Solo %s", close_enough,
                          p->predictions[i].name);
    }
  c->holds = c->is_judged && c->figure <= close_enough;
}

// ---- Ours -----------------------------------------------------------------------------------------------

static const double hundred = 100;

static void judge_trot(bench_expo_paper *p)
{
  bench_claim *c = bench_expo_paper_claims_begin(
      p, "trot", "expo", "expo has at most 1/100 of the published scheme's error on solo-trot with 2 ms",
      "x");
  double error[2] = {NAN, NAN};
  for (int i = 0; p->errors[BENCH_EXPO_TROT] && i < p->errors[BENCH_EXPO_TROT]->count; ++i) {
    const ff_local_error *l = &p->errors[BENCH_EXPO_TROT]->common[i];
    for (int k = 0; k < 2; ++k)
      if (l->substeps == 1 && strcmp(l->scheme.name, k == 0 ? "expo" : "expo-paper") == 0)
        error[k] = bench_expo_paper_curves_error(p->errors[BENCH_EXPO_TROT], i);
  }
  c->figure = error[1] / error[0];
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure >= hundred;
  if (c->is_judged)
    bench_claim_because(c, "mean error of expo-paper, %.2g, over the mean error of expo, %.2g", error[1],
                        error[0]);
}

void bench_expo_paper_claims_judge(void *paper)
{
  bench_expo_paper *p = paper;
  static const ff_stepper judged[2] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
  p->run.claim_count = 0;
  for (int k = 0; k < 2; ++k)
    bench_expo_paper_speed_judge(p, judged[k]);
  for (int k = 0; k < 2; ++k)
    judge_stiffness(p, ff_stepper_name(judged[k]));
  for (int k = 0; k < 2; ++k)
    judge_stability(p, ff_stepper_name(judged[k]));
  for (int k = 0; k < 2; ++k)
    bench_expo_paper_speed_judge_cost(p, judged[k]);
  judge_forces(p);
  judge_trot(p);
}
