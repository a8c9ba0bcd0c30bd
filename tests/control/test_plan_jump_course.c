// Courses of a jump: each derivative is that of what is before it, a landing ends at rest where it should and not below, feet come to rest on the ground.
#include "control/plan_jump.h"
#include "control/plan_jump_course.h"

#include "robots.h"

static ffi_plan_jump_course course(void)
{
  ffi_plan_jump_course c = ffi_plan_jump_def_default().course;
  c.gravity = 9.81;
  c.stand = 0.2;
  return c;
}

typedef void moment(const ffi_plan_jump_course *c, double t, double out[3]);

static void after(const ffi_plan_jump_course *c, double t, double out[3])
{
  ffi_plan_jump_course_after(c, 0.215, 3.1, t, out);
}

// Central differences, away from where pieces meet (there the second derivative bends or jumps). Values are of the order of 1 m, 10 m/s and 100 m/s^2, third
// derivatives at most 1e5 m/s^3 and fifth ones 1e9: h^2 of those, and rounding over h.
static void derivatives_agree(void **state)
{
  (void)state;
  const ffi_plan_jump_course c = course();
  const struct {
    moment *at;
    double from, to;
  } parts[] = {{ffi_plan_jump_course_before, 0.11, 0.49},
               {ffi_plan_jump_course_before, 0.525, 0.565},
               {ffi_plan_jump_course_before, 0.571, 0.579},
               {ffi_plan_jump_course_reach, 0.01, 0.07},
               {ffi_plan_jump_course_reach, 0.09, 0.59},
               {after, 0.001, 0.009},
               {after, 0.012, 0.045},
               {after, 0.15, 0.6}};
  const double h = 1e-6;
  for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p)
    for (int i = 0; i <= 20; ++i) {
      const double t = parts[p].from + (parts[p].to - parts[p].from) * i / 20;
      double x[3], less[3], more[3];
      parts[p].at(&c, t, x);
      parts[p].at(&c, t - h, less);
      parts[p].at(&c, t + h, more);
      for (int k = 0; k < 2; ++k) {
        const double slope = (more[k] - less[k]) / (2 * h);
        if (!(fabs(slope - x[k + 1]) < 1e-6 * (1 + fabs(x[k + 1]))))
          fail_msg("part %d at %g s: derivative %d is %.10g, not %.10g", (int)p, t, k + 1, x[k + 1], slope);
      }
    }
}

// What mechanics asks of a push: it begins at rest at `low`, at the end of a hold it is at `high`, falls freely from then on and reaches `touch` after the time
// of the flight. The force's work is what the motion gains, so somewhere it is at least
// its mean over the way; and it is nowhere more than it must be.
static void a_push_ends_in_the_flight_that_is_asked_for(void **state)
{
  (void)state;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      ffi_plan_jump_course c = course();
      c.low = 0.08 + 0.01 * i;
      c.flight_time = 0.4 + 0.1 * j;
      const double lift = ffi_plan_jump_course_lift_time(&c), holds = lift / c.hold;
      double x[3], before[3], most = 0, since = lift;
      assert_true(fabs(holds - round(holds)) < 1e-9);
      assert_true(lift > c.stand_time + c.crouch_time && lift < c.stand_time + c.crouch_time + 0.3);
      ffi_plan_jump_course_before(&c, 0, x);
      assert_true(x[0] == c.stand && x[1] == 0);
      ffi_plan_jump_course_before(&c, lift, x);
      assert_true(fabs(x[0] - c.high) < 1e-12 && fabs(x[2] + c.gravity) < 1e-9);
      const double t = c.flight_time, fallen = x[0] + t * (x[1] - c.gravity * t / 2);
      assert_true(fabs(fallen - c.touch) < 1e-12);
      const double mean = x[1] * x[1] / 2 / (c.high - c.low); // of the acceleration over the way
      for (double back = 0; back < 0.4; back += 1e-4) {
        ffi_plan_jump_course_before(&c, lift - back, before);
        most = fmax(most, before[2]);
        if (before[0] < c.low + 1e-9)
          since = fmin(since, back);
      }
      ffi_plan_jump_course_before(&c, lift - since, before);
      assert_true(fabs(before[0] - c.low) < 1e-6 && fabs(before[1]) < 1e-3);
      // Acceleration is missing while the force fades, on the last v T of the way, where its mean is (a - g)/2; what loading takes is below 1 %.
      const double fade = c.load_time,
                   share = (1 + c.gravity * fade / x[1]) / (1 - x[1] * fade / 2 / (c.high - c.low));
      assert_true(most >= mean && most < 1.01 * share * mean);
    }
}

// Braked from many heights and speeds, with the way too short for more than a constant deceleration among them.
static void a_landing_ends_at_rest(void **state)
{
  (void)state;
  const ffi_plan_jump_course c = course();
  for (int i = 0; i < 20; ++i)
    for (int j = 1; j <= 20; ++j) {
      const double height = c.rest + 0.02 + 0.01 * i, speed = 0.25 * j;
      double x[3], lowest = INFINITY, slowest = -INFINITY, before = 0;
      ffi_plan_jump_course_after(&c, height, speed, 0, x);
      assert_true(x[0] == height && x[1] == -speed);
      for (double t = 0; t < 3; t += 1e-4) {
        ffi_plan_jump_course_after(&c, height, speed, t, x);
        lowest = fmin(lowest, x[0]);
        if (t > 0 && x[0] > c.rest + 1e-9) // continuous: no faster than it falls at most
          slowest = fmax(slowest, fabs(x[0] - before));
        before = x[0];
      }
      assert_true(fabs(lowest - c.rest) < 1e-6);
      assert_true(slowest < 1e-4 * (speed + c.gravity * c.load_time + 1));
      assert_true(fabs(x[0] - c.stand) < 1e-12 && fabs(x[1]) < 1e-12);
    }
}

// Accelerations held, one after the other, each asked for anew.
static void a_foot_comes_to_rest_on_the_ground(void **state)
{
  (void)state;
  const double hold = 0.01;
  for (int n = 2; n <= 8; ++n)
    for (int i = 0; i < 10; ++i) {
      double z = 0.01 + 0.01 * i, v = -3 + 0.4 * i, most = 0;
      for (int left = n; left > 0; --left) {
        const double a = ffi_plan_jump_course_stop(left, hold, z, v);
        most = fmax(most, fabs(a));
        z += hold * (v + a * hold / 2);
        v += a * hold;
      }
      assert_true(fabs(v) < 1e-12 * hold * most + 1e-13);
      assert_true(fabs(z) < 1e-13);
    }
}

// Of all accelerations that do it, none has less squares: what is added may only be across, so any other solution has more.
static void its_accelerations_are_the_least(void **state)
{
  (void)state;
  const double hold = 0.01;
  double z = 0.04, v = -2.8, a[3];
  for (int left = 3; left > 0; --left) {
    a[3 - left] = ffi_plan_jump_course_stop(left, hold, z, v);
    z += hold * (v + a[3 - left] * hold / 2);
    v += a[3 - left] * hold;
  }
  assert_true(fabs(a[0] - 2 * a[1] + a[2]) < 1e-9); // (1, -2, 1) changes neither end
}

static void holds_are_counted(void **state)
{
  (void)state;
  const ffi_plan_jump_course c = course();
  assert_true(ffi_plan_jump_course_holds_left(&c, 0.5, 1) > 1000);
  assert_int_equal(ffi_plan_jump_course_holds_left(&c, c.touch - 0.01, -3), 0);
  for (int n = 0; n < 30; ++n) { // fallen from rest at a height of 1 m above `touch`
    const double whole = sqrt(2 / c.gravity), t = whole - (n + 0.3) * c.hold;
    assert_int_equal(ffi_plan_jump_course_holds_left(&c, c.touch + 1 - c.gravity * t * t / 2, -c.gravity * t),
                     n);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_agree),
      cmocka_unit_test(a_push_ends_in_the_flight_that_is_asked_for),
      cmocka_unit_test(a_landing_ends_at_rest),
      cmocka_unit_test(a_foot_comes_to_rest_on_the_ground),
      cmocka_unit_test(its_accelerations_are_the_least),
      cmocka_unit_test(holds_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
