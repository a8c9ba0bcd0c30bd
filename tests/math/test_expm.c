// The matrix exponential against closed forms, LAPACK's eigenvectors, and Taylor's series in long double.
#include "math/expm.h"

#include "math/long_expm.h"
#include "math/near.h"
#include "support/alloc_counter.h"

#include <lapacke.h>

enum { MAX_N = 40 };

static const ffi_expm_options exact = {FFI_EXPM_EXACT, 0}, exact_unbalanced = {FFI_EXPM_EXACT, 1};

// A workspace of just the right size, full of NaN: whatever is read before it is written will show.
static void *dirty_work(int n, int columns)
{
  size_t size = ffi_expm_size(n, columns);
  void *work = malloc(size);
  memset(work, 0xff, size);
  return work;
}

static ffi_expm_info expm(int n, const double *A, const ffi_expm_options *options, double *E)
{
  ffi_expm_info info;
  void *work = dirty_work(n, 0);
  assert_int_equal(ffi_expm(n, A, E, options, work, &info), FFI_EXPM_DONE);
  free(work);
  return info;
}

static ffi_expm_info expm_times(int n, const double *A, int columns, const ffi_expm_options *options,
                                double *V)
{
  ffi_expm_info info;
  void *work = dirty_work(n, columns);
  assert_int_equal(ffi_expm_times(n, A, columns, V, options, work, &info), FFI_EXPM_DONE);
  free(work);
  return info;
}

static double norm1(int n, const double *A)
{
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += fabs(A[i * n + j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

static void multiply(int n, int columns, const double *A, const double *B, double *C)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < columns; ++j) {
      long double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += (long double)A[i * n + k] * B[k * columns + j];
      C[i * columns + j] = (double)sum;
    }
}

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

// Scalars: the ratios of polynomials as they are printed in books, and the products that the Expo paper counts.
static void reduced_orders_are_the_pade_approximants(void **state)
{
  (void)state;
  static const struct {
    int order, products;
    double c[8];
  } pade[] = {
      {1, 0, {2, 1}},
      {2, 1, {12, 6, 1}},
      {3, 2, {120, 60, 12, 1}},
      {5, 3, {30240, 15120, 3360, 420, 30, 1}},
      {7, 4, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
  };
  for (int k = 0; k < 5; ++k)
    for (double x = -30; x < 1.9; x += 0.37) {
      ffi_expm_options options = {pade[k].order, 0};
      double E;
      ffi_expm_info info = expm(1, &x, &options, &E);
      double V[3] = {1, -2, 0.5};
      expm_times(1, &x, 3, &options, V);
      long double top = 0, bottom = 0;
      for (int i = pade[k].order; i >= 0; --i) {
        top = top * x + (long double)pade[k].c[i];
        bottom = bottom * -x + (long double)pade[k].c[i];
      }
      // The numerator cancels: its terms are as large as the denominator's at -x. Order + 2 roundings a term.
      const double tolerance = 2 * (pade[k].order + 2) * EPS;
      assert_near(E, top / bottom, tolerance * fmax(1, E));
      assert_near(V[1], -2 * top / bottom, 2 * tolerance * fmax(1, E));
      assert_int_equal(info.order, pade[k].order);
      assert_int_equal(info.products, pade[k].products);
      assert_int_equal(info.scaling, 0);
    }
}

static void nilpotent_matrices_end_their_series(void **state)
{
  (void)state;
  rng r = {1};
  for (int n = 1; n <= 12; ++n)
    for (double size = 1e-6; size < 1e9; size *= 1e3) {
      double A[144], E[144];
      long double LA[144], term[144], next[144], sum[144];
      for (int i = 0; i < n * n; ++i) {
        A[i] = i % n > i / n ? random_in(&r, -size, size) : 0;
        LA[i] = A[i];
        term[i] = sum[i] = i % n == i / n;
      }
      for (int k = 1; k < n; ++k) {
        long_product(n, term, LA, next);
        for (int i = 0; i < n * n; ++i)
          sum[i] += term[i] = next[i] / k;
      }
      expm(n, A, &exact, E);
      // Entries k above the diagonal are sums of products of up to k entries of A; their rounding is of that size.
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          double scale = j < i ? 0 : 1 + fabs((double)sum[i * n + j]) + pow(size, j - i);
          assert_near(E[i * n + j], sum[i * n + j], 64 * n * EPS * scale);
        }
    }
}

static void rotations_turn(void **state)
{
  (void)state;
  for (double w = 1e-8; w < 2e4; w *= 1.7)
    for (double unit = 1e-6; unit < 2e6; unit *= 1e3) {
      double A[4] = {0, -w * unit, w / unit, 0}, E[4];
      expm(2, A, &exact, E);
      // The phase itself is rounded: eps w; squaring adds as much for every revolution.
      const double tolerance = 4 * EPS * (1 + w);
      assert_near(E[0], cosl(w), tolerance);
      assert_near(E[3], cosl(w), tolerance);
      assert_near(E[1] / unit, -sinl(w), tolerance);
      assert_near(E[2] * unit, sinl(w), tolerance);
    }
}

// x'' = -k x - c x' from x, x' = (1, 0) and (0, 1), at time 1
static void oscillator(long double k, long double c, long double E[4])
{
  const long double a = c / 2, q = k - a * a;
  long double s, co, decay = expl(-a); // s = sin(w)/w, its limit 1, or sinh
  if (q > 0) {
    long double w = sqrtl(q);
    s = decay * sinl(w) / w;
    co = decay * cosl(w);
  } else if (q < 0) {
    long double w = sqrtl(-q), up = expl(w - a), down = expl(-w - a);
    s = w < 0.1L ? decay * sinhl(w) / w : (up - down) / (2 * w);
    co = (up + down) / 2;
  } else {
    s = decay;
    co = decay;
  }
  E[0] = co + a * s;
  E[1] = s;
  E[2] = -k * s;
  E[3] = co - a * s;
}

static void damped_oscillators_follow_their_formula(void **state)
{
  (void)state;
  const double t = 0.1;
  for (double k = 1e-2; k < 2e9; k *= 10)
    for (int c_index = 0; c_index < 7; ++c_index) {
      static const double ratio[] = {0, 1e-3, 0.1, 1, 3, 50, 1e4}; // of critical damping
      const double w = sqrt(k), c = ratio[c_index] == 1 ? 2 * w : 2 * ratio[c_index] * w;
      double A[4] = {0, t, -k * t, -c * t}, E[4];
      long double want[4];
      oscillator((long double)A[1] * -A[2], -(long double)A[3], want); // x' in units of t
      expm(2, A, &exact, E);
      // In units where x and x'/w are alike: as for rotations, and as much again for the rates.
      const double tolerance = 8 * EPS * (1 + w * t + c * t);
      assert_near(E[0], want[0], tolerance);
      assert_near(E[1] * w / t, want[1] * (long double)w, tolerance * fmax(1, w * t));
      assert_near(E[2] * t / (w * t), want[2] / (long double)(w * t), tolerance);
      assert_near(E[3], want[3], tolerance);
    }
}

// A = S diag(l) S^-1, S the product of a lower and an upper triangular matrix of small whole numbers and ones on
// the diagonals, so that its inverse is whole too.
static void known_eigenvectors_give_known_exponentials(void **state)
{
  (void)state;
  enum { N = 6 };
  rng r = {2};
  for (int round = 0; round < 50; ++round) {
    double L[N * N] = {0}, U[N * N] = {0}, S[N * N], Li[N * N], Ui[N * N], T[N * N], A[N * N], E[N * N], l[N];
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) {
        L[i * N + j] = i == j ? 1 : random_below(&r, 3) - 1;
        U[j * N + i] = i == j ? 1 : random_below(&r, 3) - 1;
      }
    for (int j = 0; j < N; ++j) { // columns of the inverses, by substitution
      for (int i = 0; i < N; ++i) {
        double x = i == j;
        for (int k = 0; k < i; ++k)
          x -= L[i * N + k] * Li[k * N + j];
        Li[i * N + j] = x;
      }
      for (int i = N - 1; i >= 0; --i) {
        double x = i == j;
        for (int k = i + 1; k < N; ++k)
          x -= U[i * N + k] * Ui[k * N + j];
        Ui[i * N + j] = x;
      }
    }
    multiply(N, N, L, U, S);
    multiply(N, N, Ui, Li, T);
    for (int i = 0; i < N; ++i)
      l[i] = random_below(&r, 42) - 40; // whole, so that A is exact
    double size = 0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        double sum = 0;
        for (int k = 0; k < N; ++k)
          sum += S[i * N + k] * l[k] * T[k * N + j];
        A[i * N + j] = sum;
      }
    expm(N, A, &exact, E);
    // Condition of the problem: |S| |S^-1| |A|, times the largest e^l.
    size = norm1(N, S) * norm1(N, T);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        long double sum = 0;
        for (int k = 0; k < N; ++k)
          sum += S[i * N + k] * expl(l[k]) * T[k * N + j];
        assert_near(E[i * N + j], sum, EPS * size * (1 + norm1(N, A)) * exp(1));
      }
  }
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
  for (int k = 0; k < 5; ++k) { // reduced orders too
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

static void what_cannot_be_done_is_said(void **state)
{
  (void)state;
  void *work = dirty_work(2, 1);
  const ffi_expm_options first = {1, 0};
  double E[4], V[2] = {1, 1};
  const double two[4] = {2, 0, 0, 0}; // 1 - A/2 is singular
  assert_int_equal(ffi_expm(2, two, E, &first, work, NULL), FFI_EXPM_SINGULAR);
  assert_int_equal(ffi_expm_times(2, two, 1, V, &first, work, NULL), FFI_EXPM_SINGULAR);
  assert_int_equal(ffi_expm(2, two, E, &exact, work, NULL), FFI_EXPM_DONE);
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 4; ++i) {
      double A[4] = {0, 1, -1, 0};
      A[i] = bad[k];
      assert_int_equal(ffi_expm(2, A, E, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
      assert_int_equal(ffi_expm_times(2, A, 1, V, &first, work, NULL), FFI_EXPM_NOT_FINITE);
    }
  const double grows[4] = {800, 0, 0, 0}, turns[4] = {0, 1, -1, 0}, huge[4] = {0, 1e308, 1e308, 1e308};
  assert_int_equal(ffi_expm(2, grows, E, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
  assert_int_equal(ffi_expm_times(2, grows, 1, V, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
  assert_int_equal(ffi_expm(2, huge, E, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
  assert_true(V[0] == 1 && V[1] == 1);
  V[0] = (double)NAN;
  assert_int_equal(ffi_expm_times(2, turns, 1, V, &exact, work, NULL), FFI_EXPM_NOT_FINITE);
  assert_int_equal(ffi_expm_times(0, NULL, 1, NULL, &exact, work, NULL), FFI_EXPM_DONE);
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
  assert_int_equal(ffi_expm_times(13, A, 3, W, &exact, work, NULL), FFI_EXPM_DONE);
  assert_int_equal(ffi_test_alloc_count(), before);
  assert_memory_equal(V, W, sizeof V);
  free(work);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduced_orders_are_the_pade_approximants),
      cmocka_unit_test(nilpotent_matrices_end_their_series),
      cmocka_unit_test(rotations_turn),
      cmocka_unit_test(damped_oscillators_follow_their_formula),
      cmocka_unit_test(known_eigenvectors_give_known_exponentials),
      cmocka_unit_test(random_matrices_agree_with_the_series),
      cmocka_unit_test(badly_scaled_matrices_are_balanced),
      cmocka_unit_test(symmetric_matrices_agree_with_lapack),
      cmocka_unit_test(exponents_add_and_cancel),
      cmocka_unit_test(products_with_columns_agree_with_the_whole),
      cmocka_unit_test(large_norms_of_small_powers_are_not_scaled_away),
      cmocka_unit_test(what_cannot_be_done_is_said),
      cmocka_unit_test(the_same_input_gives_the_same_bits_and_takes_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
