// The verdicts on the Moreau paper's claims, on made-up data of which it is known what they mean, and small changes of
// them that turn a verdict over.
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The paper's own world: times and factors of its Table 1, what it says of iterations, drift and pushes.
static bench_moreau_paper *paper(void)
{
  static const double iterations[BENCH_MOREAU_PUBLISHED_CONFIGS] = {0,  50, 52,  50, 100, 52,
                                                                    60, 50, 900, 48, 300};
  bench_moreau_paper *m = calloc(1, sizeof *m);
  assert_non_null(m);
  for (int i = 0; i < BENCH_MOREAU_PUBLISHED_CONFIGS; ++i) {
    const bench_moreau_paper_config *c = &bench_moreau_paper_configs[i];
    m->table[i] = (bench_moreau_paper_cost){.is_measured = 1,
                                            .us = 1e6 / c->evals_per_s,
                                            .us_slow = 1e6 / c->evals_per_s,
                                            .evals_per_s = c->evals_per_s,
                                            .rtf = c->rtf,
                                            .drift_per_minute = 0.59e-6};
    m->alphas[i] = (bench_moreau_paper_alpha_curve){
        .is_measured = 1, .limit = 1, .half = iterations[i], .best = iterations[i] / 2};
    m->pushed[i] = (bench_moreau_paper_push){.pushes = 100, .steps = 80000};
  }
  m->bounded = (bench_moreau_paper_stability){.is_measured = 1, .fewest = {1, 2, 8}};
  m->standing.is_measured = 1;
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i)
    m->standing.sinking[0][i] = m->standing.sinking[1][i] = 750e-6;
  return m;
}

static const bench_claim *judge(bench_moreau_paper *m, const char *id)
{
  bench_moreau_paper_claims_judge(m);
  for (int i = 0; i < m->run.claim_count; ++i)
    if (strcmp(m->run.claims[i].rule->id, id) == 0)
      return &m->run.claims[i];
  fail_msg("there is no claim %s", id);
  return NULL;
}

static void check(bench_moreau_paper *m, const char *id, int holds, double figure)
{
  const bench_claim *c = judge(m, id);
  if (bench_claim_judge(c) != (holds ? BENCH_CLAIM_HOLDS : BENCH_CLAIM_FAILS) ||
      !(fabs(c->figure - figure) <= 1e-9 * fabs(figure)))
    fail_msg("%s: %s, figure %g instead of %s, %g: %s", id, bench_claim_verdict_word(bench_claim_judge(c)),
             c->figure, holds ? "holds" : "fails", figure, c->why);
}

// By the paper's own numbers all of its claims hold, and neither of our goals of speed. Compliant pushes fail.
static void the_paper_holds_in_its_own_world(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->pushed[BENCH_MOREAU_CM].failures = 2;
  check(m, "M1", 1, 13.5 / 11.8);
  check(m, "M1:hard", 1, 13.5 / 11.8);
  check(m, "M2", 1, 2);
  check(m, "M3", 1, 300.0 / 900);
  check(m, "M3:minimal", 1, 52.0 / 50);
  check(m, "M3:extended", 1, 0.6);
  check(m, "M4:feet", 1, 1);
  check(m, "M4:maximal", 1, 1);
  check(m, "M4:extended", 1, 1);
  check(m, "M4:iterated", 1, 1);
  check(m, "M5", 1, 2900.0 / 5400);
  check(m, "M6", 1, 2);
  check(m, "M7", 1, 0);
  check(m, "M7:converges", 1, 0);
  check(m, "M8", 1, 2);
  check(m, "goal-minimal", 0, 1e6 / 5400);
  check(m, "goal-maximal", 0, 1e6 / 1600);
  assert_int_equal(m->run.claim_count, BENCH_MOREAU_CLAIMS);
  free(m);
}

static void nothing_measured_is_not_judged(void **state)
{
  (void)state;
  bench_moreau_paper *m = calloc(1, sizeof *m);
  assert_non_null(m);
  bench_moreau_paper_claims_judge(m);
  assert_int_equal(m->run.claim_count, BENCH_MOREAU_CLAIMS);
  for (int i = 0; i < m->run.claim_count; ++i)
    if (m->run.claims[i].is_judged)
      fail_msg("%s was judged by no data", m->run.claims[i].rule->id);
  free(m);
}

// The compliant one counts as well, by its real-time factor and not by its steps.
static void fastest(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->table[BENCH_MOREAU_CM].evals_per_s = 1e9;
  check(m, "M1", 1, 13.5 / 11.8);
  m->table[BENCH_MOREAU_CM].rtf = 13.6;
  check(m, "M1", 0, 13.5 / 13.6);
  assert_non_null(strstr(judge(m, "M1")->why, "Cm"));
  m->table[BENCH_MOREAU_CM].rtf = 11.5;
  m->table[BENCH_MOREAU_EXACT] =
      (bench_moreau_paper_cost){.is_measured = 1, .us = 1, .us_slow = 1, .rtf = 1e4}; // ours, not the paper's
  check(m, "M1", 1, 13.5 / 11.8);
  m->table[BENCH_MOREAU_CM].judging =
      0.3 * m->table[BENCH_MOREAU_CM].us; // the paper's simulator does not judge
  check(m, "M1", 0, 13.5 * 0.7 / 11.5);
  check(m, "M1:hard", 1, 13.5 / 11.8);
  m->table[BENCH_MOREAU_HMJ].judging = 0.4 * m->table[BENCH_MOREAU_HMJ].us;
  check(m, "M1", 1, 13.5 / 0.6 * 0.7 / 11.5);
  check(m, "M1:hard", 1, 13.5 / 0.6 / 11.8);
  m->table[BENCH_MOREAU_HMSP].is_measured = 0;
  assert_false(judge(m, "M1")->is_judged);
  free(m);
}

static void steps_per_period(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->bounded.fewest[1] = 1;
  check(m, "M2", 0, 1);
  m->bounded.fewest[1] = 6;
  check(m, "M2", 1, 6);
  m->bounded.fewest[0] = 2; // hard needs one
  check(m, "M2", 0, 0);
  m->bounded.fewest[0] = 0; // never bounded
  check(m, "M2", 0, 0);
  free(m);
}

static void iterations(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->alphas[BENCH_MOREAU_HESP].half = 89;
  check(m, "M3:extended", 1, 0.89);
  m->alphas[BENCH_MOREAU_HESP].half = 91;
  check(m, "M3:extended", 0, 0.91);
  check(m, "M3", 1, 300.0 / 900);        // each set by itself
  m->alphas[BENCH_MOREAU_HMS].half = 40; // SOR is better in minimal coordinates too
  check(m, "M3:minimal", 0, 0.8);
  m->alphas[BENCH_MOREAU_HMJP].half = NAN; // no alpha with which it converges
  assert_false(judge(m, "M3")->is_judged);
  free(m);
}

static void drift(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->standing.sinking[1][2] = -7400e-6; // rising is drift too
  check(m, "M4:feet", 1, 7400.0 / 750);
  m->standing.sinking[1][1] = 7e-6; // a hundredth of the paper's with one step
  assert_int_equal(bench_claim_judge(judge(m, "M4:feet")), BENCH_CLAIM_UNDECIDED);
  m->standing.sinking[1][1] = NAN; // a step of that length fails
  assert_false(judge(m, "M4:feet")->is_judged);
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i)
    m->standing.sinking[1][i] = 7500.1e-6;
  m->standing.sinking[1][2] = -7600e-6;
  check(m, "M4:feet", 0, 7600.0 / 750);
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i)
    m->standing.sinking[1][i] = 1e-9; // next to none is another magnitude
  assert_int_equal(bench_claim_judge(judge(m, "M4:feet")), BENCH_CLAIM_FAILS);
  m->table[BENCH_MOREAU_HMSP].drift_per_minute = 5.8e-6;
  check(m, "M4:maximal", 1, 5.8 / 0.59);
  m->table[BENCH_MOREAU_HMSP].drift_per_minute = 6.0e-6;
  check(m, "M4:maximal", 0, 6.0 / 0.59);
  check(m, "M4:extended", 1, 1); // each set by itself
  m->table[BENCH_MOREAU_HESP].drift_per_minute = 1e-12;
  m->table[BENCH_MOREAU_HEJD].drift_per_minute = -7e-6;
  check(m, "M4:extended", 0, 7.0 / 0.59);
  check(m, "M4:iterated", 1, 1); // direct and iterated impulses apart
  m->table[BENCH_MOREAU_HEJP].drift_per_minute = 12e-6;
  check(m, "M4:iterated", 0, 12.0 / 0.59);
  check(m, "M4:extended", 0, 7.0 / 0.59);
  free(m);
}

static void coordinates(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->table[BENCH_MOREAU_HESP].evals_per_s = 5500;
  check(m, "M5", 0, 5500.0 / 5400);
  m->table[BENCH_MOREAU_HMJD].evals_per_s = 1e5; // maximal ones have no part in it
  m->table[BENCH_MOREAU_HESP].evals_per_s = 5300;
  check(m, "M5", 1, 5300.0 / 5400);
  m->table[BENCH_MOREAU_HMSP].evals_per_s = 1700;
  check(m, "M6", 0, 1600.0 / 1700);
  m->table[BENCH_MOREAU_HMSP].evals_per_s = 1500;
  m->table[BENCH_MOREAU_HMJP].evals_per_s =
      m->table[BENCH_MOREAU_HMJD].evals_per_s / 1.05; // SOR's ratio is 1.067
  m->table[BENCH_MOREAU_HMSD].us_slow *= 1.1;         // but may be below 1
  assert_int_equal(bench_claim_judge(judge(m, "M6")), BENCH_CLAIM_UNDECIDED);
  free(m);
}

static void robust(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->pushed[BENCH_MOREAU_HMSD].with_more[2] = 4; // more than 1000 iterations, but not more than 3000
  check(m, "M7:converges", 1, 0);
  m->pushed[BENCH_MOREAU_HMSD].with_more[3] = 1;
  check(m, "M7:converges", 0, 1);
  check(m, "M7", 1, 0); // it goes on
  assert_non_null(strstr(judge(m, "M7:converges")->where, "HMSD\t100\t0\t0\t4\t1"));
  assert_false(judge(m, "M8")->is_judged);                                   // neither fails
  m->longer[1][1] = (bench_moreau_paper_push){.pushes = 100, .failures = 3}; // HmS with more iterations
  check(m, "M7", 0, 3);
  m->longer[1][1].failures = 0;
  m->pushed[BENCH_MOREAU_HMJ].failures = 2;
  check(m, "M7", 0, 2);
  m->pushed[BENCH_MOREAU_CM].failures = 2; // no difference
  check(m, "M8", 0, 0);
  m->pushed[BENCH_MOREAU_CM].failures = 3;
  check(m, "M8", 1, 1);
  m->pushed[BENCH_MOREAU_CM].pushes = 99; // not the same pushes
  assert_false(judge(m, "M8")->is_judged);
  m->pushed[BENCH_MOREAU_HMJ].pushes = 0;
  assert_false(judge(m, "M7")->is_judged);
  free(m);
}

// A bound within the interval of a timed figure decides nothing.
static void intervals(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->table[BENCH_MOREAU_HMJ].us_slow *= 1.2; // 13.5 / 11.8 = 1.144 times faster than the next
  assert_int_equal(bench_claim_judge(judge(m, "M1")), BENCH_CLAIM_UNDECIDED);
  m->table[BENCH_MOREAU_HMJ].us_slow /= 1.1;
  assert_int_equal(bench_claim_judge(judge(m, "M1")), BENCH_CLAIM_HOLDS);
  m->table[BENCH_MOREAU_CM].rtf = 13.6; // 1 % faster than HmJ, if its time is right to 2 %
  m->table[BENCH_MOREAU_CM].us_slow *= 1.02;
  assert_int_equal(bench_claim_judge(judge(m, "M1")), BENCH_CLAIM_UNDECIDED);
  free(m);
}

// The best of what is ours and the paper's, in these coordinates only.
static void goals(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->table[BENCH_MOREAU_CM].us = 1; // not hard
  check(m, "goal-minimal", 0, 1e6 / 5400);
  m->table[BENCH_MOREAU_EXACT] = (bench_moreau_paper_cost){.is_measured = 1, .us = 3.9, .us_slow = 3.9};
  check(m, "goal-minimal", 1, 3.9);
  check(m, "goal-maximal", 0, 1e6 / 1600);
  m->table[BENCH_MOREAU_EXACT + 2] = (bench_moreau_paper_cost){.is_measured = 1, .us = 30.1, .us_slow = 30.1};
  check(m, "goal-maximal", 0, 30.1);
  m->table[BENCH_MOREAU_HMSD].us = m->table[BENCH_MOREAU_HMSD].us_slow = 29.9;
  check(m, "goal-maximal", 1, 29.9);
  free(m);
}

// Half the limit where one was found, the paper's alpha else, none where there is nothing to relax.
static void alpha(void **state)
{
  (void)state;
  bench_moreau_paper *m = paper();
  m->alphas[BENCH_MOREAU_HMJ].limit = 1.25;
  m->alphas[BENCH_MOREAU_HMJP].limit = 0;
  assert_true(bench_moreau_paper_configs_alpha(m, BENCH_MOREAU_HMJ) == 0.625);
  assert_true(bench_moreau_paper_configs_alpha(m, BENCH_MOREAU_HMJP) == 0.4);
  assert_true(bench_moreau_paper_configs_alpha(m, BENCH_MOREAU_CM) == 0);
  assert_true(bench_moreau_paper_configs_alpha(m, BENCH_MOREAU_EXACT) == 0);
  free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_paper_holds_in_its_own_world),
      cmocka_unit_test(nothing_measured_is_not_judged),
      cmocka_unit_test(fastest),
      cmocka_unit_test(steps_per_period),
      cmocka_unit_test(iterations),
      cmocka_unit_test(drift),
      cmocka_unit_test(coordinates),
      cmocka_unit_test(robust),
      cmocka_unit_test(intervals),
      cmocka_unit_test(goals),
      cmocka_unit_test(alpha),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
