// Padded products and solves against plain sums in long double.
#include "math/padded.h"

#include "math/dense.h"
#include "math/near.h"

enum { MAX_N = 32 };

static void products_are_sums(void **state)
{
  (void)state;
  rng r = {1};
  for (int rows = 4; rows <= MAX_N; rows += 4)
    for (int columns = 4; columns <= MAX_N; columns += 8)
      for (int inner = 0; inner <= 13; ++inner) {
        double A[MAX_N * 13], B[13 * MAX_N], C[MAX_N * MAX_N];
        random_vector(&r, rows * inner, 1, A);
        random_vector(&r, inner * columns, 1, B);
        ffi_padded_product(rows, inner, columns, A, B, C);
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < columns; ++j) {
            long double sum = 0;
            for (int k = 0; k < inner; ++k)
              sum += (long double)A[i * inner + k] * B[k * columns + j];
            assert_near(C[i * columns + j], sum, EPS * inner * inner);
          }
      }
}

static void solves_leave_no_residual(void **state)
{
  (void)state;
  rng r = {2};
  for (int n = 1; n <= 19; ++n)
    for (int columns = 4; columns <= 12; columns += 4) {
      const int stride = ffi_padded(n);
      assert_true(stride >= n && stride < n + 4 && stride % 4 == 0);
      double A[20 * 20], LU[20 * 20], R[20 * 12], X[20 * 12];
      int row[20];
      random_vector(&r, n * stride, 1, A);
      A[0] = 1e-12; // pivots are needed
      if (n == 1)
        A[0] = 3;
      random_vector(&r, n * columns, 1, R);
      memcpy(LU, A, sizeof LU);
      assert_int_equal(ffi_dense_lu(n, stride, LU, row), FFI_FACTORED);
      ffi_padded_solve(&(ffi_padded_lu){n, stride, LU, row}, columns, R, X);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < columns; ++j) {
          long double sum = -(long double)R[i * columns + j];
          double size = fabs(R[i * columns + j]), largest = 0;
          for (int k = 0; k < n; ++k) {
            sum += (long double)A[i * stride + k] * X[k * columns + j];
            size += fabs(A[i * stride + k] * X[k * columns + j]);
            largest = fmax(largest, fabs(X[k * columns + j]));
          }
          // Backward stable: a few n eps, as for one column in test_dense.
          assert_near(sum, 0, (8 * n + 8) * EPS * fmax(size, largest));
        }
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_sums),
      cmocka_unit_test(solves_leave_no_residual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
