// How wrong each reduced order is, over t |A|: prints the table in docs/theory/exponential.md, and checks what that page
// says about it. The systems are random and like quadrupeds on their feet, see frozen_oracle.h.
#include "math/balance.h"
#include "math/exact_system.h"

#include "math/frozen_oracle.h"

enum { SYSTEMS = 200, ORDERS = 5, SIZES = 9 };

static const int orders[ORDERS] = {1, 2, 3, 5, 7};
static const double sizes[SIZES] = {0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000}; // t |A|

// Errors relative to the largest mean force of all rows; over systems the median and the largest.
typedef struct figure {
  double median, worst;
} figure;

static struct {
  figure mean[SIZES][ORDERS], double_mean[SIZES][ORDERS];
} table;

// |A|: the 1-norm of A = [[0, 1], [-Y K, -Y B]] after balancing [1/s]
static double balanced_norm(const frozen *f)
{
  enum { N = 24 };
  double A[N * N] = {0}, d[N], largest = 0;
  for (int i = 0; i < 12; ++i) {
    A[i * N + 12 + i] = 1;
    for (int j = 0; j < 12; ++j)
      for (int k = 0; k < 12; ++k) {
        A[(12 + i) * N + j] -= f->Y[i * 12 + k] * f->K[k * 12 + j];
        A[(12 + i) * N + 12 + j] -= f->Y[i * 12 + k] * f->B[k * 12 + j];
      }
  }
  ffi_balance(N, N, A, d);
  for (int j = 0; j < N; ++j) {
    double sum = 0;
    for (int i = 0; i < N; ++i)
      sum += fabs(A[i * N + j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

static double relative_error(const double *got, const double *want)
{
  double error = 0, size = 0;
  for (int i = 0; i < 12; ++i) {
    error = fmax(error, fabs(got[i] - want[i]));
    size = fmax(size, fabs(want[i]));
  }
  return error / size;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static figure summary(double *errors)
{
  qsort(errors, SYSTEMS, sizeof *errors, by_size);
  return (figure){errors[SYSTEMS / 2], errors[SYSTEMS - 1]};
}

static void fill_size(int size)
{
  static double mean_errors[ORDERS][SYSTEMS], double_errors[ORDERS][SYSTEMS];
  rng r = {1};
  for (int k = 0; k < SYSTEMS; ++k) {
    frozen f;
    frozen_quadruped(&r, 1e5, k % 8 == 0 ? 0 : pow(10, random_in(&r, 1, 3)), &f);
    memset(f.b1, 0, sizeof f.b1);
    const double t = sizes[size] / balanced_norm(&f);
    double mean[12], double_mean[12], m[12], d[12], dp[12], dpdot[12];
    frozen_step(&f, t, FFI_EXPM_EXACT, mean, double_mean, dp, dpdot);
    for (int j = 0; j < ORDERS; ++j) {
      frozen_step(&f, t, orders[j], m, d, dp, dpdot);
      mean_errors[j][k] = relative_error(m, mean);
      double_errors[j][k] = relative_error(d, double_mean);
    }
  }
  for (int j = 0; j < ORDERS; ++j) {
    table.mean[size][j] = summary(mean_errors[j]);
    table.double_mean[size][j] = summary(double_errors[j]);
  }
}

static int fill_table(void **state)
{
  (void)state;
  for (int i = 0; i < SIZES; ++i)
    fill_size(i);
  return 0;
}

static void print_table(const char *title, figure rows[SIZES][ORDERS])
{
  printf("\n| %s, t |A| | order 1 | 2 | 3 | 5 | 7 |\n|---|---|---|---|---|---|\n", title);
  for (int i = 0; i < SIZES; ++i) {
    printf("| %g ", sizes[i]);
    for (int j = 0; j < ORDERS; ++j)
      printf("| %.0e, %.0e ", rows[i][j].median, rows[i][j].worst);
    printf("|\n");
  }
}

static void the_table_is_printed(void **state)
{
  (void)state;
  print_table("mean force", table.mean);
  print_table("double mean", table.double_mean);
  printf("\n");
}

// In the median, and until rounding takes over.
static void a_higher_order_is_better_at_any_size(void **state)
{
  (void)state;
  for (int i = 0; i < SIZES; ++i)
    for (int j = 1; j < ORDERS; ++j)
      assert_true(table.mean[i][j].median <= fmax(1.05 * table.mean[i][j - 1].median, 1e-12));
}

// What the page says about which order serves up to where.
static void orders_serve_as_far_as_the_page_says(void **state)
{
  (void)state;
  assert_true(table.mean[3][4].worst < 1e-10); // order 7 at t |A| = 3
  assert_true(table.mean[3][3].worst < 1e-6);  // order 5
  assert_true(table.mean[4][4].worst < 1e-3);  // order 7 at 10
  for (int i = 0; i < SIZES; ++i)
    for (int j = 0; j < ORDERS; ++j) // stable: nothing grows, however long the step
      assert_true(table.mean[i][j].worst < 100 && table.double_mean[i][j].worst < 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_printed),
      cmocka_unit_test(a_higher_order_is_better_at_any_size),
      cmocka_unit_test(orders_serve_as_far_as_the_page_says),
  };
  return cmocka_run_group_tests(tests, fill_table, NULL);
}
