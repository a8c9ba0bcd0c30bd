// slow: under sanitizers. Hard contact on 10^4 random problems of mechanics: rank-deficient, mass ratios to 10^6, mu 0
// and 10. Every result that is reported as converged is checked against the laws, stated in support/hard_problems.c
// from the mass matrix on; the convergence of each solver is counted.
// soak: hard
#include "support/hard_problems.h"
#include "support/near.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double frictions[] = {0, 0.8, 10, -1};
static const double ratios[] = {1, 1e3, 1e6};
enum { FRICTIONS = 4, RATIOS = 3, EACH = 167 }; // 5 families x 4 x 3 x 167 = 10,020 problems, usually

typedef struct tally {
  int problems, converged, liars;
  double worst; // violation over tolerance, of those that converged
} tally;

// 1: within the tolerances. Only rounding is allowed on top: 1e-3 of the tolerance, for xi of heavy bodies summed in
// another order.
static const double honest = 1 + 1e-3;

static void solve_and_judge(const ff_moreau_def *def, ffi_hard_case *c, tally *t)
{
  ffi_hard_result result;
  memset(c->problem.impulse, 0, (size_t)c->problem.rows * sizeof(double));
  ffi_hard_solve(def, &c->problem, c->memory, &result);
  ++t->problems;
  if (!result.converged)
    return;
  const double violation = ffi_hard_violation(c, def->relative_tolerance, def->absolute_tolerance);
  ++t->converged;
  t->worst = violation > t->worst ? violation : t->worst;
  t->liars += !(violation <= honest);
}

// How many of a cell's problems "exact" may leave open. Without friction the problem is a convex program: none. With mu
// up to 1 at most one in 2,000 is not solved in the worst cells (tall
// stacks and trees of mass ratio 10^6), with mu = 10 the law is far from monotone, and one in forty of the tall stacks
// of mass ratio 10^6 stays open. Of the usual cases two, and nine, in
// one cell would be no accident. Among other cases, and there are many cells of many seeds, something rarer than one in
// a million is: 5 deviations above the mean, and 5 for means near none.
static int bar(double mu, int problems)
{
  if (mu == 0)
    return 0;
  if (problems == EACH && ffi_samples_seed() == 0)
    return mu == 10 ? 8 : 1;
  const double mean = problems / (mu == 10 ? 40.0 : 2000.0);
  return (int)(mean + 5 * sqrt(mean) + 5);
}

static void exact_solves_what_there_is(void **state)
{
  (void)state;
  tally all = {0};
  const int each = ffi_samples(EACH);
  int below = 0; // of their bars
  for (int f = 0; f < HARD_FAMILIES; ++f)
    for (int k = 0; k < FRICTIONS; ++k)
      for (int r = 0; r < RATIOS; ++r) {
        tally t = {0};
        const ff_moreau_def def = ffi_hard_test_def(FF_HARD_EXACT, FF_HARD_FORM_AUTO, FF_HARD_DIRECT);
        for (int i = 0; i < each; ++i) {
          ffi_random random = ffi_random_seed((uint64_t)(((f * FRICTIONS + k) * RATIOS + r) * 1000 + i));
          ffi_hard_case *c = ffi_hard_case_create((ffi_hard_family)f, frictions[k], ratios[r], &random);
          solve_and_judge(&def, c, &t);
          ffi_hard_case_destroy(c);
        }
        const double rate = 100.0 * t.converged / t.problems;
        printf("%-7s mu %4g mass ratio %7g: %5.1f %% converged, worst violation %.2g of its tolerance\n",
               ffi_hard_family_name((ffi_hard_family)f), frictions[k], ratios[r], rate, t.worst);
        below += t.problems - t.converged > bar(frictions[k], t.problems);
        all.problems += t.problems;
        all.converged += t.converged;
        all.liars += t.liars;
      }
  printf("exact: %d of %d converged, %d of them wrongly\n", all.converged, all.problems, all.liars);
  assert_int_equal(below, 0);
  assert_int_equal(all.liars, 0);
  ffi_samples_tried(all.problems, "hard problems by exact");
}

// JOR and SOR, both forms, bilateral rows both ways, given and automatic relaxation, including small ones, at which the
// test of the paper alone stops too early.
static void nobody_says_converged_who_is_not(void **state)
{
  (void)state;
  static const double alphas[] = {0, 0.01, 0.5, 1, 1.5};
  tally t[FF_HARD_SOLVER_COUNT] = {{0}};
  for (int i = 0; i < ffi_samples(3000); ++i) {
    ffi_random random = ffi_random_seed((uint64_t)(500000 + i));
    ffi_hard_case *c =
        ffi_hard_case_create((ffi_hard_family)(i % HARD_FAMILIES), frictions[i / HARD_FAMILIES % FRICTIONS],
                             ratios[i / 20 % RATIOS], &random);
    ff_moreau_def def = ffi_hard_test_def((ff_hard_solver)(i / 60 % 3), (ff_hard_form)(1 + i % 2),
                                          (ff_hard_bilateral)(i / 2 % 2));
    def.alpha = alphas[i / 7 % 5];
    def.max_iterations = 300;
    solve_and_judge(&def, c, &t[def.solver]);
    def.solver = FF_HARD_EXACT; // in the velocity form: sweeps
    def.form = FF_HARD_FORM_VELOCITY;
    def.max_iterations = 50;
    solve_and_judge(&def, c, &t[FF_HARD_EXACT]);
    ffi_hard_case_destroy(c);
  }
  ffi_samples_tried(ffi_samples(3000), "hard problems by all solvers");
  for (int s = 0; s < FF_HARD_SOLVER_COUNT; ++s) {
    printf("%-9s: %d of %d converged, worst violation %.3g of its tolerance\n",
           ff_hard_solver_name((ff_hard_solver)s), t[s].converged, t[s].problems, t[s].worst);
    assert_int_equal(t[s].liars, 0);
    assert_true(t[s].converged > t[s].problems / 4); // or nothing was tested
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_solves_what_there_is),
      cmocka_unit_test(nobody_says_converged_who_is_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
