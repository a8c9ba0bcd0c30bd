// Quaternions and 3 x 3 matrices against each other and against their definitions.
#include "math/quaternion.h"

#include "math/near.h"

// q x q* written out as products of quaternions with i i = j j = k k = i j k = -1, in long double.
static void rotate_by_definition(const double q[4], const double x[3], long double out[3])
{
  const long double a[4] = {q[3], q[0], q[1], q[2]}, b[4] = {0, x[0], x[1], x[2]},
                    c[4] = {q[3], -q[0], -q[1], -q[2]};
  // table[i][j]: which unit the product of units i and j is, and its sign
  static const int unit[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static const int sign[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
  long double ab[4] = {0}, abc[4] = {0};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      ab[unit[i][j]] += sign[i][j] * a[i] * b[j];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      abc[unit[i][j]] += sign[i][j] * ab[i] * c[j];
  for (int i = 0; i < 3; ++i)
    out[i] = abc[i + 1];
}

static void rotating_is_the_sandwich_product(void **state)
{
  (void)state;
  rng r = {1};
  for (int k = 0; k < 500; ++k) {
    double q[4], x[3], y[3], z[3], R[9];
    long double expected[3];
    random_unit(&r, 4, q);
    random_vector(&r, 3, 10, x);
    rotate_by_definition(q, x, expected);
    ffi_quat_rotate(q, x, y);
    ffi_quat_matrix(q, R);
    ffi_m3_mulv(R, x, z);
    for (int i = 0; i < 3; ++i) {
      assert_near(y[i], expected[i], 16 * EPS * 10);
      assert_near(z[i], expected[i], 16 * EPS * 10);
    }
  }
}

static void products_compose_rotations(void **state)
{
  (void)state;
  rng r = {2};
  for (int k = 0; k < 200; ++k) {
    double a[4], b[4], ab[4], A[9], B[9], AB[9], M[9], back[4], one[4];
    random_unit(&r, 4, a);
    random_unit(&r, 4, b);
    ffi_quat_mul(a, b, ab);
    ffi_quat_matrix(a, A);
    ffi_quat_matrix(b, B);
    ffi_quat_matrix(ab, AB);
    ffi_m3_mul(A, B, M);
    for (int i = 0; i < 9; ++i)
      assert_near(AB[i], M[i], 16 * EPS);
    ffi_quat_conjugate(a, back);
    ffi_quat_mul(a, back, one);
    for (int i = 0; i < 4; ++i)
      assert_near(one[i], i == 3, 4 * EPS);
  }
}

static void matrices_give_back_their_quaternion(void **state)
{
  (void)state;
  rng r = {3};
  for (int k = 0; k < 2000; ++k) {
    double q[4], R[9], back[4], sign = 0;
    random_unit(&r, 4, q);
    for (int i = 0; i < 4; ++i) // half of them close to the places where components vanish
      if (k % 2 && random_below(&r, 2))
        q[i] *= 1e-9;
    if (!ffi_quat_normalize(q, q))
      continue;
    ffi_quat_matrix(q, R);
    ffi_quat_from_matrix(R, back);
    for (int i = 0; i < 4; ++i)
      sign += q[i] * back[i];
    sign = sign < 0 ? -1 : 1;
    for (int i = 0; i < 4; ++i)
      assert_near(sign * back[i], q[i], 8 * EPS);
  }
}

static void normalising_survives_every_size(void **state)
{
  (void)state;
  const double sizes[] = {1, 1e-300, 1e300, 5e-324, 1e-160, 1e160, DBL_MAX / 4};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    const double q[4] = {sizes[k], -sizes[k], sizes[k], sizes[k]};
    double u[4], again[4];
    assert_true(ffi_quat_normalize(q, u));
    for (int i = 0; i < 4; ++i)
      assert_near(u[i], i == 1 ? -0.5 : 0.5, 2 * EPS);
    ffi_quat_normalize(u, again);
    assert_memory_equal(u, again, sizeof u);
  }
}

static void what_has_no_direction_is_refused(void **state)
{
  (void)state;
  const double bad[][4] = {{0, 0, 0, 0}, {(double)NAN, 0, 0, 1}, {(double)INFINITY, 0, 0, 1}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    double u[4];
    assert_false(ffi_quat_normalize(bad[k], u));
    for (int i = 0; i < 4; ++i)
      assert_true(u[i] == (i == 3));
  }
}

static void quarter_turns_become_exact(void **state)
{
  (void)state;
  for (int axis = 0; axis < 3; ++axis)
    for (int turns = -8; turns <= 8; ++turns) {
      double q[4] = {0}, R[9];
      q[axis] = sin(turns * PI / 4);
      q[3] = cos(turns * PI / 4);
      ffi_quat_matrix(q, R);
      assert_true(ffi_m3_snap(R));
      for (int i = 0; i < 9; ++i) {
        assert_true(R[i] == 0 || R[i] == 1 || R[i] == -1);
        assert_false(R[i] == 0 && signbit(R[i]));
      }
    }
  double q[4] = {sin(1e-8), 0, 0, cos(1e-8)}, R[9], before[9];
  ffi_quat_matrix(q, R);
  memcpy(before, R, sizeof R);
  assert_false(ffi_m3_snap(R));
  assert_memory_equal(R, before, sizeof R);
}

static void polishing_squares_the_error(void **state)
{
  (void)state;
  rng r = {4};
  for (int k = 0; k < 100; ++k) {
    double q[4], R[9], G[9];
    random_unit(&r, 4, q);
    ffi_quat_matrix(q, R);
    for (int i = 0; i < 9; ++i)
      R[i] += random_in(&r, -1e-9, 1e-9);
    ffi_m3_polish(R);
    ffi_m3_tmul(R, R, G);
    for (int i = 0; i < 9; ++i)
      assert_near(G[i], i % 4 == 0, 8 * EPS); // (1e-9)^2 is far below
  }
}

static void vectors_of_every_size_have_a_length(void **state)
{
  (void)state;
  const double sizes[] = {1, 1e-300, 1e300, 1e-200, 1e200};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    const double v[3] = {2 * sizes[k], -3 * sizes[k], 6 * sizes[k]};
    assert_near(ffi_v3_norm(v) / sizes[k], 7, 14 * EPS);
  }
  const double zero[3] = {0, 0, 0}, endless[3] = {1, (double)-INFINITY, 2};
  assert_true(ffi_v3_norm(zero) == 0);
  assert_true(isinf(ffi_v3_norm(endless)));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotating_is_the_sandwich_product),
      cmocka_unit_test(products_compose_rotations),
      cmocka_unit_test(matrices_give_back_their_quaternion),
      cmocka_unit_test(normalising_survives_every_size),
      cmocka_unit_test(what_has_no_direction_is_refused),
      cmocka_unit_test(quarter_turns_become_exact),
      cmocka_unit_test(polishing_squares_the_error),
      cmocka_unit_test(vectors_of_every_size_have_a_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
