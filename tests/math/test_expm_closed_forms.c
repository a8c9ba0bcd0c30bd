// The matrix exponential against closed forms: scalars, nilpotent matrices, rotations, oscillators, known eigenvectors.
#include "math/expm_case.h"
#include "math/long_expm.h"

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

enum { KNOWN = 6 };

// S, the product of a lower and an upper triangular matrix of small whole numbers with ones on the diagonals, and its
// inverse T, which is whole too.
static void whole_matrix(rng *r, double *S, double *T)
{
  enum { N = KNOWN };
  double L[N * N] = {0}, U[N * N] = {0}, Li[N * N], Ui[N * N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j) {
      L[i * N + j] = i == j ? 1 : random_below(r, 3) - 1;
      U[j * N + i] = i == j ? 1 : random_below(r, 3) - 1;
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
}

// A = S diag(l) S^-1.
static void known_eigenvectors_give_known_exponentials(void **state)
{
  (void)state;
  enum { N = KNOWN };
  rng r = {2};
  for (int round = 0; round < 50; ++round) {
    double S[N * N], T[N * N], A[N * N], E[N * N], l[N];
    whole_matrix(&r, S, T);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduced_orders_are_the_pade_approximants),
      cmocka_unit_test(nilpotent_matrices_end_their_series),
      cmocka_unit_test(rotations_turn),
      cmocka_unit_test(damped_oscillators_follow_their_formula),
      cmocka_unit_test(known_eigenvectors_give_known_exponentials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
