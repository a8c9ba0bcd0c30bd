/// frozen_oracle.h: frozen contact systems integrated by small steps of Taylor's series in long double, and random
/// ones to try.
///
/// For dp'' = b0 + b1 tau + Y lambda, lambda = -(K dp + B dp'), the Taylor coefficients of dp, dp' and lambda follow
/// from one another, and the integrals of lambda from its coefficients: no matrix exponential anywhere.
#ifndef FFI_TESTS_MATH_FROZEN_ORACLE_H
#define FFI_TESTS_MATH_FROZEN_ORACLE_H

#include "math/exact_system.h"

#include "math/near.h"

enum { FROZEN_MAX = 24, FROZEN_TERMS = 24 };

/// A system with its arrays.
typedef struct frozen {
  double Y[FROZEN_MAX * FROZEN_MAX], K[FROZEN_MAX * FROZEN_MAX], B[FROZEN_MAX * FROZEN_MAX];
  double b0[FROZEN_MAX], b1[FROZEN_MAX], dp[FROZEN_MAX], dpdot[FROZEN_MAX];
  ffi_exact_system system;
} frozen;

/// Results of the library or of the oracle.
typedef struct frozen_motion {
  long double mean[FROZEN_MAX], double_mean[FROZEN_MAX], dp[FROZEN_MAX], dpdot[FROZEN_MAX];
  long double
      largest_force; ///< max over rows and time of |K| |dp| + |B| |dpdot|, what rounding is relative to
} frozen_motion;

static inline void frozen_zero(frozen *f, int n)
{
  memset(f, 0, sizeof *f);
  f->system = (ffi_exact_system){n, f->Y, f->K, f->B, f->b0, f->b1, f->dp, f->dpdot, NULL, NULL};
}

/// An upper bound of the system's fastest rate: sqrt |Y K|_1 + |Y B|_1.
static inline double frozen_rate(const frozen *f)
{
  const int n = f->system.n;
  double spring = 0, damper = 0;
  for (int j = 0; j < n; ++j) {
    double k = 0, b = 0;
    for (int i = 0; i < n; ++i) {
      double yk = 0, yb = 0;
      for (int l = 0; l < n; ++l) {
        yk += f->Y[i * n + l] * f->K[l * n + j];
        yb += f->Y[i * n + l] * f->B[l * n + j];
      }
      k += fabs(yk);
      b += fabs(yb);
    }
    spring = fmax(spring, k);
    damper = fmax(damper, b);
  }
  return sqrt(spring) + damper;
}

/// out [n] := -(K x + B v); `size` grows to the largest sum of absolute values
static inline void frozen_force(const frozen *f, const long double *x, const long double *v, long double *out,
                                long double *size)
{
  const int n = f->system.n;
  for (int i = 0; i < n; ++i) {
    long double sum = 0, absolute = 0;
    for (int j = 0; j < n; ++j) {
      long double s = f->K[i * n + j] * x[j], d = f->B[i * n + j] * v[j];
      sum -= s + d;
      absolute += fabsl(s) + fabsl(d);
    }
    out[i] = sum;
    if (size)
      *size = fmaxl(*size, absolute);
  }
}

/// One step h of Taylor's series from time `now`; adds to the integrals of lambda over it.
static inline void frozen_taylor_step(const frozen *f, long double now, long double h, long double *x,
                                      long double *v, long double *once, long double *twice)
{
  const int n = f->system.n;
  long double xk[FROZEN_MAX], vk[FROZEN_MAX], force[FROZEN_MAX], x1[FROZEN_MAX], v1[FROZEN_MAX];
  memcpy(xk, x, sizeof xk);
  memcpy(vk, v, sizeof vk);
  for (int k = 0; k < FROZEN_TERMS; ++k) { // xk, vk: coefficient times h^k
    frozen_force(f, xk, vk, force, NULL);
    for (int i = 0; i < n; ++i) {
      long double a = k == 0 ? f->b0[i] + f->b1[i] * now : k == 1 ? f->b1[i] * h : 0;
      for (int j = 0; j < n; ++j)
        a += f->Y[i * n + j] * force[j];
      v1[i] = a * h / (k + 1);
      x1[i] = vk[i] * h / (k + 1);
      once[i] += force[i] * h / (k + 1);
      twice[i] += force[i] * h * h / ((k + 1) * (k + 2));
    }
    for (int i = 0; i < n; ++i) {
      x[i] += xk[i] = x1[i];
      v[i] += vk[i] = v1[i];
    }
  }
}

/// The whole motion over t; steps short enough for 24 terms to reach long double's rounding.
static inline frozen_motion frozen_integrate(const frozen *f, double t)
{
  const int n = f->system.n, steps = (int)ceil(2 * t * frozen_rate(f)) + 1;
  const long double h = (long double)t / steps;
  frozen_motion m = {.largest_force = 0};
  long double now[FROZEN_MAX];
  for (int i = 0; i < n; ++i) {
    m.dp[i] = f->dp[i];
    m.dpdot[i] = f->dpdot[i];
  }
  for (int k = 0; k < steps; ++k) {
    long double once[FROZEN_MAX] = {0}, twice[FROZEN_MAX] = {0};
    frozen_force(f, m.dp, m.dpdot, now, &m.largest_force);
    frozen_taylor_step(f, k * h, h, m.dp, m.dpdot, once, twice);
    for (int i = 0; i < n; ++i) {
      m.double_mean[i] += h * m.mean[i] + twice[i];
      m.mean[i] += once[i];
    }
  }
  frozen_force(f, m.dp, m.dpdot, now, &m.largest_force);
  for (int i = 0; i < n; ++i) {
    m.mean[i] /= t;
    m.double_mean[i] *= 2 / ((long double)t * t);
  }
  return m;
}

/// What the library says, with a workspace of just the right size, full of NaN. The results start from the state
/// that the library is given, to see that they may be the same arrays.
static inline ffi_expm_info frozen_step(const frozen *f, double t, int order, double *mean,
                                        double *double_mean, double *dp, double *dpdot)
{
  const size_t size = ffi_exact_system_size(f->system.n), bytes = (size_t)f->system.n * sizeof(double);
  void *work = malloc(size);
  memset(work, 0xff, size);
  memcpy(dp, f->dp, bytes);
  memcpy(dpdot, f->dpdot, bytes);
  ffi_exact_system system = f->system;
  system.dp = dp;
  system.dpdot = dpdot;
  const ffi_exact_system_result result = {mean, double_mean, dp, dpdot};
  ffi_expm_info info;
  assert_int_equal(ffi_exact_system_step(&system, t, order, work, &result, &info), FFI_EXPM_DONE);
  free(work);
  return info;
}

/// Like a quadruped of 2.5 kg on four feet, 3 rows each: a rigid trunk moves all of them, a light leg each of
/// them alone. K, B on the diagonal, the normal rows' a little different. n = 12.
static inline void frozen_quadruped(rng *r, double stiffness, double damping, frozen *f)
{
  enum { N = 12 };
  const double mass = random_in(r, 1.5, 3.5), inertia[3] = {0.02 * mass, 0.04 * mass, 0.05 * mass};
  frozen_zero(f, N);
  double G[N][6] = {{0}}; // a foot's velocity per velocity and angular velocity of the trunk
  for (int foot = 0; foot < 4; ++foot) {
    const double p[3] = {(foot / 2 ? -0.2 : 0.2) + random_in(r, -0.05, 0.05),
                         (foot % 2 ? -0.15 : 0.15) + random_in(r, -0.05, 0.05), random_in(r, -0.35, -0.2)};
    for (int i = 0; i < 3; ++i) {
      G[3 * foot + i][i] = 1;
      G[3 * foot + i][3 + (i + 1) % 3] = p[(i + 2) % 3];
      G[3 * foot + i][3 + (i + 2) % 3] = -p[(i + 1) % 3];
    }
    double leg[3][3]; // a leg's own mobility, 2 to 40 /kg
    random_vector(r, 9, 3, &leg[0][0]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          f->Y[(3 * foot + i) * N + 3 * foot + j] += leg[i][k] * leg[j][k] + (i == j) * 0.7;
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < 6; ++k)
        f->Y[i * N + j] += G[i][k] * G[j][k] / (k < 3 ? mass : inertia[k - 3]);
    f->K[i * N + i] = stiffness * (i % 3 == 2 ? 1 : 0.8);
    f->B[i * N + i] = damping;
    f->b0[i] = random_in(r, -20, 20);
    f->b1[i] = random_in(r, -100, 100);
    f->dp[i] = random_in(r, -10, 10) / stiffness; // forces of some 10 N
    f->dpdot[i] = random_in(r, -0.1, 0.1);
  }
}

#endif
