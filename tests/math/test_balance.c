// Balancing: exact similarity, and norms no larger than LAPACK's balancing reaches.
#include "math/balance.h"

#include "math/near.h"

#include <lapacke.h>

enum { MAX_N = 24, STRIDE = MAX_N + 3 };

static double norm1(int n, int stride, const double *A)
{
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += fabs(A[i * stride + j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

static void it_is_an_exact_similarity_by_powers_of_two(void **state)
{
  (void)state;
  rng r = {1};
  for (int n = 1; n <= MAX_N; ++n) {
    double A[MAX_N * STRIDE], B[MAX_N * STRIDE], d[MAX_N];
    for (int i = 0; i < MAX_N * STRIDE; ++i)
      A[i] = random_in(&r, -1, 1) * pow(10, random_in(&r, -9, 9)) * (random_below(&r, 3) > 0);
    memcpy(B, A, sizeof B);
    ffi_balance(n, STRIDE, B, d);
    for (int i = 0; i < n; ++i) {
      int exponent;
      assert_true(frexp(d[i], &exponent) == 0.5);
    }
    for (int i = 0; i < MAX_N; ++i)
      for (int j = 0; j < STRIDE; ++j) {
        const int inside = i < n && j < n;
        assert_true(B[i * STRIDE + j] == A[i * STRIDE + j] * (inside ? d[j] / d[i] : 1));
      }
  }
}

static void norms_are_as_small_as_lapacks(void **state)
{
  (void)state;
  rng r = {2};
  for (int round = 0; round < 200; ++round) {
    const int n = 2 + random_below(&r, MAX_N - 1);
    double A[MAX_N * MAX_N], B[MAX_N * MAX_N], d[MAX_N], scale[MAX_N], units[MAX_N];
    for (int i = 0; i < n; ++i)
      units[i] = pow(10, random_in(&r, -6, 6));
    for (int i = 0; i < n * n; ++i)
      A[i] = random_in(&r, -1, 1) * units[i / n] / units[i % n];
    memcpy(B, A, sizeof B);
    ffi_balance(n, n, A, d);
    int low, high;
    assert_int_equal(LAPACKE_dgebal(LAPACK_ROW_MAJOR, 'S', n, B, n, &low, &high, scale), 0);
    assert_true(norm1(n, n, A) <= 2 * norm1(n, n, B)); // each is within a factor of 2 in every row
  }
}

// A spring of 1e8 N/m on 1 kg: in units of 1/1e4 s position and velocity are alike.
static void an_oscillator_gets_the_norm_of_its_frequency(void **state)
{
  (void)state;
  double A[4] = {0, 1, -1e8, 0}, d[2];
  ffi_balance(2, 2, A, d);
  assert_true(norm1(2, 2, A) < 2e4);
}

static void what_cannot_be_balanced_is_left_alone(void **state)
{
  (void)state;
  double triangular[4] = {1, 1e9, 0, 2}, zero[4] = {0}, d[2]; // column or row empty off the diagonal
  ffi_balance(2, 2, triangular, d);
  assert_true(triangular[1] == 1e9 && d[0] == 1 && d[1] == 1);
  ffi_balance(2, 2, zero, d);
  assert_true(d[0] == 1 && d[1] == 1);
  double bad[4] = {0, (double)NAN, 1, 0}, infinite[4] = {0, HUGE_VAL, 1, 0};
  ffi_balance(2, 2, bad, d); // ends
  ffi_balance(2, 2, infinite, d);
  double far[4] = {0, 1e100, 1e-100, 0}, farther[4] = {0, 1e300, 1e-300, 0};
  ffi_balance(2, 2, far, d);
  assert_near(log2(far[1]), 0, 1);
  assert_near(log2(far[2]), 0, 1);
  ffi_balance(2, 2, farther, d); // units end at 2^+-400
  assert_near(log2(farther[1]), log2(1e300) - 800, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_an_exact_similarity_by_powers_of_two),
      cmocka_unit_test(norms_are_as_small_as_lapacks),
      cmocka_unit_test(an_oscillator_gets_the_norm_of_its_frequency),
      cmocka_unit_test(what_cannot_be_balanced_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
