/// long_expm.h: the exponential of a matrix in long double, the plain way: Taylor's series of a matrix halved often
/// enough, then squared. Slow and simple, an oracle for the library's.
#ifndef FFI_TESTS_MATH_LONG_EXPM_H
#define FFI_TESTS_MATH_LONG_EXPM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// C := A B, all [n x n] and apart
static inline void long_product(int n, const long double *A, const long double *B, long double *C)
{
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      C[i * n + j] = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
  }
}

/// The largest sum of a column
static inline long double long_norm1(int n, const long double *A)
{
  long double largest = 0;
  for (int j = 0; j < n; ++j) {
    long double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += fabsl(A[i * n + j]);
    largest = fmaxl(largest, sum);
  }
  return largest;
}

/// E := e^A. The norm is halved below 1/8, where 16 terms of the series reach 1e-29, and squaring doubles the error
/// each time: about 1e-19 times the norm in the end.
static inline void long_expm(int n, const long double *A, long double *E)
{
  const size_t count = (size_t)n * (size_t)n, bytes = count * sizeof(long double);
  long double *scaled = malloc(bytes), *term = malloc(bytes), *next = malloc(bytes);
  const int halvings = (int)fmaxl(0, ceill(log2l(long_norm1(n, A) * 8 + 1e-30L)));
  for (size_t i = 0; i < count; ++i)
    scaled[i] = ldexpl(A[i], -halvings);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      E[i * n + j] = term[i * n + j] = i == j;
  for (int k = 1; k <= 16; ++k) {
    long_product(n, term, scaled, next);
    for (size_t i = 0; i < count; ++i) {
      term[i] = next[i] / k;
      E[i] += term[i];
    }
  }
  for (int k = 0; k < halvings; ++k) {
    long_product(n, E, E, next);
    memcpy(E, next, bytes);
  }
  free(scaled);
  free(term);
  free(next);
}

#endif
