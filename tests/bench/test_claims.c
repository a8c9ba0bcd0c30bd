// Verdicts: made-up data, for which anybody can say what they mean, and small changes of them that turn a verdict over.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_published.h"
#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCHEMES = 5, STEPS = 4, COUNT = SCHEMES * STEPS };
static const char *const schemes[SCHEMES] = {"expo", "expo-paper", "rk4", "implicit", "euler"};

// One scheme's curve: at speeds of speed, speed/2, speed/4, speed/8 an error of error, error/ratio, ...
typedef struct curve {
  double speed, error, ratio;
} curve;

typedef struct made_up {
  bench_expo_paper *paper;
  ff_trial trial;
  ff_solution solution;
  ff_local_error list[COUNT];
  ff_comparison comparison;
} made_up;

static void make(made_up *m, const curve curves[SCHEMES])
{
  m->paper = calloc(1, sizeof *m->paper);
  assert_non_null(m->paper);
  m->trial = (ff_trial){.name = "solo-trot", .period = 0.002, .periods = 1};
  m->solution = (ff_solution){.tolerance_mean = 1e-9};
  m->comparison =
      (ff_comparison){.trial = &m->trial, .count = COUNT, .common = m->list, .common_solution = &m->solution};
  for (int s = 0; s < SCHEMES; ++s)
    for (int i = 0; i < STEPS; ++i) {
      ff_local_error *l = &m->list[s * STEPS + i];
      *l =
          (ff_local_error){.substeps = 1 << i, .solution = &m->solution, .speed = curves[s].speed / (1 << i)};
      l->slower = l->speed;
      assert_true(ff_scheme_find(schemes[s], &l->scheme));
      l->max_norm.mean = curves[s].error / pow(curves[s].ratio, i);
    }
  m->paper->run.table.is_silent = 1;
  m->paper->has_test[BENCH_EXPO_TROT] = 1;
  m->paper->tests[BENCH_EXPO_TROT].trial = m->trial;
  m->paper->errors[BENCH_EXPO_TROT] = &m->comparison;
  m->paper->stability[BENCH_EXPO_TROT].substeps[0] = m->paper->stability[BENCH_EXPO_TROT].substeps[1] = 1;
}

static bench_claim judge(made_up *m, const char *id)
{
  bench_expo_paper_claims_judge(m->paper);
  for (int i = 0; i < m->paper->run.claim_count; ++i)
    if (strcmp(m->paper->run.claims[i].rule->id, id) == 0)
      return m->paper->run.claims[i];
  fail_msg("there is no claim %s", id);
  return (bench_claim){0};
}

static int holds(const bench_claim *c)
{
  return bench_claim_judge(c) == BENCH_CLAIM_HOLDS;
}

static int fails(const bench_claim *c)
{
  return bench_claim_judge(c) == BENCH_CLAIM_FAILS;
}

static void check(const bench_claim *c, int must_hold, double figure)
{
  if (!(must_hold ? holds(c) : fails(c)) || !(fabs(c->figure / figure - 1) < 1e-6))
    fail_msg("%s: %s, figure %g instead of %s, %g: %s", c->rule->id,
             bench_claim_verdict_word(bench_claim_judge(c)), c->figure, must_hold ? "holds" : "fails", figure,
             c->why);
}

// expo: 1e-4 at 100 times real time, falling by 4 per halving. The others are worse at the same speeds, or slower.
static const curve good[SCHEMES] = {
    {100, 1e-4, 4}, {200, 1e-2, 2}, {25, 1e-3, 16}, {20, 1e-2, 2}, {400, 1, 2}};

static void equal_time(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  // expo has 1e-4 / 64 = 1.5625e-6 at 12.5. rk4 has 3.90625e-6 at 6.25 and less when slower, with the fourth power:
  // worst at 5.
  bench_claim c = judge(&m, "C1");
  check(&c, 1, 3.90625e-6 * pow(5 / 6.25, 4) / 1.5625e-6);
  assert_non_null(strstr(c.why, "rk4"));
  m.list[2 * STEPS + 2].max_norm.mean = 1e-6;              // at 6.25
  const double slope = log(1e-6 / (1e-3 / 4096)) / log(2); // from there to 3.125
  c = judge(&m, "C1");
  check(&c, 0, 1e-6 * pow(5 / 6.25, slope) / 1.5625e-6);
  m.list[2 * STEPS + 2].failures = 1; // but a period failed
  c = judge(&m, "C1");
  assert_true(holds(&c));
  m.list[2 * STEPS + 2].failures = 0;
  m.list[2 * STEPS + 2].speed = m.list[2 * STEPS + 2].slower =
      2; // halfway between 12.5 and 2 lies 5, and the mean of
  m.list[2 * STEPS + 3].speed = m.list[2 * STEPS + 3].slower = 1; // 1e-3 / 16 and 1e-6
  c = judge(&m, "C1");
  check(&c, 1, sqrt(1e-3 / 16 * 1e-6) / 1.5625e-6);
  // The published scheme is beaten by expo, which does not count, and by rk4.
  c = judge(&m, "C1:expo-paper");
  assert_true(fails(&c));
  free(m.paper);
}

static void errors_below_the_truth_count_as_its_own(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  m.list[2 * STEPS + 2].max_norm.mean = 1e-8;
  bench_claim c = judge(&m, "C1");
  assert_true(fails(&c));
  m.solution.tolerance_mean = 1e-2; // neither is known to be better
  c = judge(&m, "C1");
  check(&c, 1, 1);
  free(m.paper);
}

// Implicit at 20 times real time has 1e-2, expo not more at 100: 5 times; at 10, 5 and 2.5 with 5e-3 ... still 100: 10,
// 20, 40 times.
static void equal_error(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  bench_claim c = judge(&m, "C4");
  check(&c, 1, 5);
  assert_non_null(strstr(c.where, "solo-trot\t5 to 40 times"));
  for (int i = 0; i < STEPS; ++i)
    m.list[3 * STEPS + i].speed *= 3, m.list[3 * STEPS + i].slower *= 3;
  c = judge(&m, "C4");
  check(&c, 0, 5. / 3);
  for (int i = 0; i < STEPS; ++i) // the clock says that implicit may be that slow: 5/3 or 2.5 times
    m.list[3 * STEPS + i].slower /= 1.5;
  c = judge(&m, "C4");
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_UNDECIDED);
  assert_true(fabs(c.low - 5. / 3 / 1.1) < 1e-6 &&
              fabs(c.high - 2.5) < 1e-6); // expo may be slower by a tenth
  free(m.paper);
}

// Of three figures the smallest is 1.5, but another may be below 1.
static void any_figure_may_be_the_least(void **state)
{
  (void)state;
  static const bench_claim_rule rule = {.id = "X", .least = 1, .most = INFINITY};
  bench_claim c;
  bench_claim_make(&c, &rule);
  assert_true(bench_claim_decide_least(&c, 1.7, 2, 2.2));
  assert_true(bench_claim_decide_least(&c, 1.2, 1.5, 3));
  assert_true(holds(&c) && c.figure == 1.5 && c.low == 1.2 && c.high == 2.2);
  assert_false(bench_claim_decide_least(&c, 0.9, 1.6, 1.7));
  assert_true(c.figure == 1.5 && c.low == 0.9 && c.high == 1.7);
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_UNDECIDED);
}

// Times change from run to run by a tenth, which two times of one run do not show.
static void times_are_not_sharper_than_runs(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  for (int i = 0; i < STEPS; ++i)
    m.list[3 * STEPS + i].speed *= 2.4, m.list[3 * STEPS + i].slower *= 2.4;
  bench_claim c = judge(&m, "C4"); // 5 / 2.4
  assert_int_equal(bench_claim_judge(&c), BENCH_CLAIM_UNDECIDED);
  assert_true(fabs(c.figure - 5 / 2.4) < 1e-6 && c.low < 2 && c.high > 2.2);
  assert_true(bench_claim_slower(10, 10.1) == 11 && bench_claim_slower(10, 12) == 12);
  free(m.paper);
}

// Only `expo` with its defaults competes under its name: a faster `expo:order-1` does not help it.
static void judged_by_name(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  for (int i = 0; i < STEPS; ++i)
    m.list[3 * STEPS + i].speed *= 3, m.list[3 * STEPS + i].slower *= 3;
  for (int i = 0; i < STEPS; ++i) { // in place of rk4
    m.list[2 * STEPS + i] = m.list[i];
    assert_true(ff_scheme_find("expo:order-1", &m.list[2 * STEPS + i].scheme));
    m.list[2 * STEPS + i].speed *= 10;
  }
  bench_claim c = judge(&m, "C4");
  check(&c, 0, 5. / 3);
  assert_non_null(strstr(c.where, "times\t16.7 times"));
  free(m.paper);
}

// Euler has 1 at 400 times real time, less when slower; here it is made the best of the others everywhere, or nowhere.
static void second_best(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  bench_claim c = judge(&m, "C7");
  assert_true(c.figure > 0 && c.figure < 1); // alone where the others are too slow
  for (int i = 0; i < STEPS; ++i)
    m.list[4 * STEPS + i].max_norm.mean = 1e-8;
  c = judge(&m, "C7");
  check(&c, 1, 1);
  for (int i = 0; i < STEPS; ++i)
    m.list[4 * STEPS + i].failures = 1;
  c = judge(&m, "C7");
  assert_true(fails(&c) && c.figure == 0);
  free(m.paper);
}

static void long_steps(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  bench_claim c = judge(&m, "C3");
  check(&c, 1, 1);
  m.paper->stability[BENCH_EXPO_TROT].substeps[0] = 2;
  c = judge(&m, "C3");
  check(&c, 0, 0.5);
  c = judge(&m, "C3:expo-paper");
  assert_true(holds(&c));
  m.paper->stability[BENCH_EXPO_TROT].substeps[1] = 0; // none is bounded
  c = judge(&m, "C3:expo-paper");
  assert_true(fails(&c));
  free(m.paper);
}

static void stiffness(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  assert_false(judge(&m, "C2").is_judged); // nothing was measured
  for (int k = 0; k < BENCH_EXPO_SETTINGS; ++k) {
    bench_expo_paper_setting *s = &m.paper->settings[k];
    *s = (bench_expo_paper_setting){
        .stiffness = k < BENCH_EXPO_STIFFNESSES ? pow(10, 3 + 0.5 * k) : 1e5, .ratio = 0.5, .is_measured = 1};
    for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i)
      s->error[i] = 1e-4 * (i + 1);
  }
  bench_claim c = judge(&m, "C2");
  check(&c, 1, 1);
  m.paper->settings[0].error[0] = 1; // K = 1e3: softer than where the claim begins
  c = judge(&m, "C2");
  check(&c, 1, 1);
  m.paper->settings[10].error[0] = 11e-4; // K = 1e8
  c = judge(&m, "C2");
  check(&c, 0, 11);
  c = judge(&m, "C2:expo-paper");
  assert_true(holds(&c));
  m.paper->settings[10].failures[1] = 1;
  c = judge(&m, "C2:expo-paper");
  assert_true(fails(&c));
  m.paper->settings[4].failures[1] = 1; // K = 1e5 as well, over which the growth is
  c = judge(&m, "C2:expo-paper");
  assert_true(fails(&c));
  // A step of expo-paper that fails has no error, and is no smaller one than implicit's.
  c = judge(&m, "C8");
  assert_true(fails(&c) && c.figure == 0);
  m.paper->settings[10].failures[1] = m.paper->settings[4].failures[1] = 0;
  m.paper->settings[6].failures[3] = m.paper->settings[6].failures[1] = 1; // both fail: nothing can be said
  assert_false(judge(&m, "C8").is_judged);
  m.paper->settings[6].failures[3] = m.paper->settings[6].failures[1] = 0;
  // Implicit's error is four units and expo-paper's two; where implicit's falls to one from 1e6 on, it fails.
  c = judge(&m, "C8");
  check(&c, 1, 2);
  m.paper->settings[8].error[3] = 1e-4; // K = 1e7
  c = judge(&m, "C8");
  check(&c, 0, 0.5);
  m.paper->settings[8].error[3] = 4e-4;
  m.paper->settings[2].error[3] = 1e-5; // K = 1e4: not stiff
  c = judge(&m, "C8");
  check(&c, 1, 2);
  free(m.paper);
}

static void forces_and_trot(void **state)
{
  (void)state;
  made_up m;
  make(&m, good);
  assert_false(judge(&m, "C5").is_judged);
  m.paper->has_test[BENCH_EXPO_SQUAT] = 1;
  for (int i = 0; i < BENCH_EXPO_STARTS; ++i)
    m.paper->predictions[i].error = 0.05;
  bench_claim c = judge(&m, "C5");
  assert_true(holds(&c));
  m.paper->predictions[1].error = 0.2;
  c = judge(&m, "C5");
  check(&c, 0, 0.2);
  c = judge(&m, "trot");
  check(&c, 1, 100);
  m.list[0].max_norm.mean *= 1.01;
  c = judge(&m, "trot");
  check(&c, 0, 100 / 1.01);
  free(m.paper);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_time),
      cmocka_unit_test(errors_below_the_truth_count_as_its_own),
      cmocka_unit_test(equal_error),
      cmocka_unit_test(any_figure_may_be_the_least),
      cmocka_unit_test(times_are_not_sharper_than_runs),
      cmocka_unit_test(judged_by_name),
      cmocka_unit_test(second_best),
      cmocka_unit_test(long_steps),
      cmocka_unit_test(stiffness),
      cmocka_unit_test(forces_and_trot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
