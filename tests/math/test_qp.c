// Quadratic programs against all that could be their solution, one after the other; large ones by the conditions that a solution meets.
#include "math/qp.h"

#include "support/random_state.h"
#include "support/samples.h"

#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_N = 40, MOST_M = 90 };

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

// H = F'F + shift with F of few rows at times: badly conditioned; constraints that repeat, oppose or add up to others at times.
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

// The minimum on a set of constraints taken as equalities, by one linear system; 0 if they depend on each other.
static int minimum_on(const ffi_qp *p, const int *set, int count, double *xu)
{
  const int n = p->n, size = n + count;
  double K[16 * 16] = {0};
  lapack_int pivot[16];
  for (int i = 0; i < n; ++i) {
    memcpy(K + i * size, p->H + i * n, (size_t)n * sizeof *K);
    xu[i] = -p->g[i];
  }
  for (int c = 0; c < count; ++c) {
    for (int i = 0; i < n; ++i) {
      K[i * size + n + c] = -p->A[set[c] * n + i];
      K[(n + c) * size + i] = p->A[set[c] * n + i];
    }
    xu[n + c] = p->b[set[c]];
  }
  double scale = 0, least = INFINITY;
  if (LAPACKE_dgetrf(LAPACK_ROW_MAJOR, size, size, K, size, pivot) != 0)
    return 0;
  for (int i = 0; i < size; ++i) {
    scale = fmax(scale, fabs(K[i * size + i]));
    least = fmin(least, fabs(K[i * size + i]));
  }
  return least > 1e-9 * scale && LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', size, 1, K, size, pivot, xu, 1) == 0;
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

// Tries all sets of at most n constraints; x is the minimum on the best of them. Returns its flaw: rounding if it is the solution.
static double brute_force(const ffi_qp *p, double *x)
{
  double least = INFINITY;
  for (unsigned chosen = 0; chosen < 1u << p->constraints; ++chosen) {
    int set[8], count = 0;
    double xu[16];
    for (int i = 0; i < p->constraints && count <= p->n; ++i)
      if (chosen >> i & 1)
        set[count++] = i;
    if (count > p->n || !minimum_on(p, set, count, xu))
      continue;
    const double flaw = flaw_of(p, set, count, xu);
    if (flaw >= least)
      continue;
    least = flaw;
    memcpy(x, xu, (size_t)p->n * sizeof *x);
  }
  return least;
}

static double distance(int n, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < n; ++i)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void small_ones_are_what_enumeration_finds(void **state)
{
  (void)state;
  const int problems = ffi_samples(100000);
  static problem p;
  ffi_qp_work *w = new_work(4, 6);
  int solved = 0, infeasible = 0, doubtful = 0;
  double worst = 0;
  for (int i = 0; i < problems; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i);
    const int n = 1 + ffi_random_below(&random, 4), m = ffi_random_below(&random, 7);
    random_problem(&random, n, m, m > 0 ? ffi_random_below(&random, (n < m ? n : m) + 1) : 0, &p);
    double x[4];
    const double flaw = brute_force(&p.qp, x);
    if (flaw > 1e-10 && flaw < 1e-5) { // constraints that are nearly dependent, where rounding decides
      ++doubtful;
      continue;
    }
    const int has_solution = flaw <= 1e-10;
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
    const double off = distance(n, x, w->x);
    worst = fmax(worst, off);
    if (!(off < 1e-6))
      fail_msg("problem %d: x is off by %g", i, off);
  }
  print_message("%d solved, off by at most %.1e, %d without solution, %d too near to tell\n", solved, worst,
                infeasible, doubtful);
  assert_true(solved > problems / 4 && infeasible > problems / 50 && doubtful < problems / 1000);
  free(w);
}

// Feasible, stationary, multipliers of the right sign, and none where a constraint is not touched.
static void check_conditions(const ffi_qp *p, const ffi_qp_work *w, const char *what, int number)
{
  double unmet = 0, slope = 0, sum = 0;
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
  if (!(unmet < 1e-7 && slope < 1e-6 && sum < 1e-6))
    fail_msg("%s, problem %d: constraints unmet by %g, slope %g, multipliers times slack %g", what, number,
             unmet, slope, sum);
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
    assert_true(w->iterations <= 2 &&
                distance(n, x, w->x) < 1e-6); // multipliers of 0 may leave and come back
    for (int k = 0; k < count && m > 0; ++k)
      guess[k] = ffi_random_below(&random, m);
    assert_int_equal(ffi_qp_solve(&p.qp, guess, count, 2000, w), FFI_QP_SOLVED);
    check_conditions(&p.qp, w, "guess", i);
    assert_true(distance(n, x, w->x) < 1e-6);
  }
  print_message("up to %d active, %.1f iterations each\n", most_active, (double)iterations / larges);
  assert_true(most_active > 20);
  free(w);
}

static void what_cannot_be_solved_is_told(void **state)
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
      cmocka_unit_test(what_cannot_be_solved_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
