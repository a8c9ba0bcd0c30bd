// Dense factorisations against LAPACK, and their refusals.
#include "math/dense.h"

#include "math/near.h"

#include <lapacke.h>

enum { MAX_N = 40, STRIDE = MAX_N + 3 };

typedef struct problem {
  int n;
  double A[MAX_N * STRIDE], b[MAX_N];
} problem;

static double at(const double *A, int i, int j)
{
  return A[i * STRIDE + j];
}

static void random_problem(rng *r, int n, problem *p)
{
  p->n = n;
  random_vector(r, MAX_N * STRIDE, 1, p->A);
  random_vector(r, MAX_N, 1, p->b);
}

// B B' + shift 1, in place of a general matrix
static void make_definite(problem *p, double shift)
{
  double B[MAX_N * STRIDE];
  memcpy(B, p->A, sizeof B);
  for (int i = 0; i < p->n; ++i)
    for (int j = 0; j < p->n; ++j) {
      double sum = i == j ? shift : 0;
      for (int k = 0; k < p->n; ++k)
        sum += at(B, i, k) * at(B, j, k);
      p->A[i * STRIDE + j] = sum;
    }
}

// The largest |A x - b|, relative to what rounding allows for a backward stable solver: |A| |x| + |b|, per
// eps.
static double residual(const problem *p, const double *x, int is_symmetric)
{
  double worst = 0;
  for (int i = 0; i < p->n; ++i) {
    long double sum = -(long double)p->b[i];
    double size = fabs(p->b[i]);
    for (int j = 0; j < p->n; ++j) {
      double a = is_symmetric && j > i ? at(p->A, j, i) : at(p->A, i, j);
      sum += (long double)a * x[j];
      size += fabs(a * x[j]);
    }
    worst = fmax(worst, (double)fabsl(sum) / (EPS * size));
  }
  return worst;
}

static void cholesky_agrees_with_lapack(void **state)
{
  (void)state;
  rng r = {1};
  for (int n = 1; n <= MAX_N; ++n) {
    problem p;
    double L[MAX_N * STRIDE], M[MAX_N * STRIDE], x[MAX_N], y[MAX_N];
    random_problem(&r, n, &p);
    make_definite(&p, 0.5);
    memcpy(L, p.A, sizeof L);
    memcpy(M, p.A, sizeof M);
    memcpy(x, p.b, sizeof x);
    memcpy(y, p.b, sizeof y);
    assert_int_equal(ffi_dense_cholesky(n, STRIDE, L), FFI_FACTORED);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, M, STRIDE), 0);
    ffi_dense_cholesky_solve(n, STRIDE, L, x);
    LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'L', n, 1, M, STRIDE, y, 1);
    // Factors agree to rounding times the condition number, at most (n n/3 + 1/2) / (1/2) here.
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        assert_near(at(L, i, j), at(M, i, j), 4 * EPS * n * n * n);
    for (int i = 0; i < n; ++i)
      assert_near(x[i], y[i], 64 * EPS * n * n * n);
    assert_near(residual(&p, x, 1), 0, 2 * n + 4);
    for (int i = 0; i < n; ++i) // the upper triangle is not touched
      for (int j = i + 1; j < n; ++j)
        assert_true(at(L, i, j) == at(p.A, i, j));
  }
}

static void ldl_agrees_with_lapack(void **state)
{
  (void)state;
  rng r = {2};
  for (int n = 1; n <= MAX_N; ++n) {
    problem p;
    double LD[MAX_N * STRIDE], M[MAX_N * STRIDE], x[MAX_N], y[MAX_N];
    int pivots[MAX_N];
    random_problem(&r, n, &p);
    make_definite(&p, 0.5);
    for (int i = 0; i < n; ++i) // quasidefinite: the second half of the diagonal turned negative
      for (int j = 0; j < n; ++j)
        if (i >= n / 2 && j >= n / 2)
          p.A[i * STRIDE + j] = -p.A[i * STRIDE + j];
    memcpy(LD, p.A, sizeof LD);
    memcpy(M, p.A, sizeof M);
    memcpy(x, p.b, sizeof x);
    memcpy(y, p.b, sizeof y);
    assert_int_equal(ffi_dense_ldl(n, STRIDE, LD), FFI_FACTORED);
    assert_int_equal(LAPACKE_dsysv(LAPACK_ROW_MAJOR, 'L', n, 1, M, STRIDE, pivots, y, 1), 0);
    ffi_dense_ldl_solve(n, STRIDE, LD, x);
    for (int i = 0; i < n; ++i)
      assert_near(x[i], y[i], 64 * EPS * n * n * n);
    for (int i = 0; i < n; ++i) // inertia: the signs of D
      assert_true((at(LD, i, i) > 0) == (i < n / 2));
  }
}

static void lu_agrees_with_lapack(void **state)
{
  (void)state;
  rng r = {3};
  for (int n = 1; n <= MAX_N; ++n) {
    problem p;
    double LU[MAX_N * STRIDE], M[MAX_N * STRIDE], x[MAX_N];
    int row[MAX_N], pivots[MAX_N], lapack_row[MAX_N];
    random_problem(&r, n, &p);
    p.A[0] = 0; // pivoting is needed from the start
    if (n == 1)
      p.A[0] = 2;
    memcpy(LU, p.A, sizeof LU);
    memcpy(M, p.A, sizeof M);
    assert_int_equal(ffi_dense_lu(n, STRIDE, LU, row), FFI_FACTORED);
    assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, M, STRIDE, pivots), 0);
    for (int i = 0; i < n; ++i)
      lapack_row[i] = i;
    for (int i = 0; i < n; ++i) {
      int t = lapack_row[i];
      lapack_row[i] = lapack_row[pivots[i] - 1];
      lapack_row[pivots[i] - 1] = t;
    }
    for (int i = 0; i < n; ++i)
      assert_int_equal(row[i], lapack_row[i]);
    ffi_dense_lu_solve(n, STRIDE, LU, row, p.b, x);
    // Backward stable: n eps times the growth of the elements, which is below 8 for random matrices of this
    // size.
    assert_near(residual(&p, x, 0), 0, 8 * n + 8);
  }
}

static void the_failing_pivot_is_named(void **state)
{
  (void)state;
  rng r = {4};
  for (int k = 0; k < 12; ++k) {
    problem p;
    int row[MAX_N];
    random_problem(&r, 12, &p);
    make_definite(&p, 1);
    double A[MAX_N * STRIDE];
    memcpy(A, p.A, sizeof A);
    A[k * STRIDE + k] = -1e6;
    assert_int_equal(ffi_dense_cholesky(12, STRIDE, A), k);
    memcpy(A, p.A, sizeof A);
    A[k * STRIDE + k] = (double)NAN;
    assert_int_equal(ffi_dense_cholesky(12, STRIDE, A), k);
    memcpy(A, p.A, sizeof A);
    A[k * STRIDE + k] = (double)NAN;
    assert_int_equal(ffi_dense_ldl(12, STRIDE, A), k);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        A[i * STRIDE + j] = i == j && i != k;
    assert_int_equal(ffi_dense_ldl(12, STRIDE, A), k);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        A[i * STRIDE + j] = i == j && i != k;
    assert_int_equal(ffi_dense_lu(12, STRIDE, A, row), k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cholesky_agrees_with_lapack),
      cmocka_unit_test(ldl_agrees_with_lapack),
      cmocka_unit_test(lu_agrees_with_lapack),
      cmocka_unit_test(the_failing_pivot_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
