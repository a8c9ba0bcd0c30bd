// The matrix exponential against LAPACK's eigenvectors and Taylor's series in long double, its products, its failures.
#include "math/expm_case.h"
#include "math/long_expm.h"
#include "support/alloc_counter.h"

#include <lapacke.h>

static const ffi_expm_options exact_unbalanced = {FFI_EXPM_EXACT, 1};

// |E - e^A| in long double, relative to |e^A| or to 1, where the path began, in units of eps
static double error_against_series(int n, const double *A, const double *E)
{
  long double LA[MAX_N * MAX_N], LE[MAX_N * MAX_N];
  for (int i = 0; i < n * n; ++i)
    LA[i] = A[i];
  long_expm(n, LA, LE);
  long double size = fmaxl(1, long_norm1(n, LE));
  for (int i = 0; i < n * n; ++i)
    LE[i] -= E[i];
  return (double)(long_norm1(n, LE) / size / EPS);
}

// At and beside every norm where the order or the scaling changes
static void random_matrices_agree_with_the_series(void **state)
{
  (void)state;
  static const double edges[] = {1e-12, 1.495e-2, 1.496e-2, 0.2539, 0.2540, 0.9504, 0.9505, 2.097,
                                 2.098, 4.249,    4.251,    8.499,  8.501,  60,     300};
  static const int orders[] = {3, 3, 5, 5, 7, 7, 9, 9, 13, 13, 13, 13, 13, 13, 13};
  rng r = {3};
  double worst = 0;
  for (int e = 0; e < 15; ++e)
    for (int n = 1; n <= 20; n += 1 + n / 5) {
      double A[MAX_N * MAX_N], E[MAX_N * MAX_N];
      random_vector(&r, n * n, 1, A);
      double scale = edges[e] / norm1(n, A);
      for (int i = 0; i < n * n; ++i)
        A[i] *= scale;
      ffi_expm_info info = expm(n, A, &exact_unbalanced, E);
      assert_near(info.norm, edges[e], 4 * n * EPS * edges[e]);
      assert_int_equal(info.order, orders[e]);
      double error = error_against_series(n, A, E) / (n * (1 + edges[e]));
      worst = fmax(worst, error);
      // A few roundings per entry and unit of the norm; at 4.25 the terms of numerator and denominator are e^4.25
      // times what is left of them, which for n = 1 is all there is.
      assert_true(error < 14);
      expm(n, A, &exact, E);
      error = error_against_series(n, A, E) / (n * (1 + edges[e]));
      worst = fmax(worst, error);
      assert_true(error < 14);
    }
  print_message("random matrices: at most %.2g n (1 + |A|) eps\n", worst);
}

// Units from 1e-8 to 1e8: balancing finds them, and the error is relative in each of them.
static void badly_scaled_matrices_are_balanced(void **state)
{
  (void)state;
  rng r = {4};
  for (int round = 0; round < 40; ++round) {
    const int n = 2 + random_below(&r, 14);
    double A[MAX_N * MAX_N], B[MAX_N * MAX_N], E[MAX_N * MAX_N], F[MAX_N * MAX_N], d[MAX_N];
    random_vector(&r, n * n, 3, A);
    for (int i = 0; i < n; ++i)
      d[i] = exp2(floor(random_in(&r, -26, 26)));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        B[i * n + j] = A[i * n + j] * (d[i] / d[j]);
    expm(n, A, &exact, E);
    ffi_expm_info info = expm(n, B, &exact, F);
    assert_true(info.norm < 4 * norm1(n, A));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        assert_near(F[i * n + j] * (d[j] / d[i]), E[i * n + j], 8 * n * EPS * norm1(n, A) * norm1(n, E));
  }
}

static void symmetric_matrices_agree_with_lapack(void **state)
{
  (void)state;
  rng r = {5};
  for (int n = 1; n <= MAX_N; n += 1 + n / 3) {
    double A[MAX_N * MAX_N], E[MAX_N * MAX_N], Q[MAX_N * MAX_N], l[MAX_N];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        A[i * n + j] = A[j * n + i] = random_in(&r, -4, 4);
    memcpy(Q, A, sizeof Q);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', n, Q, n, l), 0);
    expm(n, A, &exact, E);
    // Both are off by a few n eps |A| in the exponent.
    const double tolerance = 8 * n * EPS * (1 + norm1(n, A)) * exp(l[n - 1]);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k)
          sum += Q[i * n + k] * exp(l[k]) * Q[j * n + k];
        assert_near(E[i * n + j], sum, tolerance);
      }
  }
}

static void exponents_add_and_cancel(void **state)
{
  (void)state;
  rng r = {6};
  for (int n = 1; n <= 24; n += 1 + n / 4) {
    double A[MAX_N * MAX_N], B[MAX_N * MAX_N], E[MAX_N * MAX_N], F[MAX_N * MAX_N], P[MAX_N * MAX_N];
    random_vector(&r, n * n, 1, A);
    for (int i = 0; i < n * n; ++i)
      B[i] = -A[i];
    expm(n, A, &exact, E);
    expm(n, B, &exact, F);
    multiply(n, n, E, F, P);
    double tolerance = 16 * n * EPS * (1 + norm1(n, A)) * norm1(n, E) * norm1(n, F);
    for (int i = 0; i < n * n; ++i)
      assert_near(P[i], i / n == i % n, tolerance);
    for (int i = 0; i < n * n; ++i)
      B[i] = 3.5 * A[i];
    expm(n, B, &exact, F); // e^3.5A e^A = e^4.5A
    multiply(n, n, F, E, P);
    for (int i = 0; i < n * n; ++i)
      B[i] = 4.5 * A[i];
    tolerance = 64 * n * EPS * (1 + norm1(n, B)) * norm1(n, E) * norm1(n, F);
    expm(n, B, &exact, F);
    for (int i = 0; i < n * n; ++i)
      assert_near(P[i], F[i], tolerance);
  }
}

// Norms from 1e-3 to 1e4, one to nine columns: by solves alone, by squarings, and by both.
static void products_with_columns_agree_with_the_whole(void **state)
{
  (void)state;
  rng r = {7};
  int fewer = 0;
  for (double size = 1e-3; size < 2e4; size *= 3)
    for (int columns = 1; columns <= 9; columns += 2) {
      const int n = 3 + random_below(&r, 28);
      double A[MAX_N * MAX_N], E[MAX_N * MAX_N], V[MAX_N * 9], W[MAX_N * 9];
      for (int i = 0; i < n; ++i) // skew and damped, so that nothing grows
        for (int j = 0; j <= i; ++j) {
          A[i * n + j] = random_in(&r, -1, 1);
          A[j * n + i] = -A[i * n + j];
          if (i == j)
            A[i * n + i] = -fabs(A[i * n + i]) / 10;
        }
      const double scale = size / norm1(n, A);
      for (int i = 0; i < n * n; ++i)
        A[i] *= scale;
      random_vector(&r, n * columns, 1, V);
      ffi_expm_info whole = expm(n, A, &exact, E);
      multiply(n, columns, E, V, W);
      ffi_expm_info some = expm_times(n, A, columns, &exact, V);
      assert_int_equal(some.scaling, whole.scaling);
      assert_true(some.products <= whole.products);
      fewer += some.products < whole.products;
      for (int i = 0; i < n * columns; ++i)
        assert_near(V[i], W[i], 8 * n * EPS * (1 + size));
    }
  assert_true(fewer > 10);
}

static void products_of_reduced_orders_agree_with_the_whole(void **state)
{
  (void)state;
  rng r = {8};
  for (int k = 0; k < 5; ++k) {
    const ffi_expm_options options = {(int[]){1, 2, 3, 5, 7}[k], 0};
    double A[100], E[100], V[20], W[20];
    random_vector(&r, 100, 0.3, A);
    random_vector(&r, 20, 1, V);
    expm(10, A, &options, E);
    multiply(10, 2, E, V, W);
    expm_times(10, A, 2, &options, V);
    for (int i = 0; i < 20; ++i)
      assert_near(V[i], W[i], 100 * EPS * norm1(10, E));
  }
}

// [[1, b], [0, -1]] has the exponential [[e, b sinh 1], [0, 1/e]] whatever b: a norm of 1e10 must not make it scale.
static void large_norms_of_small_powers_are_not_scaled_away(void **state)
{
  (void)state;
  for (double b = 1; b < 1e12; b *= 10) {
    double A[4] = {1, b, 0, -1}, E[4];
    ffi_expm_info info = expm(2, A, &exact_unbalanced, E);
    assert_true(info.scaling <= 3);
    assert_near(E[0], expl(1), 16 * EPS);
    assert_near(E[1], (long double)b * sinhl(1), 16 * EPS * b);
    assert_true(E[2] == 0);
    assert_near(E[3], expl(-1), 16 * EPS);
  }
  // Powers vanish by cancellation, those of absolute values do not: A^2 = 0, and the doubt must win.
  double A[4] = {30, 30, -30, -30}, E[4];
  assert_true(expm(2, A, &exact_unbalanced, E).scaling >= 4);
  for (int i = 0; i < 4; ++i)
    assert_near(E[i], A[i] + (i == 0 || i == 3), 64 * EPS * 60 * 60);
}

static void failures_are_reported(void **state)
{
  (void)state;
  void *work = dirty_work(2, 1);
  const ffi_expm_options first = {1, 0};
  double E[4], V[2] = {1, 1};
  const double two[4] = {2, 0, 0, 0}; // 1 - A/2 is singular
  assert_int_equal(ffi_expm(2, two, E, &first, work, NULL), FFI_EXPM_SINGULAR);
  assert_int_equal(ffi_expm_times(2, two, &(ffi_expm_columns){1, V}, &first, work, NULL), FFI_EXPM_SINGULAR);
  assert_int_equal(ffi_expm(2, two, E, &exact, work, NULL), FFI_EXPM_DONE);
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 4; ++i) {
      double A[4] = {0, 1, -1, 0};
      A[i] = bad[k];
      assert_int_equal(ffi_expm(2, A, E, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
      assert_int_equal(ffi_expm_times(2, A, &(ffi_expm_columns){1, V}, &first, work, NULL),
                       FFI_EXPM_NOT_FINITE);
    }
  const double grows[4] = {800, 0, 0, 0}, turns[4] = {0, 1, -1, 0}, huge[4] = {0, 1e308, 1e308, 1e308};
  assert_int_equal(ffi_expm(2, grows, E, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
  assert_int_equal(ffi_expm_times(2, grows, &(ffi_expm_columns){1, V}, &exact, work, NULL),
                   FFI_EXPM_NOT_FINITE);
  assert_int_equal(ffi_expm(2, huge, E, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
  assert_true(V[0] == 1 && V[1] == 1);
  V[0] = (double)NAN;
  assert_int_equal(ffi_expm_times(2, turns, &(ffi_expm_columns){1, V}, &exact, work, NULL),
                   FFI_EXPM_NOT_FINITE);
  assert_int_equal(ffi_expm_times(0, NULL, &(ffi_expm_columns){1, NULL}, &exact, work, NULL), FFI_EXPM_DONE);
  const double shrinks[4] = {-1e300, 0, 0, -2}; // e^-1e300 is 0, and its neighbour must not suffer
  assert_int_equal(ffi_expm(2, shrinks, E, &exact, work, NULL), FFI_EXPM_DONE);
  assert_true(E[0] == 0);
  for (int order = -1; order < 15; ++order)
    assert_int_equal(ffi_expm_is_order(order), order >= 0 && order <= 7 && order != 4 && order != 6);
  free(work);
}

static void the_same_input_gives_the_same_bits_and_takes_no_memory(void **state)
{
  (void)state;
  rng r = {8};
  double A[13 * 13], V[13 * 3], W[13 * 3];
  random_vector(&r, 169, 20, A);
  random_vector(&r, 39, 1, V);
  memcpy(W, V, sizeof W);
  expm_times(13, A, 3, &exact, V);
  void *work = malloc(ffi_expm_size(13, 3));
  memset(work, 0, ffi_expm_size(13, 3));
  const long before = ffi_test_alloc_count();
  assert_int_equal(ffi_expm_times(13, A, &(ffi_expm_columns){3, W}, &exact, work, NULL), FFI_EXPM_DONE);
  assert_int_equal(ffi_test_alloc_count(), before);
  assert_memory_equal(V, W, sizeof V);
  free(work);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matrices_agree_with_the_series),
      cmocka_unit_test(badly_scaled_matrices_are_balanced),
      cmocka_unit_test(symmetric_matrices_agree_with_lapack),
      cmocka_unit_test(exponents_add_and_cancel),
      cmocka_unit_test(products_with_columns_agree_with_the_whole),
      cmocka_unit_test(products_of_reduced_orders_agree_with_the_whole),
      cmocka_unit_test(large_norms_of_small_powers_are_not_scaled_away),
      cmocka_unit_test(failures_are_reported),
      cmocka_unit_test(the_same_input_gives_the_same_bits_and_takes_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
