// Equations with events, as a user has them: where guards pass in closed forms, several at once, there and back.
#include "ode/ode_case.h"

#include "math/lie.h"
#include "math/near.h"
#include "math/quaternion.h"

static const double g = FFI_ODE_CASE_GRAVITY;

// When x + v t - g t^2 / 2 is at `height`, on the way up or down.
static double when(double x, double v, double height, int is_down)
{
  return (v + (is_down ? 1 : -1) * sqrt(v * v - 2 * g * (height - x))) / g;
}

static void a_ball_is_stopped_to_rounding(void **state)
{
  (void)state;
  double height[] = {1.5, 0, NAN};
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_thrown, 2, height);
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 1, 6);
  const double want[3] = {when(1, 6, 1.5, 0), when(1, 6, 1.5, 1), when(1, 6, 0, 1)};
  const int guard[3] = {0, 0, 1};
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(ffi_ode_case_advance(ode, 3), guard[i]);
    assert_near(ff_ode_time(ode), want[i], 10 * EPS);
    // Beyond, by the 4 roundings of a height of 3 at most: the enclosure, at 8 m/s.
    const double off = ff_ode_state(ode)[0] - height[guard[i]];
    assert_true(i == 0 ? off >= 0 : off <= 0);
    assert_true(fabs(off) <= 30 * EPS);
  }
  assert_int_equal(ffi_ode_case_advance(ode, 3), -1);
  assert_true(ff_ode_time(ode) == 3);
  assert_near(ff_ode_state(ode)[0], 1 + 18 - g * 4.5, 200 * EPS);
  assert_int_equal(ff_ode_get_info(ode).events, 3);
  ff_ode_destroy(ode);
}

// Where the motion is no polynomial the time is as good as the state: it follows the tolerance.
static void a_swing_is_stopped_as_its_tolerance_says(void **state)
{
  (void)state;
  double height[] = {0.3, NAN};
  for (int i = 4; i <= 12; ++i) {
    ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 1, height);
    def.relative_tolerance = def.absolute_tolerance = pow(10, -i);
    ff_ode *ode = ffi_ode_case_create(&def);
    ffi_ode_case_start(ode, 0, 1);
    double worst = 0;
    for (int n = 0; n < 10; ++n) {
      assert_int_equal(ffi_ode_case_advance(ode, 100), 0);
      const double want = n % 2 ? n * PI - asin(0.3) : n * PI + asin(0.3);
      worst = fmax(worst, fabs(ff_ode_time(ode) - want));
    }
    print_message("tolerance 1e-%d: times off by %.2g\n", i, worst);
    assert_true(worst < 100 * pow(10, -i));
    ff_ode_destroy(ode);
  }
}

static void only_the_asked_direction_stops(void **state)
{
  (void)state;
  double height[] = {0.3, NAN};
  for (int direction = -1; direction <= 1; direction += 2) {
    const signed char directions[1] = {(signed char)direction};
    ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 1, height);
    def.direction = directions;
    ff_ode *ode = ffi_ode_case_create(&def);
    ffi_ode_case_start(ode, 0, 1);
    for (int n = 0; n < 8; ++n) {
      assert_int_equal(ffi_ode_case_advance(ode, 100), 0);
      assert_near(ff_ode_time(ode), 2 * n * PI + (direction > 0 ? asin(0.3) : PI - asin(0.3)), 1e-4);
      assert_true(direction * ff_ode_state(ode)[1] > 0.9);
    }
    ff_ode_destroy(ode);
  }
}

// A throw whose top is above the guard by 1e-12 m passes it twice within 1e-6 s, inside one step of 1 s.
static void a_dip_inside_one_step_stops_twice(void **state)
{
  (void)state;
  for (int i = 1; i <= 12; ++i) {
    const double v = 4, top = 1 + v * v / (2 * g), above = pow(10, -i);
    double height[] = {top - above, NAN};
    ff_ode_def def = ffi_ode_case_def(ffi_ode_case_thrown, 1, height);
    def.fixed_step = 1;
    ff_ode *ode = ffi_ode_case_create(&def);
    ffi_ode_case_start(ode, 1, v);
    const double half = sqrt(2 * above / g);
    // Heights round to 4 eps, and pass at g half.
    const double allowed = 10 * EPS + 8 * EPS / (g * half);
    assert_int_equal(ffi_ode_case_advance(ode, 1), 0);
    assert_near(ff_ode_time(ode), v / g - half, allowed);
    assert_int_equal(ffi_ode_case_advance(ode, 1), 0);
    assert_near(ff_ode_time(ode), v / g + half, allowed);
    assert_int_equal(ffi_ode_case_advance(ode, 1), -1);
    assert_int_equal(ff_ode_get_info(ode).events, 2);
    ff_ode_destroy(ode);

    height[0] = top + above;
    ode = ffi_ode_case_create(&def);
    ffi_ode_case_start(ode, 1, v);
    assert_int_equal(ffi_ode_case_advance(ode, 1), -1);
    ff_ode_destroy(ode);
  }
}

static void a_guard_that_is_zero_at_the_start_has_to_leave_first(void **state)
{
  (void)state;
  double height[] = {1, NAN};
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_thrown, 1, height);
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 1, 5);
  assert_int_equal(ffi_ode_case_advance(ode, 3), 0);
  assert_near(ff_ode_time(ode), 10 / g, 10 * EPS);
  ffi_ode_case_start(ode, 1, -5);
  assert_int_equal(ffi_ode_case_advance(ode, 3), -1);
  ff_ode_destroy(ode);
}

enum { MANY = 1000 };

// 1000 guards at one time are reported one after another, in order, without moving; the other thousand are not.
static void many_guards_at_one_time_are_reported_one_by_one(void **state)
{
  (void)state;
  static double height[2 * MANY + 1];
  for (int k = 0; k < MANY; ++k) {
    height[k] = 0.25;
    height[MANY + k] = -1 - k;
  }
  height[2 * MANY] = NAN;
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_thrown, 2 * MANY, height);
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 1, 0);
  double t = 0;
  for (int k = 0; k < MANY; ++k) {
    assert_int_equal(ffi_ode_case_advance(ode, 0.5), k);
    if (k > 0)
      assert_true(ff_ode_time(ode) == t);
    t = ff_ode_time(ode);
  }
  assert_near(t, when(1, 0, 0.25, 1), 10 * EPS);
  assert_int_equal(ffi_ode_case_advance(ode, 0.5), -1);
  assert_int_equal(ff_ode_get_info(ode).events, MANY);
  ff_ode_destroy(ode);
}

// Guards in order of height are passed in it.
static void a_ladder_is_passed_rung_by_rung(void **state)
{
  (void)state;
  static double height[MANY + 1];
  for (int k = 0; k < MANY; ++k)
    height[k] = -1e-3 * k;
  height[MANY] = NAN;
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_thrown, MANY, height);
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 0.1, 0);
  for (int k = 0; k < MANY; ++k) {
    assert_int_equal(ffi_ode_case_advance(ode, 5), k);
    assert_near(ff_ode_time(ode), when(0.1, 0, height[k], 1), 20 * EPS);
  }
  for (int k = MANY - 1; k >= 0; --k) { // and back
    assert_int_equal(ffi_ode_case_advance(ode, 0), k);
    assert_near(ff_ode_time(ode), when(0.1, 0, height[k], 1), 100 * EPS);
  }
  assert_int_equal(ffi_ode_case_advance(ode, 0), -1);
  assert_near(ff_ode_state(ode)[0], 0.1, 1000 * EPS); // 2000 roundings, as they fall
  ff_ode_destroy(ode);
}

// A ball that loses half its velocity at each bounce comes to rest after infinitely many in finite time. Each call is
// one bounce; time never stands.
static void a_dying_ball_bounces_once_for_each_call(void **state)
{
  (void)state;
  double height[] = {0, NAN};
  const signed char down[1] = {-1};
  ff_ode_def def = ffi_ode_case_def(ffi_ode_case_thrown, 1, height);
  def.direction = down;
  def.absolute_tolerance = 1e-15;
  ff_ode *ode = ffi_ode_case_create(&def);
  double t = 0, v = 4, want = 0;
  for (int n = 0; n < 25; ++n) {
    assert_int_equal(ff_ode_start(ode, t, (double[]){0, v}, NULL), FF_OK);
    assert_int_equal(ffi_ode_case_advance(ode, 10), 0);
    assert_true(ff_ode_time(ode) > t);
    want += 2 * v / g;
    assert_near(ff_ode_time(ode), want, 100 * EPS);
    t = ff_ode_time(ode);
    v = -0.5 * ff_ode_state(ode)[1];
    assert_near(v, 4 * pow(0.5, n + 1), 1e3 * EPS);
  }
  ff_ode_destroy(ode);
}

static void clock_guard(double t, const double *x, double *value, void *user)
{
  (void)x;
  (void)user;
  value[0] = t - 0.3;
  value[1] = 0.7 - t;
  value[2] = t - 0.7;
}

static void guards_may_depend_on_time(void **state)
{
  (void)state;
  const signed char rising[3] = {1, 1, 1};
  ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 3, NULL);
  def.guard = clock_guard;
  def.direction = rising;
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 0, 1);
  assert_int_equal(ffi_ode_case_advance(ode, 2), 0);
  assert_near(ff_ode_time(ode), 0.3, 4 * EPS);
  assert_int_equal(ffi_ode_case_advance(ode, 2), 2);
  assert_near(ff_ode_time(ode), 0.7, 4 * EPS);
  assert_int_equal(ffi_ode_case_advance(ode, 2), -1);
  assert_int_equal(ffi_ode_case_advance(ode, 0), 1); // rises on the way back
  assert_near(ff_ode_time(ode), 0.7, 4 * EPS);
  assert_int_equal(ffi_ode_case_advance(ode, 0), -1);
  ff_ode_destroy(ode);
}

// A body that turns about its z axis at 1 + t/2: by t + t^2/4.
static int turning(double t, const double *x, double *rate, void *user)
{
  (void)x;
  (void)user;
  ffi_v3_set(0, 0, 1 + t / 2, rate);
  return 0;
}

static void turn_by(const double *x, const double *d, double *out, void *user)
{
  (void)user;
  double turn[4];
  ffi_lie_so3_exp(d, turn);
  ffi_quat_mul(x, turn, out);
}

static void turn_rate(const double *x, const double *d, const double *velocity, double *rate, void *user)
{
  (void)x;
  (void)user;
  double J[9];
  ffi_lie_so3_right_inverse(d, J);
  ffi_m3_mulv(J, velocity, rate);
}

static void quarter_turns(double t, const double *x, double *value, void *user)
{
  (void)t;
  (void)user;
  double R[9];
  ffi_quat_matrix(x, R);
  value[0] = R[0]; // cosine and sine of the angle
  value[1] = R[3];
}

static void orientations_have_events_too(void **state)
{
  (void)state;
  ff_ode_def def = ff_ode_def_default();
  def.size = 4;
  def.tangent = 3;
  def.rate = turning;
  def.retract = turn_by;
  def.pull = turn_rate;
  def.guards = 2;
  def.guard = quarter_turns;
  def.max_step = 0.2; // steps have no error here and would become turns long
  ff_ode *ode = ffi_ode_case_create(&def);
  assert_int_equal(ff_ode_start(ode, 0, (double[]){0, 0, 0, 1}, NULL), FF_OK);
  for (int n = 1; n <= 12; ++n) { // quarter n: t + t^2/4 = n pi/2
    assert_int_equal(ffi_ode_case_advance(ode, 20), n % 2 ? 0 : 1);
    assert_near(ff_ode_time(ode), 2 * (sqrt(1 + n * PI / 2) - 1), 100 * EPS); // polynomials are exact
  }
  ff_ode_destroy(ode);
}

static void the_last_step_is_seen_inside(void **state)
{
  (void)state;
  double height[] = {0.9, NAN};
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 1, height);
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 0, 1);
  assert_int_equal(ffi_ode_case_advance(ode, 3), 0);
  double from, to, x[2];
  ff_ode_last_step(ode, &from, &to);
  assert_true(to == ff_ode_time(ode) && from < to);
  for (int i = 0; i <= 4; ++i) {
    const double t = from + 0.25 * i * (to - from);
    ff_ode_at(ode, t, x);
    assert_near(x[0], sin(t), 1e-5);
    assert_near(x[1], cos(t), 1e-5);
  }
  assert_int_equal(ff_ode_step(ode, 3, NULL), FF_OK);
  assert_true(ff_ode_time(ode) > to);
  ff_ode_last_step(ode, &from, &to);
  assert_true(to == ff_ode_time(ode) && ff_ode_get_info(ode).last_step == to - from);
  ff_ode_destroy(ode);
}

// ff_ode_step() ignores guards; the next ff_ode_advance() starts from the sides it finds.
static void steps_pass_guards_unseen(void **state)
{
  (void)state;
  double height[] = {0.5, NAN};
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 1, height);
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 0, 1);
  while (ff_ode_time(ode) < 1)
    assert_int_equal(ff_ode_step(ode, 1, NULL), FF_OK);
  assert_int_equal(ff_ode_get_info(ode).events, 0);
  assert_int_equal(ffi_ode_case_advance(ode, 2), -1);
  assert_int_equal(ffi_ode_case_advance(ode, 3), 0);
  assert_near(ff_ode_time(ode), PI - asin(0.5), 1e-5);
  ff_ode_destroy(ode);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_is_stopped_to_rounding),
      cmocka_unit_test(a_swing_is_stopped_as_its_tolerance_says),
      cmocka_unit_test(only_the_asked_direction_stops),
      cmocka_unit_test(a_dip_inside_one_step_stops_twice),
      cmocka_unit_test(a_guard_that_is_zero_at_the_start_has_to_leave_first),
      cmocka_unit_test(many_guards_at_one_time_are_reported_one_by_one),
      cmocka_unit_test(a_ladder_is_passed_rung_by_rung),
      cmocka_unit_test(a_dying_ball_bounces_once_for_each_call),
      cmocka_unit_test(guards_may_depend_on_time),
      cmocka_unit_test(orientations_have_events_too),
      cmocka_unit_test(the_last_step_is_seen_inside),
      cmocka_unit_test(steps_pass_guards_unseen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
