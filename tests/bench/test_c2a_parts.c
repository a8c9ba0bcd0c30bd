// What bench c2a-paper measures with: strides of the passive walker have the order of their method, throws are what
// they say, and their judge can say both.
#include "papers/c2a/c2a_throw.h"
#include "papers/c2a/c2a_walker.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double order_of(bench_c2a_walker_method method, double dt)
{
  return log2(bench_c2a_walker_stride(method, dt, 1, NULL) /
              bench_c2a_walker_stride(method, dt / 2, 1, NULL));
}

static void strides_have_the_order_of_their_method(void **state)
{
  (void)state;
  assert_true(fabs(order_of(BENCH_C2A_WALK_EULER, 1e-3) - 1) < 0.02);
  assert_true(fabs(order_of(BENCH_C2A_WALK_SYMPLECTIC, 1e-3) - 1) < 0.05);
  assert_true(fabs(order_of(BENCH_C2A_WALK_RK4, 0.02) - 4) < 0.2);
}

// By an independent program, to the digits that it gave: with the potential energy zero at the first contact.
static void energies_deviate_as_is_known(void **state)
{
  static const struct {
    bench_c2a_walker_method method;
    double dt, deviation, digit;
  } known[] = {
      {BENCH_C2A_WALK_EULER, 3.5e-3, 1.34e-3, 1e-5}, {BENCH_C2A_WALK_EULER, 0.01, 4.0e-3, 1e-4},
      {BENCH_C2A_WALK_EULER, 0.001, 3.8e-4, 1e-5},   {BENCH_C2A_WALK_SYMPLECTIC, 3.5e-3, 8.4e-4, 1e-5},
      {BENCH_C2A_WALK_RK4, 0.28, 1.67e-3, 1e-5},     {BENCH_C2A_WALK_RK4, 0.2, 1.6e-4, 1e-5},
      {BENCH_C2A_WALK_RK4, 0.1, 1.4e-5, 1e-6},       {BENCH_C2A_WALK_RK4, 0.01, 7e-10, 1e-10}};
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    assert_true(fabs(bench_c2a_walker_stride(known[i].method, known[i].dt, 1, NULL) - known[i].deviation) <
                known[i].digit);
}

static void longest_steps_are_the_longest(void **state)
{
  (void)state;
  for (int m = 0; m < BENCH_C2A_WALK_METHODS; ++m) {
    const bench_c2a_walker_method method = (bench_c2a_walker_method)m;
    const double dt = bench_c2a_walker_longest_step(method, 1e-3);
    assert_true(bench_c2a_walker_stride(method, dt, 1, NULL) <= 1e-3);
    double worst = 0; // a little longer, or a little shorter than that, is too long
    for (int i = 0; i < 4; ++i)
      worst = fmax(worst, bench_c2a_walker_stride(method, 1.01 * dt * (1 - i / 12.0), 1, NULL));
    assert_true(worst > 1e-3);
  }
  long long evaluations;
  (void)bench_c2a_walker_stride(BENCH_C2A_WALK_RK4, bench_c2a_walker_period / 10, 0, &evaluations);
  assert_int_equal(evaluations, 40);
}

// Speed and place; and at 1 m/s a thing that is thrown at where no wall is ends behind it.
static void throws_are_what_they_say(void **state)
{
  uint64_t seed = 3;
  double lowest = 1;
  (void)state;
  for (int k = 0; k < 300; ++k) {
    const double speed = 1 + k;
    const bench_c2a_throw t = bench_c2a_throw_draw(k % BENCH_C2A_OBJECTS, speed, 1e-3, &seed);
    const double *q = t.q + 3, *v = t.v;
    assert_true(fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / speed - 1) < 1e-12);
    // the world's x of the velocity, by the rotation matrix of q
    const double vx = (1 - 2 * (q[1] * q[1] + q[2] * q[2])) * v[0] + 2 * (q[0] * q[1] - q[2] * q[3]) * v[1] +
                      2 * (q[0] * q[2] + q[1] * q[3]) * v[2];
    lowest = fmin(lowest, vx / speed);
    assert_true(t.q[0] < -0.01 && t.q[0] + vx * 1e-3 * t.steps > 0.05);
  }
  assert_true(lowest >= cos(acos(-1) / 6) - 1e-12 && lowest < 0.9);
}

static void the_judge_says_both(void **state)
{
  const ff_inertia inertia = {.mass = 2, .matrix = {1, 0, 0, 1, 0, 1}};
  const bench_c2a_throw t = {.v = {3, 0, 0, 0, 0, 4}}; // 9 + 8 J
  const double slower[6] = {0, 0, 0, 0, 5.8, 0}, faster[6] = {-4.2, 0, 0, 0, 0, 0};
  bench_c2a_throw_end end = {0};
  (void)state;
  bench_c2a_throw_judge(&t, 0.001, slower, &inertia, &end); // 16.8 J
  assert_true(end.is_through && !end.has_gained);
  bench_c2a_throw_judge(&t, -0.001, faster, &inertia, &end); // 17.6 J
  assert_true(!end.is_through && end.has_gained);
}

// At the ends of steps of 1 ms a ball at 300 m/s is 30 cm on: seen by luck alone. One at 1 m/s is stopped.
static void fast_balls_go_through_for_those_who_look_at_ends(void **state)
{
  bench_c2a_throw_simulator by;
  ff_error error;
  uint64_t seed = 5;
  int through[2] = {0};
  (void)state;
  assert_int_equal(bench_c2a_throw_by_stepper(FF_STEPPER_EXPO, 1e-3, &by, &error), FF_OK);
  assert_string_equal(by.name, "expo");
  for (int k = 0; k < 40; ++k) {
    bench_c2a_throw_end end;
    const bench_c2a_throw t = bench_c2a_throw_draw(BENCH_C2A_OBJECT_BALL, k % 2 ? 300 : 1, 1e-3, &seed);
    by.go(by.self, &t, &end);
    through[k % 2] += end.is_through;
  }
  bench_c2a_throw_simulator_free(&by);
  assert_int_equal(through[0], 0);
  assert_true(through[1] >= 15);
}

// Four rods of the benchmark's at 200 m/s that are stopped at one end, roll, and would turn faster than max_speed
// within a step: the step is refused, and none is through.
static void rods_that_turn_too_fast_are_refused(void **state)
{
  static const double slower[] = {1, 2, 5, 10, 20, 50, 100};
  static const int chosen[] = {118, 124, 151, 277};
  bench_c2a_throw_simulator by;
  ff_error error;
  uint64_t seed = 7;
  int next = 0;
  (void)state;
  for (int k = 0; k < 7 * 300; ++k) // what is drawn before them
    (void)bench_c2a_throw_draw(k % BENCH_C2A_OBJECTS, slower[k / 300], 1e-3, &seed);
  assert_int_equal(bench_c2a_throw_by_stepper(FF_STEPPER_CA, 1e-3, &by, &error), FF_OK);
  for (int k = 0; next < 4; ++k) {
    bench_c2a_throw_end end;
    const bench_c2a_throw t = bench_c2a_throw_draw(k % BENCH_C2A_OBJECTS, 200, 1e-3, &seed);
    if (k != chosen[next])
      continue;
    by.go(by.self, &t, &end);
    assert_int_equal(t.object, BENCH_C2A_OBJECT_ROD);
    assert_true(!end.is_through);
    ++next;
  }
  bench_c2a_throw_simulator_free(&by);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strides_have_the_order_of_their_method),
      cmocka_unit_test(energies_deviate_as_is_known),
      cmocka_unit_test(longest_steps_are_the_longest),
      cmocka_unit_test(throws_are_what_they_say),
      cmocka_unit_test(the_judge_says_both),
      cmocka_unit_test(fast_balls_go_through_for_those_who_look_at_ends),
      cmocka_unit_test(rods_that_turn_too_fast_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
