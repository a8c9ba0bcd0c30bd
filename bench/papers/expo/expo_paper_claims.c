// The Expo paper's claims and the rules by which they are judged, for the published scheme and for `expo`. Claims on
// error and time are in expo_paper_speed.c.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_curves.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EQUAL_TIME                                                                                                   \
  "smallest ratio of another stepper's mean local error to its own at the same speed, over all tests and real-time " \
  "factors from 5 to its own largest"
#define STIFF                                                                                                        \
  "largest mean local error on solo-trot over K from 1e5 to 1e8 N/m and damping ratios from 0.2 to 1, over that at " \
  "K = 1e5, ratio 0.5"
#define LONG_STEPS                                                                                                \
  "longest step with which the motion stays bounded, as with all shorter ones that were tried, over the paper's " \
  "(Table 2), minimum of all tests"
#define CHEAPER                                                                                                      \
  "its speed over that of implicit at the error of each of implicit's steps, minimum over all steps whose error is " \
  "below 1 and all tests; steps whose error it reaches with no step are listed, but have no figure"

const bench_claim_rule bench_expo_paper_rules[BENCH_EXPO_CLAIMS] = {
    {.id = "C1",
     .about = "expo",
     .claim = "less error than every other stepper in equal time, in all tests",
     .rule = EQUAL_TIME "; `expo` with its default options against euler, rk4, implicit and expo-paper",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "C1:expo-paper",
     .claim = "less error than every other stepper in equal time, in all tests",
     .rule =
         EQUAL_TIME "; the published scheme with the best of its exponentials, all steppers down to the same "
                    "shortest step, the common reference solution, springs at rest at the surface",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "C2",
     .about = "expo",
     .claim = "error stays flat up to K = 1e8 N/m and over damping ratios 0.2 to 1",
     .rule = STIFF,
     .unit = "x",
     .least = -INFINITY,
     .most = 10,
     .from = "ours: the paper says \"consistently\"",
     .needs_full = 1},
    {.id = "C2:expo-paper",
     .claim = "error stays flat up to K = 1e8 N/m and over damping ratios 0.2 to 1",
     .rule = STIFF,
     .unit = "x",
     .least = -INFINITY,
     .most = 10,
     .from = "ours: the paper says \"consistently\"",
     .needs_full = 1},
    {.id = "C3",
     .about = "expo",
     .claim = "stable with steps of 2 to 40 ms: in no test shorter than the paper's",
     .rule = LONG_STEPS,
     .unit = "x",
     .least = 1 - 1e-9,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "C3:expo-paper",
     .claim = "stable with steps of 2 to 40 ms: in no test shorter than the paper's",
     .rule = LONG_STEPS "; with springs at rest where the contact was first detected, as in the paper",
     .unit = "x",
     .least = 1 - 1e-9,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "C4",
     .about = "expo",
     .claim = "2 to 100 times cheaper than implicit at equal error",
     .rule = CHEAPER "; `expo` with its default options",
     .unit = "x",
     .least = 2,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "C4:expo-paper",
     .claim = "2 to 100 times cheaper than implicit at equal error",
     .rule = CHEAPER "; the published scheme with the best of its exponentials",
     .unit = "x",
     .least = 2,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "C5",
     .about = "expo",
     .claim = "contact forces are predicted well over 20 ms",
     .rule =
         "mean error of the predicted normal forces of Solo's feet over the mean force, worst of four starts",
     .unit = "relative",
     .least = -INFINITY,
     .most = 0.1,
     .from = "ours: the paper shows a figure"},
    {.id = "C6",
     .claim = "fewer matrix multiplications outperform the standard exponential",
     .rule =
         "mean local error of expo-paper:exact over that of the best reduced order (1, 2, 3, 5, 7) at the same "
         "speed, median over all tests and real-time factors from 5 to the largest of expo-paper:exact",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's: \"in general\", so the median",
     .needs_full = 1},
    {.id = "C7",
     .claim = "explicit Euler is second best",
     .rule =
         "share of real-time factors from 5 to the largest of expo-paper at which euler has less error than "
         "implicit and rk4, mean of all tests",
     .unit = "1",
     .least = 0.5,
     .most = 1,
     .from = "ours: the paper says \"overall\"",
     .needs_full = 1},
    {.id = "C8",
     .claim = "implicit has larger errors than the exponential scheme from K = 1e6 N/m on",
     .rule =
         "mean local error of implicit on solo-trot with 2 ms over that of expo-paper, minimum over K from 1e6 "
         "to 1e8 N/m at a damping ratio of 0.5",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "trot",
     .claim = "expo has at most 1/100 of the published scheme's error on solo-trot with 2 ms",
     .rule = "mean local error of expo-paper over that of expo",
     .unit = "x",
     .least = 100,
     .most = INFINITY,
     .from = "ours",
     .is_goal = 1,
     .needs_full = 1},
};

bench_claim *bench_expo_paper_claims_begin(bench_expo_paper *p, const char *id, const char *scheme)
{
  const int is_expo = strcmp(scheme, "expo") == 0;
  char whole[24];
  snprintf(whole, sizeof whole, "%s%s%s", id, is_expo ? "" : ":", is_expo ? "" : scheme);
  return bench_paper_claim(&p->run, bench_expo_paper_rules, BENCH_EXPO_CLAIMS, whole);
}

// ---- C2, C8: stiffness ----------------------------------------------------------------------------------------------

static int soft_scheme(const char *name)
{
  for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i)
    if (strcmp(bench_expo_paper_stiffness_schemes[i], name) == 0)
      return i;
  return 0;
}

static double error_of(const bench_expo_paper_setting *s, int scheme)
{
  return s->failures[scheme] == 0 && isfinite(s->error[scheme]) ? s->error[scheme] : INFINITY;
}

static double growth(const bench_expo_paper *p, int scheme, double *at)
{
  double base = NAN, most = 0;
  for (int k = 0; k < BENCH_EXPO_SETTINGS; ++k) {
    const bench_expo_paper_setting *s = &p->settings[k];
    if (!s->is_measured || s->stiffness < 0.99e5)
      continue;
    const double error = error_of(s, scheme);
    if (k < BENCH_EXPO_STIFFNESSES && s->stiffness < 1.01e5)
      base = error;
    if (error > most) {
      most = error;
      *at = s->stiffness;
    }
  }
  return isfinite(most) ? most / base : most; // beyond all bounds, even if the first one fails
}

static void judge_stiffness(bench_expo_paper *p, const char *scheme)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C2", scheme);
  double at = NAN, at_euler = NAN;
  if (!p->settings[4].is_measured) // K = 1e5
    return;
  bench_claim_decide(c, growth(p, soft_scheme(scheme), &at));
  bench_claim_because(c, "at K = %.1e; explicit Euler: %.3g", at, growth(p, soft_scheme("euler"), &at_euler));
  const int s = soft_scheme(scheme);
  bench_claim_detail(c, "K [N/m]\tmean error of %d periods\tmedian\tshare of the worst period",
                     p->settings[4].periods);
  for (int k = 0; k < BENCH_EXPO_STIFFNESSES; ++k)
    if (p->settings[k].is_measured && p->settings[k].stiffness > 0.99e5)
      bench_claim_detail(c, "%.1e\t%.2g\t%.2g\t%.2g", p->settings[k].stiffness, p->settings[k].error[s],
                         p->settings[k].median[s], p->settings[k].worst[s]);
}

static void judge_implicit(bench_expo_paper *p)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C8", "expo");
  const int implicit = soft_scheme("implicit"), published = soft_scheme("expo-paper");
  double least = INFINITY, at = NAN;
  int count = 0;
  bench_claim_detail(c,
                     "K [N/m]\timplicit\texpo-paper\tratio\tratio, each against its own reference solution");
  for (int k = 0; k < BENCH_EXPO_STIFFNESSES; ++k) {
    const bench_expo_paper_setting *s = &p->settings[k];
    if (!s->is_measured)
      continue;
    const double ratio = error_of(s, implicit) / error_of(s, published); // NAN if both fail
    bench_claim_detail(c, "%.1e\t%.2g\t%.2g\t%.2g\t%.2g", s->stiffness, s->error[implicit],
                       s->error[published], ratio, s->own[implicit] / s->own[published]);
    if (s->stiffness < 0.99e6)
      continue;
    ++count;
    if (!isnan(least) && !(ratio >= least)) // NAN stays
      least = ratio, at = s->stiffness;
  }
  if (count == 0)
    return;
  bench_claim_decide(c, least);
  bench_claim_because(c, "least at K = %.1e", at);
}

// ---- C3: long steps -------------------------------------------------------------------------------------------------

static void add_runaway(bench_claim *c, const char *test, const bench_expo_paper_runaway *r)
{
  if (!r->is_one)
    return;
  bench_claim_detail(c, "%s\twith the paper's step it diverges at t = %.4g s", test, r->time);
  if (r->at > 0)
    bench_claim_detail(
        c,
        "\tamong the steps that gained energy without input, the deepest new contact was found at t = "
        "%.4g s, %.3g mm deep, %.3g J before the step, %.3g J after it; not necessarily the cause",
        r->at, 1e3 * r->depth, r->energy, r->brought);
}

static void judge_stability(bench_expo_paper *p, const char *scheme)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C3", scheme);
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
      bench_claim_decide(c, ratio);
      bench_claim_because(c, "%.4g ms over %.4g ms on %s", 1e3 * dt,
                          1e3 * bench_expo_paper_published_tests[t].stable_expo,
                          bench_expo_paper_published_tests[t].name);
    }
  }
}

// ---- C5: forces -----------------------------------------------------------------------------------------------------

static void judge_forces(bench_expo_paper *p)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "C5", "expo");
  for (int i = 0; i < BENCH_EXPO_STARTS && p->has_test[BENCH_EXPO_SQUAT]; ++i) {
    bench_claim_detail(c, "Solo %s\t%.3g", p->predictions[i].name, p->predictions[i].error);
    if (!c->is_judged || p->predictions[i].error > c->figure) {
      bench_claim_decide(c, p->predictions[i].error);
      bench_claim_because(c, "Solo %s", p->predictions[i].name);
    }
  }
}

// ---- Ours -----------------------------------------------------------------------------------------------------------

static void judge_trot(bench_expo_paper *p)
{
  bench_claim *c = bench_expo_paper_claims_begin(p, "trot", "expo");
  const ff_comparison *errors = p->errors[BENCH_EXPO_TROT];
  double error[2] = {NAN, NAN};
  for (int i = 0; errors && i < errors->count; ++i) {
    const bench_expo_paper_curves curves = {.comparison = errors};
    const ff_local_error *l = &errors->common[i];
    for (int k = 0; k < 2; ++k)
      if (l->substeps == 1 && strcmp(l->scheme.name, k == 0 ? "expo" : "expo-paper") == 0)
        error[k] = bench_expo_paper_curves_error(&curves, i);
  }
  bench_claim_decide(c, error[1] / error[0]);
  if (c->is_judged)
    bench_claim_because(c, "%.2g over %.2g", error[1], error[0]);
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
  bench_expo_paper_speed_judge_orders(p);
  bench_expo_paper_speed_judge_second(p);
  judge_implicit(p);
  judge_trot(p);
}
