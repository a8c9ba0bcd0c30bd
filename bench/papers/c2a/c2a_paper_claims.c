// The C2A paper's claims, judged by the measured data. The rules are in bench_c2a_paper_claims_rules; they were fixed
// before the first run.
#include "papers/c2a/c2a_paper.h"

#include <math.h>

static const double about = 1.5; // A1: "about 20 times" means within this factor

const char *const bench_c2a_paper_claims_rules[BENCH_C2A_CLAIMS] = {
    "evaluations of a stride of the passive walker by explicit Euler over those by RK4, each with its longest step "
    "that keeps the energy to 0.15 %, the tolerance at which the paper's two steps agree; holds from 20 / 1.5 to 20 "
    "x 1.5",
    "trot in fixed steps of 1 to 10 ms, controlled before each step: rank correlation (Spearman) of the mean "
    "relative local error of kinetic energy, over the first gait or over the first half of the steps to failure if "
    "that is shorter, and the number of steps to failure; runs without failure rank above all others; holds at -0.7 "
    "or less. Failure: kinetic energy above 1e7 J, a step that fails, or a fall. If no run fails there is nothing "
    "to predict, and the claim fails",
    "mean relative local error of kinetic energy of the trot in steps of 1 ms, semi-implicit over explicit; holds "
    "above 1",
    "mean step of 5 s of trot with error control alone, 0.25 % of kinetic energy, at most 5 ms, at least 0.5 ms; "
    "holds from 2 to 3 ms",
    "trot in fixed steps of 5 ms, or, if that does not fail, of the shortest in the list above that does: steps to "
    "failure with the best dissipation lambda below 1 over those without dissipation; holds at 2 or more, or if the "
    "run no longer fails. If nothing fails without dissipation there is nothing to gain, and the claim fails",
    "at equal local error of the trot, time of the fastest first-order method with fixed steps over that of the "
    "fastest higher-order method, and over that of the fastest method with error control, each the median over "
    "errors of 1e-2 to 1e-5 that both reach, for soft and for hard contact; the paper's verdict, that neither is "
    "worth it, holds if none of these is above 1.2",
};

static void judge_walker(bench_c2a_paper *b)
{
  const bench_c2a_paper_walker *w = &b->walker;
  bench_claim *c = bench_paper_claim(
      &b->run, "A1", "RK4 is about 20 times as efficient as explicit Euler on the passive walker", "x");
  if (!w->is_measured)
    return;
  const double *euler = w->evaluations[BENCH_C2A_WALK_EULER], *rk4 = w->evaluations[BENCH_C2A_WALK_RK4];
  c->figure = euler[0] / rk4[0];
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure >= bench_c2a_paper_published_speedup / about &&
             c->figure <= bench_c2a_paper_published_speedup * about;
  bench_claim_because(c, "%.0f and %.0f evaluations of a stride, steps of %.3g and %.3g; in time %.3g",
                      euler[0], rk4[0], w->longest[BENCH_C2A_WALK_EULER][0],
                      w->longest[BENCH_C2A_WALK_RK4][0],
                      w->seconds[BENCH_C2A_WALK_EULER][0] / w->seconds[BENCH_C2A_WALK_RK4][0]);
  bench_claim_where(c,
                    "energy kept to 0.001 %%, as printed: %.3g times, steps of %.3g and %.3g; in time %.3g",
                    euler[1] / rk4[1], w->longest[BENCH_C2A_WALK_EULER][1], w->longest[BENCH_C2A_WALK_RK4][1],
                    w->seconds[BENCH_C2A_WALK_EULER][1] / w->seconds[BENCH_C2A_WALK_RK4][1]);
}

static void judge_proxy(bench_c2a_paper *b)
{
  const bench_c2a_paper_failure *s = &b->failure;
  bench_claim *c = bench_paper_claim(
      &b->run, "A2", "the local error of kinetic energy predicts when a simulation becomes unstable", "1");
  if (!s->is_measured)
    return;
  int strict = 0;
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS; ++i)
    strict += isfinite(s->ends[i].failed);
  c->is_judged = 1;
  c->figure = s->failures > 0 ? s->correlation : 0;
  c->holds = c->figure <= -0.7;
  bench_claim_because(
      c,
      "rank correlation of the error and the steps to failure; %d of %d step lengths fail, %d of them by kinetic "
      "energy or a failed step, the others by a fall",
      s->failures, BENCH_C2A_FAILURE_STEPS, strict);
  if (isfinite(s->correlation_time))
    bench_claim_where(c, "with time to failure instead of the number of steps: %.3g\n", s->correlation_time);
  if (isfinite(s->correlation_all))
    bench_claim_where(c, "with steps of up to %g ms: %.3g",
                      1e3 * bench_c2a_paper_failure_steps[BENCH_C2A_FAILURE_STEPS_ALL - 1],
                      s->correlation_all);
}

static void judge_schemes(bench_c2a_paper *b)
{
  const bench_c2a_paper_local_error *explicit = &b->local[FF_C2A_EXPLICIT],
                                    *semi = &b->local[FF_C2A_SEMI_IMPLICIT];
  bench_claim *c = bench_paper_claim(
      &b->run, "A3", "explicit Euler has less local error than semi-implicit Euler on the walking robot",
      "x");
  if (!explicit->is_measured || !semi->is_measured)
    return;
  c->figure = semi->share / explicit->share;
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure > 1;
  bench_claim_because(
      c, "relative error %.3g %% semi-implicit, %.3g %% explicit; the paper %.3g %% and %.3g %%, %.3g times",
      100 * semi->share, 100 * explicit->share, 100 * bench_c2a_paper_published_semi[2],
      100 * bench_c2a_paper_published_explicit[2],
      bench_c2a_paper_published_semi[2] / bench_c2a_paper_published_explicit[2]);
  bench_claim_where(c, "absolute: %.3g of %.3g J semi-implicit, %.3g of %.3g J explicit; %.3g times",
                    semi->error, semi->energy, explicit->error, explicit->energy,
                    semi->error / explicit->error);
  const bench_c2a_paper_local_error *own = b->coulomb;
  bench_claim_where(
      c, "\nwith Coulomb's impact law, the default: %.3g %% semi-implicit, %.3g %% explicit, %.3g times",
      100 * own[FF_C2A_SEMI_IMPLICIT].share, 100 * own[FF_C2A_EXPLICIT].share,
      own[FF_C2A_SEMI_IMPLICIT].share / own[FF_C2A_EXPLICIT].share);
}

static void judge_control(bench_c2a_paper *b)
{
  const bench_c2a_paper_error_control *r = b->control;
  bench_claim *c = bench_paper_claim(&b->run, "A4", "error control gives mean steps of 2 to 3 ms", "ms");
  if (!r[BENCH_C2A_CONTROL_TROT].is_measured)
    return;
  c->figure = 1e3 * r[BENCH_C2A_CONTROL_TROT].mean;
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure >= 2 && c->figure <= 3;
  bench_claim_because(c, "%d steps, %.2f tries each; the paper %.4f ms, %.4f while it walks", r->steps,
                      r->tries / (double)r->steps, 1e3 * bench_c2a_paper_published_mean,
                      1e3 * bench_c2a_paper_published_walking);
  bench_claim_where(c, "with a fifth of the time standing: %.3g ms, %.3g while it walks; explicit: %.3g ms",
                    1e3 * r[BENCH_C2A_CONTROL_STAND].mean, 1e3 * r[BENCH_C2A_CONTROL_STAND].walking,
                    1e3 * r[BENCH_C2A_CONTROL_EXPLICIT].mean);
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
  bench_claim *c =
      bench_paper_claim(&b->run, "A5", "dissipation buys stability: longer steps can be taken", "x");
  if (!s->is_measured)
    return;
  c->is_judged = 1;
  if (!isfinite(s->ends[0][0].end)) {
    c->figure = 1;
    bench_claim_because(c, "nothing fails without dissipation");
    return;
  }
  const bargain best = bought(s->ends[0]), rayleigh = bought(s->ends[1]);
  c->figure = best.gain;
  c->holds = (best.is_endless || best.gain >= 2) && !s->is_beyond;
  bench_claim_because(c, "steps of %g ms: %.0f without, %s%.3g times as many at lambda = %g", 1e3 * s->dt,
                      s->ends[0][0].end, best.is_endless ? "no failure in " : "", best.gain, best.lambda);
  if (s->is_beyond)
    bench_claim_where(
        c, "no step of the paper's list fails without dissipation; this one is longer than the list\n");
  bench_claim_where(c, "Rayleigh's dissipation: %s%.3g times at lambda / dt with lambda = %g",
                    rayleigh.is_endless ? "no failure in " : "", rayleigh.gain, rayleigh.lambda);
}

static void judge_worth(bench_c2a_paper *b)
{
  static const char *const contacts[BENCH_C2A_CONTACT_KINDS] = {"soft contact", "hard contact"},
                           *const kinds[BENCH_C2A_METHOD_KINDS] = {"", "higher order", "error control"};
  bench_claim *c = bench_paper_claim(
      &b->run, "A6", "neither higher order nor error control is worth it for such robots", "x");
  const char *what = "", *where = "";
  for (int e = 0; e < BENCH_C2A_CONTACT_KINDS; ++e)
    for (int k = BENCH_C2A_HIGHER_ORDER; k < BENCH_C2A_METHOD_KINDS; ++k) {
      const double gain = b->equal[e].gain[k];
      if (!b->equal[e].is_measured)
        return;
      if (gain > c->figure || isnan(c->figure))
        c->figure = gain, what = kinds[k], where = contacts[e];
      if (isnan(gain)) {
        bench_claim_where(
            c, "%s%s on %s: no mean error of 1e-2 or less is reached by both; %.3g at equal median errors",
            c->where[0] ? "\n" : "", kinds[k], contacts[e], b->equal[e].gain_of_medians[k]);
        continue;
      }
      bench_claim_where(
          c, "%s%s on %s: %.3g times as fast as first order in fixed steps, median over equal errors",
          c->where[0] ? "\n" : "", kinds[k], contacts[e], gain);
      bench_claim_where(c, ", %.3g at equal median errors", b->equal[e].gain_of_medians[k]);
      for (int i = 0; i < BENCH_C2A_ERROR_LEVELS; ++i)
        if (isfinite(b->equal[e].cost[0][i] / b->equal[e].cost[k][i]))
          bench_claim_where(c, ", %.2g at %.0e", b->equal[e].cost[0][i] / b->equal[e].cost[k][i],
                            bench_c2a_paper_work_precision_errors[i]);
    }
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure <= 1.2;
  bench_claim_because(c, "largest gain at equal local error: %s on %s", what, where);
}

void bench_c2a_paper_claims_judge(void *paper)
{
  bench_c2a_paper *b = paper;
  b->run.claim_count = 0;
  judge_walker(b);
  judge_proxy(b);
  judge_schemes(b);
  judge_control(b);
  judge_dissipation(b);
  judge_worth(b);
}
