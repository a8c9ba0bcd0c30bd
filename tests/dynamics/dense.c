// Textbook Cholesky, solves and products.
#include "dynamics/dense.h"

#include <math.h>

void ffi_dense_multiply(int n, int k, int m, const double *A, const double *B, double *C)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += A[i * k + l] * B[l * m + j];
      C[i * m + j] = sum;
    }
}

void ffi_dense_transpose(int n, int m, const double *A, double *T)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      T[j * n + i] = A[i * m + j];
}

int ffi_dense_factor(int n, double *M)
{
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i)
      M[i * n + j] = 0;
    for (int i = j; i < n; ++i) {
      double sum = M[i * n + j];
      for (int k = 0; k < j; ++k)
        sum -= M[i * n + k] * M[j * n + k];
      if (i > j)
        M[i * n + j] = sum / M[j * n + j];
      else if (sum > 0)
        M[j * n + j] = sqrt(sum);
      else
        return 0;
    }
  }
  return 1;
}

void ffi_dense_solve(int n, const double *G, int m, double *X)
{
  for (int c = 0; c < m; ++c) {
    for (int i = 0; i < n; ++i) {
      double sum = X[i * m + c];
      for (int k = 0; k < i; ++k)
        sum -= G[i * n + k] * X[k * m + c];
      X[i * m + c] = sum / G[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      double sum = X[i * m + c];
      for (int k = i + 1; k < n; ++k)
        sum -= G[k * n + i] * X[k * m + c];
      X[i * m + c] = sum / G[i * n + i];
    }
  }
}
