// Time is measured in steps: with z = (dp, t dp') and tau from 0 to 1 the system is z' = A z + beta0 + beta1 tau,
//
//     A = [    0       1    ]     beta0 = (0, t^2 b0)     beta1 = (0, t^3 b1)
//         [ -t^2 Y K  -t Y B ]
//
//     [ A  beta1  beta0  z0  0 ]       e^ of it, times the last two unit vectors: the integral of z, and the
//     [ 0    0      1    0   0 ]       integral of that. Times (z0, 0, 1, 0, 0): z at the end.
//     [ 0    0      0    1   0 ]                                               Expo paper eqs 29-30
//     [ 0    0      0    0   1 ]
//     [ 0    0      0    0   0 ]
//
// A is balanced by itself, and the columns beside it multiplied by a power of 2 that makes them small: the result
// is linear in them, so nothing is lost, and order and squarings depend on A alone, never on the state.
#include "math/exact_system.h"

#include "math/balance.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { CHAIN = 4, COLUMNS = 3 };
enum { INTEGRAL, SECOND_INTEGRAL, END }; // columns of Z

typedef struct workspace {
  int n, m;  // rows; size of the augmented matrix, 2n + 4
  double *M; // [m x m]
  double *Z; // [m x COLUMNS]
  double *d; // [2n] units of z, from balancing
  void *expm;
} workspace;

size_t ffi_exact_system_size(int n)
{
  size_t m = 2 * (size_t)n + CHAIN;
  return (m * m + m * COLUMNS + 2 * (size_t)n) * sizeof(double) + ffi_expm_size((int)m, COLUMNS);
}

static workspace lay_out(int n, void *work)
{
  workspace w = {.n = n, .m = 2 * n + CHAIN, .M = work};
  const size_t m = (size_t)w.m;
  w.Z = w.M + m * m;
  w.d = w.Z + m * COLUMNS;
  w.expm = w.d + 2 * (size_t)n;
  return w;
}

// out [n] := factor (row i of Y) F
static void row_product(int n, const double *Y, int i, const double *F, double factor, double *out)
{
  memset(out, 0, (size_t)n * sizeof *out);
  for (int k = 0; k < n; ++k) {
    const double y = factor * Y[(ptrdiff_t)i * n + k], *Fk = F + (ptrdiff_t)k * n;
    for (int j = 0; y != 0 && j < n; ++j)
      out[j] += y * Fk[j];
  }
}

static void put_dynamics(const workspace *w, const ffi_exact_system *s, double t)
{
  const int n = w->n;
  memset(w->M, 0, (size_t)w->m * (size_t)w->m * sizeof *w->M);
  for (int i = 0; i < n; ++i) {
    double *row = w->M + (ptrdiff_t)(n + i) * w->m;
    w->M[(ptrdiff_t)i * w->m + i] = s->fade ? -t * s->fade[i] : 0;
    w->M[(ptrdiff_t)i * w->m + n + i] = s->follow ? s->follow[i] : 1;
    row_product(n, s->Y, i, s->K, -t * t, row);
    row_product(n, s->Y, i, s->B, -t, row + n);
  }
  ffi_balance(2 * n, w->m, w->M, w->d);
}

// The columns beta1, beta0, z0 in balanced units, and the chain of ones.
static void put_chain(const workspace *w, const ffi_exact_system *s, double t)
{
  const int n = w->n;
  for (int i = 0; i < n; ++i) {
    double *position = w->M + (ptrdiff_t)i * w->m + 2 * n, *velocity = position + (ptrdiff_t)n * w->m;
    const double r = 1 / w->d[n + i];
    velocity[0] = s->b1 ? t * t * t * s->b1[i] * r : 0;
    velocity[1] = t * t * s->b0[i] * r;
    velocity[2] = t * s->dpdot[i] * r;
    position[2] = s->dp[i] / w->d[i];
  }
  for (int k = 0; k + 1 < CHAIN; ++k)
    w->M[(ptrdiff_t)(2 * n + k) * w->m + 2 * n + k + 1] = 1;
}

// Multiply the chain's columns by a power of 2 so that they count for nothing in the norm; returns the power.
static double shrink_columns(const workspace *w)
{
  double sum = 0;
  for (int i = 0; i < 2 * w->n; ++i)
    for (int k = 0; k < CHAIN; ++k)
      sum += fabs(w->M[(ptrdiff_t)i * w->m + 2 * w->n + k]);
  if (!(sum > 0 && isfinite(sum)))
    return 1;
  const double power = exp2(-ceil(log2(sum)) - 10); // below a thousandth of the chain's ones
  for (int i = 0; i < 2 * w->n; ++i)
    for (int k = 0; k < CHAIN; ++k)
      w->M[(ptrdiff_t)i * w->m + 2 * w->n + k] *= power;
  return power;
}

// Z [2n x COLUMNS]: z's two integrals over the step and its value at the end, z = (dp, t dp').
static ffi_expm_status integrate(const workspace *w, const ffi_exact_system *s, double t, int order,
                                 ffi_expm_info *info)
{
  const int states = 2 * w->n;
  put_dynamics(w, s, t);
  put_chain(w, s, t);
  const double power = shrink_columns(w);
  memset(w->Z, 0, (size_t)w->m * COLUMNS * sizeof *w->Z);
  for (int i = 0; i < states; ++i)
    w->Z[i * COLUMNS + END] = w->M[(ptrdiff_t)i * w->m + states + 2];
  w->Z[(states + 1) * COLUMNS + END] = 1;
  w->Z[(states + 2) * COLUMNS + INTEGRAL] = 1;
  w->Z[(states + 3) * COLUMNS + SECOND_INTEGRAL] = 1;

  const ffi_expm_options options = {.order = order, .is_unbalanced = 1};
  ffi_expm_status status = ffi_expm_times(w->m, w->M, COLUMNS, w->Z, &options, w->expm, info);
  if (status != FFI_EXPM_DONE)
    return status;
  for (int i = 0; i < states; ++i)
    for (int k = 0; k < COLUMNS; ++k)
      w->Z[i * COLUMNS + k] *= w->d[i] / power;
  return FFI_EXPM_DONE;
}

// lambda [n] := -factor (K dp + B dp'), with (dp, t dp') in a column of Z                Expo paper eq. 12
static void force(const workspace *w, const ffi_exact_system *s, double t, int column, double factor,
                  double *lambda)
{
  const int n = w->n;
  for (int i = 0; i < n; ++i) {
    const double *Ki = s->K + (ptrdiff_t)i * n, *Bi = s->B + (ptrdiff_t)i * n;
    double spring = 0, damper = 0;
    for (int j = 0; j < n; ++j) {
      spring += Ki[j] * w->Z[j * COLUMNS + column];
      damper += Bi[j] * w->Z[(n + j) * COLUMNS + column];
    }
    lambda[i] = -factor * (spring + damper / t);
  }
}

ffi_expm_status ffi_exact_system_step(const ffi_exact_system *system, double t, int order, void *work,
                                      const ffi_exact_system_result *result, ffi_expm_info *info)
{
  assert(t > 0);
  const workspace w = lay_out(system->n, work);
  ffi_expm_status status = integrate(&w, system, t, order, info);
  if (status != FFI_EXPM_DONE)
    return status;
  if (result->mean)
    force(&w, system, t, INTEGRAL, 1, result->mean);
  if (result->double_mean)
    force(&w, system, t, SECOND_INTEGRAL, 2, result->double_mean);
  for (int i = 0; i < w.n; ++i) {
    if (result->dp)
      result->dp[i] = w.Z[i * COLUMNS + END];
    if (result->dpdot)
      result->dpdot[i] = w.Z[(w.n + i) * COLUMNS + END] / t;
  }
  return FFI_EXPM_DONE;
}

// At the start there is nothing to integrate.
static void starting_state(const workspace *w, const ffi_exact_system *s)
{
  for (int i = 0; i < w->n; ++i) {
    w->Z[i * COLUMNS + END] = s->dp[i];
    w->Z[(w->n + i) * COLUMNS + END] = s->dpdot[i];
  }
}

ffi_expm_status ffi_exact_system_forces(const ffi_exact_system *system, int count, const double *times,
                                        int order, void *work, double *lambda)
{
  const workspace w = lay_out(system->n, work);
  for (int k = 0; k < count; ++k) {
    const double t = times[k];
    assert(t >= 0);
    if (t == 0) {
      starting_state(&w, system);
    } else {
      ffi_expm_status status = integrate(&w, system, t, order, NULL);
      if (status != FFI_EXPM_DONE)
        return status;
    }
    force(&w, system, t == 0 ? 1 : t, END, 1, lambda + (ptrdiff_t)k * w.n);
  }
  return FFI_EXPM_DONE;
}
