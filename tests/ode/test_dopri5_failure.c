// What stops Dormand and Prince's steps: rates that are refused or not finite, and runaways.
#include "ode/dopri5_motion.h"

#include "math/near.h"

// x' = 1, where there is a rate: before the limit.
static int up_to(double t, const double *x, double *rate, void *user)
{
  (void)t;
  const ffi_dopri5_motion *m = user;
  rate[0] = 1;
  return x[0] > m->limit;
}

// x' = 1 / sqrt(limit - x), not a number beyond.
static int root_of_rest(double t, const double *x, double *rate, void *user)
{
  (void)t;
  const ffi_dopri5_motion *m = user;
  rate[0] = 0.1 / sqrt(m->limit - x[0]);
  return 0;
}

// x' = x^2: x = 1 / (1 - t).
static int blow_up(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = x[0] * x[0];
  return 0;
}

// Until it fails; the state must then be that from before the step.
static ff_error go_until_it_fails(ffi_dopri5_motion *m, double t_end)
{
  ff_error error = {.status = FF_OK};
  for (;;) {
    const double t = m->steps.t, x = m->steps.x[0];
    const ff_status status = ffi_dopri5_step(&m->steps, t_end, &error);
    if (status == FF_OK) {
      assert_true(m->steps.t < t_end);
      continue;
    }
    assert_int_equal(status, FF_ERROR_NUMERIC);
    assert_int_equal(error.status, FF_ERROR_NUMERIC);
    assert_true(m->steps.t == t && m->steps.x[0] == x);
    return error;
  }
}

static void a_refused_rate_shortens_steps_until_it_fails_at_the_brink(void **state)
{
  (void)state;
  ffi_dopri5_motion m = ffi_dopri5_motion_with_tolerance(1e-6);
  m.limit = 1.5;
  ffi_dopri5_motion_begin(&m, 1, 1, up_to, 0, (double[]){0.5});
  ff_error error = go_until_it_fails(&m, 4);
  assert_true(m.steps.t <= 1 && m.steps.t > 1 - 1e-13);
  assert_non_null(strstr(error.message, "t = 1 the rate cannot be computed"));
  m.limit = 3; // and goes on once it is there
  ffi_dopri5_motion_go(&m, 2);
  assert_near(m.steps.x[0], 2.5, 1e-12);

  m = ffi_dopri5_motion_with_fixed_step(0.3);
  m.limit = 1.5;
  ffi_dopri5_motion_begin(&m, 1, 1, up_to, 0, (double[]){0.5});
  error = go_until_it_fails(&m, 4);
  assert_near(m.steps.t, 0.9, 1e-15);
  assert_non_null(strstr(error.message, "step of 0.3"));

  m = ffi_dopri5_motion_with_tolerance(1e-6);
  m.limit = 0;
  ffi_dopri5_motion_begin(&m, 1, 1, up_to, 7, (double[]){0.5});
  error = go_until_it_fails(&m, 8);
  assert_non_null(strstr(error.message, "t = 7 the rate cannot be computed"));
}

static void a_rate_that_is_no_number_is_refused(void **state)
{
  (void)state;
  ffi_dopri5_motion m = ffi_dopri5_motion_with_tolerance(1e-8);
  m.limit = 1;
  ffi_dopri5_motion_begin(&m, 1, 1, root_of_rest, 0, (double[]){0});
  // (limit - x)^1.5 = 1 - 0.15 t
  const ff_error error = go_until_it_fails(&m, 100);
  assert_near(m.steps.t, 1 / 0.15, 1e-4);
  assert_true(m.steps.x[0] < 1 && m.steps.x[0] > 0.999);
  assert_non_null(strstr(error.message, "t = 6.66"));
}

static void a_state_that_runs_away_is_an_error_with_its_time(void **state)
{
  (void)state;
  ffi_dopri5_motion m = ffi_dopri5_motion_with_tolerance(1e-6);
  ffi_dopri5_motion_begin(&m, 1, 1, blow_up, 0, (double[]){1});
  const ff_error error = go_until_it_fails(&m, 2);
  assert_near(m.steps.t, 1, 1e-4);
  assert_true(isfinite(m.steps.x[0]) && m.steps.x[0] > 1e6);
  assert_non_null(strstr(error.message, "t = 1"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refused_rate_shortens_steps_until_it_fails_at_the_brink),
      cmocka_unit_test(a_rate_that_is_no_number_is_refused),
      cmocka_unit_test(a_state_that_runs_away_is_an_error_with_its_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
