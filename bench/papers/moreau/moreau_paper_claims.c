// The Moreau paper's claims, the rules by which they are judged, and the figures that decide.
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HALF_LIMIT                                                                                                    \
  "iterations of SOR over those of JOR, with iterated bilateral rows, on the problems of Fig. 6 from zero impulses, " \
  "with alpha at half the limit of each"
#define CUT_JOINTS                                                                                                   \
  "fitted rate at which the gap of the worst cut joint grows in a trot, the largest of all configurations in these " \
  "coordinates, over 0.59 um/min"

// The paper's simulator judges no energies, and Footfall's judgement takes four tenths of a compliant step, as that
// needs the contacts at its end, but less than a tenth of a hard one.
#define WITHOUT_JUDGING                                                                                      \
  "without the time in which Footfall judges the energy of each step, which the paper's simulator does not"

static const double stated_sinking = 750e-6, stated_drift = 0.59e-6; // [m/min]

const bench_claim_rule bench_moreau_paper_rules[BENCH_MOREAU_CLAIMS] = {
    {.id = "M1",
     .claim = "minimal coordinates with JOR are the fastest",
     .rule =
         "real-time factor of HmJ over the best of the paper's other ten configurations, compliant contact among "
         "them, each with the fewest steps per control period that stay bounded; " WITHOUT_JUDGING,
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "M1:hard",
     .claim = "of the hard configurations, minimal coordinates with JOR are the fastest",
     .rule =
         "real-time factor of HmJ over the best of the paper's other nine hard configurations; " WITHOUT_JUDGING,
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "M2",
     .claim = "hard contact needs one step per control period where compliant contact needs two",
     .rule =
         "fewest steps per control period that stay bounded, as do all larger numbers that were tried, compliant "
         "over hard; hard contact needs 1",
     .unit = "x",
     .least = 2,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "M3",
     .claim = "SOR converges in fewer iterations than JOR in maximal coordinates",
     .rule = HALF_LIMIT,
     .unit = "x",
     .least = 0,
     .most = 0.9,
     .from = "ours: \"fewer\" is a tenth or more",
     .needs_full = 1},
    {.id = "M3:minimal",
     .claim = "in minimal coordinates SOR does not converge in fewer iterations than JOR",
     .rule = HALF_LIMIT,
     .unit = "x",
     .least = 0.9,
     .most = INFINITY,
     .from = "ours: \"fewer\" is a tenth or more",
     .needs_full = 1},
    {.id = "M3:extended",
     .claim = "SOR converges in fewer iterations than JOR in extended coordinates",
     .rule = HALF_LIMIT "; the paper shows no such pair",
     .unit = "x",
     .least = 0,
     .most = 0.9,
     .from = "ours",
     .is_goal = 1,
     .needs_full = 1},
    {.id = "M4:feet",
     .claim = "feet that stand drift by 750 um/min, whatever the step",
     .rule =
         "rate of the fastest foot while standing with HmJ, iterations from zero impulses, largest of all steps, "
         "over 750 um/min; the paper does not say where its iterations start",
     .unit = "x",
     .least = 0.1,
     .most = 10,
     .from = "ours: the same order of magnitude",
     .spread = "the steps",
     .needs_full = 1},
    {.id = "M4:maximal",
     .claim = "cut joints drift by 0.59 um/min in maximal coordinates",
     .rule = CUT_JOINTS "; pieces at their centres of mass, as in the paper",
     .unit = "x",
     .least = -INFINITY,
     .most = 10,
     .from = "ours: no more than the same order of magnitude",
     .needs_full = 1},
    {.id = "M4:extended",
     .claim = "cut joints drift by 0.59 um/min in extended coordinates, direct bilateral impulses",
     .rule = CUT_JOINTS " with direct bilateral impulses; pieces at their joints, as in the paper",
     .unit = "x",
     .least = -INFINITY,
     .most = 10,
     .from = "ours: no more than the same order of magnitude",
     .needs_full = 1},
    {.id = "M4:iterated",
     .claim = "cut joints drift by 0.59 um/min in extended coordinates, iterated bilateral impulses",
     .rule = CUT_JOINTS
     " with iterated bilateral impulses, whose residuals add up: at the paper's tolerance of 1e-6, "
     "though the paper does not say in which norm; pieces at their joints, as in the paper",
     .unit = "x",
     .least = -INFINITY,
     .most = 10,
     .from = "ours: no more than the same order of magnitude",
     .needs_full = 1},
    {.id = "M5",
     .claim = "extended coordinates gain nothing",
     .rule =
         "evaluations per second of the fastest extended configuration over the fastest minimal one with hard "
         "contact",
     .unit = "x",
     .least = 0,
     .most = 1,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "M6",
     .claim = "direct bilateral impulses beat iterated ones in maximal coordinates",
     .rule = "evaluations per second, direct over iterated, the smaller of JOR's and SOR's ratio",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "M7",
     .claim = "with alpha at half its limit the robot can be disturbed by large forces",
     .rule =
         "random pushes after which a step fails, or |v| exceeds ten times that of the trot, all ten hard "
         "configurations with at most 3000 iterations a step, as in Fig. 6, and HmJ and HmS with at most 10000 and "
         "30000, too; the paper states no limit",
     .unit = "pushes",
     .least = 0,
     .most = 0,
     .from = "the paper's",
     .needs_full = 1},
    {.id = "M7:converges",
     .claim = "with alpha at half its limit the iteration converges after every push",
     .rule =
         "the same pushes: those with a step that takes more than 3000 iterations; the paper states no limit and "
         "does not claim it",
     .unit = "pushes",
     .least = 0,
     .most = 0,
     .from = "ours",
     .is_goal = 1,
     .needs_full = 1},
    {.id = "M8",
     .claim = "hard contact is more robust than compliant contact",
     .rule =
         "of the same random pushes, those after which a step fails, or |v| exceeds ten times that of the trot: "
         "with compliant contact less with hard contact, minimal coordinates, each with the fewest steps per "
         "period that a trot needs; not judged if neither fails any",
     .unit = "pushes",
     .least = 1,
     .most = INFINITY,
     .from = "ours: the paper argues with the ease of finding parameters",
     .needs_full = 1},
    {.id = "goal-minimal",
     .claim = "a hard step in minimal coordinates takes at most 4 us",
     .rule = "time of a step of a trot, tolerance 1e-6, the fastest of all solvers",
     .unit = "us",
     .least = 0,
     .most = 4,
     .from = "ours",
     .is_goal = 1,
     .needs_full = 1},
    {.id = "goal-maximal",
     .claim = "a hard step in maximal coordinates takes at most 30 us",
     .rule = "time of a step of a trot, tolerance 1e-6, the fastest of all solvers",
     .unit = "us",
     .least = 0,
     .most = 30,
     .from = "ours",
     .is_goal = 1,
     .needs_full = 1},
};

static bench_claim *begin(bench_moreau_paper *m, const char *id)
{
  return bench_paper_claim(&m->run, bench_moreau_paper_rules, BENCH_MOREAU_CLAIMS, id);
}

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

// Judges a ratio of speeds by that of two configurations, evaluations per second or the real-time factor; of several
// ratios by the smallest.
static void decide_ratio(const bench_moreau_paper *m, bench_claim *c, double figure, int one, int other)
{
  const double slow_one = m->table[one].us / m->table[one].us_slow,
               slow_other = m->table[other].us / m->table[other].us_slow; // <= 1
  bench_claim_decide_least(c, figure * slow_one, figure, figure / slow_other);
}

// The real-time factor without the judgement of energies.
static double plain_factor(const bench_moreau_paper_cost *e)
{
  return e->rtf * e->us / (e->us - e->judging);
}

static void add_factors(const bench_moreau_paper *m, bench_claim *c, int from)
{
  bench_claim_detail(c, "\ttimes real time\twith the judgement of energies\tits time [us]\tsteps per period");
  for (int i = from; i < BENCH_MOREAU_CONFIGS; ++i) {
    const bench_moreau_paper_cost *e = &m->table[i];
    if (e->is_measured &&
        (i < BENCH_MOREAU_PUBLISHED_CONFIGS || bench_moreau_paper_configs[i].set == FF_CUT_MINIMAL))
      bench_claim_detail(c, "%s%s\t%.4g\t%.4g\t%.2g\t%d", i < BENCH_MOREAU_PUBLISHED_CONFIGS ? "" : "ours, ",
                         bench_moreau_paper_configs[i].name, plain_factor(e), e->rtf, e->judging,
                         e->substeps);
  }
}

// HmJ against the best of the configurations from..PUBLISHED_CONFIGS-1.
static void judge_fastest(bench_moreau_paper *m, const char *id, int from)
{
  bench_claim *c = begin(m, id);
  const bench_moreau_paper_cost *own = &m->table[BENCH_MOREAU_HMJ];
  int other = -1, with = -1; // the best without judging, and with it
  if (!are_measured(m, from, BENCH_MOREAU_PUBLISHED_CONFIGS))
    return;
  for (int i = from; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i) {
    if (i == BENCH_MOREAU_HMJ)
      continue;
    other = other < 0 || plain_factor(&m->table[i]) > plain_factor(&m->table[other]) ? i : other;
    with = with < 0 || m->table[i].rtf > m->table[with].rtf ? i : with;
  }
  decide_ratio(m, c, plain_factor(own) / plain_factor(&m->table[other]), BENCH_MOREAU_HMJ, other);
  bench_claim_because(c, "HmJ %.4g, %s %.4g times real time; with the judgement %.3g, against %s",
                      plain_factor(own), bench_moreau_paper_configs[other].name,
                      plain_factor(&m->table[other]), own->rtf / m->table[with].rtf,
                      bench_moreau_paper_configs[with].name);
  add_factors(m, c, from);
}

static void judge_steps(bench_moreau_paper *m)
{
  bench_claim *c = begin(m, "M2");
  const int hard = m->bounded.fewest[0], soft = m->bounded.fewest[1], damped = m->bounded.fewest[2];
  if (!m->bounded.is_measured)
    return;
  bench_claim_decide(c, hard == 1 ? soft : 0);
  bench_claim_because(
      c, "steps per period: hard %d, compliant %d, compliant with ten times the damping %d (0: none)", hard,
      soft, damped);
}

static void judge_iterations(bench_moreau_paper *m, const char *id, int jor, int sor)
{
  bench_claim *c = begin(m, id);
  const bench_moreau_paper_alpha_curve *j = &m->alphas[jor], *s = &m->alphas[sor];
  if (!j->is_measured || !s->is_measured)
    return;
  bench_claim_decide(c, s->half / j->half);
  bench_claim_because(c, "%s %.3g, %s %.3g", bench_moreau_paper_configs[sor].name, s->half,
                      bench_moreau_paper_configs[jor].name, j->half);
  bench_claim_detail(c, "at the best alpha of each\t%.3g over %.3g", s->best, j->best);
}

static void judge_feet(bench_moreau_paper *m)
{
  bench_claim *c = begin(m, "M4:feet");
  double feet = 0, least = INFINITY;
  if (!m->standing.is_measured)
    return;
  bench_claim_detail(c, "step\tum/min\tfrom the last step's impulses, our default");
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i) {
    const double rate = fabs(m->standing.sinking[1][i]);
    bench_claim_detail(c, "%.4g ms\t%.3g\t%.3g", 1e3 * m->standing.dt[i], 1e6 * m->standing.sinking[1][i],
                       1e6 * m->standing.sinking[0][i]);
    if (!isfinite(rate))
      return;
    feet = fmax(feet, rate);
    least = fmin(least, rate);
  }
  bench_claim_decide_between(c, least / stated_sinking, feet / stated_sinking, feet / stated_sinking);
  bench_claim_because(c, "%.3g um/min; with the step of the slowest %.3g", 1e6 * feet, 1e6 * least);
}

// Of all configurations in a set of coordinates, or of those with one kind of bilateral impulses.
static void judge_joints(bench_moreau_paper *m, const char *id, ff_cut_set set, int bilateral)
{
  bench_claim *c = begin(m, id);
  double joints = 0;
  int worst = -1;
  if (!are_measured(m, BENCH_MOREAU_HEJD, BENCH_MOREAU_PUBLISHED_CONFIGS))
    return;
  bench_claim_detail(c, "\tum/min\tlargest gap [um]");
  for (int i = BENCH_MOREAU_HEJD; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i) {
    const double rate = fabs(m->table[i].drift_per_minute);
    if (bench_moreau_paper_configs[i].set != set ||
        (bilateral >= 0 && (int)bench_moreau_paper_configs[i].bilateral != bilateral))
      continue;
    if (!isfinite(rate))
      return;
    if (worst < 0 || rate > joints)
      joints = rate, worst = i;
    bench_claim_detail(c, "%s\t%.3g\t%.3g", bench_moreau_paper_configs[i].name,
                       1e6 * m->table[i].drift_per_minute, 1e6 * m->table[i].drift);
  }
  bench_claim_decide(c, joints / stated_drift);
  bench_claim_because(c, "%.3g um/min, %s", 1e6 * joints, bench_moreau_paper_configs[worst].name);
}

static void judge_extended(bench_moreau_paper *m)
{
  bench_claim *c = begin(m, "M5");
  if (!are_measured(m, BENCH_MOREAU_HMJ, BENCH_MOREAU_HMJD))
    return;
  const int extended = fastest(m, BENCH_MOREAU_HEJD, BENCH_MOREAU_HMJD),
            minimal = fastest(m, BENCH_MOREAU_HMJ, BENCH_MOREAU_HEJD);
  decide_ratio(m, c, m->table[extended].evals_per_s / m->table[minimal].evals_per_s, extended, minimal);
  bench_claim_because(c, "evaluations per second: %s %.0f, %s %.0f",
                      bench_moreau_paper_configs[extended].name, m->table[extended].evals_per_s,
                      bench_moreau_paper_configs[minimal].name, m->table[minimal].evals_per_s);
}

static void judge_direct(bench_moreau_paper *m)
{
  bench_claim *c = begin(m, "M6");
  const bench_moreau_paper_cost *t = m->table;
  if (!are_measured(m, BENCH_MOREAU_HMJD, BENCH_MOREAU_PUBLISHED_CONFIGS))
    return;
  const double jor = t[BENCH_MOREAU_HMJD].evals_per_s / t[BENCH_MOREAU_HMJP].evals_per_s,
               sor = t[BENCH_MOREAU_HMSD].evals_per_s / t[BENCH_MOREAU_HMSP].evals_per_s;
  decide_ratio(m, c, jor, BENCH_MOREAU_HMJD, BENCH_MOREAU_HMJP);
  decide_ratio(m, c, sor, BENCH_MOREAU_HMSD, BENCH_MOREAU_HMSP);
  bench_claim_because(c, "JOR %.3g, SOR %.3g", jor, sor);
}

static void judge_going_on(bench_moreau_paper *m)
{
  bench_claim *c = begin(m, "M7");
  int pushes = 0, failures = 0;
  for (int i = BENCH_MOREAU_HMJ; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i) {
    if (m->pushed[i].pushes == 0)
      return;
    pushes += m->pushed[i].pushes;
    failures += m->pushed[i].failures;
  }
  bench_claim_detail(c, "\tmost iterations\tpushes\tfail\twith a step that takes more");
  for (int l = 0; l < BENCH_MOREAU_LONGER_CONFIGS; ++l)
    for (int k = -1; k < BENCH_MOREAU_LONGER_CAPS; ++k) {
      const bench_moreau_paper_push *p = k < 0 ? &m->pushed[BENCH_MOREAU_HMJ + l] : &m->longer[l][k];
      pushes += k < 0 ? 0 : p->pushes;
      failures += k < 0 ? 0 : p->failures;
      bench_claim_detail(c, "%s\t%d\t%d\t%d\t%d", bench_moreau_paper_configs[BENCH_MOREAU_HMJ + l].name,
                         k < 0 ? BENCH_MOREAU_ITERATIONS : bench_moreau_paper_push_longer_caps[k], p->pushes,
                         p->failures, p->with_unconverged);
    }
  bench_claim_decide(c, failures);
  bench_claim_because(c, "%d of %d", failures, pushes);
}

static void judge_converging(bench_moreau_paper *m)
{
  bench_claim *c = begin(m, "M7:converges");
  int pushes = 0, with_more[BENCH_MOREAU_CAPS] = {0};
  bench_claim_detail(c, "\tpushes\tmore than %d\t%d\t%d\t%d iterations\tworst residual",
                     bench_moreau_paper_push_caps[0], bench_moreau_paper_push_caps[1],
                     bench_moreau_paper_push_caps[2], bench_moreau_paper_push_caps[3]);
  for (int i = BENCH_MOREAU_HMJ; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i) {
    const bench_moreau_paper_push *p = &m->pushed[i];
    if (p->pushes == 0)
      return;
    pushes += p->pushes;
    for (int k = 0; k < BENCH_MOREAU_CAPS; ++k)
      with_more[k] += p->with_more[k];
    bench_claim_detail(c, "%s\t%d\t%d\t%d\t%d\t%d\t%.1e", bench_moreau_paper_configs[i].name, p->pushes,
                       p->with_more[0], p->with_more[1], p->with_more[2], p->with_more[3], p->worst_residual);
  }
  bench_claim_decide(c, with_more[BENCH_MOREAU_CAPS - 1]);
  bench_claim_because(c, "of %d pushes; more than %d iterations: %d, %d: %d, %d: %d", pushes,
                      bench_moreau_paper_push_caps[2], with_more[2], bench_moreau_paper_push_caps[1],
                      with_more[1], bench_moreau_paper_push_caps[0], with_more[0]);
}

static void judge_softness(bench_moreau_paper *m)
{
  bench_claim *c = begin(m, "M8");
  const bench_moreau_paper_push *soft = &m->pushed[BENCH_MOREAU_CM], *hard = &m->pushed[BENCH_MOREAU_HMJ];
  if (soft->pushes == 0 || soft->pushes != hard->pushes)
    return;
  if (soft->failures + hard->failures > 0)
    bench_claim_decide(c, soft->failures - hard->failures);
  bench_claim_because(c, "of %d pushes: compliant %d, hard %d", soft->pushes, soft->failures, hard->failures);
}

// The fastest hard configuration in a set of coordinates, ours included.
static void judge_goal(bench_moreau_paper *m, const char *id, ff_cut_set set)
{
  bench_claim *c = begin(m, id);
  int best = -1;
  for (int i = BENCH_MOREAU_HMJ; i < BENCH_MOREAU_CONFIGS; ++i)
    if (m->table[i].is_measured && bench_moreau_paper_configs[i].set == set &&
        (best < 0 || m->table[i].us < m->table[best].us))
      best = i;
  if (best < 0)
    return;
  bench_claim_decide_between(c, m->table[best].us, m->table[best].us, m->table[best].us_slow);
  bench_claim_because(c, "%s, mean of a trot", bench_moreau_paper_configs[best].name);
}

void bench_moreau_paper_claims_judge(void *paper)
{
  bench_moreau_paper *m = paper;
  m->run.claim_count = 0;
  judge_fastest(m, "M1", BENCH_MOREAU_CM);
  judge_fastest(m, "M1:hard", BENCH_MOREAU_HMJ);
  judge_steps(m);
  judge_iterations(m, "M3", BENCH_MOREAU_HMJP, BENCH_MOREAU_HMSP);
  judge_iterations(m, "M3:minimal", BENCH_MOREAU_HMJ, BENCH_MOREAU_HMS);
  judge_iterations(m, "M3:extended", BENCH_MOREAU_HEJP, BENCH_MOREAU_HESP);
  judge_feet(m);
  judge_joints(m, "M4:maximal", FF_CUT_MAXIMAL, -1);
  judge_joints(m, "M4:extended", FF_CUT_EXTENDED, FF_HARD_DIRECT);
  judge_joints(m, "M4:iterated", FF_CUT_EXTENDED, FF_HARD_PROX);
  judge_extended(m);
  judge_direct(m);
  judge_going_on(m);
  judge_converging(m);
  judge_softness(m);
  judge_goal(m, "goal-minimal", FF_CUT_MINIMAL);
  judge_goal(m, "goal-maximal", FF_CUT_MAXIMAL);
}
