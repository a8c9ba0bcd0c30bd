// Jumps, and what cannot be integrated: a bouncing ball up to the end of its bounces, guards that graze or chatter,
// fields that end, invalid input.
#include "support/must.h"
#include "support/near.h"

#include <footfall/ess.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81;
static const ff_ess_rearm self = {0, 0}, selves[2] = {{0, 0}, {1, 1}};

static ff_ess *must_create(const ff_ess_def *def)
{
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(def, &ess, &error), &error);
  return ess;
}

static int has(const char *text, const char *part)
{
  return strstr(text, part) != NULL;
}

// ---- Balls ------------------------------------------------------------------------------------------------

typedef struct balls {
  double restitution;
  int count; // x = (z, v) of each
} balls;

static int fall(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)side;
  for (int i = 0; i < ((balls *)user)->count; ++i) {
    dx[2 * i] = x[2 * i + 1];
    dx[2 * i + 1] = -g;
  }
  return 0;
}

static void depth(const double *x, double *h, void *user)
{
  for (int i = 0; i < ((balls *)user)->count; ++i)
    h[i] = -x[2 * i];
}

static int bounce(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)t;
  (void)side;
  const balls *b = user;
  memcpy(out, x, (size_t)(2 * b->count) * sizeof *x);
  out[2 * guard + 1] *= -b->restitution;
  return 0;
}

static ff_ess_def ball_def(balls *b, ff_ess_method method)
{
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){
      .size = 2 * b->count, .guards = b->count, .field = fall, .guard = depth, .reset = bounce, .user = b};
  def.method = method;
  def.epsilon = 1e-5;
  def.relative_tolerance = def.absolute_tolerance = 1e-12;
  def.rearm = selves;
  def.rearm_count = b->count;
  return def;
}

// Number i of the bounces of a ball that is dropped from z0, and the speed after it.
static double bounce_time(double z0, double e, int i, double *speed)
{
  const double first = sqrt(2 * z0 / g);
  double t = first, v = g * first;
  for (int k = 1; k <= i; ++k) {
    v *= e;
    t += 2 * v / g;
  }
  *speed = v * e;
  return t;
}

static void test_bouncing_ball(void **state)
{
  (void)state;
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    balls b = {0.8, 1};
    const ff_ess_def def = ball_def(&b, (ff_ess_method)method);
    ff_ess *ess = must_create(&def);
    ff_error error;
    ffi_must(ff_ess_start(ess, 0, (double[]){1, 0}, NULL, &error), &error);
    double allowed = 1e-10;
    for (int i = 0; i < 15; ++i) {
      int guard;
      double v;
      const double t = bounce_time(1, 0.8, i, &v), before = v / 0.8;
      if (method ==
          FF_ESS_PROJECT) // v + g epsilon / v is not sqrt(v^2 + 2 g epsilon); times follow with 4 / g
        allowed += pow(g * def.epsilon, 2) / pow(before, 3);
      ffi_must(ff_ess_next(ess, 100, &guard, &error), &error);
      assert_int_equal(guard, 0);
      ffi_check_near("time", ff_ess_time(ess), t, allowed);
      ffi_check_near("speed", ff_ess_state(ess)[1], v, allowed);
      assert_int_equal(ff_ess_side(ess)[0], -1);
    }
    ff_ess_destroy(ess);
  }
}

// Two balls that land together both bounce.
static void test_two_balls_at_once(void **state)
{
  (void)state;
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    balls b = {0.8, 2};
    const ff_ess_def def = ball_def(&b, (ff_ess_method)method);
    ff_ess *ess = must_create(&def);
    ff_error error;
    double v;
    const double t = 0.5 * (bounce_time(1, 0.8, 9, &v) + bounce_time(1, 0.8, 10, &v));
    ffi_must(ff_ess_start(ess, 0, (double[]){1, 0, 1, 0}, NULL, &error), &error);
    ffi_must(ff_ess_advance(ess, t, &error), &error);
    assert_int_equal(ff_ess_get_info(ess).crossings, 20);
    const double *x = ff_ess_state(ess);
    bounce_time(1, 0.8, 9, &v);
    ffi_check_near("height", x[0], v * v / (2 * g), 1e-8); // half way between bounces it is at the top
    ffi_check_near("height", x[2], v * v / (2 * g), 1e-8);
    ff_ess_destroy(ess);
  }
}

// The bounces of a ball come to an end in finite time, and that is said with the guard and the time. The state is the
// last good one: at rest on the ground.
static void test_zeno(void **state)
{
  (void)state;
  for (int i = 0; i < 4; ++i) {
    balls b = {i < 2 ? 0.5 : 0.9, 1};
    ff_ess_def def = ball_def(&b, i & 1 ? FF_ESS_LOCATE : FF_ESS_PROJECT);
    def.max_crossings = i < 2 ? 20 : 0;
    ff_ess *ess = must_create(&def);
    ff_error error;
    const double first = sqrt(2 / g), end = first * (1 + b.restitution) / (1 - b.restitution);
    ffi_must(ff_ess_start(ess, 0, (double[]){1, 0}, NULL, &error), &error);
    assert_int_equal(ff_ess_advance(ess, 100, &error), FF_ERROR_NUMERIC);
    char time[32];
    snprintf(time, sizeof time, "t = %g", ff_ess_time(ess));
    print_message("%s\n", error.message);
    assert_true(has(error.message, "guard 0") && has(error.message, time) && has(error.message, "Zeno"));
    // Bands are too wide for bounces that are not higher than they are, which are over after this time.
    const double rest = 2 * sqrt(2 * def.epsilon / g) / (1 - b.restitution);
    ffi_check_near("time", ff_ess_time(ess), end, i & 1 ? 1e-8 : rest);
    ffi_check_near("height", ff_ess_state(ess)[0], 0, 1e-8);
    ffi_check_near("speed", ff_ess_state(ess)[1], 0, 1e-5);
    ff_ess_destroy(ess);
  }
}

// ---- Grazing and chattering -------------------------------------------------------------------------------

static double ceiling;

static void to_ceiling(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0] - ceiling;
}

// A ball that is thrown up by 5 m/s passes a ceiling that is `below` its highest point with sqrt(2 g below), and
// misses one that is above it.
static ff_status throw_up(ff_ess_method method, double below, double liveness, ff_ess_info *info, double *t,
                          ff_error *error)
{
  balls b = {0, 1};
  ff_ess_def def = ball_def(&b, method);
  def.system.guard = to_ceiling;
  def.system.reset = NULL;
  def.rearm = &self;
  def.epsilon = 1e-3;
  def.liveness = liveness;
  ceiling = 25 / (2 * g) - below;
  ff_ess *ess = must_create(&def);
  ffi_must(ff_ess_start(ess, 0, (double[]){0, 5}, NULL, error), error);
  const ff_status status = ff_ess_advance(ess, 0.9, error);
  *info = ff_ess_get_info(ess);
  *t = ff_ess_time(ess);
  assert_true(isfinite(ff_ess_state(ess)[0]) && isfinite(ff_ess_state(ess)[1]));
  ff_ess_destroy(ess);
  return status;
}

static void test_grazing(void **state)
{
  (void)state;
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    ff_ess_info info;
    ff_error error;
    double t;
    assert_int_equal(throw_up((ff_ess_method)method, 1e-5, 0.1, &info, &t, &error), FF_ERROR_NUMERIC);
    print_message("%s\n", error.message);
    assert_true(has(error.message, "guard 0 grazes") && has(error.message, "t = 0.50"));
    ffi_check_near("time", t, 5 / g, 0.02);
    ffi_must(throw_up((ff_ess_method)method, 1e-5, 1e-3, &info, &t, &error),
             &error); // sqrt(2 g 1e-5) = 0.014
    assert_int_equal(info.crossings, 1);
    ffi_check_near("rate", info.slowest, sqrt(2 * g * 1e-5), 1e-6);
    ffi_must(throw_up((ff_ess_method)method, -1e-5, 0.1, &info, &t, &error),
             &error); // inside the band, never at zero
    assert_int_equal(info.crossings, 0);
    ffi_must(throw_up((ff_ess_method)method, -0.01, 0.1, &info, &t, &error), &error);
    assert_int_equal(info.crossings, 0);
  }
}

// A field that points to the surface from both sides slides along it: no event-selected system.
static int slide(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)x;
  (void)user;
  dx[0] = side[0] > 0 ? -1 : 1;
  dx[1] = 1;
  return 0;
}

static void both_ways(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0];
  h[1] = -x[0];
}

static void test_chattering(void **state)
{
  (void)state;
  const ff_ess_rearm rearm[] = {{0, 1}, {1, 0}};
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    ff_ess_def def = ff_ess_def_default();
    def.system = (ff_ess_system){.size = 2, .guards = 2, .field = slide, .guard = both_ways};
    def.method = (ff_ess_method)method;
    def.rearm = rearm;
    def.rearm_count = 2;
    ff_ess *ess = must_create(&def);
    ff_error error;
    ffi_must(ff_ess_start(ess, 0, (double[]){-1, 0}, NULL, &error), &error);
    assert_int_equal(ff_ess_advance(ess, 3, &error), FF_ERROR_NUMERIC);
    print_message("%s\n", error.message);
    assert_true(has(error.message, "guard ") && has(error.message, "t = 1") &&
                has(error.message, "chatters"));
    ffi_check_near("time", ff_ess_time(ess), 1, 1e-8);
    ffi_check_near("x", ff_ess_state(ess)[0], 0, 1e-8);
    ffi_check_near("y", ff_ess_state(ess)[1], 1, 1e-8);
    ff_ess_destroy(ess);
  }
}

// ---- Where callbacks have no value ------------------------------------------------------------------------

static int ends(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)side;
  (void)user;
  dx[0] = 1;
  return x[0] > 1;
}

static void square_root(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = sqrt(0.5 - x[0]) - 2;
}

static int no_reset(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)guard;
  (void)t;
  (void)side;
  (void)user;
  out[0] = x[0];
  return 1;
}

static void at_half(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0] - 0.5;
}

static void test_callbacks_that_fail(void **state)
{
  (void)state;
  const struct {
    ff_ess_system system;
    const char *words;
    double reached;
  } all[] = {
      {{.size = 1, .field = ends}, "t = ", 1},
      {{.size = 1, .guards = 1, .field = ends, .guard = square_root}, "guard 0 is not a number", 0.5},
      {{.size = 1, .guards = 1, .field = ends, .guard = at_half, .reset = no_reset}, "reset of guard 0", 0.5},
  };
  for (int i = 0; i < 3; ++i) {
    ff_ess_def def = ff_ess_def_default();
    def.system = all[i].system;
    def.max_step = 0.01;
    ff_ess *ess = must_create(&def);
    ff_error error;
    ffi_must(ff_ess_start(ess, 0, (double[]){0}, NULL, &error), &error);
    assert_int_equal(ff_ess_advance(ess, 2, &error), FF_ERROR_NUMERIC);
    print_message("%s\n", error.message);
    assert_true(has(error.message, all[i].words));
    ffi_check_near("time", ff_ess_time(ess), all[i].reached, 0.0101);
    ffi_check_near("state", ff_ess_state(ess)[0], ff_ess_time(ess), 1e-12);
    ff_ess_destroy(ess);
  }
}

static void test_guard_without_a_value_at_the_start(void **state)
{
  (void)state;
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){.size = 1, .guards = 1, .field = ends, .guard = square_root};
  ff_ess *ess = must_create(&def);
  ff_error error;
  assert_int_equal(ff_ess_start(ess, 7, (double[]){0.6}, NULL, &error), FF_ERROR_NUMERIC);
  assert_true(has(error.message, "guard 0 is not a number at t = 7"));
  assert_int_equal(ff_ess_advance(ess, 8, &error), FF_ERROR_ARGUMENT);
  ff_ess_destroy(ess);
}

// ---- Input ------------------------------------------------------------------------------------------------

static ff_ess_def good(void)
{
  static balls b = {0.5, 1};
  return ball_def(&b, FF_ESS_PROJECT);
}

static void refused(const ff_ess_def *def, const char *field)
{
  ff_ess *ess;
  ff_error error = {0};
  assert_int_equal(ff_ess_create(def, &ess, &error), FF_ERROR_ARGUMENT);
  assert_null(ess);
  if (!has(error.message, field))
    fail_msg("\"%s\" does not name %s", error.message, field);
}

#define REFUSED(field, change)                                                                               \
  do {                                                                                                       \
    ff_ess_def def = good();                                                                                 \
    change;                                                                                                  \
    refused(&def, field);                                                                                    \
  } while (0)

static void test_bad_input(void **state)
{
  (void)state;
  const ff_ess_rearm none = {0, 1};
  const double zero = 0;
  REFUSED("size", def.system.size = 0);
  REFUSED("size", def.system.size = 2000000000);
  REFUSED("guards", def.system.guards = 2000000000);
  REFUSED("tangent", def.system.tangent = -1);
  REFUSED("retract", def.system.tangent = 1);
  REFUSED("guards", def.system.guards = -1);
  REFUSED("field", def.system.field = NULL);
  REFUSED("guard", def.system.guard = NULL);
  REFUSED("method", def.method = (ff_ess_method)7);
  REFUSED("epsilon", def.epsilon = 0);
  REFUSED("epsilon", def.epsilon = NAN);
  REFUSED("epsilons", def.epsilons = &zero);
  REFUSED("band_time", def.band_time = -1);
  REFUSED("liveness", def.liveness = -1);
  REFUSED("chatter_time", def.chatter_time = NAN);
  REFUSED("max_crossings", def.max_crossings = -1);
  REFUSED("rearm_count", def.rearm_count = -1);
  REFUSED("rearm", def.rearm = NULL);
  REFUSED("rearm", def.rearm = &none);
  REFUSED("relative_tolerance", def.relative_tolerance = -1);
  REFUSED("absolute_tolerance", def.absolute_tolerance = INFINITY);
  REFUSED("absolute_tolerance", def.absolute_tolerance = def.relative_tolerance = 0);
  REFUSED("max_step", def.max_step = -1);
  REFUSED("fixed_step", def.fixed_step = NAN);
  REFUSED("max_steps", def.max_steps = 0);
}

static void test_bad_calls(void **state)
{
  (void)state;
  const ff_ess_def def = good();
  ff_ess *ess = must_create(&def);
  ff_error error;
  assert_int_equal(ff_ess_advance(ess, 1, &error), FF_ERROR_ARGUMENT);
  assert_true(has(error.message, "started"));
  assert_int_equal(ff_ess_start(ess, NAN, (double[]){1, 0}, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ess_start(ess, 0, (double[]){1, INFINITY}, NULL, &error), FF_ERROR_ARGUMENT);
  assert_true(has(error.message, "x: number 1"));
  assert_int_equal(ff_ess_start(ess, 0, (double[]){1, 0}, (signed char[]){0}, &error), FF_ERROR_ARGUMENT);
  assert_true(has(error.message, "side"));
  ffi_must(ff_ess_start(ess, 0, (double[]){1, 0}, NULL, &error), &error);
  ffi_must(ff_ess_advance(ess, 0.1, &error), &error);
  assert_int_equal(ff_ess_advance(ess, 0.05, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ess_advance(ess, NAN, &error), FF_ERROR_ARGUMENT);
  assert_true(has(error.message, "t_end"));
  assert_int_equal(ff_ess_create(NULL, &ess, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ess_create(&def, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ess_start(NULL, 0, (double[]){1, 0}, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ess_start(ess, 0, NULL, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ess_advance(NULL, 1, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_ess_next(ess, 1, NULL, &error), FF_ERROR_ARGUMENT);
  ff_ess_destroy(ess);
  ff_ess_destroy(NULL);
}

static void test_max_steps(void **state)
{
  (void)state;
  ff_ess_def def = good();
  def.fixed_step = 1e-3;
  def.max_steps = 100;
  ff_ess *ess = must_create(&def);
  ff_error error;
  ffi_must(ff_ess_start(ess, 0, (double[]){1, 0}, NULL, &error), &error);
  assert_int_equal(ff_ess_advance(ess, 1, &error), FF_ERROR_NUMERIC);
  assert_true(has(error.message, "max_steps"));
  ffi_check_near("time", ff_ess_time(ess), 0.1, 1e-12);
  ff_ess_destroy(ess);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bouncing_ball), cmocka_unit_test(test_two_balls_at_once),
      cmocka_unit_test(test_zeno),          cmocka_unit_test(test_grazing),
      cmocka_unit_test(test_chattering),    cmocka_unit_test(test_callbacks_that_fail),
      cmocka_unit_test(test_bad_input),     cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_max_steps),     cmocka_unit_test(test_guard_without_a_value_at_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
