/// expm_case.h: the matrix exponential in clean workspaces, and small dense helpers, for its tests.
#ifndef FFI_TESTS_MATH_EXPM_CASE_H
#define FFI_TESTS_MATH_EXPM_CASE_H

#include "math/expm.h"

#include "math/near.h"

enum { MAX_N = 40 };

static const ffi_expm_options exact = {FFI_EXPM_EXACT, 0};

// A workspace of just the right size, full of NaN: whatever is read before it is written will show.
static inline void *dirty_work(int n, int columns)
{
  size_t size = ffi_expm_size(n, columns);
  void *work = malloc(size);
  memset(work, 0xff, size);
  return work;
}

static inline ffi_expm_info expm(int n, const double *A, const ffi_expm_options *options, double *E)
{
  ffi_expm_info info;
  void *work = dirty_work(n, 0);
  assert_int_equal(ffi_expm(n, A, E, options, work, &info), FFI_EXPM_DONE);
  free(work);
  return info;
}

static inline ffi_expm_info expm_times(int n, const double *A, int columns, const ffi_expm_options *options,
                                       double *V)
{
  ffi_expm_info info;
  void *work = dirty_work(n, columns);
  assert_int_equal(ffi_expm_times(n, A, &(ffi_expm_columns){columns, V}, options, work, &info),
                   FFI_EXPM_DONE);
  free(work);
  return info;
}

static inline double norm1(int n, const double *A)
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

static inline void multiply(int n, int columns, const double *A, const double *B, double *C)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < columns; ++j) {
      long double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += (long double)A[i * n + k] * B[k * columns + j];
      C[i * columns + j] = (double)sum;
    }
}

#endif
