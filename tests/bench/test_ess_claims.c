// Verdicts on the ESS and the C2A paper's claims: made-up data, and small changes of them that turn a verdict over; the
// walker's strides behind two of them.
#include "papers/c2a/c2a_paper.h"
#include "papers/ess/ess_paper.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bench_claim find(const bench_paper_run *run, const char *id)
{
  for (int i = 0; i < run->claim_count; ++i)
    if (strcmp(run->claims[i].rule->id, id) == 0)
      return run->claims[i];
  fail_msg("there is no claim %s", id);
  return (bench_claim){0};
}

static void check(const bench_claim *c, bench_claim_verdict verdict, double figure)
{
  if (bench_claim_judge(c) != verdict || !(fabs(c->figure - figure) <= 1e-9))
    fail_msg("%s: %s, figure %g instead of %s, %g", c->rule->id,
             bench_claim_verdict_word(bench_claim_judge(c)), c->figure, bench_claim_verdict_word(verdict),
             figure);
}

static bench_claim judge(bench_ess_paper *b, const char *id)
{
  bench_ess_paper_claims_judge(b);
  return find(&b->run, id);
}

// Only plates count, and only the search that is equal.
static void equal_root_searches(void **state)
{
  (void)state;
  bench_ess_paper *b = calloc(1, sizeof *b);
  assert_non_null(b);
  bench_claim c = judge(b, "E3");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_OPEN);
  for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k) {
    b->equal[k].is_measured = 1;
    for (int s = 0; s < BENCH_ESS_SEARCHES; ++s) {
      bench_ess_paper_work_precision_ratio *r = &b->equal[k].over[s];
      r->at_mujoco = 1.5 + k;
      r->at_mujoco_low = r->at_mujoco_high = r->at_mujoco;
    }
  }
  b->equal[0].over[BENCH_ESS_SEARCHED].at_mujoco = 0.5; // the hopper
  b->equal[1].over[BENCH_ESS_SAMPLED].at_mujoco = 0.5;
  c = judge(b, "E3");
  check(&c, BENCH_CLAIM_HOLDS, 2.5);
  b->equal[1].over[BENCH_ESS_SEARCHED].at_mujoco_low = 0.9;
  c = judge(b, "E3");
  check(&c, BENCH_CLAIM_UNDECIDED, 2.5);
  b->equal[1].over[BENCH_ESS_SEARCHED].at_mujoco_low = 2.5;
  b->equal[2].over[BENCH_ESS_SEARCHED].at_mujoco_low = 0.9; // not the smallest figure, but it may be below 1
  c = judge(b, "E3");
  check(&c, BENCH_CLAIM_UNDECIDED, 2.5);
  b->equal[2].over[BENCH_ESS_SEARCHED].at_mujoco = NAN; // one of the two never gets there
  c = judge(b, "E3");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_OPEN);
  b->equal[2].over[BENCH_ESS_SEARCHED].at_mujoco = b->equal[2].over[BENCH_ESS_SEARCHED].at_mujoco_low = 3.5;
  b->equal[3].over[BENCH_ESS_SEARCHED].at_mujoco = b->equal[3].over[BENCH_ESS_SEARCHED].at_mujoco_low =
      b->equal[3].over[BENCH_ESS_SEARCHED].at_mujoco_high = 0.8;
  c = judge(b, "E3");
  check(&c, BENCH_CLAIM_FAILS, 0.8);
  free(b);
}

static void bound_and_exact(void **state)
{
  (void)state;
  bench_ess_paper *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->proof.is_measured = 1;
  b->proof.share[2] = 0.9;
  b->proof.off = 1e-15;
  bench_claim c = judge(b, "E4");
  check(&c, BENCH_CLAIM_HOLDS, 0.9);
  b->proof.share[4] = 1.1;
  c = judge(b, "E4");
  check(&c, BENCH_CLAIM_FAILS, 1.1);
  b->proof.share[0] = NAN; // no crossing
  c = judge(b, "E4");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_OPEN);
  c = judge(b, "E5");
  check(&c, BENCH_CLAIM_HOLDS, 1e-15);
  b->proof.off = 1e-11;
  c = judge(b, "E5");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_FAILS);
  free(b);
}

static void robots(void **state)
{
  (void)state;
  bench_ess_paper *b = calloc(1, sizeof *b);
  assert_non_null(b);
  for (int k = 0; k < BENCH_ESS_ROBOTS; ++k) {
    b->robots[k].is_measured = 1;
    b->robots[k].speed[BENCH_ESS_ROBOT_ESS] = b->robots[k].slower[BENCH_ESS_ROBOT_ESS] = 10 - k;
  }
  bench_claim c = judge(b, "E6");
  check(&c, BENCH_CLAIM_HOLDS, 7);
  b->robots[1].speed[BENCH_ESS_ROBOT_ESS] = 1.1;
  b->robots[1].slower[BENCH_ESS_ROBOT_ESS] = 0.9;
  c = judge(b, "E6");
  check(&c, BENCH_CLAIM_UNDECIDED, 1.1);
  b->robots[2].error[BENCH_ESS_ROBOT_ESS] = NAN; // a step failed
  c = judge(b, "E6");
  check(&c, BENCH_CLAIM_FAILS, 0);
  b->robots[3].is_measured = 0;
  b->robots[2].error[BENCH_ESS_ROBOT_ESS] = 0;
  c = judge(b, "E6");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_OPEN);
  free(b);
}

static bench_claim judge_walker(bench_c2a_paper *b, const char *id)
{
  bench_c2a_paper_claims_judge(b);
  return find(&b->run, id);
}

// Forty steps of each method: all deviate by 0.1 % with Euler, by 0.0001 % with RK4.
static void walkers_fall(void **state)
{
  (void)state;
  bench_c2a_paper *b = calloc(1, sizeof *b);
  assert_non_null(b);
  bench_claim c = judge_walker(b, "A8");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_OPEN);
  b->walker.is_measured = 1;
  for (int i = 0; i < BENCH_C2A_WALK_POINTS; ++i)
    for (int m = 0; m < BENCH_C2A_WALK_METHODS; ++m) {
      b->walker.deviation[m][i] = m == BENCH_C2A_WALK_RK4 ? 1e-6 : 1e-3;
      b->walker.strides[m][i] = m == BENCH_C2A_WALK_SYMPLECTIC || i < 10 ? 3 : BENCH_C2A_WALK_STRIDES;
    }
  c = judge_walker(b, "A8"); // ten of Euler's forty; symplectic Euler is not in the paper
  check(&c, BENCH_CLAIM_FAILS, 0.25);
  c = judge_walker(b, "A8:safe");
  check(&c, BENCH_CLAIM_FAILS, 0.25);
  for (int i = 0; i < 20; ++i) {
    b->walker.strides[BENCH_C2A_WALK_EULER][i] = 0;
    b->walker.strides[BENCH_C2A_WALK_RK4][i] = BENCH_C2A_WALK_STRIDES;
  }
  c = judge_walker(b, "A8");
  check(&c, BENCH_CLAIM_HOLDS, 0.5);
  c = judge_walker(b, "A8:safe");
  check(&c, BENCH_CLAIM_HOLDS, 0);
  free(b);
}

// Steps with errors of 0.1 % that do not fail, and a few others: errors of 0.3 % are in neither claim.
static void trots_fail(void **state)
{
  (void)state;
  bench_c2a_paper *b = calloc(1, sizeof *b);
  assert_non_null(b);
  bench_c2a_paper_failure *s = &b->failure[BENCH_C2A_PRESENT];
  bench_claim c = judge_walker(b, "A7");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_OPEN);
  s->is_measured = 1;
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS; ++i)
    s->ends[i] = (bench_c2a_paper_ending){.share = 1e-3, .end = INFINITY};
  for (int i = 0; i < BENCH_C2A_SHORT_STEPS; ++i)
    s->shorter[i] = s->ends[0];
  s->ends[0].share = 6e-3;
  c = judge_walker(b, "A7");
  check(&c, BENCH_CLAIM_FAILS, 0);
  s->ends[1] = (bench_c2a_paper_ending){.share = NAN, .end = 1}; // it fails before an error is known
  s->ends[2] = (bench_c2a_paper_ending){.share = 3e-3, .end = 9};
  c = judge_walker(b, "A7");
  check(&c, BENCH_CLAIM_UNDECIDED, 0.5); // of two
  c = judge_walker(b, "A7:safe");
  check(&c, BENCH_CLAIM_HOLDS, 0);
  for (int i = 4; i < 8; ++i)
    s->ends[i] = (bench_c2a_paper_ending){.share = 6e-3, .end = 9}; // five of six
  c = judge_walker(b, "A7");
  check(&c, BENCH_CLAIM_HOLDS, 5.0 / 6);
  assert_true(c.low == 4.0 / 5 && c.high == 1);
  b->failure[BENCH_C2A_MIDDLE] = *s; // with the other controller one of six
  for (int i = 4; i < 8; ++i)
    b->failure[BENCH_C2A_MIDDLE].ends[i].end = INFINITY;
  c = judge_walker(b, "A7");
  check(&c, BENCH_CLAIM_UNDECIDED, 5.0 / 6);
  s->shorter[1] = (bench_c2a_paper_ending){.share = 2e-3, .end = 9};
  c = judge_walker(b, "A7:safe"); // one of eight
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_FAILS);
  s->shorter[1].end = INFINITY;
  c = judge_walker(b, "A7:safe");
  check(&c, BENCH_CLAIM_HOLDS, 0);
  s->ends[3].end = 9;
  c = judge_walker(b, "A7:safe");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_FAILS);
  free(b);
}

// The gait is stable (its eigenvalues are within the unit circle), so accurate steps keep it and long ones do not.
static void strides(void **state)
{
  (void)state;
  assert_int_equal(bench_c2a_walker_strides(BENCH_C2A_WALK_RK4, 0.01, 25), 25);
  assert_int_equal(bench_c2a_walker_strides(BENCH_C2A_WALK_EULER, 0.001, 25), 25);
  assert_true(bench_c2a_walker_strides(BENCH_C2A_WALK_EULER, 0.2, 25) < 5);
  assert_true(bench_c2a_walker_strides(BENCH_C2A_WALK_RK4, 0.5, 25) < 25);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_root_searches), cmocka_unit_test(bound_and_exact), cmocka_unit_test(robots),
      cmocka_unit_test(walkers_fall),        cmocka_unit_test(trots_fail),      cmocka_unit_test(strides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
