// One backward step of the discrete Riccati recursion. See riccati.h for the equations.
#include "math/riccati.h"

#include "math/dense.h"

#include <string.h>

size_t ffi_riccati_work(int n, int m)
{
  const size_t N = (size_t)n, M = (size_t)m;
  return 2 * N * N + N * M + M * M + M;
}

// C [p x q] = A' B, A [n x p], B [n x q].
static void product_t(int n, int p, int q, const double *A, const double *B, double *C)
{
  memset(C, 0, (size_t)p * (size_t)q * sizeof *C);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < p; ++i)
      for (int j = 0; j < q; ++j)
        C[i * q + j] += A[k * p + i] * B[k * q + j];
}

// C [n x q] -= A B, A [n x p], B [p x q].
static void subtract_product(int n, int p, int q, const double *A, const double *B, double *C)
{
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < p; ++k)
      for (int j = 0; j < q; ++j)
        C[i * q + j] -= A[i * p + k] * B[k * q + j];
}

// K = (R + B' P B)^-1 (P B)' A, PB given; S [m x m] and column [m] are working space.
static int best_gain(const ffi_riccati *p, const double *PB, double *S, double *column, double *K)
{
  const int n = p->n, m = p->m;
  product_t(n, m, m, p->B, PB, S);
  product_t(n, m, n, PB, p->A, K);
  for (int i = 0; i < m; ++i) {
    S[i * m + i] += p->R[i];
    for (int j = 0; j < i; ++j)
      S[i * m + j] = 0.5 * (S[i * m + j] + S[j * m + i]);
  }
  const int failed = ffi_dense_cholesky(m, m, S);
  for (int j = 0; failed == FFI_FACTORED && j < n; ++j) {
    for (int i = 0; i < m; ++i)
      column[i] = K[i * n + j];
    ffi_dense_cholesky_solve(m, m, S, column);
    for (int i = 0; i < m; ++i)
      K[i * n + j] = column[i];
  }
  return failed;
}

int ffi_riccati_step(const ffi_riccati *p, double *P, double *K, double *work)
{
  const int n = p->n, m = p->m;
  double *closed = work, *PC = closed + n * n, *PB = PC + n * n, *S = PB + n * m, *column = S + m * m;
  product_t(n, n, m, P, p->B, PB); // P is symmetric
  const int failed = best_gain(p, PB, S, column, K);
  if (failed != FFI_FACTORED)
    return failed;
  memcpy(closed, p->A, (size_t)n * (size_t)n * sizeof *closed);
  subtract_product(n, m, n, p->B, K, closed);
  product_t(n, n, n, P, closed, PC);
  product_t(n, n, n, closed, PC, P);
  for (int i = 0; i < n; ++i)
    P[i * n + i] += p->Q[i];
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        P[i * n + j] += K[k * n + i] * p->R[k] * K[k * n + j];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      P[i * n + j] = P[j * n + i] = 0.5 * (P[i * n + j] + P[j * n + i]);
  return FFI_FACTORED;
}
