// The C2A paper's claims, the rules by which they are judged, and the figures that decide.
#include "papers/c2a/c2a_paper.h"

#include <math.h>

// clang-format off
#define EFFICIENCY                                                                                                     \
  "evaluations of a stride of the passive walker by explicit Euler over those by RK4, each with its longest step "     \
  "that keeps the energy to "
// clang-format on
#define FALLS                                                                                                \
  "explicit Euler and RK4, 40 steps from 1e-4 to 0.5: share that falls within 30 strides from its gait, "
#define CONTROLLED                                                                                           \
  "trot with the paper's impact law, torques for the present instant before each step, as in the paper"

static const double unstable = 5e-3, safe = 2.5e-3; // relative errors of kinetic energy, the paper's
static const double walker_unstable = 1e-4, walker_safe = 1e-5; // relative deviations of energy, the paper's

const bench_claim_rule bench_c2a_paper_rules[BENCH_C2A_CLAIMS] = {
    {.id = "A1",
     .claim = "RK4 is about 20 times as efficient as explicit Euler on the passive walker",
     .rule = EFFICIENCY "0.001 %, as printed",
     .unit = "x",
     .least = 20 / 1.5,
     .most = 20 * 1.5,
     .from = "ours: \"about\" is a factor of 1.5"},
    {.id = "A1:fraction",
     .claim = "RK4 is about 20 times as efficient as explicit Euler on the passive walker",
     .rule = EFFICIENCY "0.001, the printed number read as a fraction",
     .unit = "x",
     .least = 20 / 1.5,
     .most = 20 * 1.5,
     .from = "ours: \"about\" is a factor of 1.5"},
    {.id = "A2",
     .claim = "the local error of kinetic energy predicts when a simulation becomes unstable",
     .rule = CONTROLLED
     "; fixed steps of 1 to 10 ms: rank correlation (Spearman) of the mean relative local error of "
     "kinetic energy, over the first gait or the first half of the steps to failure, and the steps "
     "to failure; runs without failure rank above all others. If no run fails the figure is 0",
     .unit = "1",
     .least = -1,
     .most = -0.7,
     .from = "ours",
     .needs_full = 1},
    {.id = "A3",
     .claim = "explicit Euler has less local error than semi-implicit Euler on the walking robot",
     .rule = CONTROLLED
     "; steps of 1 ms: mean relative local error of kinetic energy, semi-implicit over explicit",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's",
     .spread = "laws of impact and controllers",
     .needs_full = 1},
    {.id = "A4",
     .claim = "error control gives mean steps of 2 to 3 ms",
     .rule = CONTROLLED
     "; mean step of 5 s with error control alone, 0.25 % of kinetic energy, at most 5 ms, at least "
     "0.5 ms",
     .unit = "ms",
     .least = 2,
     .most = 3,
     .from = "ours: the paper's 2.3 ms, rounded outwards to whole ones",
     .needs_full = 1},
    {.id = "A5",
     .claim = "dissipation buys stability: longer steps can be taken",
     .rule = CONTROLLED
     "; fixed steps of 5 ms, or the shortest of 1 to 10 ms that fails: steps to failure with the "
     "best lambda below 1 over those without; a run that does not fail counts with all its steps",
     .unit = "x",
     .least = 2,
     .most = INFINITY,
     .from = "ours",
     .needs_full = 1},
    {.id = "A6",
     .claim = "neither higher order nor error control is worth it for such robots",
     .rule =
         "hard contact, of which the paper speaks: time of the fastest first-order method in fixed steps over that "
         "of the fastest of higher order, and over that of the fastest with error control, each the median over "
         "the mean local errors of 1e-2 to 1e-5 that both reach; the larger",
     .unit = "x",
     .least = 0,
     .most = 1.2,
     .from = "ours",
     .needs_full = 1},
    {.id = "A7",
     .claim = "a trot tends to become unstable where its local error of kinetic energy is 0.5 % or more",
     .rule = CONTROLLED
     "; fixed steps of 1 to 10 ms: share of the runs with a mean relative local error of at least "
     "0.5 % that fail",
     .unit = "1",
     .least = 0.5,
     .most = 1,
     .from =
         "ours: \"a high tendency\" is half or more; so is the window of the error, the steps are the paper's",
     .spread = "leaving out one run, and controllers",
     .needs_full = 1},
    {.id = "A7:safe",
     .claim = "a trot whose local error of kinetic energy is at most 0.25 % stays stable",
     .rule = CONTROLLED
     "; fixed steps of 1 to 10 ms, and of 0.5 and 0.75 ms: share of the runs with a mean relative local error of at "
     "most 0.25 % that fail",
     .unit = "1",
     .least = 0,
     .most = 0,
     .from = "the paper's; the steps below 1 ms and the window of the error are ours",
     .needs_full = 1},
    {.id = "A8",
     .claim = "the passive walker tends to become unstable where its energy deviates by 0.01 % or more",
     .rule = FALLS "of the steps with which its energy deviates by at least 0.01 % in a stride",
     .unit = "1",
     .least = 0.5,
     .most = 1,
     .from = "ours: \"a high tendency\" is half or more; so are the steps tried and the 30 strides"},
    {.id = "A8:safe",
     .claim = "the passive walker stays stable where its energy deviates by no more than 0.001 %",
     .rule = FALLS "of the steps with which its energy deviates by at most 0.001 % in a stride",
     .unit = "1",
     .least = 0,
     .most = 0,
     .from = "the paper's; the steps tried and the 30 strides are ours"},
};

static bench_claim *begin(bench_c2a_paper *b, const char *id)
{
  return bench_paper_claim(&b->run, bench_c2a_paper_rules, BENCH_C2A_CLAIMS, id);
}

static void judge_walker(bench_c2a_paper *b, const char *id, int tolerance)
{
  const bench_c2a_paper_walker *w = &b->walker;
  bench_claim *c = begin(b, id);
  if (!w->is_measured)
    return;
  bench_claim_decide(c, w->evaluations[BENCH_C2A_WALK_EULER][tolerance] /
                            w->evaluations[BENCH_C2A_WALK_RK4][tolerance]);
  bench_claim_because(c, "%.0f and %.0f evaluations of a stride, steps of %.3g and %.3g",
                      w->evaluations[BENCH_C2A_WALK_EULER][tolerance],
                      w->evaluations[BENCH_C2A_WALK_RK4][tolerance],
                      w->longest[BENCH_C2A_WALK_EULER][tolerance], w->longest[BENCH_C2A_WALK_RK4][tolerance]);
  bench_claim_detail(c, "energy kept to\tratio of evaluations\tin time\tsteps of Euler and RK4");
  for (int t = 0; t < BENCH_C2A_WALK_TOLERANCES; ++t)
    bench_claim_detail(c, "%g %%%s\t%.3g\t%.3g\t%.3g, %.3g", 100 * bench_c2a_paper_walker_tolerances[t],
                       t == BENCH_C2A_WALK_AGREES ? ", where the paper's own steps agree" : "",
                       w->evaluations[BENCH_C2A_WALK_EULER][t] / w->evaluations[BENCH_C2A_WALK_RK4][t],
                       w->seconds[BENCH_C2A_WALK_EULER][t] / w->seconds[BENCH_C2A_WALK_RK4][t],
                       w->longest[BENCH_C2A_WALK_EULER][t], w->longest[BENCH_C2A_WALK_RK4][t]);
}

static void judge_proxy(bench_c2a_paper *b)
{
  const bench_c2a_paper_failure *s = &b->failure[BENCH_C2A_PRESENT], *middle = &b->failure[BENCH_C2A_MIDDLE];
  bench_claim *c = begin(b, "A2");
  if (!s->is_measured)
    return;
  bench_claim_decide(c, s->failures > 0 ? s->correlation : 0);
  bench_claim_because(c, "%d of %d step lengths fail", s->failures, BENCH_C2A_FAILURE_STEPS);
  bench_claim_detail(c, "with time to failure instead of steps\t%.3g", s->correlation_time);
  bench_claim_detail(c, "with steps of up to %g ms\t%.3g",
                     1e3 * bench_c2a_paper_failure_steps[BENCH_C2A_FAILURE_STEPS_ALL - 1],
                     s->correlation_all);
  bench_claim_detail(c, "torques for the middle of the step\t%.3g, %d of %d fail", middle->correlation,
                     middle->failures, BENCH_C2A_FAILURE_STEPS);
}

static void judge_schemes(bench_c2a_paper *b)
{
  bench_claim *c = begin(b, "A3");
  double low = INFINITY, high = 0, judged = NAN;
  bench_claim_detail(c, "\tsemi-implicit [%%]\texplicit [%%]\tratio");
  for (int k = 0; k < BENCH_C2A_CONTROLLERS; ++k)
    for (int l = 0; l < BENCH_C2A_LAWS; ++l) {
      const bench_c2a_paper_local_error *semi = &b->local[k][l][FF_C2A_SEMI_IMPLICIT],
                                        *explicit = &b->local[k][l][FF_C2A_EXPLICIT];
      if (!semi->is_measured || !explicit->is_measured)
        return;
      const double ratio = semi->share / explicit->share;
      judged = k == BENCH_C2A_PRESENT && l == 0 ? ratio : judged;
      low = fmin(low, ratio);
      high = fmax(high, ratio);
      bench_claim_detail(c, "%s, %s\t%.3g\t%.3g\t%.3g", l ? "Coulomb's law" : "the paper's law of impact",
                         k ? "torques for the middle of the step" : "for the present instant",
                         100 * semi->share, 100 * explicit->share, ratio);
    }
  bench_claim_detail(c, "the paper\t%.3g\t%.3g\t%.3g", 100 * bench_c2a_paper_published_semi[2],
                     100 * bench_c2a_paper_published_explicit[2],
                     bench_c2a_paper_published_semi[2] / bench_c2a_paper_published_explicit[2]);
  bench_claim_decide_between(c, low, judged, high);
  bench_claim_because(c, "between %.3g and %.3g, by law of impact and controller", low, high);
}

static void judge_control(bench_c2a_paper *b)
{
  const bench_c2a_paper_error_control *r = b->control;
  bench_claim *c = begin(b, "A4");
  if (!r[BENCH_C2A_CONTROL_TROT].is_measured)
    return;
  bench_claim_decide(c, 1e3 * r[BENCH_C2A_CONTROL_TROT].mean);
  bench_claim_because(c, "%d steps, %.2f tries each; the paper %.4f ms", r->steps,
                      r->tries / (double)r->steps, 1e3 * bench_c2a_paper_published_mean);
  bench_claim_detail(c, "a fifth of the time standing\t%.3g ms, %.3g while it walks",
                     1e3 * r[BENCH_C2A_CONTROL_STAND].mean, 1e3 * r[BENCH_C2A_CONTROL_STAND].walking);
  bench_claim_detail(c, "explicit\t%.3g ms", 1e3 * r[BENCH_C2A_CONTROL_EXPLICIT].mean);
}

// Steps to failure with the best lambda below 1, the smallest one if several are best, over steps without dissipation.
// A run that does not fail counts with all its steps.
typedef struct bargain {
  double lambda, gain;
  int is_endless;
} bargain;

static bargain bought(const bench_c2a_paper_ending *ends)
{
  bargain best = {NAN, 0, 0};
  for (int i = 1; i < BENCH_C2A_LAMBDAS - 1 && !best.is_endless; ++i) {
    const int is_endless = !isfinite(ends[i].end);
    const double gain = (is_endless ? ends[i].taken : ends[i].end) / ends[0].end;
    if (is_endless || gain > best.gain)
      best = (bargain){bench_c2a_paper_failure_lambdas[i], gain, is_endless};
  }
  return best;
}

static void judge_dissipation(bench_c2a_paper *b)
{
  const bench_c2a_paper_dissipation *s = &b->dissipation;
  bench_claim *c = begin(b, "A5");
  if (!s->is_measured)
    return;
  if (!isfinite(s->ends[0][0].end) || s->is_beyond) {
    bench_claim_decide(c, 1);
    bench_claim_because(c, "no step of the paper's list fails without dissipation");
    return;
  }
  const bargain best = bought(s->ends[0]), rayleigh = bought(s->ends[1]);
  bench_claim_decide(c, best.gain);
  bench_claim_because(c, "steps of %g ms: %.0f without, %s%.3g times as many at lambda = %g", 1e3 * s->dt,
                      s->ends[0][0].end, best.is_endless ? "no failure in " : "", best.gain, best.lambda);
  bench_claim_detail(c, "Rayleigh's dissipation\t%s%.3g times at lambda / dt with lambda = %g",
                     rayleigh.is_endless ? "no failure in " : "", rayleigh.gain, rayleigh.lambda);
}

static void judge_worth(bench_c2a_paper *b)
{
  static const char *const contacts[BENCH_C2A_CONTACT_KINDS] = {"soft contact", "hard contact"},
                           *const kinds[BENCH_C2A_METHOD_KINDS] = {"", "higher order", "error control"};
  bench_claim *c = begin(b, "A6");
  double figure = NAN, low = NAN, high = NAN; // of the larger gain on hard contact
  bench_claim_detail(c, "\tat equal mean errors\tat equal median errors\tat each mean error");
  for (int e = 0; e < BENCH_C2A_CONTACT_KINDS; ++e)
    for (int k = BENCH_C2A_HIGHER_ORDER; k < BENCH_C2A_METHOD_KINDS; ++k) {
      char levels[200] = "";
      if (!b->equal[e].is_measured)
        return;
      for (int i = 0, used = 0; i < BENCH_C2A_ERROR_LEVELS; ++i) {
        const double ratio = b->equal[e].cost[0][i] / b->equal[e].cost[k][i];
        if (isfinite(ratio))
          used += snprintf(levels + used, sizeof levels - (size_t)used, "%s%.2g at %.0e", used ? ", " : "",
                           ratio, bench_c2a_paper_work_precision_errors[i]);
      }
      bench_claim_detail(c, "%s, %s\t%.3g\t%.3g\t%s", kinds[k], contacts[e], b->equal[e].gain[k],
                         b->equal[e].gain_of_medians[k], levels);
      if (e == BENCH_C2A_HARD) {
        figure = fmax(figure, b->equal[e].gain[k]);
        low = fmax(low, b->equal[e].gain_low[k]);
        high = fmax(high, b->equal[e].gain_high[k]);
      }
    }
  bench_claim_decide_between(c, low, figure, high);
  if (!c->is_judged)
    bench_claim_because(c,
                        "on hard contact first order in fixed steps reaches no mean error of 1e-2 or less");
}

// Counts a run if its error is within these bounds.
static void count_failure(const bench_c2a_paper_ending *e, double least, double most, int *count, int *failed)
{
  const double share = isnan(e->share) ? INFINITY : e->share; // it fails at once
  if (share >= least && share <= most) {
    ++*count;
    *failed += isfinite(e->end);
  }
}

// The share of the runs within these errors that fail, of the paper's steps or of shorter ones as well; NAN: there are
// none.
static double failing(const bench_c2a_paper_failure *s, double least, double most, int has_shorter,
                      int *count)
{
  int failed = 0;
  *count = 0;
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS; ++i)
    count_failure(&s->ends[i], least, most, count, &failed);
  for (int i = 0; i < BENCH_C2A_SHORT_STEPS && has_shorter; ++i)
    count_failure(&s->shorter[i], least, most, count, &failed);
  return *count > 0 ? (double)failed / *count : NAN;
}

// The share of the runs that fail. A tendency has an interval: leaving out any one run, and the other controller. That
// no run fails is refuted by one.
static void judge_threshold(bench_c2a_paper *b, const char *id, double least, double most)
{
  const bench_c2a_paper_failure *s = &b->failure[BENCH_C2A_PRESENT], *middle = &b->failure[BENCH_C2A_MIDDLE];
  bench_claim *c = begin(b, id);
  const int is_tendency = c->rule->spread != NULL,
            steps = BENCH_C2A_FAILURE_STEPS + (is_tendency ? 0 : BENCH_C2A_SHORT_STEPS);
  int count, others = 0;
  if (!s->is_measured)
    return;
  const double share = failing(s, least, most, !is_tendency, &count),
               other = middle->is_measured ? failing(middle, least, most, !is_tendency, &others) : NAN;
  const int failed = count > 0 ? (int)lround(share * count) : 0, without = count > 1 ? count - 1 : 1;
  const double low = failed > 0 && count > 1 ? (failed - 1.0) / without : share,
               high = failed < count ? (double)failed / without : share;
  if (is_tendency)
    bench_claim_decide_between(c, fmin(low, other), share, fmax(high, other)); // NAN is left out
  else
    bench_claim_decide(c, share);
  bench_claim_because(c, "%d of the %d step lengths have such an error, and %d of these fail", count, steps,
                      failed);
  if (is_tendency)
    bench_claim_detail(c, "leaving out one run\t%.3g to %.3g", low, high);
  bench_claim_detail(c, "torques for the middle of the step\t%.3g of %d", other, others);
}

// Explicit Euler and RK4: the paper has no other method for the walker.
static const int fallen_methods[2] = {BENCH_C2A_WALK_EULER, BENCH_C2A_WALK_RK4};

static void judge_falls(bench_c2a_paper *b, const char *id, double least, double most)
{
  const bench_c2a_paper_walker *w = &b->walker;
  bench_claim *c = begin(b, id);
  int falls = 0, count = 0;
  if (!w->is_measured)
    return;
  bench_claim_detail(c, "\tsteps in this range\tfall\tsmallest deviation with which any step falls [%%]");
  for (int k = 0; k < 2; ++k) {
    const int m = fallen_methods[k];
    int own = 0, own_falls = 0;
    double first = INFINITY;
    for (int i = 0; i < BENCH_C2A_WALK_POINTS; ++i) {
      const int has_fallen = w->strides[m][i] < BENCH_C2A_WALK_STRIDES,
                is_in = w->deviation[m][i] >= least && w->deviation[m][i] <= most;
      own += is_in;
      own_falls += is_in && has_fallen;
      first = has_fallen ? fmin(first, w->deviation[m][i]) : first;
    }
    bench_claim_detail(c, "%s\t%d\t%d\t%.2g", bench_c2a_walker_names[m], own, own_falls, 100 * first);
    falls += own_falls, count += own;
  }
  bench_claim_decide(c, count > 0 ? (double)falls / count : NAN);
  bench_claim_because(c, "%d of %d steps", falls, count);
}

void bench_c2a_paper_claims_judge(void *paper)
{
  bench_c2a_paper *b = paper;
  b->run.claim_count = 0;
  judge_walker(b, "A1", BENCH_C2A_WALK_PRINTED);
  judge_walker(b, "A1:fraction", BENCH_C2A_WALK_FRACTION);
  judge_proxy(b);
  judge_schemes(b);
  judge_control(b);
  judge_dissipation(b);
  judge_worth(b);
  judge_threshold(b, "A7", unstable, INFINITY);
  judge_threshold(b, "A7:safe", 0, safe);
  judge_falls(b, "A8", walker_unstable, INFINITY);
  judge_falls(b, "A8:safe", 0, walker_safe);
}
