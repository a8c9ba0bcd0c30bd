// Numbers with units, as people write them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <footfall/quantity.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void units_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    ff_quantity quantity;
    double value;
  } cases[] = {
      {"2", FF_QUANTITY_NUMBER, 2},
      {" -1.5e3 ", FF_QUANTITY_NUMBER, -1500},
      {"2ms", FF_QUANTITY_TIME, 0.002},
      {"2 ms", FF_QUANTITY_TIME, 0.002},
      {"3µs", FF_QUANTITY_TIME, 3e-6},
      {"2min", FF_QUANTITY_TIME, 120},
      {"5cm", FF_QUANTITY_LENGTH, 0.05},
      {"180deg", FF_QUANTITY_ANGLE, 3.141592653589793},
      {"90°", FF_QUANTITY_ANGLE, 1.5707963267948966},
      {"100 kN/m", FF_QUANTITY_STIFFNESS, 1e5},
      {"0.3 kN·s/m", FF_QUANTITY_DAMPING, 300},
      {"300 N*s/m", FF_QUANTITY_DAMPING, 300},
      {"40 N m/rad", FF_QUANTITY_KP, 40},
      {"0.5Nms/rad", FF_QUANTITY_KD, 0.5},
      {"1.5", FF_QUANTITY_COORDINATE, 1.5},
      {"90deg", FF_QUANTITY_COORDINATE, 1.5707963267948966},
      {"5mm", FF_QUANTITY_COORDINATE, 0.005},
      {"180deg/s", FF_QUANTITY_RATE, 3.141592653589793},
      {"2 rad/s", FF_QUANTITY_RATE, 2},
      {"36km/h", FF_QUANTITY_SPEED, 10},
      {"20cm/s", FF_QUANTITY_SPEED, 0.2},
      {"2kN", FF_QUANTITY_FORCE, 2000},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    double value = NAN;
    ff_error error;
    if (ff_quantity_read(cases[i].text, cases[i].quantity, 0, &value, &error) != FF_OK)
      fail_msg("'%s': %s", cases[i].text, error.message);
    if (!(fabs(value - cases[i].value) <= 4e-16 * fabs(cases[i].value))) // number and factor round once each
      fail_msg("'%s' is %.17g, not %.17g", cases[i].text, value, cases[i].value);
  }
}

static void what_is_no_quantity_is_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    ff_quantity quantity;
    int needs_unit;
    const char *words;
  } cases[] = {
      {"", FF_QUANTITY_TIME, 0, "not a number; expected a time"},
      {"fast", FF_QUANTITY_TIME, 0, "not a number"},
      {"nan", FF_QUANTITY_NUMBER, 0, "not a number"},
      {"inf", FF_QUANTITY_NUMBER, 0, "not a number"},
      {"0x10", FF_QUANTITY_NUMBER, 0, "not a number"},
      {"-", FF_QUANTITY_NUMBER, 0, "not a number"},
      {"1e999", FF_QUANTITY_NUMBER, 0, "too large"},
      {"1e308MN/m", FF_QUANTITY_STIFFNESS, 0, "too large"},
      {"2m", FF_QUANTITY_TIME, 0, "the unit 'm' is not known here"},
      {"2 x", FF_QUANTITY_NUMBER, 0, "'x' is superfluous"},
      {"10", FF_QUANTITY_ANGLE, 1, "needs a unit; expected an angle"},
      {"2msmsmsmsmsmsmsmsmsmsms", FF_QUANTITY_TIME, 0, "is not known here"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    double value = 7;
    ff_error error = {0};
    assert_int_equal(ff_quantity_read(cases[i].text, cases[i].quantity, cases[i].needs_unit, &value, &error),
                     FF_ERROR_PARSE);
    if (!strstr(error.message, cases[i].words))
      fail_msg("'%s': %s", cases[i].text, error.message);
    assert_true(value == 7); // left alone
    assert_int_equal(ff_quantity_read(cases[i].text, cases[i].quantity, cases[i].needs_unit, &value, NULL),
                     FF_ERROR_PARSE);
  }
  double value;
  assert_int_equal(ff_quantity_read("0", FF_QUANTITY_ANGLE, 1, &value, NULL), FF_OK); // the same in all units
}

// Every unit that is listed is read, each once.
static void units_that_are_listed_are_read(void **state)
{
  (void)state;
  int count = 0;
  for (int q = 0; q < FF_QUANTITY_COUNT; ++q) {
    assert_non_null(ff_quantity_name((ff_quantity)q));
    for (int i = 0; ff_quantity_unit((ff_quantity)q, i); ++i, ++count) {
      char text[64];
      double value = 0;
      snprintf(text, sizeof text, "2 %s", ff_quantity_unit((ff_quantity)q, i));
      assert_int_equal(ff_quantity_read(text, (ff_quantity)q, 1, &value, NULL), FF_OK);
      assert_true(value > 0);
      for (int k = 0; k < i; ++k)
        assert_string_not_equal(ff_quantity_unit((ff_quantity)q, k), ff_quantity_unit((ff_quantity)q, i));
    }
  }
  assert_true(count > 40);
  assert_null(ff_quantity_unit(FF_QUANTITY_NUMBER, 0));
  assert_string_equal(ff_quantity_unit(FF_QUANTITY_TIME, 1), "ms");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_are_read),
      cmocka_unit_test(what_is_no_quantity_is_refused),
      cmocka_unit_test(units_that_are_listed_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
