// Contacts with moments: the projection onto their cone, and random problems by every solver and impact law, judged by
// hard_laws.h, which states the laws on its own.
#include "contact/law/turning_cone.h"
#include "support/hard_problems.h"
#include "support/impact_case.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = FFI_TURNING_CONE_ROWS };

// ---- The projection -----------------------------------------------------------------------------------------

typedef struct point {
  double limit[3], r[ROWS], x[ROWS];
} point;

static point draw(ffi_random *random)
{
  point p;
  for (int g = 0; g < 3; ++g)
    p.limit[g] = ffi_random_chance(random, 0.1) ? 0 : exp(ffi_random_between(random, -3, 2));
  for (int i = 0; i < ROWS; ++i)
    p.r[i] = exp(ffi_random_between(random, -4, 4));
  p.r[1] = p.r[0];
  p.r[4] = p.r[3];
  ffi_random_vector(random, ROWS, 3, p.x);
  return p;
}

// A random point of the cone.
static void inside(ffi_random *random, const point *p, double *y)
{
  static const int at[3] = {0, 3, 5}, rows[3] = {2, 2, 1};
  y[2] = ffi_random_between(random, 0, 4);
  for (int g = 0; g < 3; ++g) {
    const double angle = ffi_random_between(random, 0, 7),
                 length = p->limit[g] * y[2] * ffi_random_between(random, 0, 1);
    y[at[g]] = length * cos(angle);
    if (rows[g] == 2)
      y[at[g] + 1] = length * sin(angle);
  }
}

// P is in the cone, and no point of it is on the far side of the plane through P across x - P.
static void nothing_is_nearer(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(4101);
  for (int k = 0; k < ffi_samples(3000); ++k) {
    const point p = draw(&random);
    double P[ROWS], y[ROWS];
    ffi_turning_cone_nearest(p.limit, p.r, p.x, P);
    assert_true(P[2] >= 0 && hypot(P[0], P[1]) <= p.limit[0] * P[2] + 1e-12 &&
                hypot(P[3], P[4]) <= p.limit[1] * P[2] + 1e-12 && fabs(P[5]) <= p.limit[2] * P[2] + 1e-12);
    for (int n = 0; n < 20; ++n) {
      double beyond = 0, size = 0;
      inside(&random, &p, y);
      for (int i = 0; i < ROWS; ++i) {
        beyond += (p.x[i] - P[i]) * (y[i] - P[i]) / p.r[i];
        size += (fabs(p.x[i]) + fabs(P[i])) * (fabs(y[i]) + fabs(P[i])) / p.r[i];
      }
      if (!(beyond <= 1e-13 * size))
        fail_msg("sample %d: a point is nearer by %g of %g", k, beyond, size);
    }
  }
}

// Central differences, but where the derivative jumps within the step.
static void derivatives_are_those_of_differences(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(4102);
  const double h = 1e-6;
  int jumps = 0;
  const int samples = ffi_samples(2000);
  for (int k = 0; k < samples; ++k) {
    point p = draw(&random);
    double D[ROWS * ROWS], low[ROWS], high[ROWS], worst = 0;
    ffi_turning_cone_derivative(p.limit, p.r, p.x, D);
    for (int j = 0; j < ROWS; ++j) {
      const double x = p.x[j];
      p.x[j] = x - h;
      ffi_turning_cone_nearest(p.limit, p.r, p.x, low);
      p.x[j] = x + h;
      ffi_turning_cone_nearest(p.limit, p.r, p.x, high);
      p.x[j] = x;
      for (int i = 0; i < ROWS; ++i)
        worst =
            fmax(worst, fabs((high[i] - low[i]) / (2 * h) - D[ROWS * i + j]) / (1 + fabs(D[ROWS * i + j])));
    }
    jumps += !(worst < 1e-5);
  }
  if (jumps > samples / 500)
    fail_msg("%d of %d derivatives are wrong", jumps, samples);
}

// ---- Problems -----------------------------------------------------------------------------------------------

// Row of velocity along d at `arm` of a free body, or of angular velocity about d, with a sign.
static void add_row(ffi_hard_case *c, int row, int body, const double d[3], const double *arm, double scale)
{
  double *W = c->W + row * c->problem.nv + 6 * body;
  if (!arm) {
    for (int k = 0; k < 3; ++k)
      W[3 + k] += scale * d[k];
    return;
  }
  for (int k = 0; k < 3; ++k)
    W[k] += scale * d[k];
  W[3] += scale * (arm[1] * d[2] - arm[2] * d[1]);
  W[4] += scale * (arm[2] * d[0] - arm[0] * d[2]);
  W[5] += scale * (arm[0] * d[1] - arm[1] * d[0]);
}

static void axes_of(ffi_random *random, double A[3][3])
{
  double helper[3];
  ffi_random_direction(random, A[2]);
  A[2][2] = fabs(A[2][2]) + 1;
  const double length = sqrt(A[2][0] * A[2][0] + A[2][1] * A[2][1] + A[2][2] * A[2][2]);
  for (int k = 0; k < 3; ++k)
    A[2][k] /= length;
  ffi_random_direction(random, helper);
  const double along = helper[0] * A[2][0] + helper[1] * A[2][1] + helper[2] * A[2][2];
  for (int k = 0; k < 3; ++k)
    helper[k] -= along * A[2][k];
  const double size = sqrt(helper[0] * helper[0] + helper[1] * helper[1] + helper[2] * helper[2]);
  for (int k = 0; k < 3; ++k)
    A[0][k] = helper[k] / size;
  for (int k = 0; k < 3; ++k)
    A[1][k] = A[2][(k + 1) % 3] * A[0][(k + 2) % 3] - A[2][(k + 2) % 3] * A[0][(k + 1) % 3];
}

enum { FEW = 8, MANY = 30 };

// Free bodies on the ground and on each other, at most `most` contacts, most of them with moments; some radii are 0.
static ffi_hard_case *bodies_that_turn(ffi_random *random, int most)
{
  const int bodies = 1 + ffi_random_below(random, 1 + most / 4),
            contacts = 1 + ffi_random_below(random, most);
  int rows[MANY];
  for (int k = 0; k < contacts; ++k)
    rows[k] = ffi_random_chance(random, 0.8) ? ROWS : 3;
  ffi_hard_case *c = ffi_hard_case_begin(6 * bodies, contacts, rows);
  const int nv = c->problem.nv;
  double *u_free = (double *)(uintptr_t)c->problem.u_free;
  for (int b = 0; b < bodies; ++b) {
    const double mass = exp(ffi_random_between(random, -2, 2));
    for (int i = 0; i < 6; ++i)
      c->M[(6 * b + i) * (nv + 1)] = i < 3 ? mass : mass * ffi_random_between(random, 0.003, 0.02);
  }
  ffi_random_vector(random, nv, 2, u_free);
  for (int k = 0; k < contacts; ++k) {
    ffi_hard_block *block = &c->problem.block[k];
    const int a = ffi_random_below(random, bodies), b = ffi_random_below(random, bodies + 1) - 1;
    double A[3][3], arm[2][3];
    const double roll = ffi_random_chance(random, 0.2) ? 0 : ffi_random_between(random, 1e-4, 0.03),
                 spin = ffi_random_chance(random, 0.2) ? 0 : ffi_random_between(random, 1e-4, 0.03);
    axes_of(random, A);
    ffi_random_vector(random, 6, 0.1, arm[0]);
    block->law = FFI_HARD_LAW_CONTACT;
    block->mu = ffi_random_chance(random, 0.2) ? 0 : ffi_random_between(random, 0, 1);
    block->turning = 1;
    for (int i = 0; i < block->rows; ++i) {
      const double scale = i < 3 ? 1 : i < 5 ? roll : spin;
      add_row(c, block->row + i, a, A[i % 3], i < 3 ? arm[0] : NULL, scale);
      if (b >= 0 && b != a)
        add_row(c, block->row + i, b, A[i % 3], i < 3 ? arm[1] : NULL, -scale);
    }
  }
  ffi_hard_case_finish(c);
  return c;
}

// What reports convergence keeps the laws; `most` [%] may not converge.
static void judge(const char *what, int samples, int unsolved, double worst, double most)
{
  print_message("             %-24s %5.2f %% unsolved, violation %.2f\n", what, 100.0 * unsolved / samples,
                worst);
  if (!(worst <= 1.05 && 100.0 * unsolved <= most * samples))
    fail_msg("%s: %d of %d unsolved, violation %g", what, unsolved, samples, worst);
}

static void solvers_keep_the_laws(void **state)
{
  (void)state;
  static const double most[FF_HARD_SOLVER_COUNT] = {8, 3, 3, 0};
  const int samples = ffi_samples(500);
  for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver)
    for (int form = FF_HARD_FORM_IMPULSE; form <= FF_HARD_FORM_VELOCITY; ++form) {
      ffi_random random = ffi_random_seed(4103);
      int unsolved = 0;
      double worst = 0;
      for (int k = 0; k < samples; ++k) {
        ffi_hard_case *c = bodies_that_turn(&random, FEW);
        const ff_moreau_def def =
            ffi_hard_test_def((ff_hard_solver)solver, (ff_hard_form)form, FF_HARD_DIRECT);
        ffi_hard_result result;
        ffi_hard_solve(&def, &c->problem, c->memory, &result);
        unsolved += !result.converged;
        if (result.converged)
          worst = fmax(worst, ffi_hard_violation(c, def.relative_tolerance, def.absolute_tolerance));
        ffi_hard_case_destroy(c);
      }
      char what[64];
      snprintf(what, sizeof what, "%s, %s", ff_hard_solver_name((ff_hard_solver)solver),
               ff_hard_form_name((ff_hard_form)form));
      judge(what, samples, unsolved, worst,
            form == FF_HARD_FORM_VELOCITY ? fmax(most[solver], 3) : most[solver]);
    }
}

// More rows than "exact" forms G for where all contacts have three.
static void exact_solves_many(void **state)
{
  (void)state;
  const int samples = ffi_samples(60);
  ffi_random random = ffi_random_seed(4105);
  int unsolved = 0;
  double worst = 0;
  for (int k = 0; k < samples; ++k) {
    ffi_hard_case *c = bodies_that_turn(&random, MANY);
    const ff_moreau_def def = ffi_hard_test_def(FF_HARD_EXACT, FF_HARD_FORM_AUTO, FF_HARD_DIRECT);
    ffi_hard_result result;
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    unsolved += !result.converged;
    if (result.converged)
      worst = fmax(worst, ffi_hard_violation(c, def.relative_tolerance, def.absolute_tolerance));
    ffi_hard_case_destroy(c);
  }
  judge("exact, many", samples, unsolved, worst, 2);
}

// The bounded law has other conditions: here only that moments are within their limits.
static double outside(const ffi_hard_case *c, const ff_impact_def *def)
{
  double worst = 0;
  for (int k = 0; k < c->problem.block_count; ++k) {
    const double *Lambda = c->problem.impulse + c->problem.block[k].row;
    if (c->problem.block[k].rows == ROWS)
      worst = fmax(worst, fmax(hypot(Lambda[3], Lambda[4]), fabs(Lambda[5])) - Lambda[2]);
  }
  return worst / def->absolute_tolerance;
}

// newton 0: one step of it alone, so that all but easy problems are solved from the interior.
static void run_law(ff_impact_law law, int newton)
{
  const int samples = ffi_samples(500);
  ffi_random random = ffi_random_seed(4104);
  int unsolved = 0, fallbacks = 0;
  double worst = 0;
  for (int k = 0; k < samples; ++k) {
    ffi_hard_case *c = bodies_that_turn(&random, FEW);
    ff_impact_def def = ff_impact_def_default();
    def.law = law;
    def.max_iterations = newton ? def.max_iterations : 1;
    const ffi_hard_result result = ffi_impact_run(&def, c, NULL);
    unsolved += !result.converged;
    fallbacks += result.fallbacks > 0;
    if (law != FF_IMPACT_COULOMB)
      ffi_impact_state_law(c, FFI_HARD_LAW_CONE, 0);
    if (result.converged && law == FF_IMPACT_BOUNDED)
      worst = fmax(worst, outside(c, &def));
    else if (result.converged)
      worst = fmax(worst, ffi_hard_violation(c, def.relative_tolerance, def.absolute_tolerance));
    ffi_hard_case_destroy(c);
  }
  char what[64];
  snprintf(what, sizeof what, "%s%s", ff_impact_law_name(law), newton ? "" : ", interior");
  judge(what, samples, unsolved, worst, 0);
  assert_true(newton || fallbacks > samples / 2);
}

static void impact_laws_keep_theirs(void **state)
{
  (void)state;
  for (int law = 0; law < FF_IMPACT_LAW_COUNT; ++law)
    run_law((ff_impact_law)law, 1);
  run_law(FF_IMPACT_DISSIPATION, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_nearer),       cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(solvers_keep_the_laws),   cmocka_unit_test(exact_solves_many),
      cmocka_unit_test(impact_laws_keep_theirs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
