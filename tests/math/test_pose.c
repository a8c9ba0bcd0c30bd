// Poses against rotation matrices multiplied out.
#include <footfall/pose.h>

#include "math/near.h"

static void multiply(const double A[9], const double B[9], double out[9])
{
  for (int i = 0; i < 9; ++i)
    out[i] = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        out[3 * i + j] += A[3 * i + k] * B[3 * k + j];
}

static void place(const ff_pose *pose, const double x[3], double out[3])
{
  double R[9];
  ff_pose_rotation(pose, R);
  for (int i = 0; i < 3; ++i)
    out[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2] + pose->position[i];
}

static ff_pose random_pose(rng *r)
{
  ff_pose pose;
  random_vector(r, 3, 5, pose.position);
  random_unit(r, 4, pose.quaternion);
  return pose;
}

static void rpy_turns_about_fixed_axes(void **state)
{
  (void)state;
  rng r = {1};
  for (int k = 0; k < 300; ++k) {
    double a[3], R[9], zy[9], zyx[9];
    const double at[3] = {1, 2, 3};
    random_vector(&r, 3, 4, a);
    const double X[9] = {1, 0, 0, 0, cos(a[0]), -sin(a[0]), 0, sin(a[0]), cos(a[0])};
    const double Y[9] = {cos(a[1]), 0, sin(a[1]), 0, 1, 0, -sin(a[1]), 0, cos(a[1])};
    const double Z[9] = {cos(a[2]), -sin(a[2]), 0, sin(a[2]), cos(a[2]), 0, 0, 0, 1};
    multiply(Z, Y, zy);
    multiply(zy, X, zyx);
    const ff_pose pose = ff_pose_from_rpy(at, a);
    ff_pose_rotation(&pose, R);
    for (int i = 0; i < 9; ++i)
      assert_near(R[i], zyx[i], 16 * EPS);
    assert_memory_equal(pose.position, at, sizeof at);
  }
}

static void composing_places_points_twice(void **state)
{
  (void)state;
  rng r = {2};
  for (int k = 0; k < 300; ++k) {
    const ff_pose a = random_pose(&r), b = random_pose(&r), ab = ff_pose_compose(&a, &b);
    double x[3], bx[3], abx[3], once[3];
    random_vector(&r, 3, 5, x);
    place(&b, x, bx);
    place(&a, bx, abx);
    place(&ab, x, once);
    for (int i = 0; i < 3; ++i)
      assert_near(once[i], abx[i], 32 * EPS * 15);
  }
}

static void the_inverse_undoes(void **state)
{
  (void)state;
  rng r = {3};
  for (int k = 0; k < 300; ++k) {
    const ff_pose a = random_pose(&r), back = ff_pose_inverse(&a);
    double x[3], y[3], z[3];
    random_vector(&r, 3, 5, x);
    place(&a, x, y);
    place(&back, y, z);
    for (int i = 0; i < 3; ++i)
      assert_near(z[i], x[i], 32 * EPS * 10);
  }
}

static void the_identity_changes_nothing(void **state)
{
  (void)state;
  const ff_pose one = ff_pose_identity();
  const double x[3] = {1, 2, 3};
  double y[3];
  place(&one, x, y);
  assert_memory_equal(x, y, sizeof x);
}

// Creators refuse them later; hiding them here would let a bad angle pass.
static void numbers_that_are_none_stay_visible(void **state)
{
  (void)state;
  const double at[3] = {0, 0, 0}, rpy[3] = {0, (double)NAN, 0};
  const ff_pose pose = ff_pose_from_rpy(at, rpy);
  assert_true(isnan(pose.quaternion[0]) || isnan(pose.quaternion[1]) || isnan(pose.quaternion[3]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rpy_turns_about_fixed_axes),
      cmocka_unit_test(composing_places_points_twice),
      cmocka_unit_test(the_inverse_undoes),
      cmocka_unit_test(the_identity_changes_nothing),
      cmocka_unit_test(numbers_that_are_none_stay_visible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
