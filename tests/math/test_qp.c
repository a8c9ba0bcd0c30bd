// Quadratic programs: small ones against every possible active set, large ones against the optimality conditions.
// soak: qp
#include "math/qp.h"

#include "support/near.h"
#include "support/random_state.h"
#include "support/samples.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_N = 40, MOST_M = 90, MOST_SIZE = 2 * MOST_N };

typedef struct problem {
  ffi_qp qp;
  double H[MOST_N * MOST_N], g[MOST_N], A[MOST_M * MOST_N], b[MOST_M];
} problem;

static ffi_qp_work *new_work(int n, int m)
{
  ffi_block measure = {0};
  ffi_qp_work layout;
  ffi_qp_layout(n, m, &measure, &layout);
  ffi_qp_work *w = calloc(1, sizeof *w + measure.used + FFI_BLOCK_ALIGN);
  assert_non_null(w);
  ffi_block block = {.base = (char *)(w + 1)};
  ffi_qp_layout(n, m, &block, w);
  return w;
}

// H = F'F + shift; with F of few rows at times, it is badly conditioned. Some constraints repeat, oppose or add up to
// others.
static void random_problem(ffi_random *random, int n, int m, int equalities, problem *p)
{
  double F[MOST_N * MOST_N];
  const int rows = ffi_random_chance(random, 0.3) ? 1 + n / 2 : n;
  const double shift = pow(10, ffi_random_between(random, -4, 0));
  p->qp = (ffi_qp){n, m, equalities, p->H, p->g, p->A, p->b};
  ffi_random_vector(random, rows * n, 1, F);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0;
      for (int k = 0; k < rows; ++k)
        sum += F[k * n + i] * F[k * n + j];
      p->H[i * n + j] = sum;
    }
  ffi_random_vector(random, n, 3, p->g);
  ffi_random_vector(random, m * n, 1, p->A);
  ffi_random_vector(random, m, 1, p->b);
  for (int i = 1; i < m; ++i) {
    const int other = ffi_random_below(random, i), kind = ffi_random_below(random, 12);
    if (kind > 2)
      continue;
    const double factor = kind == 0   ? 1
                          : kind == 1 ? -1
                                      : 2.5; // the same, a corridor or a contradiction, a multiple
    for (int k = 0; k < n; ++k)
      p->A[i * n + k] = factor * p->A[other * n + k];
    if (kind != 1)
      p->b[i] = factor * p->b[other];
  }
}

static double value_at(const ffi_qp *p, int constraint, const double *x)
{
  double sum = -p->b[constraint];
  for (int k = 0; k < p->n; ++k)
    sum += p->A[constraint * p->n + k] * x[k];
  return sum;
}

// The conditions of the minimum on a set of constraints taken as equalities, K (x, u) = (-g, b); K [size][size].
static void fill_conditions(const ffi_qp *p, const int *set, int count, double *K)
{
  const int n = p->n, size = n + count;
  memset(K, 0, (size_t)(size * size) * sizeof *K);
  for (int i = 0; i < n; ++i)
    memcpy(K + i * size, p->H + i * n, (size_t)n * sizeof *K);
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < n; ++i) {
      K[i * size + n + c] = -p->A[set[c] * n + i];
      K[(n + c) * size + i] = p->A[set[c] * n + i];
    }
}

// The minimum on a set, by one linear system; 0 if they depend on each other: a pivot that goes with the square of the
// angle between them is then rounding, some size eps.
static int minimum_on(const ffi_qp *p, const int *set, int count, double *xu)
{
  const int n = p->n, size = n + count;
  double K[16 * 16], scale = 0, least = INFINITY;
  lapack_int pivot[16];
  fill_conditions(p, set, count, K);
  for (int i = 0; i < size; ++i)
    xu[i] = i < n ? -p->g[i] : p->b[set[i - n]];
  if (LAPACKE_dgetrf(LAPACK_ROW_MAJOR, size, size, K, size, pivot) != 0)
    return 0;
  for (int i = 0; i < size; ++i) {
    scale = fmax(scale, fabs(K[i * size + i]));
    least = fmin(least, fabs(K[i * size + i]));
  }
  return least > 1e-13 * scale && LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', size, 1, K, size, pivot, xu, 1) == 0;
}

// How well rounding lets anyone know the minimum on a set: Gaussian elimination and Givens rotations of `size` unknowns
// z = (x, u) are wrong by a few size eps cond(K) |z| (Higham,
// Accuracy and Stability of Numerical Algorithms, theorem 9.4). "A few" is 16 here: some programs take all their
// constraints in and let half of them go.
static double rounding_on(const ffi_qp *p, const int *set, int count, double largest)
{
  static double K[MOST_SIZE * MOST_SIZE];
  lapack_int pivot[MOST_SIZE];
  const int size = p->n + count;
  double norm = 0, reciprocal = 0;
  fill_conditions(p, set, count, K);
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = 0; j < size; ++j)
      sum += fabs(K[i * size + j]);
    norm = fmax(norm, sum);
  }
  assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, size, size, K, size, pivot), 0);
  assert_int_equal(LAPACKE_dgecon(LAPACK_ROW_MAJOR, 'I', size, K, size, norm, &reciprocal), 0);
  return 16 * size * DBL_EPSILON * largest / reciprocal;
}

// How far the minimum on a set is from solving the program: constraints unmet, multipliers below zero.
static double flaw_of(const ffi_qp *p, const int *set, int count, const double *xu)
{
  double flaw = 0;
  for (int c = 0; c < count; ++c)
    flaw = fmax(flaw, set[c] < p->equalities ? 0 : -xu[p->n + c]);
  for (int i = 0; i < p->constraints; ++i) {
    const double value = value_at(p, i, xu);
    flaw = fmax(flaw, i < p->equalities ? fabs(value) : -value);
  }
  return flaw;
}

// The best minimum on any set of at most n constraints.
typedef struct enumerated {
  double x[4], flaw; // flaw: rounding if it is the solution
  double rounding;   // of x, and nearly of the flaw, as no a_i is much longer than 1
} enumerated;

static enumerated brute_force(const ffi_qp *p)
{
  enumerated best = {.flaw = INFINITY};
  int best_set[8], best_count = 0;
  double largest = 0;
  for (unsigned chosen = 0; chosen < 1u << p->constraints; ++chosen) {
    int set[8], count = 0;
    double xu[16];
    for (int i = 0; i < p->constraints && count <= p->n; ++i)
      if (chosen >> i & 1)
        set[count++] = i;
    if (count > p->n || !minimum_on(p, set, count, xu))
      continue;
    const double flaw = flaw_of(p, set, count, xu);
    if (flaw >= best.flaw)
      continue;
    best.flaw = flaw;
    best_count = count;
    largest = ffi_size(p->n + count, xu);
    memcpy(best_set, set, sizeof set);
    memcpy(best.x, xu, (size_t)p->n * sizeof *xu);
  }
  best.rounding = rounding_on(p, best_set, best_count, largest);
  return best;
}

static void small_ones_are_what_enumeration_finds(void **state)
{
  (void)state;
  const int problems = ffi_samples(100000);
  static problem p;
  ffi_qp_work *w = new_work(4, 6);
  int solved = 0, infeasible = 0, doubtful = 0;
  double worst = 0, share = 0;
  for (int i = 0; i < problems; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i);
    const int n = 1 + ffi_random_below(&random, 4), m = ffi_random_below(&random, 7);
    random_problem(&random, n, m, m > 0 ? ffi_random_below(&random, (n < m ? n : m) + 1) : 0, &p);
    const enumerated best = brute_force(&p.qp);
    const int has_solution = best.flaw <= fmin(1e-10, best.rounding);
    if (!has_solution && best.flaw < 1e-5 + 1000 * best.rounding) { // nearly dependent: rounding may decide
      ++doubtful;
      continue;
    }
    const ffi_qp_status status = ffi_qp_solve(&p.qp, NULL, 0, 200, w);
    if (status != (has_solution ? FFI_QP_SOLVED : FFI_QP_INFEASIBLE))
      fail_msg("problem %d, %d unknowns, %d constraints: status %d, but %s", i, n, m, (int)status,
               has_solution ? "there is a solution" : "there is none");
    if (!has_solution) {
      ++infeasible;
      assert_in_range(w->culprit, 0, m - 1);
      continue;
    }
    ++solved;
    const double off = ffi_gap(n, w->x, best.x);
    worst = fmax(worst, off);
    share = fmax(share, off / best.rounding);
    if (!(off <= best.rounding))
      fail_msg("problem %d: x is off by %g, rounding explains %g", i, off, best.rounding);
  }
  print_message(
      "%d solved, off by at most %.1e and %.2f of their rounding, %d without solution, %d too near to tell\n",
      solved, worst, share, infeasible, doubtful);
  ffi_samples_tried(problems, "small quadratic programs");
  assert_true(solved > problems / 4 && infeasible > problems / 50 && doubtful < problems / 1000);
  free(w);
}

// The largest sum of sizes of what is added up in a constraint and, `slope`, in a row of Hx + g - A'u.
static void sizes(const ffi_qp *p, const ffi_qp_work *w, double *value, double *slope)
{
  *value = *slope = 0;
  for (int i = 0; i < p->constraints; ++i) {
    double sum = fabs(p->b[i]);
    for (int k = 0; k < p->n; ++k)
      sum += fabs(p->A[i * p->n + k] * w->x[k]);
    *value = fmax(*value, sum);
  }
  for (int k = 0; k < p->n; ++k) {
    double sum = fabs(p->g[k]);
    for (int j = 0; j < p->n; ++j)
      sum += fabs(p->H[k * p->n + j] * w->x[j]);
    for (int i = 0; i < p->constraints; ++i)
      sum += fabs(w->u[i] * p->A[i * p->n + k]);
    *slope = fmax(*slope, sum);
  }
}

// Feasible, stationary, multipliers of the right sign, and none where a constraint is not touched. Residuals of sums do
// not depend on conditioning: they are some
// eps times what is added up in them for each of the n rotations that a constraint goes through; those not taken in may
// lack the solver's slack, 1e-11 of the same.
static void check_conditions(const ffi_qp *p, const ffi_qp_work *w, const char *what, int number)
{
  double unmet = 0, slope = 0, sum = 0, value_size, slope_size;
  sizes(p, w, &value_size, &slope_size);
  const double part = 4 * (p->n + 1) * DBL_EPSILON, most = ffi_size(p->constraints, w->u);
  for (int i = 0; i < p->constraints; ++i) {
    const double value = value_at(p, i, w->x);
    unmet = fmax(unmet, i < p->equalities ? fabs(value) : -value);
    assert_true(i < p->equalities || w->u[i] >= 0);
    sum = fmax(sum, fabs(w->u[i] * value));
  }
  for (int k = 0; k < p->n; ++k) {
    double gradient = p->g[k];
    for (int j = 0; j < p->n; ++j)
      gradient += p->H[k * p->n + j] * w->x[j];
    for (int i = 0; i < p->constraints; ++i)
      gradient -= w->u[i] * p->A[i * p->n + k];
    slope = fmax(slope, fabs(gradient));
  }
  if (!(unmet <= (part + 1e-11) * value_size && slope <= part * slope_size &&
        sum <= part * most * value_size))
    fail_msg("%s, problem %d: constraints unmet by %g (sizes %g), slope %g (%g), multipliers times slack %g",
             what, number, unmet, value_size, slope, slope_size, sum);
}

// Around a point that is strictly inside, so that there is a solution.
static void make_feasible(ffi_random *random, problem *p)
{
  double inside[MOST_N];
  const int n = p->qp.n;
  ffi_random_vector(random, n, 1, inside);
  for (int i = 0; i < p->qp.constraints; ++i) {
    p->b[i] = 0;
    const double value = value_at(&p->qp, i, inside);
    p->b[i] = i < p->qp.equalities ? value : value - ffi_random_between(random, 0, 0.5);
  }
}

static void large_ones_meet_the_conditions(void **state)
{
  (void)state;
  static problem p;
  ffi_qp_work *w = new_work(MOST_N, MOST_M);
  const int larges = ffi_samples(2000);
  int most_active = 0, iterations = 0;
  for (int i = 0; i < larges; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i + 1000000);
    const int n = 5 + ffi_random_below(&random, MOST_N - 4), m = ffi_random_below(&random, MOST_M + 1);
    random_problem(&random, n, m, m > 0 ? ffi_random_below(&random, (m < n / 2 ? m : n / 2) + 1) : 0, &p);
    make_feasible(&random, &p);
    if (ffi_qp_solve(&p.qp, NULL, 0, 2000, w) != FFI_QP_SOLVED)
      fail_msg("problem %d, %d unknowns, %d constraints: not solved, culprit %d", i, n, m, w->culprit);
    check_conditions(&p.qp, w, "cold", i);
    most_active = w->active_count > most_active ? w->active_count : most_active;
    iterations += w->iterations;

    // with its own solution as a guess nothing is left to do; with any guess it is the same one
    double x[MOST_N];
    int guess[MOST_N];
    const int count = w->active_count;
    memcpy(x, w->x, (size_t)n * sizeof *x);
    memcpy(guess, w->active, (size_t)count * sizeof *guess);
    assert_int_equal(ffi_qp_solve(&p.qp, guess, count, 2000, w), FFI_QP_SOLVED);
    const double rounding = rounding_on(&p.qp, guess, count, fmax(ffi_size(n, x), ffi_size(m, w->u)));
    assert_true(w->iterations <= 2); // multipliers of 0 may leave and come back
    if (!(ffi_gap(n, w->x, x) <= rounding))
      fail_msg("problem %d: with its own solution as a guess x is off by %g, rounding explains %g", i,
               ffi_gap(n, w->x, x), rounding);
    for (int k = 0; k < count && m > 0; ++k)
      guess[k] = ffi_random_below(&random, m);
    assert_int_equal(ffi_qp_solve(&p.qp, guess, count, 2000, w), FFI_QP_SOLVED);
    check_conditions(&p.qp, w, "guess", i);
    if (!(ffi_gap(n, w->x, x) <= rounding))
      fail_msg("problem %d: with a random guess x is off by %g, rounding explains %g", i, ffi_gap(n, w->x, x),
               rounding);
  }
  print_message("up to %d active, %.1f iterations each\n", most_active, (double)iterations / larges);
  ffi_samples_tried(larges, "large quadratic programs");
  assert_true(most_active > 20);
  free(w);
}

static void unsolvable_programs_are_reported(void **state)
{
  (void)state;
  ffi_qp_work *w = new_work(2, 3);
  const double H[4] = {1, 0, 0, 1}, flat[4] = {1, 1, 1, 1}, sick[4] = {1, 0, NAN, 1}, g[2] = {0, 0};
  const double A[6] = {1, 0, -1, 0, 0, 1}, b[3] = {1, 0, 1}; // x >= 1 and x <= 0
  ffi_qp p = {2, 3, 0, H, g, A, b};
  assert_int_equal(ffi_qp_solve(&p, NULL, 0, 100, w), FFI_QP_INFEASIBLE);
  assert_in_range(w->culprit, 0, 1);
  p.constraints = 0;
  p.H = flat;
  assert_int_equal(ffi_qp_solve(&p, NULL, 0, 100, w), FFI_QP_NOT_CONVEX);
  p.H = sick;
  assert_int_equal(ffi_qp_solve(&p, NULL, 0, 100, w), FFI_QP_NOT_CONVEX);
  const double corner[3] = {1, -5, 1};
  p = (ffi_qp){2, 3, 0, H, g, A, corner};
  assert_int_equal(ffi_qp_solve(&p, NULL, 0, 1, w), FFI_QP_STALLED);
  assert_int_equal(ffi_qp_solve(&p, NULL, 0, 2, w), FFI_QP_SOLVED);
  assert_true(w->x[0] == 1 && w->x[1] == 1 && w->u[0] == 1 && w->u[1] == 0 && w->u[2] == 1);
  const int nonsense[3] = {-1, 7, 0};
  assert_int_equal(ffi_qp_solve(&p, nonsense, 3, 2, w), FFI_QP_SOLVED);
  free(w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_ones_are_what_enumeration_finds),
      cmocka_unit_test(large_ones_meet_the_conditions),
      cmocka_unit_test(unsolvable_programs_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
