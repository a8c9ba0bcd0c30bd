// The default ground, and how ground that moves carries what lies on it.
#include "contact/detect/colliders.h"

#include "math/quaternion.h"
#include "support/near.h"
#include "support/random_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_default_is_the_rigid_plane_z_0(void **state)
{
  (void)state;
  ff_ground_def def = ff_ground_def_default();
  assert_int_equal(def.shape.type, FF_SHAPE_PLANE);
  double R[9];
  const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[6] = {0};
  ff_pose_rotation(&def.shape.pose, R);
  assert_memory_equal(R, one, sizeof R);
  assert_memory_equal(def.shape.pose.position, zero, 3 * sizeof *zero);
  assert_memory_equal(def.velocity, zero, sizeof zero);
  assert_int_equal(def.gives_pair, 0);
  assert_true(isinf(def.shape.material.stiffness) && isinf(def.shape.material.damping) &&
              isinf(def.shape.material.friction) && def.shape.material.restitution == 0);
}

// A disc that turns at 2 rad/s about z through (1, 0, 0): its rim at (1, 3, 0) moves at -6 m/s along x.
static void a_turntable(void **state)
{
  (void)state;
  const ffi_pose place = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {1, 0, 0}};
  const double velocity[6] = {0, 0, 0, 0, 0, 2}, x[3] = {1, 3, 0}, want[3] = {-6, 0, 0};
  double got[3];
  ffi_ground_velocity(&place, velocity, x, got);
  assert_memory_equal(got, want, sizeof got);
}

// Against the difference of where a point of the ground is a moment before and after.
static void velocity_is_the_rate_of_the_place(void **state)
{
  (void)state;
  ffi_random r = ffi_random_seed(1);
  ffi_margin margin = {.what = "velocity of a point of ground",
                       .tolerance = 1e-8}; // h^2 |omega|^3 |arm|, with h = 1e-5
  for (int i = 0; i < 500; ++i) {
    ffi_pose place = {0};
    const double h = 1e-5;
    double q[4], velocity[6], x[3], arm[3], got[3], want[3], at[2][3];
    ffi_random_quaternion(&r, q);
    ffi_random_vector(&r, 3, 1, place.p);
    ffi_random_vector(&r, 6, 1, velocity);
    ffi_random_vector(&r, 3, 1, x);
    ffi_v3_sub(x, place.p, arm);
    for (int side = 0; side < 2; ++side) {
      const double t = side ? h : -h, *w = velocity + 3, speed = ffi_v3_norm(w), half = speed * t / 2;
      const double turn[4] = {sin(half) * w[0] / speed, sin(half) * w[1] / speed, sin(half) * w[2] / speed,
                              cos(half)};
      double R[9];
      const ff_pose pose = {.quaternion = {turn[0], turn[1], turn[2], turn[3]}};
      ff_pose_rotation(&pose, R);
      ffi_m3_mulv(R, arm, at[side]);
      ffi_v3_add(at[side], place.p, at[side]);
      ffi_v3_add_scaled(t, velocity, at[side]);
    }
    for (int k = 0; k < 3; ++k)
      want[k] = (at[1][k] - at[0][k]) / (2 * h);
    ffi_ground_velocity(&place, velocity, x, got);
    ffi_margin_add(&margin, ffi_gap(3, got, want), i);
  }
  ffi_margin_check(&margin);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_default_is_the_rigid_plane_z_0),
      cmocka_unit_test(a_turntable),
      cmocka_unit_test(velocity_is_the_rate_of_the_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
