// Cholesky, LDL' and LU: textbook loops, ordered so that the innermost one runs along rows.
//                                                              Golub and Van Loan, sections 3.4, 4.1, 4.2
#include "math/dense.h"

#include <math.h>
#include <stddef.h>

static double *row_at(double *A, int stride, int i)
{
  return A + (ptrdiff_t)i * stride;
}

static const double *row_of(const double *A, int stride, int i)
{
  return A + (ptrdiff_t)i * stride;
}

int ffi_dense_cholesky(int n, int stride, double *A)
{
  for (int i = 0; i < n; ++i) {
    double *Li = row_at(A, stride, i);
    for (int j = 0; j < i; ++j) {
      const double *Lj = row_of(A, stride, j);
      Li[j] = (Li[j] - ffi_dense_dot(j, Li, Lj)) / Lj[j];
    }
    double pivot = Li[i] - ffi_dense_dot(i, Li, Li);
    if (!(pivot > 0))
      return i;
    Li[i] = sqrt(pivot);
  }
  return FFI_FACTORED;
}

void ffi_dense_cholesky_solve(int n, int stride, const double *L, double *x)
{
  for (int i = 0; i < n; ++i) {
    const double *Li = row_of(L, stride, i);
    x[i] = (x[i] - ffi_dense_dot(i, Li, x)) / Li[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double *Li = row_of(L, stride, i);
    x[i] /= Li[i];
    for (int j = 0; j < i; ++j)
      x[j] -= Li[j] * x[i];
  }
}

int ffi_dense_ldl(int n, int stride, double *A)
{
  for (int i = 0; i < n; ++i) {
    double *Li = row_at(A, stride, i);
    // First the products L D of this row, then, once its dot products are done, the row of L itself.
    for (int j = 0; j < i; ++j)
      Li[j] -= ffi_dense_dot(j, Li, row_of(A, stride, j));
    double pivot = Li[i];
    for (int j = 0; j < i; ++j) {
      double l = Li[j] / row_of(A, stride, j)[j];
      pivot -= l * Li[j];
      Li[j] = l;
    }
    if (pivot == 0 || isnan(pivot))
      return i;
    Li[i] = pivot;
  }
  return FFI_FACTORED;
}

void ffi_dense_ldl_solve(int n, int stride, const double *LD, double *x)
{
  for (int i = 0; i < n; ++i)
    x[i] -= ffi_dense_dot(i, row_of(LD, stride, i), x);
  for (int i = 0; i < n; ++i)
    x[i] /= row_of(LD, stride, i)[i];
  for (int i = n - 1; i >= 0; --i)
    for (int j = 0; j < i; ++j)
      x[j] -= row_of(LD, stride, i)[j] * x[i];
}

static void swap_rows(int n, int stride, double *A, int *row, int a, int b)
{
  double *x = row_at(A, stride, a), *y = row_at(A, stride, b);
  for (int j = 0; j < n; ++j) {
    double t = x[j];
    x[j] = y[j];
    y[j] = t;
  }
  int r = row[a];
  row[a] = row[b];
  row[b] = r;
}

int ffi_dense_lu(int n, int stride, double *A, int *row)
{
  for (int i = 0; i < n; ++i)
    row[i] = i;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(row_of(A, stride, i)[k]) > fabs(row_of(A, stride, best)[k]))
        best = i;
    if (best != k)
      swap_rows(n, stride, A, row, k, best);
    const double *Uk = row_of(A, stride, k);
    if (Uk[k] == 0 || isnan(Uk[k]))
      return k;
    for (int i = k + 1; i < n; ++i) {
      double *Ai = row_at(A, stride, i);
      Ai[k] /= Uk[k];
      for (int j = k + 1; j < n; ++j)
        Ai[j] -= Ai[k] * Uk[j];
    }
  }
  return FFI_FACTORED;
}

void ffi_dense_lu_solve(int n, int stride, const double *LU, const int *row, const double *b, double *x)
{
  for (int i = 0; i < n; ++i)
    x[i] = b[row[i]] - ffi_dense_dot(i, row_of(LU, stride, i), x);
  for (int i = n - 1; i >= 0; --i) {
    const double *Ui = row_of(LU, stride, i);
    x[i] = (x[i] - ffi_dense_dot(n - 1 - i, Ui + i + 1, x + i + 1)) / Ui[i];
  }
}
