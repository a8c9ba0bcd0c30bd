// The frozen contact system against closed forms and against small steps of Taylor's series in long double.
#include "math/exact_system.h"

#include "math/frozen_oracle.h"
#include "math/long_expm.h"
#include "support/alloc_counter.h"

// The errors of the four results over what rounding allows: eps (1 + t rate) times the largest force, and for the state
// times what the largest force can move in the time. Returns the worst, in those units.
static double error_against(const frozen *f, double t, const frozen_motion *want)
{
  const int n = f->system.n;
  double mean[FROZEN_MAX], double_mean[FROZEN_MAX], dp[FROZEN_MAX], dpdot[FROZEN_MAX], worst = 0;
  frozen_step(f, t, FFI_EXPM_EXACT, mean, double_mean, dp, dpdot);
  long double reach = 0, speed = 0;
  for (int i = 0; i < n; ++i) {
    reach = fmaxl(reach, fabsl(want->dp[i]) + fabs(f->dp[i]) + t * fabs(f->dpdot[i]));
    speed = fmaxl(speed, fabsl(want->dpdot[i]) + fabs(f->dpdot[i]));
  }
  const double unit = EPS * (1 + t * frozen_rate(f));
  for (int i = 0; i < n; ++i) {
    const long double e[] = {fabsl(mean[i] - want->mean[i]) / want->largest_force,
                             fabsl(double_mean[i] - want->double_mean[i]) / want->largest_force,
                             fabsl(dp[i] - want->dp[i]) / reach, fabsl(dpdot[i] - want->dpdot[i]) / speed};
    for (int k = 0; k < 4; ++k)
      worst = isnan(e[k]) ? HUGE_VAL : fmax(worst, (double)e[k] / unit);
  }
  return worst;
}

// y'' + c y' + k y = b0 + b1 t, from (y, v): the solution by its formula
static void oscillate(long double k, long double c, long double b0, long double b1, long double t,
                      long double *y, long double *v)
{
  const long double slope = b1 / k, rest = (b0 - c * slope) / k; // the motion that stays: rest + slope t
  const long double y0 = *y - rest, v0 = *v - slope, a = c / 2, q = k - a * a;
  long double s, co;
  if (q > 0) {
    const long double w = sqrtl(q);
    s = expl(-a * t) * sinl(w * t) / w;
    co = expl(-a * t) * cosl(w * t);
  } else if (q < 0) {
    const long double w = sqrtl(-q), fast = -a - w, slow = k / fast;
    s = w * t < 0.1L ? expl(-a * t) * sinhl(w * t) / w : (expl(slow * t) - expl(fast * t)) / (2 * w);
    co = (expl(slow * t) + expl(fast * t)) / 2;
  } else {
    s = expl(-a * t) * t;
    co = expl(-a * t);
  }
  *y = rest + slope * t + y0 * (co + a * s) + v0 * s;
  *v = slope + v0 * (co - a * s) - y0 * k * s;
}

// A mass on a spring and a damper, with gravity and a ramp. The mean force follows from the momentum, the double mean from
// the way: m (v - v0) = the integral of lambda + m b, and so on.
static void a_mass_on_a_spring_follows_its_formula(void **state)
{
  (void)state;
  rng r = {1};
  double worst = 0;
  for (double K = 64; K < 2e9; K *= 16) // powers of 4, also m: critical damping is met exactly
    for (int kind = 0; kind < 6; ++kind)
      for (double t = 1e-4; t < 0.2; t *= 10) {
        static const double ratio[] = {0, 1e-3, 0.3, 1, 4, 100};
        frozen f;
        frozen_zero(&f, 1);
        const double m = exp2(2 * floor(random_in(&r, -2, 3))), w = sqrt(K / m);
        f.Y[0] = 1 / m;
        f.K[0] = K;
        f.B[0] = 2 * ratio[kind] * w * m;
        f.b0[0] = -9.81;
        f.b1[0] = random_in(&r, -50, 50);
        f.dp[0] = random_in(&r, -1, 1) * 10 / K;
        f.dpdot[0] = random_in(&r, -1, 1) * 0.1;
        long double y = f.dp[0], v = f.dpdot[0];
        const long double b0 = f.b0[0], b1 = f.b1[0], T = t;
        oscillate((long double)K / m, (long double)f.B[0] / m, b0, b1, T, &y, &v);
        frozen_motion want = {
            .mean = {m * ((v - f.dpdot[0]) / T - b0 - b1 * T / 2)},
            .double_mean = {m * (2 * (y - f.dp[0] - f.dpdot[0] * T) / (T * T) - b0 - b1 * T / 3)},
            .dp = {y},
            .dpdot = {v},
        };
        // The largest force of an oscillation from its energy, and the dampers'.
        const double v_max = 0.1 + 10 / sqrt(K * m) + 10 / w;
        want.largest_force = (w * m + f.B[0]) * v_max;
        // And what the formula itself loses in long double: a shift to where it rests, back, and differences.
        const double k = K / m, rest = (9.81 + f.B[0] / m * fabs(f.b1[0]) / k) / k, slope = fabs(f.b1[0]) / k;
        want.largest_force +=
            LDBL_EPSILON / EPS * m * (2 * (rest + slope * t + v_max / w) / t + slope + v_max) / t;
        const double error = error_against(&f, t, &want);
        worst = fmax(worst, error);
        assert_true(error < 8);
      }
  print_message("mass on a spring: at most %.2g (1 + t rate) eps\n", worst);
}

typedef enum matrix_kind { REGULAR, SINGULAR, ZERO, UNDAMPED, SLIDING, MIXED, KINDS } matrix_kind;

static void random_system(rng *r, matrix_kind kind, double stiffness, frozen *f)
{
  const int n = 1 + random_below(r, 9), rank = kind == SINGULAR ? (n + 1) / 2 : kind == ZERO ? 0 : n;
  double J[FROZEN_MAX * FROZEN_MAX];
  frozen_zero(f, n);
  random_vector(r, n * n, 2, J);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < rank; ++k)
        f->Y[i * n + j] += J[i * n + k] * J[j * n + k] / n;
  for (int i = 0; i < n; ++i) {
    const double K = kind == MIXED ? pow(10, random_in(r, 1, 9)) : stiffness * random_in(r, 0.5, 1);
    const double B = kind == UNDAMPED ? 0 : sqrt(K) * pow(10, random_in(r, -2, 0.5));
    f->K[i * n + i] = kind == MIXED && i % 4 == 3 ? 0 : K;
    f->B[i * n + i] = kind == MIXED && i % 4 == 1 ? 0 : B;
    f->dp[i] = random_in(r, -10, 10) / K;
  }
  for (int i = 0; kind == SLIDING && i + 1 < n; i += 2) { // row i follows 0.7 times the force of row i + 1
    memset(f->K + i * n, 0, (size_t)n * sizeof *f->K);
    memset(f->B + i * n, 0, (size_t)n * sizeof *f->B);
    f->K[i * n + i + 1] = 0.7 * f->K[(i + 1) * n + i + 1];
    f->B[i * n + i + 1] = 0.7 * f->B[(i + 1) * n + i + 1];
  }
  random_vector(r, n, 10, f->b0);
  random_vector(r, n, 1000, f->b1);
  random_vector(r, n, 0.3, f->dpdot);
}

static void random_systems_agree_with_taylors_series(void **state)
{
  (void)state;
  rng r = {2};
  for (matrix_kind kind = 0; kind < KINDS; ++kind) {
    double worst = 0, most = 0;
    for (int round = 0; round < 60; ++round) {
      frozen f;
      random_system(&r, kind, pow(10, random_in(&r, 2, 9)), &f);
      // As long as the oracle takes no more than some thousand steps.
      double t = pow(10, random_in(&r, -5, -1));
      t = fmin(t, 1000 / frozen_rate(&f));
      frozen_motion want = frozen_integrate(&f, t);
      if (kind == SLIDING && want.largest_force > 1e6L)
        continue; // self-excited: it grows, and so does any error
      worst = fmax(worst, error_against(&f, t, &want));
      most = fmax(most, t * frozen_rate(&f));
    }
    print_message("kind %d: at most %.2g (1 + t rate) eps, t rate up to %.0f\n", (int)kind, worst, most);
    assert_true(most > 1 || kind == ZERO);
    // The norm of the balanced matrix is up to 2 n times the rate, and each product has 2 n terms.
    assert_true(worst < 30);
  }
}

// K = 1e9 for 0.1 s, undamped, singular: 3,000 oscillations of the stiffest mode.
static void the_stiffest_and_longest_steps_just_work(void **state)
{
  (void)state;
  for (int damped = 0; damped < 2; ++damped) {
    frozen f;
    frozen_zero(&f, 3);
    static const double Y[9] = {2, 1, 3, 1, 2, 3, 3, 3, 6}; // rank 2: the last row is the sum of the others
    memcpy(f.Y, Y, sizeof Y);
    for (int i = 0; i < 3; ++i) {
      f.K[4 * i] = 1e9;
      f.B[4 * i] = damped ? 1e4 : 0;
      f.b0[i] = i < 2 ? -9.81 : -19.62;
      f.dp[i] = i < 2 ? 1e-6 : 2e-6;
      f.dpdot[i] = i < 2 ? -0.5 : -1;
    }
    const frozen_motion want = frozen_integrate(&f, 0.1);
    const double error = error_against(&f, 0.1, &want);
    print_message("K 1e9, 0.1 s: %.2g (1 + t rate) eps, t rate = %.0f\n", error, 0.1 * frozen_rate(&f));
    assert_true(error < 50);
    double mean[3], double_mean[3], dp[3], dpdot[3]; // balanced: the norm is that of the rates
    assert_true(frozen_step(&f, 0.1, 1, mean, double_mean, dp, dpdot).norm < 4 * 0.1 * frozen_rate(&f));
  }
}

// Two springs on the same point do what one of their sum does, and share its force by their stiffness.
static void redundant_rows_share_the_force(void **state)
{
  (void)state;
  frozen two, one;
  frozen_zero(&two, 2);
  frozen_zero(&one, 1);
  for (int i = 0; i < 4; ++i)
    two.Y[i] = 0.25;
  one.Y[0] = 0.25;
  two.K[0] = 1e6;
  two.K[3] = 3e6;
  two.B[0] = 100;
  two.B[3] = 300;
  one.K[0] = 4e6;
  one.B[0] = 400;
  two.b0[0] = two.b0[1] = one.b0[0] = -9.81;
  two.dpdot[0] = two.dpdot[1] = one.dpdot[0] = -1;
  double mean[2], double_mean[2], dp[2], dpdot[2], mean1, double_mean1, dp1, dpdot1;
  frozen_step(&two, 0.01, FFI_EXPM_EXACT, mean, double_mean, dp, dpdot);
  frozen_step(&one, 0.01, FFI_EXPM_EXACT, &mean1, &double_mean1, &dp1, &dpdot1);
  const double tolerance = 64 * EPS * 4e3; // of the largest force, 1 m/s times sqrt(K m)
  for (int i = 0; i < 2; ++i) {
    assert_near(mean[i], mean1 * (i == 0 ? 0.25 : 0.75), tolerance);
    assert_near(double_mean[i], double_mean1 * (i == 0 ? 0.25 : 0.75), tolerance);
    assert_near(dp[i], dp1, 64 * EPS * 1e-3);
    assert_near(dpdot[i], dpdot1, 64 * EPS);
  }
}

// Forces that move nothing: the points fly, and the forces are polynomials of time.
static void immovable_forces_follow_the_flight(void **state)
{
  (void)state;
  frozen f;
  frozen_zero(&f, 1);
  f.K[0] = 1e5;
  f.B[0] = 300;
  f.b0[0] = -9.81;
  f.b1[0] = 40;
  f.dp[0] = -1e-3;
  f.dpdot[0] = 0.25;
  const long double t = 0.05, v = 0.25L, b = -9.81, c = 40, x = -1e-3;
  double mean, double_mean, dp, dpdot;
  frozen_step(&f, (double)t, FFI_EXPM_EXACT, &mean, &double_mean, &dp, &dpdot);
  const long double T = (double)t;
  // Averages of x + v s + b s^2/2 + c s^3/6 and of v + b s + c s^2/2, once and twice.
  const long double x1 = x + v * T / 2 + b * T * T / 6 + c * T * T * T / 24;
  const long double v1 = v + b * T / 2 + c * T * T / 6;
  const long double x2 = x + v * T / 3 + b * T * T / 12 + c * T * T * T / 60;
  const long double v2 = v + b * T / 3 + c * T * T / 12;
  const double tolerance = 32 * EPS * 2e3; // K times a way of 2 cm
  assert_near(mean, -(1e5L * x1 + 300 * v1), tolerance);
  assert_near(double_mean, -(1e5L * x2 + 300 * v2), tolerance);
  assert_near(dp, x + v * T + b * T * T / 2 + c * T * T * T / 6, 32 * EPS * 0.02);
  assert_near(dpdot, v + b * T + c * T * T / 2, 32 * EPS);
}

static void two_halves_make_a_whole(void **state)
{
  (void)state;
  rng r = {3};
  for (int round = 0; round < 40; ++round) {
    frozen f;
    const double stiffness = pow(10, random_in(&r, 2, 8)), t = pow(10, random_in(&r, -4, -1.5));
    frozen_quadruped(&r, stiffness, round % 3 == 0 ? 0 : sqrt(stiffness) * random_in(&r, 0, 2), &f);
    double m[3][12], d[3][12], dp[3][12], dpdot[3][12];
    frozen_step(&f, t, FFI_EXPM_EXACT, m[0], d[0], dp[0], dpdot[0]);
    frozen_step(&f, t / 2, FFI_EXPM_EXACT, m[1], d[1], dp[1], dpdot[1]);
    memcpy(f.dp, dp[1], sizeof dp[1]);
    memcpy(f.dpdot, dpdot[1], sizeof dpdot[1]);
    for (int i = 0; i < 12; ++i)
      f.b0[i] += f.b1[i] * (t / 2);
    frozen_step(&f, t / 2, FFI_EXPM_EXACT, m[2], d[2], dp[2], dpdot[2]);
    // Impacts of 0.1 m/s on 2.5 kg, and 10 N: forces of 10 + 0.1 sqrt(K m) + 0.1 B; and see the error above.
    const double force = 10 + 0.5 * sqrt(stiffness);
    const double unit = 100 * EPS * (1 + t * frozen_rate(&f));
    for (int i = 0; i < 12; ++i) {
      assert_near((m[1][i] + m[2][i]) / 2, m[0][i], unit * force);
      // Twice integrated: the first half's integral lasts through the second half.
      assert_near((d[1][i] + 2 * m[1][i] + d[2][i]) / 4, d[0][i], unit * force);
      assert_near(dp[2][i], dp[0][i], unit * (10 / stiffness + 0.1 / sqrt(stiffness) + 0.1 * t));
      assert_near(dpdot[2][i], dpdot[0][i], unit * (0.5 + 20 * t));
    }
  }
}

// A state and accelerations 2^40 times as large: all results too, bit for bit, by the same work.
static void results_are_linear_in_the_state(void **state)
{
  (void)state;
  rng r = {8};
  frozen f;
  frozen_quadruped(&r, 1e5, 100, &f);
  for (int k = 0; k < 2; ++k) {
    const int order = k == 0 ? FFI_EXPM_EXACT : 7;
    double m[2][12], d[2][12], dp[2][12], dpdot[2][12];
    frozen g;
    frozen_zero(&g, 12);
    memcpy(g.Y, f.Y, sizeof g.Y);
    memcpy(g.K, f.K, sizeof g.K);
    memcpy(g.B, f.B, sizeof g.B);
    for (int i = 0; i < 12; ++i) {
      g.dp[i] = 0x1p40 * f.dp[i];
      g.dpdot[i] = 0x1p40 * f.dpdot[i];
      g.b0[i] = 0x1p40 * f.b0[i];
      g.b1[i] = 0x1p40 * f.b1[i];
    }
    ffi_expm_info small = frozen_step(&f, 2e-3, order, m[0], d[0], dp[0], dpdot[0]);
    ffi_expm_info large = frozen_step(&g, 2e-3, order, m[1], d[1], dp[1], dpdot[1]);
    assert_true(large.norm == small.norm && large.scaling == small.scaling);
    for (int i = 0; i < 12; ++i) {
      assert_true(m[1][i] == 0x1p40 * m[0][i] && d[1][i] == 0x1p40 * d[0][i]);
      assert_true(dp[1][i] == 0x1p40 * dp[0][i] && dpdot[1][i] == 0x1p40 * dpdot[0][i]);
    }
  }
}

static void forces_at_given_times_agree_with_taylors_series(void **state)
{
  (void)state;
  rng r = {4};
  frozen f;
  frozen_quadruped(&r, 1e5, 100, &f);
  enum { TIMES = 7 };
  const double times[TIMES] = {0, 1e-9, 0.01, 1e-4, 2e-3, 2e-3, 0.004};
  double lambda[TIMES * 12];
  void *work = malloc(ffi_exact_system_size(12));
  assert_int_equal(ffi_exact_system_forces(&f.system, TIMES, times, FFI_EXPM_EXACT, work, lambda),
                   FFI_EXPM_DONE);
  for (int k = 0; k < TIMES; ++k) {
    frozen_motion m = frozen_integrate(&f, fmax(times[k], 1e-30));
    long double want[FROZEN_MAX];
    frozen_force(&f, m.dp, m.dpdot, want, NULL);
    const double tolerance = 100 * EPS * (1 + times[k] * frozen_rate(&f)) * (double)m.largest_force;
    for (int i = 0; i < 12; ++i)
      assert_near(lambda[k * 12 + i], want[i], tolerance);
  }
  free(work);
}

// Eq. 30 as it is printed, in its own units and without a ramp, and eq. 31 evaluated in long double.
static void paper_approximant(const frozen *f, double t, int order, double *mean, double *double_mean)
{
  static const double pade[8][8] = {[1] = {2, 1},
                                    [2] = {12, 6, 1},
                                    [3] = {120, 60, 12, 1},
                                    [5] = {30240, 15120, 3360, 420, 30, 1},
                                    [7] = {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}};
  enum { N = 27, AREA = N * N };
  const int n = 12;
  static long double A[AREA], power[AREA], next[AREA], top[AREA], bottom[AREA];
  memset(A, 0, sizeof A);
  memset(top, 0, sizeof top);
  memset(bottom, 0, sizeof bottom);
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
  for (int i = 0; i < AREA; ++i)
    power[i] = i / N == i % N;
  for (int k = 0; k <= order; ++k) {
    for (int i = 0; i < AREA; ++i) {
      top[i] += (long double)pade[order][k] * power[i];
      bottom[i] += (k % 2 ? -1 : 1) * (long double)pade[order][k] * power[i];
    }
    long_product(N, power, A, next);
    memcpy(power, next, sizeof power);
  }
  for (int k = 0; k < N; ++k) { // Gauss and Jordan with pivots
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
      ffi_expm_info info = frozen_step(&f, t, order, mean, double_mean, dp, dpdot);
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

// An approximant of order j agrees with e^z up to z^2j, and the integrals of lambda come with one and two powers of t: so
// the mean is wrong by t^2j, the double mean by t^(2j-1), times terms with K and B.
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
      frozen_step(&f, half ? t / 2 : t, FFI_EXPM_EXACT, m[0], d[0], dp, dpdot);
      frozen_step(&f, half ? t / 2 : t, order, m[1], d[1], dp, dpdot);
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

static void what_cannot_be_done_is_said_and_nothing_else_changes(void **state)
{
  (void)state;
  frozen f;
  frozen_zero(&f, 2);
  f.Y[0] = f.Y[3] = 1;
  f.K[0] = f.K[3] = -1e6; // it flies apart: e^1000 in a second
  f.dp[0] = 1;
  double mean[2] = {7, 7};
  const ffi_exact_system_result result = {.mean = mean};
  void *work = malloc(ffi_exact_system_size(2));
  assert_int_equal(ffi_exact_system_step(&f.system, 1, FFI_EXPM_EXACT, work, &result, NULL),
                   FFI_EXPM_NOT_FINITE);
  f.K[0] = (double)NAN;
  assert_int_equal(ffi_exact_system_step(&f.system, 1e-3, 1, work, &result, NULL), FFI_EXPM_NOT_FINITE);
  assert_true(mean[0] == 7 && mean[1] == 7);
  f.K[0] = -4; // 1 - A/2 with the eigenvalue 2
  f.K[3] = 0;
  assert_int_equal(ffi_exact_system_step(&f.system, 1, 1, work, &result, NULL), FFI_EXPM_SINGULAR);
  f.system.n = 0;
  assert_int_equal(ffi_exact_system_step(&f.system, 1, FFI_EXPM_EXACT, work, &result, NULL), FFI_EXPM_DONE);
  free(work);
}

static void no_memory_is_taken(void **state)
{
  (void)state;
  rng r = {7};
  frozen f;
  frozen_quadruped(&r, 1e5, 100, &f);
  f.system.b1 = NULL;
  double mean[12], lambda[24];
  const double times[] = {0, 1e-3};
  const ffi_exact_system_result result = {.mean = mean};
  void *work = malloc(ffi_exact_system_size(12));
  const long before = ffi_test_alloc_count();
  assert_int_equal(ffi_exact_system_step(&f.system, 1e-3, FFI_EXPM_EXACT, work, &result, NULL),
                   FFI_EXPM_DONE);
  assert_int_equal(ffi_exact_system_forces(&f.system, 2, times, 3, work, lambda), FFI_EXPM_DONE);
  assert_int_equal(ffi_test_alloc_count(), before);
  free(work);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_on_a_spring_follows_its_formula),
      cmocka_unit_test(random_systems_agree_with_taylors_series),
      cmocka_unit_test(the_stiffest_and_longest_steps_just_work),
      cmocka_unit_test(redundant_rows_share_the_force),
      cmocka_unit_test(immovable_forces_follow_the_flight),
      cmocka_unit_test(two_halves_make_a_whole),
      cmocka_unit_test(results_are_linear_in_the_state),
      cmocka_unit_test(forces_at_given_times_agree_with_taylors_series),
      cmocka_unit_test(reduced_orders_are_those_of_the_paper),
      cmocka_unit_test(reduced_orders_converge_as_they_should),
      cmocka_unit_test(what_cannot_be_done_is_said_and_nothing_else_changes),
      cmocka_unit_test(no_memory_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
