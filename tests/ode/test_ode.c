// Equations with events, as a user has them: where guards pass in closed forms, several at once, there and back, and everything that can be asked for wrongly.
#include <footfall/ode.h>

#include "math/lie.h"
#include "math/near.h"
#include "math/quaternion.h"
#include "support/alloc_counter.h"

static const double g = 9.81;

// A ball that is thrown: height and velocity. Its motion is a parabola, which steps and interpolant have exactly.
static int thrown(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = x[1];
  rate[1] = -g;
  return 0;
}

// A swing: x'' = -x.
static int swing(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = x[1];
  rate[1] = -x[0];
  return 0;
}

// Guards: user[k] is a height.
static void heights(double t, const double *x, double *value, void *user)
{
  (void)t;
  const double *height = user;
  for (int k = 0; !isnan(height[k]); ++k)
    value[k] = x[0] - height[k];
}

static ff_ode *create(const ff_ode_def *def)
{
  ff_ode *ode;
  ff_error error;
  if (ff_ode_create(def, &ode, &error) != FF_OK)
    fail_msg("%s", error.message);
  return ode;
}

static ff_ode_def def_of(ff_ode_rate rate, int guards, double *height)
{
  ff_ode_def def = ff_ode_def_default();
  def.size = 2;
  def.rate = rate;
  def.guards = guards;
  def.guard = heights;
  def.user = height;
  return def;
}

static int advance(ff_ode *ode, double t_end)
{
  int guard;
  ff_error error;
  if (ff_ode_advance(ode, t_end, &guard, &error) != FF_OK)
    fail_msg("%s", error.message);
  return guard;
}

static void start(ff_ode *ode, double x, double v)
{
  assert_int_equal(ff_ode_start(ode, 0, (double[]){x, v}, NULL), FF_OK);
}

// ---- Events -----------------------------------------------------------------------------------------------

// When x + v t - g t^2 / 2 is at `height`, on the way up or down.
static double when(double x, double v, double height, int is_down)
{
  return (v + (is_down ? 1 : -1) * sqrt(v * v - 2 * g * (height - x))) / g;
}

static void a_ball_is_stopped_to_rounding(void **state)
{
  (void)state;
  double height[] = {1.5, 0, NAN};
  const ff_ode_def def = def_of(thrown, 2, height);
  ff_ode *ode = create(&def);
  start(ode, 1, 6);
  const double want[3] = {when(1, 6, 1.5, 0), when(1, 6, 1.5, 1), when(1, 6, 0, 1)};
  const int guard[3] = {0, 0, 1};
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(advance(ode, 3), guard[i]);
    assert_near(ff_ode_time(ode), want[i], 10 * EPS);
    // Beyond, by the 4 roundings of a height of 3 at most: the enclosure, at 8 m/s.
    const double off = ff_ode_state(ode)[0] - height[guard[i]];
    assert_true(i == 0 ? off >= 0 : off <= 0);
    assert_true(fabs(off) <= 30 * EPS);
  }
  assert_int_equal(advance(ode, 3), -1);
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
    ff_ode_def def = def_of(swing, 1, height);
    def.relative_tolerance = def.absolute_tolerance = pow(10, -i);
    ff_ode *ode = create(&def);
    start(ode, 0, 1);
    double worst = 0;
    for (int n = 0; n < 10; ++n) {
      assert_int_equal(advance(ode, 100), 0);
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
    ff_ode_def def = def_of(swing, 1, height);
    def.direction = directions;
    ff_ode *ode = create(&def);
    start(ode, 0, 1);
    for (int n = 0; n < 8; ++n) {
      assert_int_equal(advance(ode, 100), 0);
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
    ff_ode_def def = def_of(thrown, 1, height);
    def.fixed_step = 1;
    ff_ode *ode = create(&def);
    start(ode, 1, v);
    const double half = sqrt(2 * above / g);
    // Heights round to 4 eps, and pass at g half.
    const double allowed = 10 * EPS + 8 * EPS / (g * half);
    assert_int_equal(advance(ode, 1), 0);
    assert_near(ff_ode_time(ode), v / g - half, allowed);
    assert_int_equal(advance(ode, 1), 0);
    assert_near(ff_ode_time(ode), v / g + half, allowed);
    assert_int_equal(advance(ode, 1), -1);
    assert_int_equal(ff_ode_get_info(ode).events, 2);
    ff_ode_destroy(ode);

    height[0] = top + above;
    ode = create(&def);
    start(ode, 1, v);
    assert_int_equal(advance(ode, 1), -1);
    ff_ode_destroy(ode);
  }
}

static void a_guard_that_is_zero_at_the_start_has_to_leave_first(void **state)
{
  (void)state;
  double height[] = {1, NAN};
  const ff_ode_def def = def_of(thrown, 1, height);
  ff_ode *ode = create(&def);
  start(ode, 1, 5);
  assert_int_equal(advance(ode, 3), 0);
  assert_near(ff_ode_time(ode), 10 / g, 10 * EPS);
  start(ode, 1, -5);
  assert_int_equal(advance(ode, 3), -1);
  ff_ode_destroy(ode);
}

enum { MANY = 1000 };

// 1000 guards at one instant: told one after another without moving, in their order; the other thousand not.
static void many_guards_at_one_instant_are_told_one_by_one(void **state)
{
  (void)state;
  static double height[2 * MANY + 1];
  for (int k = 0; k < MANY; ++k) {
    height[k] = 0.25;
    height[MANY + k] = -1 - k;
  }
  height[2 * MANY] = NAN;
  const ff_ode_def def = def_of(thrown, 2 * MANY, height);
  ff_ode *ode = create(&def);
  start(ode, 1, 0);
  double t = 0;
  for (int k = 0; k < MANY; ++k) {
    assert_int_equal(advance(ode, 0.5), k);
    if (k > 0)
      assert_true(ff_ode_time(ode) == t);
    t = ff_ode_time(ode);
  }
  assert_near(t, when(1, 0, 0.25, 1), 10 * EPS);
  assert_int_equal(advance(ode, 0.5), -1);
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
  const ff_ode_def def = def_of(thrown, MANY, height);
  ff_ode *ode = create(&def);
  start(ode, 0.1, 0);
  for (int k = 0; k < MANY; ++k) {
    assert_int_equal(advance(ode, 5), k);
    assert_near(ff_ode_time(ode), when(0.1, 0, height[k], 1), 20 * EPS);
  }
  for (int k = MANY - 1; k >= 0; --k) { // and back
    assert_int_equal(advance(ode, 0), k);
    assert_near(ff_ode_time(ode), when(0.1, 0, height[k], 1), 100 * EPS);
  }
  assert_int_equal(advance(ode, 0), -1);
  assert_near(ff_ode_state(ode)[0], 0.1, 1000 * EPS); // 2000 roundings, as they fall
  ff_ode_destroy(ode);
}

// A ball that loses half its velocity at each bounce comes to rest after infinitely many in finite time. Each call is one bounce; time never stands.
static void a_dying_ball_bounces_once_for_each_call(void **state)
{
  (void)state;
  double height[] = {0, NAN};
  const signed char down[1] = {-1};
  ff_ode_def def = def_of(thrown, 1, height);
  def.direction = down;
  def.absolute_tolerance = 1e-15;
  ff_ode *ode = create(&def);
  double t = 0, v = 4, want = 0;
  for (int n = 0; n < 25; ++n) {
    assert_int_equal(ff_ode_start(ode, t, (double[]){0, v}, NULL), FF_OK);
    assert_int_equal(advance(ode, 10), 0);
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
  ff_ode_def def = def_of(swing, 3, NULL);
  def.guard = clock_guard;
  def.direction = rising;
  ff_ode *ode = create(&def);
  start(ode, 0, 1);
  assert_int_equal(advance(ode, 2), 0);
  assert_near(ff_ode_time(ode), 0.3, 4 * EPS);
  assert_int_equal(advance(ode, 2), 2);
  assert_near(ff_ode_time(ode), 0.7, 4 * EPS);
  assert_int_equal(advance(ode, 2), -1);
  assert_int_equal(advance(ode, 0), 1); // rises on the way back
  assert_near(ff_ode_time(ode), 0.7, 4 * EPS);
  assert_int_equal(advance(ode, 0), -1);
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
  ff_ode *ode = create(&def);
  assert_int_equal(ff_ode_start(ode, 0, (double[]){0, 0, 0, 1}, NULL), FF_OK);
  for (int n = 1; n <= 12; ++n) { // quarter n: t + t^2/4 = n pi/2
    assert_int_equal(advance(ode, 20), n % 2 ? 0 : 1);
    assert_near(ff_ode_time(ode), 2 * (sqrt(1 + n * PI / 2) - 1), 100 * EPS); // polynomials are exact
  }
  ff_ode_destroy(ode);
}

static void the_last_step_is_seen_inside(void **state)
{
  (void)state;
  double height[] = {0.9, NAN};
  const ff_ode_def def = def_of(swing, 1, height);
  ff_ode *ode = create(&def);
  start(ode, 0, 1);
  assert_int_equal(advance(ode, 3), 0);
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

// ff_ode_step() does not look at guards; the next ff_ode_advance() starts from the side it finds.
static void steps_pass_guards_unseen(void **state)
{
  (void)state;
  double height[] = {0.5, NAN};
  const ff_ode_def def = def_of(swing, 1, height);
  ff_ode *ode = create(&def);
  start(ode, 0, 1);
  while (ff_ode_time(ode) < 1)
    assert_int_equal(ff_ode_step(ode, 1, NULL), FF_OK);
  assert_int_equal(ff_ode_get_info(ode).events, 0);
  assert_int_equal(advance(ode, 2), -1);
  assert_int_equal(advance(ode, 3), 0);
  assert_near(ff_ode_time(ode), PI - asin(0.5), 1e-5);
  ff_ode_destroy(ode);
}

// ---- What goes wrong --------------------------------------------------------------------------------------

static void pull_nothing(const double *x, const double *d, const double *velocity, double *rate, void *user)
{
  (void)x;
  (void)d;
  (void)user;
  memcpy(rate, velocity, 2 * sizeof *rate);
}

static void wrong_definitions_name_their_field(void **state)
{
  (void)state;
  double height[] = {0, NAN};
  const signed char wrong[1] = {2};
  ff_ode_def def[16];
  for (int i = 0; i < 16; ++i)
    def[i] = def_of(thrown, 1, height);
  def[0].size = 0;
  def[1].tangent = -1;
  def[2].rate = NULL;
  def[3].tangent = 1;
  def[4].pull = pull_nothing;
  def[5].guards = -1;
  def[6].guard = NULL;
  def[7].direction = wrong;
  def[8].relative_tolerance = -1;
  def[9].absolute_tolerance = 0;
  def[10].first_step = NAN;
  def[11].max_step = -0.1;
  def[12].fixed_step = INFINITY;
  def[13].max_steps = 0;
  def[14].absolute_tolerance = NAN;
  const char *field[] = {"size",       "tangent",   "rate",         "retract",   "retract",
                         "guards",     "guard ",    "direction[0]", "relative_", "absolute_",
                         "first_step", "max_step ", "fixed_",       "max_steps", "absolute_"};
  for (int i = 0; i < 15; ++i) {
    ff_ode *ode = (ff_ode *)&def;
    ff_error error;
    assert_int_equal(ff_ode_create(&def[i], &ode, &error), FF_ERROR_ARGUMENT);
    assert_null(ode);
    assert_non_null(strstr(error.message, field[i]));
    assert_int_equal(ff_ode_create(&def[i], &ode, NULL), FF_ERROR_ARGUMENT);
  }
  ff_ode *ode;
  assert_int_equal(ff_ode_create(NULL, &ode, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ode_create(&def[15], NULL, NULL), FF_ERROR_ARGUMENT);
  ff_ode_destroy(NULL);
}

static void wrong_calls_change_nothing(void **state)
{
  (void)state;
  double height[] = {0.5, NAN};
  const ff_ode_def def = def_of(swing, 1, height);
  ff_ode *ode = create(&def);
  ff_error error;
  int guard = 5;
  assert_int_equal(ff_ode_advance(ode, 1, &guard, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(guard, -1);
  assert_non_null(strstr(error.message, "ff_ode_start"));
  assert_int_equal(ff_ode_step(ode, 1, &error), FF_ERROR_ARGUMENT);
  start(ode, 0.1, 1);
  assert_int_equal(ff_ode_start(ode, 0, (double[]){1, NAN}, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "x[1]"));
  assert_int_equal(ff_ode_start(ode, INFINITY, (double[]){1, 1}, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ode_start(ode, 0, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ode_start(NULL, 0, (double[]){1, 1}, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ode_advance(ode, NAN, NULL, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "t_end"));
  assert_int_equal(ff_ode_advance(NULL, 1, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ode_step(NULL, 1, &error), FF_ERROR_ARGUMENT);
  assert_true(ff_ode_time(ode) == 0 && ff_ode_state(ode)[0] == 0.1 && ff_ode_state(ode)[1] == 1);
  assert_int_equal(ff_ode_advance(ode, 3, NULL, NULL), FF_OK); // whoever does not want to know which
  assert_near(ff_ode_state(ode)[0], 0.5, 1e-12);
  ff_ode_destroy(ode);
}

static void too_many_steps_are_an_error_and_can_be_continued(void **state)
{
  (void)state;
  ff_ode_def def = def_of(swing, 0, NULL);
  def.fixed_step = 0.1;
  def.max_steps = 25;
  ff_ode *ode = create(&def);
  start(ode, 0, 1);
  ff_error error;
  for (int i = 1; i < 4; ++i) {
    assert_int_equal(ff_ode_advance(ode, 10, NULL, &error), FF_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "max_steps"));
    assert_near(ff_ode_time(ode), 2.5 * i, 100 * EPS);
    assert_near(ff_ode_state(ode)[0], sin(2.5 * i), 1e-5);
  }
  assert_int_equal(ff_ode_advance(ode, 10, NULL, &error), FF_OK);
  ff_ode_destroy(ode);
}

static int refusing(double t, const double *x, double *rate, void *user)
{
  (void)swing(t, x, rate, user);
  return t > 1;
}

static void lost_guard(double t, const double *x, double *value, void *user)
{
  (void)user;
  value[0] = 2 - x[0];
  value[1] = log(1 - t);
}

static void a_failure_leaves_the_last_good_state(void **state)
{
  (void)state;
  ff_error error;
  ff_ode_def def = def_of(refusing, 0, NULL);
  ff_ode *ode = create(&def);
  start(ode, 0, 1);
  assert_int_equal(ff_ode_advance(ode, 3, NULL, &error), FF_ERROR_NUMERIC);
  assert_near(ff_ode_time(ode), 1, 1e-12);
  assert_near(ff_ode_state(ode)[0], sin(1), 1e-5);
  ff_ode_destroy(ode);

  def = def_of(swing, 2, NULL);
  def.guard = lost_guard;
  ode = create(&def);
  start(ode, 0, 1);
  int guard;
  while (ff_ode_advance(ode, 3, &guard, &error) == FF_OK) // log(1 - t) is zero at once, then falls
    assert_true(guard >= 0);
  assert_int_equal(error.status, FF_ERROR_NUMERIC);
  assert_int_equal(guard, -1);
  assert_non_null(strstr(error.message, "guard 1"));
  assert_true(ff_ode_time(ode) < 1);
  assert_near(ff_ode_state(ode)[0], sin(ff_ode_time(ode)), 1e-5);
  assert_int_equal(ff_ode_start(ode, 2, (double[]){0, 1}, NULL), FF_OK);
  assert_int_equal(ff_ode_advance(ode, 3, &guard, &error), FF_ERROR_NUMERIC);
  assert_true(ff_ode_time(ode) == 2);
  ff_ode_destroy(ode);
}

static void memory_is_taken_once_and_all_of_it_is_given_back(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  double height[] = {0.5, 0.2, NAN};
  const ff_ode_def def = def_of(swing, 2, height);
  ff_ode *ode;
  ffi_test_alloc_fail_at(1);
  assert_int_equal(ff_ode_create(&def, &ode, NULL), FF_ERROR_MEMORY);
  assert_true(ffi_test_alloc_failed());
  assert_null(ode);
  ode = create(&def);
  const long before = ffi_test_alloc_count();
  start(ode, 0, 1);
  while (ff_ode_time(ode) < 20)
    (void)advance(ode, 20);
  assert_int_equal(ffi_test_alloc_count(), before);
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
      cmocka_unit_test(many_guards_at_one_instant_are_told_one_by_one),
      cmocka_unit_test(a_ladder_is_passed_rung_by_rung),
      cmocka_unit_test(a_dying_ball_bounces_once_for_each_call),
      cmocka_unit_test(guards_may_depend_on_time),
      cmocka_unit_test(orientations_have_events_too),
      cmocka_unit_test(the_last_step_is_seen_inside),
      cmocka_unit_test(steps_pass_guards_unseen),
      cmocka_unit_test(wrong_definitions_name_their_field),
      cmocka_unit_test(wrong_calls_change_nothing),
      cmocka_unit_test(too_many_steps_are_an_error_and_can_be_continued),
      cmocka_unit_test(a_failure_leaves_the_last_good_state),
      cmocka_unit_test(memory_is_taken_once_and_all_of_it_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
