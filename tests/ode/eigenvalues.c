// Eigenvalues as the roots of the characteristic polynomial, in long double.
#include "ode/eigenvalues.h"

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// det(z - A) = z^n + c[1] z^(n - 1) + ... + c[n], by Faddeev and LeVerrier: M := A M + c I, c = -trace(A M) / k.
static void characteristic(int n, const double *A, long double *c)
{
  long double M[FFI_EIGENVALUES_MOST * FFI_EIGENVALUES_MOST] = {0},
                                       AM[FFI_EIGENVALUES_MOST * FFI_EIGENVALUES_MOST];
  c[0] = 1;
  for (int k = 1; k <= n; ++k) {
    for (int i = 0; i < n; ++i)
      M[i * n + i] += c[k - 1];
    long double trace = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        AM[i * n + j] = 0;
        for (int l = 0; l < n; ++l)
          AM[i * n + j] += (long double)A[i * n + l] * M[l * n + j];
        trace += i == j ? AM[i * n + j] : 0;
      }
    c[k] = -trace / k;
    memcpy(M, AM, sizeof M);
  }
}

// All roots at once, by Weierstrass, Durand and Kerner.
static void roots(int n, const long double *c, long double complex *z)
{
  long double size = 1;
  for (int k = 1; k <= n; ++k)
    size += fabsl(c[k]);
  for (int k = 0; k < n; ++k) // on a spiral, no two conjugate
    z[k] = size * (0.3L + 0.7L * (long double)k / n) * cexpl(2.4L * I * (k + 0.3L));
  for (int turn = 0; turn < 2000; ++turn)
    for (int k = 0; k < n; ++k) {
      long double complex value = 1, others = 1;
      for (int i = 1; i <= n; ++i)
        value = value * z[k] + c[i];
      for (int i = 0; i < n; ++i)
        others *= i == k ? 1 : z[k] - z[i];
      if (others != 0)
        z[k] -= value / others;
    }
}

static int by_modulus(const void *a, const void *b)
{
  const long double complex p = *(const long double complex *)a, q = *(const long double complex *)b;
  const long double gap = cabsl(q) - cabsl(p);
  if (fabsl(gap) > 1e-9L)
    return gap > 0 ? 1 : -1;
  return (cimagl(q) > cimagl(p)) - (cimagl(q) < cimagl(p));
}

void ffi_eigenvalues(int n, const double *A, double *real, double *imaginary)
{
  assert(n >= 1 && n <= FFI_EIGENVALUES_MOST);
  long double c[FFI_EIGENVALUES_MOST + 1];
  long double complex z[FFI_EIGENVALUES_MOST];
  characteristic(n, A, c);
  roots(n, c, z);
  qsort(z, (size_t)n, sizeof *z, by_modulus);
  for (int k = 0; k < n; ++k) {
    real[k] = (double)creall(z[k]);
    imaginary[k] = (double)cimagl(z[k]);
  }
}
