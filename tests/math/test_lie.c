// Lie groups against the matrix exponential in long double, and against differences of it.
#include "math/lie.h"

#include "math/near.h"

typedef long double quad;

// ---- The oracle: poses as 4 x 4 matrices, exp by its power series, halved and squared ---------------------

static void multiply(const quad A[16], const quad B[16], quad out[16])
{
  quad C[16];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      C[4 * i + j] = 0;
      for (int k = 0; k < 4; ++k)
        C[4 * i + j] += A[4 * i + k] * B[4 * k + j];
    }
  memcpy(out, C, sizeof C);
}

// exp of the 4 x 4 matrix of xi = (linear, angular)
static void exponential(const quad xi[6], quad E[16])
{
  enum { HALVINGS = 8, TERMS = 16 };
  const quad s = ldexpl(1, -HALVINGS), x = xi[3] * s, y = xi[4] * s, z = xi[5] * s;
  const quad A[16] = {0, -z, y, xi[0] * s, z, 0, -x, xi[1] * s, -y, x, 0, xi[2] * s};
  quad T[16] = {0};
  memset(E, 0, 16 * sizeof *E);
  for (int i = 0; i < 4; ++i)
    E[5 * i] = T[5 * i] = 1;
  for (int k = 1; k < TERMS; ++k) {
    multiply(T, A, T);
    for (int i = 0; i < 16; ++i) {
      T[i] /= k;
      E[i] += T[i];
    }
  }
  for (int k = 0; k < HALVINGS; ++k)
    multiply(E, E, E);
}

// The right Jacobian by its meaning: d/dh of exp(-xi) exp(xi + h e_j), central differences of order 8.
static void jacobian_by_differences(const double xi[6], quad J[36])
{
  static const quad c[4] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  const quad h = 0.01L;
  quad back[6], B[16];
  for (int i = 0; i < 6; ++i)
    back[i] = -(quad)xi[i];
  exponential(back, B);
  for (int j = 0; j < 6; ++j) {
    quad D[16] = {0}, P[16], M[16], at[6];
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 6; ++i)
        at[i] = xi[i];
      at[j] = xi[j] + (k + 1) * h;
      exponential(at, P);
      at[j] = xi[j] - (k + 1) * h;
      exponential(at, M);
      for (int i = 0; i < 16; ++i)
        D[i] += c[k] * (P[i] - M[i]) / h;
    }
    multiply(B, D, D);
    const quad column[6] = {D[3], D[7], D[11], D[9], D[2], D[4]};
    for (int i = 0; i < 6; ++i)
      J[6 * i + j] = column[i];
  }
}

// ---- Angles that matter: tiny, both sides of every switch between formulas, near pi, beyond ---------------

static const double ANGLES[] = {0,    1e-300, 1e-12,  1e-9,   1e-8, 1e-7, 1e-6,   1e-5,   1e-4, 1e-3, 1e-2,
                                1e-1, 0.3,    0.4999, 0.5001, 1.0,  1.5,  1.9999, 2.0001, 2.5,  3.0};
static const double NEAR_PI[] = {0.1,   1e-2,  1e-4, 1e-6, 1e-8,
                                 1e-10, 1e-12, 2e-15}; // the last: its direction's rounding stays below pi
enum { ANGLE_COUNT = sizeof ANGLES / sizeof *ANGLES, NEAR_COUNT = sizeof NEAR_PI / sizeof *NEAR_PI };

static double angle_at(int i)
{
  return i < ANGLE_COUNT ? ANGLES[i] : PI - NEAR_PI[i - ANGLE_COUNT];
}

static void tangent(rng *r, double angle, double linear, double xi[6])
{
  random_unit(r, 3, xi);
  random_unit(r, 3, xi + 3);
  for (int i = 0; i < 3; ++i) {
    xi[i] *= linear;
    xi[i + 3] *= angle;
  }
}

static double norm(int n, const double *a)
{
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = hypot(s, a[i]);
  return s;
}

// The quaternion of a rotation vector, by its definition, rounded once.
static void exact_quaternion(const double w[3], double q[4])
{
  quad t = sqrtl((quad)w[0] * w[0] + (quad)w[1] * w[1] + (quad)w[2] * w[2]);
  if (t == 0) // underflow of the squares
    t = sqrtl((quad)w[0] * w[0] * 1e600L + (quad)w[1] * w[1] * 1e600L + (quad)w[2] * w[2] * 1e600L) / 1e300L;
  for (int i = 0; i < 3; ++i)
    q[i] = (double)(t > 0 ? w[i] * (sinl(t / 2) / t) : w[i] / 2);
  q[3] = (double)cosl(t / 2);
}

static void exp_is_the_matrix_exponential(void **state)
{
  (void)state;
  rng r = {1};
  for (int k = 0; k < 40 * (ANGLE_COUNT + NEAR_COUNT); ++k) {
    double xi[6], p[3], q[4];
    quad wide[6], E[16];
    tangent(&r, angle_at(k % (ANGLE_COUNT + NEAR_COUNT)) * (k % 3 == 2 ? 1.9 : 1), 3, xi);
    for (int i = 0; i < 6; ++i)
      wide[i] = xi[i];
    exponential(wide, E);
    ffi_lie_se3_exp(xi, p, q);
    // R from the quaternion, written out here: entries are products of two of its numbers, each off by an eps
    // or two.
    const quad x = q[0], y = q[1], z = q[2], w = q[3];
    const quad R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                       2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                       2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        assert_near(R[3 * i + j], E[4 * i + j], 8 * EPS);
      assert_near(p[i], E[4 * i + 3], 8 * EPS * 3);
    }
  }
}

static void log_inverts_exp_at_every_angle(void **state)
{
  (void)state;
  rng r = {2};
  for (int k = 0; k < 40 * (ANGLE_COUNT + NEAR_COUNT); ++k) {
    double xi[6], q[4], minus[4], w[3];
    tangent(&r, angle_at(k % (ANGLE_COUNT + NEAR_COUNT)), 1, xi);
    exact_quaternion(xi + 3, q);
    for (int i = 0; i < 4; ++i)
      minus[i] = -q[i];
    ffi_lie_so3_log(q, w);
    for (int i = 0; i < 3; ++i) // the angle follows from two rounded numbers, one rounding of pi at most
      assert_near(w[i], xi[i + 3], 4 * EPS * norm(3, xi + 3));
    ffi_lie_so3_log(minus, w);
    for (int i = 0; i < 3; ++i)
      assert_near(w[i], xi[i + 3], 4 * EPS * norm(3, xi + 3));
  }
}

static void half_turns_have_a_log(void **state)
{
  (void)state;
  rng r = {8};
  for (int k = 0; k < 100; ++k) {
    double q[4] = {0, 0, 0, k % 2 ? 0.0 : -0.0}, w[3], cross = 0;
    random_unit(&r, 3, q);
    ffi_lie_so3_log(q, w);
    assert_near(norm(3, w), PI, 4 * EPS);
    for (int i = 0; i < 3; ++i)
      cross += fabs(q[i] * w[(i + 1) % 3] - q[(i + 1) % 3] * w[i]);
    assert_near(cross, 0, 16 * EPS);
  }
}

static void log_of_poses_inverts_the_matrix_exponential(void **state)
{
  (void)state;
  rng r = {3};
  for (int k = 0; k < 40 * (ANGLE_COUNT + NEAR_COUNT); ++k) {
    double xi[6], q[4], p[3], back[6];
    quad wide[6], E[16];
    tangent(&r, angle_at(k % (ANGLE_COUNT + NEAR_COUNT)), 3, xi);
    for (int i = 0; i < 6; ++i)
      wide[i] = xi[i];
    exponential(wide, E);
    for (int i = 0; i < 3; ++i)
      p[i] = (double)E[4 * i + 3];
    exact_quaternion(xi + 3, q);
    ffi_lie_se3_log(p, q, back);
    for (int i = 0; i < 3; ++i) {
      assert_near(back[i], xi[i], 16 * EPS * 3); // inverse of V is at most pi / 2 in norm
      assert_near(back[i + 3], xi[i + 3], 4 * EPS * norm(3, xi + 3));
    }
  }
}

// A is [n x n] of a function under test; wide [6 x 6] the oracle; pick: which rows and columns of it.
static void compare(int n, const int *pick, const double *A, const quad *wide, double tolerance)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      assert_near(A[n * i + j], wide[6 * pick[i] + pick[j]], tolerance);
}

// A wide[pick] must be the identity.
static void compare_inverse(int n, const int *pick, const double *A, const quad *wide, double tolerance)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      quad sum = 0;
      for (int k = 0; k < n; ++k)
        sum += (quad)A[n * i + k] * wide[6 * pick[k] + pick[j]];
      assert_near(sum, i == j, tolerance);
    }
}

static void jacobians_are_derivatives(void **state)
{
  static const int all[6] = {0, 1, 2, 3, 4, 5}, angular[3] = {3, 4, 5}, planar[3] = {0, 1, 5};
  (void)state;
  rng r = {4};
  for (int k = 0; k < 3 * (ANGLE_COUNT + NEAR_COUNT); ++k) {
    const double size = k % 3 == 0 ? 1 : 20, tolerance = 32 * EPS * (1 + size);
    double xi[6], minus[6], A[36];
    quad right[36], left[36];
    tangent(&r, angle_at(k / 3), size, xi);
    if (k % 3 == 2) { // in the plane: the same motions, seen by SE(2)
      xi[5] = norm(3, xi + 3);
      xi[2] = xi[3] = xi[4] = 0;
    }
    for (int i = 0; i < 6; ++i)
      minus[i] = -xi[i];
    jacobian_by_differences(xi, right);
    jacobian_by_differences(minus, left);
    ffi_lie_so3_right(xi + 3, A);
    compare(3, angular, A, right, 8 * EPS);
    ffi_lie_so3_left(xi + 3, A);
    compare(3, angular, A, left, 8 * EPS);
    ffi_lie_so3_right_inverse(xi + 3, A);
    compare_inverse(3, angular, A, right, 16 * EPS);
    ffi_lie_so3_left_inverse(xi + 3, A);
    compare_inverse(3, angular, A, left, 16 * EPS);
    ffi_lie_se3_right(xi, A);
    compare(6, all, A, right, tolerance);
    ffi_lie_se3_left(xi, A);
    compare(6, all, A, left, tolerance);
    ffi_lie_se3_right_inverse(xi, A);
    compare_inverse(6, all, A, right, 2 * tolerance);
    ffi_lie_se3_left_inverse(xi, A);
    compare_inverse(6, all, A, left, 2 * tolerance);
    if (k % 3 != 2)
      continue;
    const double in_plane[3] = {xi[0], xi[1], xi[5]};
    ffi_lie_se2_right(in_plane, A);
    compare(3, planar, A, right, tolerance);
    ffi_lie_se2_left(in_plane, A);
    compare(3, planar, A, left, tolerance);
    ffi_lie_se2_right_inverse(in_plane, A);
    compare_inverse(3, planar, A, right, tolerance);
    ffi_lie_se2_left_inverse(in_plane, A);
    compare_inverse(3, planar, A, left, tolerance);
  }
}

static void planar_motions_are_spatial_ones(void **state)
{
  (void)state;
  rng r = {5};
  for (int k = 0; k < 20 * (ANGLE_COUNT + NEAR_COUNT); ++k) {
    double angle = angle_at(k % (ANGLE_COUNT + NEAR_COUNT));
    const double xi[3] = {random_in(&r, -2, 2), random_in(&r, -2, 2), k % 2 ? angle : -angle};
    const quad wide[6] = {xi[0], xi[1], 0, 0, 0, xi[2]};
    quad E[16];
    double g[3], back[3];
    exponential(wide, E);
    ffi_lie_se2_exp(xi, g);
    assert_near(g[0], E[3], 16 * EPS);
    assert_near(g[1], E[7], 16 * EPS);
    assert_true(g[2] == xi[2]);
    g[0] = (double)E[3];
    g[1] = (double)E[7];
    ffi_lie_se2_log(g, back);
    for (int i = 0; i < 3; ++i)
      assert_near(back[i], xi[i], 32 * EPS);
    g[2] += 2 * PI; // a whole turn more is the same place
    ffi_lie_se2_log(g, back);
    if (fabs(angle) < 3.14)
      for (int i = 0; i < 3; ++i)
        assert_near(back[i], xi[i], 64 * EPS);
  }
}

// exp(Ad(g) xi) = g exp(xi) g^-1, in matrices
static void adjoint_moves_tangents(void **state)
{
  (void)state;
  rng r = {6};
  for (int k = 0; k < 200; ++k) {
    double step[6], xi[6], p[3], q[4], Ad[36];
    quad g[16], back[16], E[16], F[16], wide[6], moved[6];
    tangent(&r, random_in(&r, 0, 3), 2, step);
    tangent(&r, random_in(&r, 0, 3), 2, xi);
    ffi_lie_se3_exp(step, p, q);
    ffi_lie_se3_adjoint(p, q, Ad);
    for (int i = 0; i < 6; ++i) {
      wide[i] = step[i];
      moved[i] = 0;
      for (int j = 0; j < 6; ++j)
        moved[i] += (quad)Ad[6 * i + j] * xi[j];
    }
    exponential(wide, g);
    for (int i = 0; i < 6; ++i)
      wide[i] = -wide[i];
    exponential(wide, back);
    for (int i = 0; i < 6; ++i)
      wide[i] = xi[i];
    exponential(wide, E);
    multiply(g, E, E);
    multiply(E, back, E);
    exponential(moved, F);
    for (int i = 0; i < 16; ++i) // numbers up to about 20
      assert_near(F[i], E[i], 400 * EPS);
  }
}

static void planar_adjoint_is_part_of_the_spatial_one(void **state)
{
  static const int pick[3] = {0, 1, 5};
  (void)state;
  rng r = {7};
  for (int k = 0; k < 50; ++k) {
    double g[3], Ad2[9], Ad3[36];
    random_vector(&r, 3, 3, g);
    const double p[3] = {g[0], g[1], 0}, q[4] = {0, 0, sin(g[2] / 2), cos(g[2] / 2)};
    ffi_lie_se2_adjoint(g, Ad2);
    ffi_lie_se3_adjoint(p, q, Ad3);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        assert_near(Ad2[3 * i + j], Ad3[6 * pick[i] + pick[j]], 8 * EPS * 3);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exp_is_the_matrix_exponential),
      cmocka_unit_test(log_inverts_exp_at_every_angle),
      cmocka_unit_test(half_turns_have_a_log),
      cmocka_unit_test(log_of_poses_inverts_the_matrix_exponential),
      cmocka_unit_test(jacobians_are_derivatives),
      cmocka_unit_test(planar_motions_are_spatial_ones),
      cmocka_unit_test(adjoint_moves_tangents),
      cmocka_unit_test(planar_adjoint_is_part_of_the_spatial_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
