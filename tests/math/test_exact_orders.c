// The reduced orders of the frozen contact system: against the paper's approximants, and their orders of convergence.
#include "math/exact_system.h"

#include "math/frozen_oracle.h"
#include "math/long_expm.h"

enum { ROWS = 12, N = 2 * ROWS + 3, AREA = N * N };

// Expo paper eq. 30 as it is printed, times t, in its own units and without a ramp.
static void fill_augmented(const frozen *f, double t, long double *A)
{
  const int n = ROWS;
  memset(A, 0, AREA * sizeof *A);
  for (int i = 0; i < n; ++i) {
    A[i * N + n + i] = t;
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        A[(n + i) * N + j] -= (long double)t * f->Y[i * n + k] * f->K[k * n + j];
        A[(n + i) * N + n + j] -= (long double)t * f->Y[i * n + k] * f->B[k * n + j];
      }
    A[(n + i) * N + 24] = (long double)t * f->b0[i];
    A[i * N + 25] = (long double)t * f->dp[i];
    A[(n + i) * N + 25] = (long double)t * f->dpdot[i];
  }
  A[24 * N + 25] = A[25 * N + 26] = t;
}

// Numerator and denominator of Expo paper eq. 31.
static void fill_approximant(const long double *A, int order, long double *top, long double *bottom)
{
  static const double pade[8][8] = {[1] = {2, 1},
                                    [2] = {12, 6, 1},
                                    [3] = {120, 60, 12, 1},
                                    [5] = {30240, 15120, 3360, 420, 30, 1},
                                    [7] = {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}};
  static long double power[AREA], next[AREA];
  for (int i = 0; i < AREA; ++i) {
    power[i] = i / N == i % N;
    top[i] = bottom[i] = 0;
  }
  for (int k = 0; k <= order; ++k) {
    for (int i = 0; i < AREA; ++i) {
      top[i] += (long double)pade[order][k] * power[i];
      bottom[i] += (k % 2 ? -1 : 1) * (long double)pade[order][k] * power[i];
    }
    long_product(N, power, A, next);
    memcpy(power, next, sizeof power);
  }
}

// Gauss and Jordan with pivots: `bottom` becomes diagonal.
static void eliminate(long double *bottom, long double *top)
{
  for (int k = 0; k < N; ++k) {
    int best = k;
    for (int i = k; i < N; ++i)
      best = fabsl(bottom[i * N + k]) > fabsl(bottom[best * N + k]) ? i : best;
    for (int j = 0; j < N; ++j) {
      long double a = bottom[k * N + j], b = top[k * N + j];
      bottom[k * N + j] = bottom[best * N + j];
      top[k * N + j] = top[best * N + j];
      bottom[best * N + j] = a;
      top[best * N + j] = b;
    }
    for (int i = 0; i < N; ++i) {
      const long double l = bottom[i * N + k] / bottom[k * N + k];
      for (int j = 0; i != k && j < N; ++j) {
        bottom[i * N + j] -= l * bottom[k * N + j];
        top[i * N + j] -= l * top[k * N + j];
      }
    }
  }
}

// Mean and double mean, Expo paper eqs 23 and 25, by the approximant of an order, in long double.
static void paper_approximant(const frozen *f, double t, int order, double *mean, double *double_mean)
{
  const int n = ROWS;
  static long double A[AREA], top[AREA], bottom[AREA];
  fill_augmented(f, t, A);
  fill_approximant(A, order, top, bottom);
  eliminate(bottom, top);
  for (int i = 0; i < n; ++i) {
    const long double *x = top + i * N, *v = top + (n + i) * N;
    const long double px = bottom[i * N + i], pv = bottom[(n + i) * N + n + i];
    const long double K = f->K[i * n + i], B = f->B[i * n + i];
    mean[i] = (double)(-(K * x[25] / px + B * v[25] / pv) / t);
    double_mean[i] = (double)(-(K * x[26] / px + B * v[26] / pv) * 2 / ((long double)t * t));
  }
}

static void reduced_orders_are_those_of_the_paper(void **state)
{
  (void)state;
  rng r = {5};
  for (int round = 0; round < 20; ++round)
    for (int k = 0; k < 5; ++k) {
      const int order = (int[]){1, 2, 3, 5, 7}[k];
      frozen f;
      frozen_quadruped(&r, 1e5, 150, &f);
      memset(f.b1, 0, sizeof f.b1);
      const double t = pow(10, random_in(&r, -4, -2));
      double mean[12], double_mean[12], dp[12], dpdot[12], want[12], double_want[12];
      ffi_expm_info info =
          frozen_step(&f, t, order, &(ffi_exact_system_result){mean, double_mean, dp, dpdot});
      assert_int_equal(info.products, k);
      assert_int_equal(info.order, order);
      assert_int_equal(info.scaling, 0);
      paper_approximant(&f, t, order, want, double_want);
      // Rounding in D_j grows with its condition number, for order 7 some |A|^3, relative to forces of 100 N.
      const double tolerance = 1e3 * EPS *
                               pow(1 + t * frozen_rate(&f), order < 3   ? 1
                                                            : order < 7 ? 2
                                                                        : 3) *
                               100;
      for (int i = 0; i < 12; ++i) {
        assert_near(mean[i], want[i], tolerance);
        assert_near(double_mean[i], double_want[i], tolerance);
      }
    }
}

// An approximant of order j agrees with e^z up to z^2j, and the integrals of lambda come with one and two powers of t.
// So the mean is wrong by t^2j, the double mean by t^(2j-1), times terms with K and B.
static void reduced_orders_converge_as_they_should(void **state)
{
  (void)state;
  rng r = {6};
  frozen f;
  frozen_quadruped(&r, 1e4, 50, &f);
  for (int k = 0; k < 4; ++k) { // order 7 reaches rounding before it shows its order
    const int order = (int[]){1, 2, 3, 5}[k];
    double error[2][2] = {{0}}; // mean, double mean; at t and at t/2
    const double t = (double[]){0.02, 0.1, 0.3, 2}[k] / frozen_rate(&f);
    for (int half = 0; half < 2; ++half) {
      double m[2][12], d[2][12], dp[12], dpdot[12];
      frozen_step(&f, half ? t / 2 : t, FFI_EXPM_EXACT, &(ffi_exact_system_result){m[0], d[0], dp, dpdot});
      frozen_step(&f, half ? t / 2 : t, order, &(ffi_exact_system_result){m[1], d[1], dp, dpdot});
      for (int i = 0; i < 12; ++i) {
        error[0][half] = fmax(error[0][half], fabs(m[1][i] - m[0][i]));
        error[1][half] = fmax(error[1][half], fabs(d[1][i] - d[0][i]));
      }
    }
    const double mean_order = log2(error[0][0] / error[0][1]), double_order = log2(error[1][0] / error[1][1]);
    print_message("order %d: mean t^%.2f, double mean t^%.2f\n", order, mean_order, double_order);
    assert_near(mean_order, 2 * order, 0.16 * order); // the steps must not be so short that rounding shows
    assert_near(double_order, 2 * order - 1, 0.16 * order);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduced_orders_are_those_of_the_paper),
      cmocka_unit_test(reduced_orders_converge_as_they_should),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
