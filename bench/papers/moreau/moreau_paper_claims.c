// The Moreau paper's claims, judged by the measured data. The rules are in bench_moreau_paper_claims_rules; they were
// fixed before the first run.
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double similar = 0.9;                                   // M3: "fewer" means less than this ratio
static const double magnitude = 10;                                  // M4: the same order of magnitude
static const double stated_sinking = 750e-6, stated_drift = 0.59e-6; // [m/min]
static const double goal_minimal = 4, goal_maximal = 30;             // [us]

const char *const bench_moreau_paper_claims_rules[BENCH_MOREAU_CLAIMS] = {
    "real-time factor of HmJ over the best of the other ten, each with the fewest steps per control period that "
    "stay bounded; holds at 1 or more",
    "fewest steps per control period that stay bounded, as do all larger numbers that were tried, compliant over "
    "hard; holds if hard needs 1 and compliant 2 or more",
    "iterations of SOR over those of JOR, with iterated bilateral rows, on the problems of Fig. 6 with alpha at "
    "half the limit of each; holds if extended and maximal are below 0.9 and minimal is not",
    "drift rate of the fastest foot while standing with HmJ, over all steps, and of cut joints while trotting, over "
    "all hard configurations, over the paper's; holds if neither is more than 10 times the paper's",
    "evaluations per second of the fastest extended configuration over the fastest minimal one with hard contact; "
    "holds at 1 or less",
    "evaluations per second with direct bilateral impulses over those with iterated ones, maximal coordinates, the "
    "smaller of JOR and SOR; holds above 1",
    "number of random pushes in which a step did not converge, divided among the ten hard configurations, with "
    "alpha at half the limit of the trot; holds if it is zero",
    "minimum time of a step, hard, minimal coordinates, tolerance 1e-6; holds at 4 us or less on this machine",
    "minimum time of a step, hard, maximal coordinates, tolerance 1e-6; holds at 30 us or less on this machine",
};

static int are_measured(const bench_moreau_paper *m, int from, int to)
{
  for (int i = from; i < to; ++i)
    if (!m->table[i].is_measured)
      return 0;
  return 1;
}

// The configuration of from..to-1 with the most evaluations per second.
static int fastest(const bench_moreau_paper *m, int from, int to)
{
  int best = -1;
  for (int i = from; i < to; ++i)
    if (best < 0 || m->table[i].evals_per_s > m->table[best].evals_per_s)
      best = i;
  return best;
}

static void judge_fastest(bench_moreau_paper *m)
{
  bench_claim *c = bench_paper_claim(&m->run, "M1", "minimal coordinates with JOR are the fastest", "x");
  int other = 0;
  if (!are_measured(m, 0, BENCH_MOREAU_PUBLISHED_CONFIGS))
    return;
  for (int i = 0; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i)
    if (i != BENCH_MOREAU_HMJ && m->table[i].rtf > m->table[other].rtf)
      other = i;
  c->figure = m->table[BENCH_MOREAU_HMJ].rtf / m->table[other].rtf;
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure >= 1;
  bench_claim_because(c, "real-time factor of HmJ, %.4g, over the best of the others, %s with %.4g",
                      m->table[BENCH_MOREAU_HMJ].rtf, bench_moreau_paper_configs[other].name,
                      m->table[other].rtf);
  other = fastest(m, BENCH_MOREAU_HMS, BENCH_MOREAU_PUBLISHED_CONFIGS);
  bench_claim_where(c, "among the hard configurations: %.3g times %s",
                    m->table[BENCH_MOREAU_HMJ].rtf / m->table[other].rtf,
                    bench_moreau_paper_configs[other].name);
  if (m->table[BENCH_MOREAU_EXACT].is_measured)
    bench_claim_where(c, "\nours, exact in minimal coordinates: %.4g", m->table[BENCH_MOREAU_EXACT].rtf);
}

static void judge_steps(bench_moreau_paper *m)
{
  bench_claim *c = bench_paper_claim(
      &m->run, "M2", "hard contact needs one step per control period where compliant contact needs two", "x");
  const int hard = m->bounded.fewest[0], soft = m->bounded.fewest[1], damped = m->bounded.fewest[2];
  if (!m->bounded.is_measured)
    return;
  c->is_judged = 1;
  c->figure = hard > 0 && soft > 0 ? (double)soft / hard : NAN;
  c->holds = hard == 1 && soft >= 2;
  bench_claim_because(
      c,
      "steps per control period: hard %d, compliant %d, compliant with ten times the damping %d (0: none of those "
      "tried is bounded)",
      hard, soft, damped);
}

static void judge_iterations(bench_moreau_paper *m)
{
  static const int pairs[][2] = {{BENCH_MOREAU_HMJ, BENCH_MOREAU_HMS},
                                 {BENCH_MOREAU_HEJP, BENCH_MOREAU_HESP},
                                 {BENCH_MOREAU_HMJP, BENCH_MOREAU_HMSP},
                                 {BENCH_MOREAU_HEJD, BENCH_MOREAU_HESD},
                                 {BENCH_MOREAU_HMJD, BENCH_MOREAU_HMSD}};
  bench_claim *c = bench_paper_claim(&m->run, "M3",
                                     "SOR converges in fewer iterations except in minimal coordinates", "x");
  double ratio[5];
  for (int i = 0; i < 5; ++i) {
    const bench_moreau_paper_alpha_curve *jor = &m->alphas[pairs[i][0]], *sor = &m->alphas[pairs[i][1]];
    if (!jor->is_measured || !sor->is_measured)
      return;
    ratio[i] = sor->half / jor->half;
    bench_claim_where(c, "%s%s over %s: %.3g / %.3g = %.3g; at their best alphas %.3g / %.3g",
                      i > 0 ? "\n" : "", bench_moreau_paper_configs[pairs[i][1]].name,
                      bench_moreau_paper_configs[pairs[i][0]].name, sor->half, jor->half, ratio[i], sor->best,
                      jor->best);
  }
  c->figure = fmax(ratio[1], ratio[2]);
  c->is_judged = isfinite(ratio[0]) && isfinite(ratio[1]) && isfinite(ratio[2]);
  c->holds = c->is_judged && c->figure < similar && ratio[0] >= similar;
  bench_claim_because(c, "iterations of SOR over those of JOR: extended %.3g, maximal %.3g, minimal %.3g",
                      ratio[1], ratio[2], ratio[0]);
}

static void judge_drift(bench_moreau_paper *m)
{
  bench_claim *c = bench_paper_claim(
      &m->run, "M4", "drift is of the paper's magnitude: feet 750 um/min, joints 0.59 um/min", "x");
  double feet = 0, least = INFINITY, joints = 0;
  int worst = -1;
  if (!m->standing.is_measured || !are_measured(m, BENCH_MOREAU_HEJD, BENCH_MOREAU_PUBLISHED_CONFIGS))
    return;
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i) {
    const double rate = fabs(m->standing.sinking[0][i]);
    if (!isfinite(rate))
      return;
    feet = fmax(feet, rate);
    least = fmin(least, rate);
    bench_claim_where(c, "%sfeet, steps of %.4g ms: %.3g um/min", i > 0 ? "\n" : "", 1e3 * m->standing.dt[i],
                      1e6 * m->standing.sinking[0][i]);
  }
  bench_claim_where(c, "\nfeet, each step from zero impulses, %.4g ms: %.3g um/min", 1e3 * m->standing.dt[0],
                    1e6 * m->standing.sinking[1][0]);
  for (int i = BENCH_MOREAU_HEJD; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i) {
    const double rate = fabs(m->table[i].drift_per_minute);
    if (!isfinite(rate))
      return;
    if (worst < 0 || rate > joints)
      joints = rate, worst = i;
    bench_claim_where(c, "\njoints, %s: %.3g um/min, farthest %.3g um", bench_moreau_paper_configs[i].name,
                      1e6 * m->table[i].drift_per_minute, 1e6 * m->table[i].drift);
  }
  c->figure = fmax(feet / stated_sinking, joints / stated_drift);
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure <= magnitude;
  bench_claim_because(
      c,
      "over the paper's: feet %.3g (%.3g to %.3g um/min over all steps), cut joints %.3g (%.3g um/min, %s)",
      feet / stated_sinking, 1e6 * least, 1e6 * feet, joints / stated_drift, 1e6 * joints,
      bench_moreau_paper_configs[worst].name);
}

static void judge_extended(bench_moreau_paper *m)
{
  bench_claim *c = bench_paper_claim(&m->run, "M5", "extended coordinates gain nothing", "x");
  if (!are_measured(m, BENCH_MOREAU_HMJ, BENCH_MOREAU_HMJD))
    return;
  const int extended = fastest(m, BENCH_MOREAU_HEJD, BENCH_MOREAU_HMJD),
            minimal = fastest(m, BENCH_MOREAU_HMJ, BENCH_MOREAU_HEJD);
  c->figure = m->table[extended].evals_per_s / m->table[minimal].evals_per_s;
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure <= 1;
  bench_claim_because(c, "evaluations per second: %s %.0f, %s %.0f",
                      bench_moreau_paper_configs[extended].name, m->table[extended].evals_per_s,
                      bench_moreau_paper_configs[minimal].name, m->table[minimal].evals_per_s);
}

static void judge_direct(bench_moreau_paper *m)
{
  bench_claim *c = bench_paper_claim(
      &m->run, "M6", "direct bilateral impulses beat iterated ones in maximal coordinates", "x");
  const bench_moreau_paper_cost *t = m->table;
  if (!are_measured(m, BENCH_MOREAU_HMJD, BENCH_MOREAU_PUBLISHED_CONFIGS))
    return;
  const double jor = t[BENCH_MOREAU_HMJD].evals_per_s / t[BENCH_MOREAU_HMJP].evals_per_s,
               sor = t[BENCH_MOREAU_HMSD].evals_per_s / t[BENCH_MOREAU_HMSP].evals_per_s;
  c->figure = fmin(jor, sor);
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure > 1;
  bench_claim_because(c, "direct over iterated: JOR %.3g, SOR %.3g", jor, sor);
}

static void judge_robust(bench_moreau_paper *m)
{
  bench_claim *c = bench_paper_claim(&m->run, "M7", "alpha at half its limit is robust", "pushes");
  int pushes = 0, lost = 0, failures = 0;
  long long steps = 0, unconverged = 0;
  for (int i = 1; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i) {
    const bench_moreau_paper_push *p = &m->pushed[i];
    if (p->pushes == 0)
      return;
    pushes += p->pushes;
    lost += p->with_unconverged;
    failures += p->failures;
    steps += p->steps;
    unconverged += p->unconverged;
    if (p->with_unconverged > 0)
      bench_claim_where(c, "%s%s: %d of %d pushes, %lld of %lld steps, residual %.1e at worst",
                        c->where[0] ? "\n" : "", bench_moreau_paper_configs[i].name, p->with_unconverged,
                        p->pushes, p->unconverged, p->steps, p->worst_residual);
  }
  c->is_judged = 1;
  c->figure = lost + failures;
  c->holds = lost == 0 && failures == 0;
  bench_claim_because(c, "%d of %d pushes have a step that did not converge, %lld of %lld steps; %d failed",
                      lost, pushes, unconverged, steps, failures);
}

// The fastest configuration in a set of coordinates, `exact` included.
static void judge_goal(bench_moreau_paper *m, const char *id, const char *words, ff_cut_set set, double goal)
{
  bench_claim *c = bench_paper_claim(&m->run, id, words, "us");
  int best = -1;
  for (int i = 1; i < BENCH_MOREAU_CONFIGS; ++i)
    if (m->table[i].is_measured && bench_moreau_paper_configs[i].set == set &&
        (best < 0 || m->table[i].us < m->table[best].us))
      best = i;
  if (best < 0)
    return;
  c->figure = m->table[best].us;
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure <= goal;
  bench_claim_because(c, "%s, mean of a trot", bench_moreau_paper_configs[best].name);
}

void bench_moreau_paper_claims_judge(void *paper)
{
  bench_moreau_paper *m = paper;
  m->run.claim_count = 0;
  judge_fastest(m);
  judge_steps(m);
  judge_iterations(m);
  judge_drift(m);
  judge_extended(m);
  judge_direct(m);
  judge_robust(m);
  judge_goal(m, "goal-minimal", "our goal: a step in minimal coordinates takes at most 4 us", FF_CUT_MINIMAL,
             goal_minimal);
  judge_goal(m, "goal-maximal", "our goal: a step in maximal coordinates takes at most 30 us", FF_CUT_MAXIMAL,
             goal_maximal);
}
