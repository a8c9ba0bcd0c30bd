// The ESS paper's claims, judged by the measured data. The rules are in bench_ess_paper_claims_rules; they were fixed
// before the first run.
#include "papers/ess/ess_paper.h"

#include <math.h>

static const double second = 1.95; // E1: the smallest order that counts as second

const char *const bench_ess_paper_claims_rules[BENCH_ESS_CLAIMS] = {
    "slope of log RMS error over log epsilon of the order test, samples 9 to 33 of 40; holds at 1.95 or more",
    "additional time per contact, ess over MuJoCo, steps of 2 ms, plate on a bed of 2 to 100 springs, slope of the "
    "median over the same random starts; holds at 1 or less",
    "time of dopri5, which locates every guard, over that of ess, each with its fastest settings whose error is at "
    "most MuJoCo's on the hopper at 2 ms; minimum over plates on 2 to 100 springs; holds above 1",
};

static void judge_order(bench_ess_paper *b)
{
  bench_claim *c = bench_paper_claim(&b->run, "E1", "the integrator is of second order in epsilon", "1");
  if (!b->order.is_measured)
    return;
  c->figure = b->order.order;
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure >= second;
  bench_claim_because(c, "fitted order; the paper's is %.2g", bench_ess_paper_published_order);
  if (b->hopper.is_measured)
    bench_claim_where(c, "hopper with a preload, whose force jumps: %.3g", b->hopper.preload_order);
}

static void judge_marginal(bench_ess_paper *b)
{
  bench_claim *c = bench_paper_claim(&b->run, "E2", "one more contact costs no more than in MuJoCo", "x");
  const double *bed = b->bed.marginal, *feet = b->feet.marginal;
  if (!b->bed.is_measured)
    return;
  c->figure = bed[BENCH_ESS_PLATE_ESS] / bed[BENCH_ESS_PLATE_MUJOCO];
  c->is_judged = isfinite(c->figure);
  if (!c->is_judged) {
    bench_claim_because(c, "MuJoCo: %s", b->no_mujoco);
    return;
  }
  c->holds = c->figure <= 1;
  bench_claim_because(c, "a run of %.3g s takes %.3g us more per contact, MuJoCo %.3g us more",
                      bench_ess_paper_duration, 1e6 * bed[BENCH_ESS_PLATE_ESS],
                      1e6 * bed[BENCH_ESS_PLATE_MUJOCO]);
  if (b->feet.is_measured)
    bench_claim_where(c, "springs under the plate: ess %.3g us, MuJoCo %.3g us, dopri5 %.3g us, expo %.3g us",
                      1e6 * feet[BENCH_ESS_PLATE_ESS], 1e6 * feet[BENCH_ESS_PLATE_MUJOCO],
                      1e6 * feet[BENCH_ESS_PLATE_DOPRI5], 1e6 * feet[BENCH_ESS_PLATE_EXPO]);
}

static void judge_located(bench_ess_paper *b)
{
  bench_claim *c =
      bench_paper_claim(&b->run, "E3", "projections are faster than locating each guard at equal error", "x");
  const char *least = "";
  c->figure = INFINITY;
  for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k) {
    const bench_ess_paper_work_precision *e = &b->equal[k];
    if (!e->is_measured)
      continue;
    bench_claim_where(c, "%s%s: %.3g times", c->where[0] ? "\n" : "", e->name, e->at_mujoco);
    for (int i = 0; i < BENCH_ESS_ERROR_LEVELS; ++i)
      if (isfinite(e->at_level[i]))
        bench_claim_where(c, ", %.2g at %.0e", e->at_level[i], bench_ess_paper_work_precision_levels[i]);
    if (k > 0 && !(e->at_mujoco >= c->figure))
      c->figure = e->at_mujoco, least = e->name;
  }
  c->is_judged = isfinite(c->figure);
  c->holds = c->is_judged && c->figure > 1;
  bench_claim_because(c, "%s, at an RMS error of %.2g", least, b->target);
}

void bench_ess_paper_claims_judge(void *paper)
{
  bench_ess_paper *b = paper;
  b->run.claim_count = 0;
  judge_order(b);
  judge_marginal(b);
  judge_located(b);
}
