// Least-cost feedback against the roots of a quadratic, and against minimising the whole cost at once.
#include "math/riccati.h"

#include "math/dense.h"
#include "math/near.h"

#include <lapacke.h>

enum { N = 4, M = 2, T = 5 };

// One state, one control, infinite horizon: P = Q + A^2 P R / (R + B^2 P), so B^2 P^2 + (R - A^2 R - B^2 Q) P - Q R =
// 0. Unstable, stable and marginal.
static void one_state_for_ever_is_a_root_of_a_quadratic(void **state)
{
  (void)state;
  const double cases[][4] = {{1.5, 0.3, 2, 0.7}, {0.5, 1, 1, 1}, {1, 0.01, 3, 10}, {-2, 1, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    const double A = cases[i][0], B = cases[i][1], Q = cases[i][2], R = cases[i][3];
    const double half = (R - A * A * R - B * B * Q) / 2;
    const double want = (-half + sqrt(half * half + B * B * Q * R)) / (B * B);
    double P = 1, K = 0, work[8];
    assert_true(ffi_riccati_work(1, 1) <= 8);
    for (int k = 0; k < 20000; ++k)
      assert_int_equal(ffi_riccati_step(&(ffi_riccati){1, 1, &A, &B, &Q, &R}, &P, &K, work), FFI_FACTORED);
    // Errors of a step shrink by the closed loop's square, at most 0.99 here, so rounding adds up to 100 eps, and some.
    assert_true(fabs(P - want) <= 1e-12 * want);
    assert_true(fabs(K - A * B * want / (R + B * B * want)) <= 1e-12);
    assert_true(fabs(A - B * K) < 1);
  }
}

typedef struct problem {
  double A[T][N * N], B[T][N * M], Q[N], R[M], last[N * N];
} problem;

static void random_problem(rng *r, problem *p)
{
  random_vector(r, T * N * N, 1, p->A[0]);
  random_vector(r, T * N * M, 1, p->B[0]);
  random_vector(r, N, 1, p->Q);
  random_vector(r, M, 1, p->R);
  for (int i = 0; i < N; ++i)
    p->Q[i] = fabs(p->Q[i]);
  for (int i = 0; i < M; ++i)
    p->R[i] = 0.1 + fabs(p->R[i]);
  double C[N * N];
  random_vector(r, N * N, 1, C);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      p->last[i * N + j] = 0;
      for (int k = 0; k < N; ++k)
        p->last[i * N + j] += C[k * N + i] * C[k * N + j];
    }
}

// What it costs to apply the controls u [T][M] from x.
static double cost(const problem *p, const double *x, const double *u)
{
  double now[N], next[N], sum = 0;
  memcpy(now, x, sizeof now);
  for (int k = 0; k < T; ++k) {
    for (int i = 0; i < N; ++i)
      sum += p->Q[i] * now[i] * now[i];
    for (int i = 0; i < M; ++i)
      sum += p->R[i] * u[k * M + i] * u[k * M + i];
    for (int i = 0; i < N; ++i) {
      next[i] = 0;
      for (int j = 0; j < N; ++j)
        next[i] += p->A[k][i * N + j] * now[j];
      for (int j = 0; j < M; ++j)
        next[i] += p->B[k][i * M + j] * u[k * M + j];
    }
    memcpy(now, next, sizeof now);
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      sum += now[i] * p->last[i * N + j] * now[j];
  return sum;
}

// The cost is a quadratic in all controls at once: its matrix and slope from its values at unit vectors, its minimum by
// LAPACK.
static void best_controls(const problem *p, const double *x, double *u)
{
  enum { U = T * M };
  double H[U * U], at[U] = {0}, single[U];
  const double none = cost(p, x, at);
  for (int i = 0; i < U; ++i) {
    double ahead, behind;
    at[i] = 1, ahead = cost(p, x, at);
    at[i] = -1, behind = cost(p, x, at);
    at[i] = 0;
    single[i] = ahead;
    H[i * U + i] = (ahead + behind) / 2 - none;
    u[i] = -(ahead - behind) / 4;
  }
  for (int i = 0; i < U; ++i)
    for (int j = 0; j < i; ++j) {
      at[i] = at[j] = 1;
      H[i * U + j] = H[j * U + i] = (cost(p, x, at) - single[i] - single[j] + none) / 2;
      at[i] = at[j] = 0;
    }
  assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', U, 1, H, U, u, 1), 0);
}

static void no_other_controls_cost_less(void **state)
{
  (void)state;
  rng r = {.state = 5};
  double worst = 0;
  for (int trial = 0; trial < 200; ++trial) {
    problem p;
    double P[N * N], K[M * N], work[200], x[N], u[T * M], paid = 0;
    random_problem(&r, &p);
    random_vector(&r, N, 1, x);
    memcpy(P, p.last, sizeof P);
    assert_true(ffi_riccati_work(N, M) <= 200);
    for (int k = T - 1; k >= 0; --k)
      assert_int_equal(ffi_riccati_step(&(ffi_riccati){N, M, p.A[k], p.B[k], p.Q, p.R}, P, K, work),
                       FFI_FACTORED);
    best_controls(&p, x, u);
    const double least = cost(&p, x, u);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        paid += x[i] * P[i * N + j] * x[j];
        assert_true(P[i * N + j] == P[j * N + i]);
      }
    worst = fmax(worst, fabs(paid - least) / (1 + least));
    for (int i = 0; i < M; ++i) {
      double first = 0;
      for (int j = 0; j < N; ++j)
        first -= K[i * N + j] * x[j];
      worst = fmax(worst, fabs(first - u[i]) / (1 + fabs(u[i])));
    }
  }
  // The matrix of all controls has entries up to 1e4 beside R of 0.1: its solution keeps 1e5 eps.
  print_message("  from the best by %.1e\n", worst);
  assert_true(worst < 2e-11);
}

static void what_is_no_number_is_told(void **state)
{
  (void)state;
  const double A = 1, Q = 1, R = 1, B = NAN;
  double P = 1, K, work[8];
  assert_int_equal(ffi_riccati_step(&(ffi_riccati){1, 1, &A, &B, &Q, &R}, &P, &K, work), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_state_for_ever_is_a_root_of_a_quadratic),
      cmocka_unit_test(no_other_controls_cost_less),
      cmocka_unit_test(what_is_no_number_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
