// What can go wrong with ff_ode: definitions, calls, limits, refused rates, memory.
#include "ode/ode_case.h"

#include "math/near.h"
#include "support/alloc_counter.h"

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
    def[i] = ffi_ode_case_def(ffi_ode_case_thrown, 1, height);
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
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 1, height);
  ff_ode *ode = ffi_ode_case_create(&def);
  ff_error error;
  int guard = 5;
  assert_int_equal(ff_ode_advance(ode, 1, &guard, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(guard, -1);
  assert_non_null(strstr(error.message, "ff_ode_start"));
  assert_int_equal(ff_ode_step(ode, 1, &error), FF_ERROR_ARGUMENT);
  ffi_ode_case_start(ode, 0.1, 1);
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
  ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 0, NULL);
  def.fixed_step = 0.1;
  def.max_steps = 25;
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 0, 1);
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
  (void)ffi_ode_case_swing(t, x, rate, user);
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
  ff_ode_def def = ffi_ode_case_def(refusing, 0, NULL);
  ff_ode *ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 0, 1);
  assert_int_equal(ff_ode_advance(ode, 3, NULL, &error), FF_ERROR_NUMERIC);
  assert_near(ff_ode_time(ode), 1, 1e-12);
  assert_near(ff_ode_state(ode)[0], sin(1), 1e-5);
  ff_ode_destroy(ode);

  def = ffi_ode_case_def(ffi_ode_case_swing, 2, NULL);
  def.guard = lost_guard;
  ode = ffi_ode_case_create(&def);
  ffi_ode_case_start(ode, 0, 1);
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
  const ff_ode_def def = ffi_ode_case_def(ffi_ode_case_swing, 2, height);
  ff_ode *ode;
  ffi_test_alloc_fail_at(1);
  assert_int_equal(ff_ode_create(&def, &ode, NULL), FF_ERROR_MEMORY);
  assert_true(ffi_test_alloc_failed());
  assert_null(ode);
  ode = ffi_ode_case_create(&def);
  const long before = ffi_test_alloc_count();
  ffi_ode_case_start(ode, 0, 1);
  while (ff_ode_time(ode) < 20)
    (void)ffi_ode_case_advance(ode, 20);
  assert_int_equal(ffi_test_alloc_count(), before);
  ff_ode_destroy(ode);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_definitions_name_their_field),
      cmocka_unit_test(wrong_calls_change_nothing),
      cmocka_unit_test(too_many_steps_are_an_error_and_can_be_continued),
      cmocka_unit_test(a_failure_leaves_the_last_good_state),
      cmocka_unit_test(memory_is_taken_once_and_all_of_it_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
