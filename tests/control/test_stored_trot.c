// slow: some ten seconds. Solo trots along stored data: at the paper's step, at the finest, for a minute, and after
// blows.
#include "stored.h"

static const double speed = 0.2, share = 0.25, upright = 0.1;

// From standing, so that the first strides count too.
static void advances(const char *what, ff_stepper stepper, int steps, double duration)
{
  ffi_stored s;
  ffi_seen seen;
  ffi_stored_open(&s, "solo-trot.txt", stepper, 0.002, steps);
  const double from = ff_sim_q(s.sim)[0];
  ffi_stored_follow(&s, duration, &seen);
  const double *q = ff_sim_q(s.sim), mean = (q[0] - from) / duration;
  print_message(
      "  %s, %2.0f s: %.3f m/s, aside %.1f mm, tilt %.4f rad, height %.3f..%.3f m, off by %.4f, %.2f N m\n",
      what, duration, mean, 1e3 * q[1], seen.tilt, seen.low, seen.high, seen.off, seen.torque);
  assert_true(fabs(mean - speed) <= share * speed);
  assert_true(seen.tilt < upright);
  assert_true(seen.low > 0.2 && seen.high < 0.24);
  assert_true(fabs(q[1]) < 0.02);
  assert_true(seen.torque < 2.7); // what the motors of the robot can give
  ffi_stored_close(&s);
}

static void at_the_paper_s_step(void **state)
{
  (void)state;
  advances("expo at 2 ms", FF_STEPPER_EXPO, 1, 3);
}

static void at_the_finest_step(void **state)
{
  (void)state;
  advances("expo at 1/64 ms", FF_STEPPER_EXPO, 128, 3);
  advances("rk4 at 1/64 ms", FF_STEPPER_RK4, 128, 3);
}

static void for_a_minute(void **state)
{
  (void)state;
  advances("expo at 2 ms", FF_STEPPER_EXPO, 1, 60);
  advances("expo at 1/2 ms", FF_STEPPER_EXPO, 4, 60);
}

// A blow of 0.3 m/s, half as much again as it trots, from any side and at any of four moments of a stride: 3 s later it
// is where it would have been.
static void blows_are_walked_off(void **state)
{
  (void)state;
  for (int side = 0; side < 4; ++side)
    for (int moment = 0; moment < 4; ++moment) {
      ffi_stored s;
      ffi_seen before, after, later;
      const double blow[3] = {side == 0   ? 0.3
                              : side == 1 ? -0.3
                                          : 0,
                              side == 2   ? 0.3
                              : side == 3 ? -0.3
                                          : 0,
                              0};
      const double time = 2.4 + 0.1 * moment;
      ffi_stored_open(&s, "solo-trot.txt", FF_STEPPER_EXPO, 0.002, 1);
      ffi_stored_follow(&s, time, &before);
      ffi_stored_hit(&s, blow);
      ffi_stored_follow(&s, time + 3, &after);
      ffi_stored_follow(&s, time + 3.4, &later);
      print_message("  blow %+.1f %+.1f m/s at %.1f s: tilt %.3f rad, off by %.3f, 3 s later by %.4f\n",
                    blow[0], blow[1], time, after.tilt, after.off, later.off);
      assert_true(after.tilt < 0.3);
      assert_true(after.off > 0.02); // it did something
      assert_true(later.off < 2 * before.off + 1e-3);
      ffi_stored_close(&s);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_the_paper_s_step),
      cmocka_unit_test(at_the_finest_step),
      cmocka_unit_test(for_a_minute),
      cmocka_unit_test(blows_are_walked_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
