// The ESS paper's claims, the rules by which they are judged, and the figures that decide.
#include "papers/ess/ess_paper.h"

#include "peers/mujoco_release.h"

#include <math.h>

const bench_claim_rule bench_ess_paper_rules[BENCH_ESS_CLAIMS] = {
    {.id = "E1",
     .claim = "the integrator is of second order in epsilon",
     .rule = "slope of log RMS error over log epsilon of the order test, samples 9 to 33 of 40",
     .unit = "1",
     .least = 1.95,
     .most = INFINITY,
     .from = "ours: 2 less the bend of the fitted line; the paper fits 2.1"},
    {.id = "E2",
     .claim = "one more contact costs no more than in MuJoCo",
     .rule =
         "additional time per contact, ess over MuJoCo, steps of 2 ms, plate on a bed of 2 to 100 springs, slope "
         "of the median over the same random starts",
     .unit = "x",
     .least = 0,
     .most = 1,
     .from = "the paper's",
     .spread = "halves of the starts, and runs",
     .needs_full = 1},
    {.id = "E3",
     .claim = "projections are faster than locating each guard at equal error",
     .rule =
         "time of the same program with bands of no width, whose search of a band's edge finds the guard itself, over "
         "that of ess, each with its fastest settings whose error is at most MuJoCo's on the hopper at 2 ms; minimum "
         "over plates on 2 to 100 springs",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's: root finding is \"a significantly expensive computation\"",
     .needs_full = 1},
    {.id = "E4",
     .claim = "a projection's error is below the bound of section 6",
     .rule =
         "distance of the projected from the true point of crossing over 2 M/L (exp(epsilon L/c) - 1) + 2 M epsilon/c, "
         "the largest over random planar fields of waves and epsilons from 0.3 to 1e-3",
     .unit = "1",
     .least = 0,
     .most = 1,
     .from = "the paper's"},
    {.id = "E5",
     .claim = "projections are exact for constant fields and flat guards",
     .rule =
         "distance from the exact end of a motion through two straight guards, as in Fig. 3.1, the largest over "
         "epsilons from 0.3 to 1e-3",
     .unit = "1",
     .least = 0,
     .most = 1e-12,
     .from = "ours: rounding, of some hundred operations with numbers of about 1"},
    {.id = "E6",
     .claim = "the integrator suits real-time applications on robots",
     .rule =
         "times real time of the stepper ess with its default tolerance, one step per control period, the least of "
         "solo-squat, solo-jump, solo-trot and romeo-walk",
     .unit = "x",
     .least = 1,
     .most = INFINITY,
     .from = "the paper's: \"real-time applications\"; its experiments have no robot",
     .needs_full = 1},
};

static bench_claim *begin(bench_ess_paper *b, const char *id)
{
  return bench_paper_claim(&b->run, bench_ess_paper_rules, BENCH_ESS_CLAIMS, id);
}

static void judge_order(bench_ess_paper *b)
{
  bench_claim *c = begin(b, "E1");
  if (!b->order.is_measured)
    return;
  bench_claim_decide(c, b->order.order);
  bench_claim_because(c, "the paper's is %.2g", bench_ess_paper_published_order);
  if (b->hopper.is_measured)
    bench_claim_detail(c, "hopper with a preload, whose force jumps\t%.3g", b->hopper.preload_order);
}

static double over_mujoco(const double *marginal)
{
  return marginal[BENCH_ESS_PLATE_ESS] / marginal[BENCH_ESS_PLATE_MUJOCO];
}

static void judge_marginal(bench_ess_paper *b)
{
  bench_claim *c = begin(b, "E2");
  const double *bed = b->bed.marginal, *feet = b->feet.marginal;
  if (!b->bed.is_measured)
    return;
  const double half[2] = {over_mujoco(b->bed.marginal_half[0]), over_mujoco(b->bed.marginal_half[1])};
  const double figure = over_mujoco(bed), share = bench_claim_slower(1, 1); // of either of the two times
  bench_claim_decide_between(c, fmin(figure / share, fmin(half[0], half[1])), figure,
                             fmax(figure * share, fmax(half[0], half[1])));
  if (!c->is_judged) {
    bench_claim_because(c, "MuJoCo: %s", b->no_mujoco);
    return;
  }
  bench_claim_because(c, "a run of %.3g s takes %.3g us more per contact, %s %.3g us more",
                      bench_ess_paper_duration, 1e6 * bed[BENCH_ESS_PLATE_ESS],
                      bench_mujoco_release_found().name, 1e6 * bed[BENCH_ESS_PLATE_MUJOCO]);
  if (!b->feet.is_measured)
    return;
  bench_claim_detail(c, "springs under the plate\tess\tMuJoCo\tdopri5\texpo");
  bench_claim_detail(c, "us more per contact\t%.3g\t%.3g\t%.3g\t%.3g", 1e6 * feet[BENCH_ESS_PLATE_ESS],
                     1e6 * feet[BENCH_ESS_PLATE_MUJOCO], 1e6 * feet[BENCH_ESS_PLATE_DOPRI5],
                     1e6 * feet[BENCH_ESS_PLATE_EXPO]);
}

static void add_ratios(bench_claim *c, const bench_ess_paper_work_precision *e, int search)
{
  const bench_ess_paper_work_precision_ratio *r = &e->over[search];
  const double *at = r->at_level;
  bench_claim_detail(c, "%s, %s\t%.3g\t%.2g\t%.2g\t%.2g\t%.2g\t%.2g\t%.2g", e->name,
                     search == BENCH_ESS_SEARCHED ? "the same search" : "with samples in each step",
                     r->at_mujoco, at[0], at[1], at[2], at[3], at[4], at[5]);
}

static void judge_located(bench_ess_paper *b)
{
  bench_claim *c = begin(b, "E3");
  const bench_ess_paper_work_precision *least = NULL;
  bench_claim_detail(c, "time over that of ess\tat MuJoCo's error\tat 1e-1\t1e-2\t1e-3\t1e-4\t1e-5\t1e-6");
  for (int search = BENCH_ESS_SEARCHED; search < BENCH_ESS_SEARCHES; ++search)
    for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k)
      if (b->equal[k].is_measured)
        add_ratios(c, &b->equal[k], search);
  for (int k = 1; k < BENCH_ESS_SYSTEMS; ++k)
    if (b->equal[k].is_measured && isnan(b->equal[k].over[BENCH_ESS_SEARCHED].at_mujoco)) {
      bench_claim_because(c, "%s: one of the two does not reach MuJoCo's error", b->equal[k].name);
      return;
    }
  for (int k = 1; k < BENCH_ESS_SYSTEMS; ++k) {
    const bench_ess_paper_work_precision *e = &b->equal[k];
    const bench_ess_paper_work_precision_ratio *r = &e->over[BENCH_ESS_SEARCHED];
    if (e->is_measured && bench_claim_decide_least(c, r->at_mujoco_low, r->at_mujoco, r->at_mujoco_high))
      least = e;
  }
  if (!least)
    return;
  bench_claim_because(c, "%s, at an RMS error of %.2g; with samples in each step %.3g", least->name,
                      b->target, least->over[BENCH_ESS_SAMPLED].at_mujoco);
}

static void judge_proof(bench_ess_paper *b)
{
  bench_claim *bound = begin(b, "E4"), *exact = begin(b, "E5");
  const bench_ess_paper_proof *p = &b->proof;
  if (!p->is_measured)
    return;
  double most = 0;
  bench_claim_detail(bound, "epsilon\tlargest error\tshare of the bound");
  for (int e = 0; e < BENCH_ESS_PROOF_EPSILONS; ++e) {
    most = isnan(most) || p->share[e] <= most ? most : p->share[e]; // NAN stays
    bench_claim_detail(bound, "%.2g\t%.2g\t%.2g", p->epsilon[e], p->error[e], p->share[e]);
  }
  bench_claim_decide(bound, most);
  bench_claim_because(bound, "%d fields for each of %d epsilons", BENCH_ESS_PROOF_FIELDS,
                      BENCH_ESS_PROOF_EPSILONS);
  bench_claim_decide(exact, p->off);
}

static void judge_robots(bench_ess_paper *b)
{
  bench_claim *c = begin(b, "E6");
  int least = -1;
  bench_claim_detail(
      c, "robot\tstep [ms]\tess: error\ttimes real time\tlongest computation of a step [ms]\texpo: "
         "error\ttimes real time\tlongest [ms]");
  for (int k = 0; k < BENCH_ESS_ROBOTS; ++k) {
    const bench_ess_paper_robot *r = &b->robots[k];
    if (!r->is_measured)
      return;
    bench_claim_detail(c, "%s\t%.4g\t%.2g\t%.3g\t%.3g\t%.2g\t%.3g\t%.3g", bench_ess_paper_robots_names[k],
                       1e3 * r->dt[BENCH_ESS_ROBOT_ESS], r->error[BENCH_ESS_ROBOT_ESS],
                       r->speed[BENCH_ESS_ROBOT_ESS], 1e3 * r->longest[BENCH_ESS_ROBOT_ESS],
                       r->error[BENCH_ESS_ROBOT_EXPO], r->speed[BENCH_ESS_ROBOT_EXPO],
                       1e3 * r->longest[BENCH_ESS_ROBOT_EXPO]);
    if (!isfinite(r->error[BENCH_ESS_ROBOT_ESS])) {
      bench_claim_decide(c, 0);
      bench_claim_because(c, "steps of %s fail", bench_ess_paper_robots_names[k]);
      return;
    }
    if (least < 0 || r->speed[BENCH_ESS_ROBOT_ESS] < b->robots[least].speed[BENCH_ESS_ROBOT_ESS])
      least = k;
  }
  const bench_ess_paper_robot *r = &b->robots[least];
  bench_claim_decide_between(c, r->slower[BENCH_ESS_ROBOT_ESS], r->speed[BENCH_ESS_ROBOT_ESS],
                             r->speed[BENCH_ESS_ROBOT_ESS]);
  bench_claim_because(c, "%s; the longest of its steps of %.3g ms is computed in %.3g ms",
                      bench_ess_paper_robots_names[least], 1e3 * r->dt[BENCH_ESS_ROBOT_ESS],
                      1e3 * r->longest[BENCH_ESS_ROBOT_ESS]);
}

void bench_ess_paper_claims_judge(void *paper)
{
  bench_ess_paper *b = paper;
  b->run.claim_count = 0;
  judge_order(b);
  judge_marginal(b);
  judge_located(b);
  judge_proof(b);
  judge_robots(b);
}
