// Spatial algebra from the motion of particles and from work and derivatives, not from its own formulas.
#include "math/spatial.h"

#include "math/lie.h"
#include "math/near.h"
#include "math/quaternion.h"

static void random_frame(rng *r, double p[3], double R[9])
{
  double q[4];
  random_vector(r, 3, 2, p);
  random_unit(r, 4, q);
  ffi_quat_matrix(q, R);
}

// Velocity of the point x of a body with motion m.
static void point_velocity(const double m[6], const double x[3], double out[3])
{
  out[0] = m[0] + m[4] * x[2] - m[5] * x[1];
  out[1] = m[1] + m[5] * x[0] - m[3] * x[2];
  out[2] = m[2] + m[3] * x[1] - m[4] * x[0];
}

static void motions_move_the_same_points(void **state)
{
  (void)state;
  rng r = {1};
  for (int k = 0; k < 200; ++k) {
    double p[3], R[9], m[6], seen[6], back[6], xB[3], xA[3], vB[3], vA[3], turned[3];
    random_frame(&r, p, R);
    random_vector(&r, 6, 1, m);
    random_vector(&r, 3, 2, xB);
    ffi_spatial_motion_to_parent(p, R, m, seen);
    ffi_m3_mulv(R, xB, xA);
    ffi_v3_add(xA, p, xA);
    point_velocity(m, xB, vB);
    point_velocity(seen, xA, vA);
    ffi_m3_mulv(R, vB, turned);
    for (int i = 0; i < 3; ++i)
      assert_near(vA[i], turned[i], 64 * EPS * 4);
    ffi_spatial_motion_to_child(p, R, seen, back);
    for (int i = 0; i < 6; ++i)
      assert_near(back[i], m[i], 64 * EPS * 4);
  }
}

static void power_is_the_same_in_every_frame(void **state)
{
  (void)state;
  rng r = {2};
  for (int k = 0; k < 200; ++k) {
    double p[3], R[9], m[6], f[6], mA[6], fA[6], back[6];
    random_frame(&r, p, R);
    random_vector(&r, 6, 1, m);
    random_vector(&r, 6, 1, f);
    ffi_spatial_motion_to_parent(p, R, m, mA);
    ffi_spatial_force_to_parent(p, R, f, fA);
    assert_near(ffi_spatial_dot(mA, fA), ffi_spatial_dot(m, f), 64 * EPS * 16);
    ffi_spatial_force_to_child(p, R, fA, back);
    for (int i = 0; i < 6; ++i)
      assert_near(back[i], f[i], 64 * EPS * 4);
  }
}

// d/dt at 0 of a vector carried along by exp(t a), by central differences of order 4.
static void crosses_are_derivatives(void **state)
{
  (void)state;
  rng r = {3};
  for (int k = 0; k < 100; ++k) {
    double a[6], b[6], motion[6], force[6];
    long double dm[6] = {0}, df[6] = {0};
    const double h = 1e-3, steps[4] = {h, -h, 2 * h, -2 * h},
                 weights[4] = {8 / (12 * h), -8 / (12 * h), -1 / (12 * h), 1 / (12 * h)};
    random_vector(&r, 6, 1, a);
    random_vector(&r, 6, 1, b);
    for (int s = 0; s < 4; ++s) {
      double xi[6], p[3], q[4], R[9], carried[6];
      for (int i = 0; i < 6; ++i)
        xi[i] = steps[s] * a[i];
      ffi_lie_se3_exp(xi, p, q);
      ffi_quat_matrix(q, R);
      ffi_spatial_motion_to_parent(p, R, b, carried);
      for (int i = 0; i < 6; ++i)
        dm[i] += weights[s] * carried[i];
      ffi_spatial_force_to_parent(p, R, b, carried);
      for (int i = 0; i < 6; ++i)
        df[i] += weights[s] * carried[i];
    }
    ffi_spatial_motion_cross(a, b, motion);
    ffi_spatial_force_cross(a, b, force);
    for (int i = 0; i < 6; ++i) { // h^4 / 30 times a fifth derivative of at most 100, and rounding / h
      assert_near(motion[i], dm[i], 1e-10);
      assert_near(force[i], df[i], 1e-10);
    }
  }
}

static void momentum_is_the_sum_over_particles(void **state)
{
  enum { PARTICLES = 7 };
  (void)state;
  rng r = {4};
  for (int k = 0; k < 100; ++k) {
    double m = 0, mc[3] = {0}, I[6] = {0}, motion[6], sum[6] = {0}, out[6];
    random_vector(&r, 6, 1, motion);
    for (int i = 0; i < PARTICLES; ++i) {
      double mass = random_in(&r, 0.1, 2), x[3], v[3], moment[3];
      random_vector(&r, 3, 1, x);
      m += mass;
      ffi_v3_add_scaled(mass, x, mc);
      const double II[6] = {x[1] * x[1] + x[2] * x[2], -x[0] * x[1], -x[0] * x[2],
                            x[0] * x[0] + x[2] * x[2], -x[1] * x[2], x[0] * x[0] + x[1] * x[1]};
      for (int j = 0; j < 6; ++j)
        I[j] += mass * II[j];
      point_velocity(motion, x, v);
      ffi_v3_cross(x, v, moment);
      ffi_v3_add_scaled(mass, v, sum);
      ffi_v3_add_scaled(mass, moment, sum + 3);
    }
    ffi_spatial_inertia_times(m, mc, I, motion, out);
    for (int i = 0; i < 6; ++i)
      assert_near(out[i], sum[i], 16 * EPS * PARTICLES * 12);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_move_the_same_points),
      cmocka_unit_test(power_is_the_same_in_every_frame),
      cmocka_unit_test(crosses_are_derivatives),
      cmocka_unit_test(momentum_is_the_sum_over_particles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
