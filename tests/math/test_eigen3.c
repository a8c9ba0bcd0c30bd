// Eigenvalues of symmetric 3 x 3 matrices: made from known ones, and against LAPACK.
#include "math/eigen3.h"

#include "math/near.h"

#include <lapacke.h>

static void check(const double S[6])
{
  double A[9] = {S[0], S[1], S[2], S[1], S[3], S[4], S[2], S[4], S[5]}, expected[3], values[3], size = 0;
  for (int i = 0; i < 6; ++i)
    size = fmax(size, fabs(S[i]));
  assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', 3, A, 3, expected), 0);
  ffi_eigen3(S, values);
  for (int i = 0; i < 3; ++i)
    assert_near(values[i], expected[i], 16 * EPS * size);
}

static void random_ones_agree_with_lapack(void **state)
{
  (void)state;
  rng r = {1};
  for (int k = 0; k < 2000; ++k) {
    double S[6];
    random_vector(&r, 6, 1, S);
    for (int i = 0; i < 6; ++i)
      S[i] *= pow(10, k % 4 == 3 ? random_in(&r, -12, 12) : 0);
    check(S);
  }
}

static void special_ones_agree_with_lapack(void **state)
{
  (void)state;
  const double cases[][6] = {
      {0, 0, 0, 0, 0, 0},
      {1, 0, 0, 1, 0, 1},
      {3, 0, 0, 2, 0, 1},
      {1, 1, 1, 1, 1, 1},
      {2, -1, 0, 2, -1, 2},
      {0, 1, 0, 0, 0, 0},
      {1, 1e-200, 0, 1, 0, 1},
      {1e200, 1e199, 0, 1e200, 0, 1},
      {1, 1e-16, 1e-16, 1, 1e-16, 1},
      {-1, 2, 3, -4, 5, -6},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    check(cases[k]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_ones_agree_with_lapack),
      cmocka_unit_test(special_ones_agree_with_lapack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
