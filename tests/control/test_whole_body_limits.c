// Limits hold where they are reached, contacts come and go without memory, and what cannot be done is told.
#include "robots.h"

#include "support/alloc_counter.h"

#include <float.h>

static ff_whole_body *solo(ffi_bench *b, ff_contact_task feet[4], const double *torque_limits)
{
  *b = ffi_bench_make("solo12.urdf");
  ff_whole_body_def def = ffi_squat_def(b->model, feet);
  def.torque_limits = torque_limits;
  ff_whole_body *body = ffi_must_whole_body(b->model, &def);
  memcpy(b->q, ffi_robot_posture(b->model, "squat"), (size_t)b->nq * sizeof *b->q);
  memset(b->v, 0, sizeof b->v);
  ff_whole_body_hold(body, b->q);
  return body;
}

// Rounding of a program of 30 unknowns on forces of some 10 N.
static const double slack = 1e-10;

static void friction_holds(void **state)
{
  (void)state;
  ffi_bench b;
  ff_contact_task feet[4];
  ff_whole_body *body = solo(&b, feet, NULL);
  double com[3], most_ratio = 0;
  int limited = 0;
  ff_dynamics_kinematics(b.dynamics, b.q, NULL, NULL);
  ff_dynamics_com(b.dynamics, com);
  for (int i = 0; i < 200; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i);
    double push[3], rate[3] = {0, 0, 0};
    ffi_random_vector(&random, 3, 20,
                      push); // mu = 1 lets a robot on level ground accelerate at g and no more
    ff_whole_body_set_com(body, com, rate, push);
    ffi_must_solve(body, b.q, b.v);
    limited += ff_whole_body_get_info(body)->limits > 0;
    for (int c = 0; c < 4; ++c) {
      const double *f = ff_whole_body_force(body, c);
      assert_true(f[2] >= 1 - slack);
      assert_true(fabs(f[0]) <= f[2] / sqrt(2) + slack && fabs(f[1]) <= f[2] / sqrt(2) + slack);
      assert_true(hypot(f[0], f[1]) <= f[2] + slack);
      most_ratio = fmax(most_ratio, hypot(f[0], f[1]) / f[2]);
    }
  }
  print_message("  %d of 200 at a limit, tangential over normal force up to %.6f\n", limited, most_ratio);
  assert_true(limited > 100 &&
              most_ratio > 0.99); // a corner of the pyramid, which is on the cone, was reached
  ff_whole_body_destroy(body);
  ffi_bench_free(&b);
}

// A slope: the pyramid goes with the normal.
static void friction_is_about_the_normal(void **state)
{
  (void)state;
  ffi_bench b = ffi_bench_make("solo12.urdf");
  ff_contact_task feet[4];
  ff_whole_body_def def = ffi_squat_def(b.model, feet);
  const double n[3] = {0.6, 0, 0.8};
  for (int c = 0; c < 4; ++c) {
    for (int k = 0; k < 3; ++k)
      feet[c].normal[k] = 5 * n[k];
    feet[c].friction = 0.5;
  }
  ff_whole_body *body = ffi_must_whole_body(b.model, &def);
  memcpy(b.q, ffi_robot_posture(b.model, "squat"), (size_t)b.nq * sizeof *b.q);
  ff_whole_body_hold(body, b.q);
  ffi_must_solve(body, b.q, b.v); // it slides: tan of the slope is 0.75
  assert_true(ff_whole_body_get_info(body)->limits > 0);
  for (int c = 0; c < 4; ++c) {
    const double *f = ff_whole_body_force(body, c), along = n[0] * f[0] + n[2] * f[2];
    const double t[3] = {f[0] - along * n[0], f[1], f[2] - along * n[2]};
    assert_true(along >= 1 - slack && sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) <= 0.5 * along + slack);
  }
  ff_whole_body_destroy(body);
  ffi_bench_free(&b);
}

static void torques_and_normal_forces_hold(void **state)
{
  (void)state;
  double limits[18], needed = 0;
  for (int i = 0; i < 18; ++i)
    limits[i] = INFINITY;
  for (int pass = 0; pass < 2; ++pass) {
    ffi_bench b;
    ff_contact_task feet[4];
    ff_whole_body *body = solo(&b, feet, limits);
    ffi_must_solve(body, b.q, b.v);
    const double most = ffi_size(18, ff_whole_body_tau(body));
    if (pass == 0) {
      needed = most;
      assert_int_equal(ff_whole_body_get_info(body)->limits, 0);
      assert_true(ff_whole_body_get_info(body)->com < 0.1);
      for (int i = 6; i < 18; ++i)
        limits[i] = needed / 2;
    } else {
      print_message("  %.3f N m asked for, %.3f given, centre of mass misses %.2f m/s^2\n", needed, most,
                    ff_whole_body_get_info(body)->com);
      assert_true(most <= needed / 2 + slack && most > needed / 2 - slack);
      assert_true(ff_whole_body_get_info(body)->limits > 0 && ff_whole_body_get_info(body)->com > 0.1);
    }
    ff_whole_body_destroy(body);
    ffi_bench_free(&b);
  }
  // a ceiling on a foot: the others carry the rest
  ffi_bench b = ffi_bench_make("solo12.urdf");
  ff_contact_task feet[4];
  ff_whole_body_def def = ffi_squat_def(b.model, feet);
  feet[2].max_force = 2;
  ff_whole_body *body = ffi_must_whole_body(b.model, &def);
  memcpy(b.q, ffi_robot_posture(b.model, "squat"), (size_t)b.nq * sizeof *b.q);
  ff_whole_body_hold(body, b.q);
  ffi_must_solve(body, b.q, b.v);
  ffi_check_near("force at its ceiling", ff_whole_body_force(body, 2)[2], 2, slack);
  ff_whole_body_destroy(body);
  ffi_bench_free(&b);
}

// Contacts off one by one, in the end none: then the centre of mass falls with g, whatever is asked.
static void contacts_come_and_go_without_memory(void **state)
{
  (void)state;
  ffi_bench b;
  ff_contact_task feet[4];
  ff_whole_body *body = solo(&b, feet, NULL);
  const long before = ffi_test_alloc_count(), freed = ffi_test_free_count();
  for (int off = 0; off <= 4; ++off) {
    if (off > 0)
      ff_whole_body_set_contact(body, off - 1, 0, NULL);
    ffi_must_solve(body, b.q, b.v);
    for (int c = 0; c < 4; ++c) {
      const double *f = ff_whole_body_force(body, c);
      assert_int_equal(ff_whole_body_contact_is_on(body, c), c >= off);
      assert_true(c >= off ? f[2] > 0 : f[0] == 0 && f[1] == 0 && f[2] == 0);
    }
  }
  double J[3 * 18], rise[3] = {0, 0, 0};
  ff_dynamics_kinematics(b.dynamics, b.q, NULL, NULL);
  ff_dynamics_com_jacobian(b.dynamics, J);
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 18; ++k)
      rise[r] += J[18 * r + k] * ff_whole_body_vdot(body)[k];
  ffi_check_near("falls with g", rise[2], -9.81, 1e-9);
  for (int c = 0; c < 4; ++c)
    ff_whole_body_set_contact(body, c, 1, b.q);
  ffi_must_solve(body, b.q, b.v);
  assert_true(fabs(ff_whole_body_tau(body)[7]) > 0);
  assert_int_equal(ffi_test_alloc_count(), before);
  assert_int_equal(ffi_test_free_count(), freed);
  ff_whole_body_destroy(body);
  ffi_bench_free(&b);
}

// A strict wish to rise without ground, and torques that would have to be larger than allowed.
static void the_impossible_is_told(void **state)
{
  (void)state;
  ffi_bench b = ffi_bench_make("solo12.urdf");
  ff_contact_task feet[4];
  ff_error error;
  ff_whole_body_def def = ffi_squat_def(b.model, feet);
  def.com.is_strict = 1;
  ff_whole_body *body = ffi_must_whole_body(b.model, &def);
  memcpy(b.q, ffi_robot_posture(b.model, "squat"), (size_t)b.nq * sizeof *b.q);
  ff_whole_body_hold(body, b.q);
  ffi_must_solve(body, b.q, b.v);
  double tau[18];
  memcpy(tau, ff_whole_body_tau(body), sizeof tau);
  for (int c = 0; c < 4; ++c)
    ff_whole_body_set_contact(body, c, 0, NULL);
  assert_int_equal(ff_whole_body_solve(body, b.q, b.v, &error), FF_ERROR_NUMERIC);
  assert_int_equal(ff_whole_body_get_info(body)->status, FF_PROGRAM_INFEASIBLE);
  assert_non_null(strstr(error.message, "contradict"));
  assert_memory_equal(tau, ff_whole_body_tau(body), sizeof tau);
  b.v[3] = NAN;
  assert_int_equal(ff_whole_body_solve(body, b.q, b.v, &error), FF_ERROR_ARGUMENT);
  ff_whole_body_destroy(body);
  ffi_bench_free(&b);
}

// What came before leaves no trace; with a warm start, none beyond rounding.
static void the_past_does_not_matter(void **state)
{
  (void)state;
  for (int warm = 0; warm < 2; ++warm) {
    ffi_bench b = ffi_bench_make("solo12.urdf");
    ff_contact_task feet[4];
    double tau[18], com[3] = {0.02, 0, 0.2}, push[3] = {9, 5, 0};
    ff_whole_body_def def = ffi_squat_def(b.model, feet);
    def.warm_start = warm;
    ff_whole_body *body = ffi_must_whole_body(b.model, &def);
    int iterations = 0, cold = 0;
    for (int pass = 0; pass < 4; ++pass) {
      memcpy(b.q, ffi_robot_posture(b.model, "squat"), (size_t)b.nq * sizeof *b.q);
      memset(b.v, 0, sizeof b.v);
      ff_whole_body_hold(body, b.q);
      if (pass == 2) { // something else in between
        ffi_random random = ffi_random_seed(7);
        ff_whole_body_set_contact(body, 1, 0, NULL);
        ffi_bench_shake(&b, &random, "squat", 0.1, 1);
        ffi_must_solve(body, b.q, b.v);
        ff_whole_body_set_contact(body, 1, 1, NULL);
        continue;
      }
      ff_whole_body_set_com(body, com, NULL, push);
      ffi_must_solve(body, b.q, b.v);
      iterations = ff_whole_body_get_info(body)->iterations;
      if (pass == 0) {
        cold = iterations;
        memcpy(tau, ff_whole_body_tau(body), sizeof tau);
      }
      if (warm)
        assert_true(ffi_gap(18, tau, ff_whole_body_tau(body)) < 1e-9 * ffi_size(18, tau));
      else
        assert_memory_equal(tau, ff_whole_body_tau(body), sizeof tau);
      if (warm && pass == 1)
        assert_true(iterations < cold && cold > 2);
    }
    ff_whole_body_destroy(body);
    ffi_bench_free(&b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_holds),
      cmocka_unit_test(friction_is_about_the_normal),
      cmocka_unit_test(torques_and_normal_forces_hold),
      cmocka_unit_test(contacts_come_and_go_without_memory),
      cmocka_unit_test(the_impossible_is_told),
      cmocka_unit_test(the_past_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
