// What differs from run to run: texts that say it, those that are refused, and draws against their distributions.
#include "scene/scene_vary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double DEGREE = 0.017453292519943295;

static ffi_scene_varied read_good(const char *text)
{
  ffi_scene_varied v;
  ff_error error;
  if (ffi_scene_vary_read(text, &v, &error) != FF_OK)
    fail_msg("%s: %s", text, error.message);
  return v;
}

static void ranges_lists_and_widths_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double low, high;
    int count;
  } cases[] = {
      {"material.friction=0.3..1.0", 0.3, 1, 0},
      {"material.stiffness=50..100kN/m", 5e4, 1e5, 0}, // the unit at the end is that of both
      {"material.stiffness=5e4..1e5", 5e4, 1e5, 0},
      {"material.stiffness=5e4N/m..100kN/m", 5e4, 1e5, 0},
      {"ground.slope=-5..10deg", -5 * 0.017453292519943295, 10 * 0.017453292519943295, 0},
      {"ground.slope=0..0.1rad", 0, 0.1, 0},
      {"mass=0.1", 0.9, 1.1, 0}, // a factor
      {"start.yaw=90deg", -90 * 0.017453292519943295, 90 * 0.017453292519943295, 0},
      {"pushes.magnitude=0.9", 1 - 0.9, 1 + 0.9, 0},
      {"pushes.time=0.5s", 0, 0.5, 0}, // later only, as in a scene
      {"start.z=1,2,5cm", 0.01, 0.05, 3},
      {"mass=2,1", 1, 2, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const ffi_scene_varied v = read_good(cases[i].text);
    if (fabs(v.low - cases[i].low) > 1e-15 * (1 + fabs(v.low)) ||
        fabs(v.high - cases[i].high) > 1e-15 * (1 + fabs(v.high)) || v.count != cases[i].count)
      fail_msg("%s: %.17g to %.17g, %d", cases[i].text, v.low, v.high, v.count);
  }
}

static void what_is_wrong_is_said(void **state)
{
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"", "must be FIELD=RANGE"},
      {"material.friction", "must be FIELD=RANGE"},
      {"=1..2", "must be FIELD=RANGE"},
      {"material.frction=0.3..1", "did you mean 'material.friction'? These fields can: material.stiffness"},
      {"duration=1..2", "start.joints"}, // lists all
      {"material.friction=1..0.3", "is empty"},
      {"material.friction=0.3..0.3", "is empty"},
      {"material.friction=-0.1..1", "'-0.1' must be at least 0"},
      {"material.stiffness=0..1e5", "'0' must be above 0"},
      {"material.restitution=0..1.5", "'1.5' must be at most 1"},
      {"material.friction=0.5", "must be a range such as"},
      {"material.friction=", "must be a range such as"},
      {"material.friction=0.1..inf", "not a number"},
      {"material.friction=nan..1", "not a number"},
      {"material.friction=0.1..1e999", "too large"},
      {"material.friction=0.1..", "not a number"},
      {"material.friction=0.1,,0.3", "not a number"},
      {"material.friction=0.1..1m", "superfluous"},
      {"ground.slope=0..10", "needs a unit"},
      {"ground.slope=0..90deg", "must be at most"},
      {"mass=1.5", "at most 1"},
      {"mass=-0.1", "must be above 0"},
      {"start.x=0", "must be above 0"},
      {"start.x=1kg", "the unit 'kg' is not known here"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_scene_varied v;
    ff_error error = {0};
    assert_int_not_equal(ffi_scene_vary_read(cases[i].text, &v, &error), FF_OK);
    if (!strstr(error.message, cases[i].words))
      fail_msg("%s: '%s' where '%s' should be", cases[i].text, error.message, cases[i].words);
  }
}

// Every field has a name of its own, a stream of its own, and reads a range.
static void fields_are_told_apart(void **state)
{
  (void)state;
  ff_scene_variable a, b;
  int count = 0;
  for (; ff_scene_variable_at(count, &a); ++count) {
    char text[128];
    snprintf(text, sizeof text, "%s=0.5,0.75%s", a.name, a.quantity == FF_QUANTITY_ANGLE ? "rad" : "");
    const uint32_t stream = read_good(text).stream;
    assert_true(strlen(a.meaning) > 5);
    for (int k = 0; k < count; ++k) {
      assert_true(ff_scene_variable_at(k, &b) && strcmp(a.name, b.name) != 0);
      snprintf(text, sizeof text, "%s=0.5,0.75%s", b.name, b.quantity == FF_QUANTITY_ANGLE ? "rad" : "");
      assert_int_not_equal(stream, read_good(text).stream);
    }
  }
  assert_int_equal(count, 30);
  assert_false(ff_scene_variable_at(-1, &a));
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Kolmogorov's distance is above 2 / sqrt(N) with a probability of 7e-4; of six seeds, none here.
static void ranges_are_drawn_evenly(void **state)
{
  (void)state;
  enum { COUNT = 10000 };
  static double x[COUNT];
  const ffi_scene_varied v = read_good("ground.slope=-10..30deg");
  for (uint64_t seed = 0; seed < 6; ++seed) {
    double distance = 0;
    for (int i = 0; i < COUNT; ++i)
      x[i] = ffi_scene_vary_draw(&v, seed, (uint64_t)i, 0);
    qsort(x, COUNT, sizeof x[0], compare);
    assert_true(x[0] >= -10 * DEGREE && x[COUNT - 1] < 30 * DEGREE);
    for (int i = 0; i < COUNT; ++i) {
      const double part = (x[i] / DEGREE + 10) / 40;
      const double apart = fmax(part - (double)i / COUNT, (i + 1.0) / COUNT - part);
      if (apart > distance) // with fmax() gcc 12 for 64-bit ARM fails here
        distance = apart;
    }
    if (distance > 2 / sqrt(COUNT))
      fail_msg("seed %d: distance %g", (int)seed, distance);
  }
}

// Each of three values as often: a standard deviation of sqrt(2 N / 9); four of them.
static void lists_are_drawn_evenly(void **state)
{
  (void)state;
  enum { COUNT = 9000 };
  const ffi_scene_varied v = read_good("mass=0.8,1,1.3");
  int counts[3] = {0};
  for (int i = 0; i < COUNT; ++i) {
    const double x = ffi_scene_vary_draw(&v, 5, (uint64_t)i, 0);
    const int which = x == 0.8 ? 0 : x == 1 ? 1 : 2;
    assert_true(which < 2 || x == 1.3);
    ++counts[which];
  }
  for (int k = 0; k < 3; ++k)
    assert_true(fabs(counts[k] - COUNT / 3.0) < 4 * sqrt(2.0 * COUNT / 9));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_lists_and_widths_are_read),
      cmocka_unit_test(what_is_wrong_is_said),
      cmocka_unit_test(fields_are_told_apart),
      cmocka_unit_test(ranges_are_drawn_evenly),
      cmocka_unit_test(lists_are_drawn_evenly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
