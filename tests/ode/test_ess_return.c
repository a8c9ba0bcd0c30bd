// Maps from crossing to crossing and over a period, against motions whose derivatives are known: a hopper, a clock, a
// body that turns.
#include "ode/ess_hopper.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ff_ess *must_create(const ff_ess_def *def)
{
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(def, &ess, &error), &error);
  return ess;
}

static ff_ess_def tight(ff_ess_system system)
{
  ff_ess_def def = ff_ess_def_default();
  def.system = system;
  def.relative_tolerance = def.absolute_tolerance = 1e-12;
  return def;
}

// ---- The hopper -------------------------------------------------------------------------------------------

static ff_ess *new_hopper(ffi_hopper *p)
{
  ff_ess_def def = tight(ffi_hopper_system(p));
  def.rearm = ffi_hopper_rearm;
  def.rearm_count = 2;
  return must_create(&def);
}

// d period / d x0: fall times are v / g each, and the ground's is 2 / w atan2(v / w, -y0); v' = g / v.
static double period_slope(const ffi_hopper *p, double x0)
{
  const double v = sqrt(2 * p->g * (x0 - 1)), a = v / p->w, b = (p->preload - p->g) / (p->w * p->w);
  return (2 / p->g + 2 / p->w * b / (a * a + b * b) / p->w) * p->g / v;
}

// From its highest point the hopper returns after a period, wherever it was let go; higher, it is late by the slope
// of the period, and then it is still rising. A push at the top is a shift in time, which stays.
static void test_monodromy(void **state)
{
  (void)state;
  ffi_hopper all[] = {{9.81, 20, 0}, {9.81, 20, 30}, {9.81, 7, 4}};
  for (int i = 0; i < 3; ++i) {
    const double x0 = 1.6, late = period_slope(&all[i], x0);
    const double s = 1e-5,
                 by_differences =
                     (ffi_hopper_period(&all[i], x0 + s) - ffi_hopper_period(&all[i], x0 - s)) / (2 * s);
    ffi_check_near("slope of the period", late, by_differences, 1e-8);
    const double want[4] = {1, 0, 9.81 * late, 1};
    double D[4];
    ff_ess *ess = new_hopper(&all[i]);
    ff_error error;
    ffi_must(ff_ess_monodromy(ess, 0, (double[]){x0, 0}, NULL, ffi_hopper_period(&all[i], x0), D, &error),
             &error);
    ffi_check_near("monodromy", ffi_gap(4, D, want), 0, 1e-8);
    ffi_check_near("determinant", D[0] * D[3] - D[1] * D[2], 1, 1e-8); // it keeps areas
    ffi_check_near("back", ffi_gap(2, ff_ess_state(ess), (double[]){x0, 0}), 0, 1e-9);
    ff_ess_destroy(ess);
  }
}

// From the top to touch-down: v = sqrt(2 g (x - 1) + v0^2) wherever it begins.
static void test_to_touch_down(void **state)
{
  (void)state;
  ffi_hopper p = {9.81, 20, 30};
  ff_ess *ess = new_hopper(&p);
  ff_error error;
  double x1[2], period, D[4];
  const double x0 = 1.6, v0 = 0.5, v = sqrt(2 * 9.81 * 0.6 + 0.25);
  ffi_must(ff_ess_return_map(ess, 3, (double[]){x0, v0}, NULL, 0, 10, x1, &period, D, &error), &error);
  ffi_check_near("time", period, (v + v0) / 9.81, 1e-10);
  ffi_check_near("state", ffi_gap(2, x1, (double[]){1, -v}), 0, 1e-10);
  ffi_check_near("slope", ffi_gap(4, D, (double[]){0, 0, -9.81 / v, -v0 / v}), 0, 1e-8);
  assert_int_equal(ff_ess_side(ess)[0], 1);
  assert_int_equal(ff_ess_side(ess)[1], -1);
  ffi_check_near("now", ff_ess_time(ess), 3 + period, 1e-12);
  ff_ess_destroy(ess);
}

// From touch-down to touch-down, beginning on the guard itself. The speed comes back whatever it is: eigenvalue 1;
// displacements along the motion vanish.
static void test_touch_down_to_touch_down(void **state)
{
  (void)state;
  ffi_hopper p = {9.81, 20, 30};
  ff_ess *ess = new_hopper(&p);
  ff_error error;
  double x1[2], period, D[4];
  const double x0 = 1.6, v = sqrt(2 * 9.81 * 0.6), start[2] = {1, -v};
  const signed char side[2] = {1, -1};
  for (int is_given = 0; is_given < 2; ++is_given) {
    ffi_must(ff_ess_return_map(ess, 0, start, is_given ? side : NULL, 0, 10, x1, &period, D, &error), &error);
    ffi_check_near("time", period, ffi_hopper_period(&p, x0), 1e-10);
    ffi_check_near("state", ffi_gap(2, x1, start), 0, 1e-9);
    ffi_check_near("row of x", fabs(D[0]) + fabs(D[1]), 0, 1e-9);
    ffi_check_near("eigenvalue", D[3], 1, 1e-8);
    const double f[2] = {-v, p.preload - p.g}; // right after touch-down
    ffi_check_near("along the motion", D[2] * f[0] + D[3] * f[1], 0, 1e-7);
  }
  assert_int_equal(ff_ess_return_map(ess, 0, start, side, 0, 0.01, x1, &period, D, &error), FF_ERROR_NUMERIC);
  assert_non_null(strstr(error.message, "guard 0 is not crossed"));
  ff_ess_destroy(ess);
}

// ---- A section that arms itself ---------------------------------------------------------------------------

// A limit cycle: in polar coordinates r' = r (1 - r^2), angle' = 1. Section: the angle passes 0, where y rises
// through zero. Nearby motions come in with exp(-2) a unit of time.
static int cycle(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)side;
  (void)user;
  const double grow = 1 - x[0] * x[0] - x[1] * x[1];
  dx[0] = grow * x[0] - x[1];
  dx[1] = grow * x[1] + x[0];
  return 0;
}

static void axis(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[1];
}

static void test_limit_cycle(void **state)
{
  (void)state;
  const ff_ess_rearm self = {0, 0};
  ff_ess_def def = tight((ff_ess_system){.size = 2, .guards = 1, .field = cycle, .guard = axis});
  def.rearm = &self;
  def.rearm_count = 1;
  ff_ess *ess = must_create(&def);
  ff_error error;
  const double pi = 3.14159265358979323846, multiplier = exp(-4 * pi);
  const double starts[3][2] = {{1, 0}, {1, 1e-13}, {1, -1e-13}}; // rounding at the start must not matter
  for (int i = 0; i < 3; ++i) {
    double x1[2], period, D[4];
    ffi_must(ff_ess_return_map(ess, 0, starts[i], NULL, 0, 10, x1, &period, D, &error), &error);
    ffi_check_near("period", period, 2 * pi, 1e-10);
    ffi_check_near("state", ffi_gap(2, x1, (double[]){1, 0}), 0, 1e-10);
    ffi_check_near("multiplier", D[0], multiplier, 1e-10);
    ffi_check_near("rest", fabs(D[1]) + fabs(D[2]) + fabs(D[3]), 0, 1e-9);
  }
  double D[4];
  ffi_must(ff_ess_monodromy(ess, 0, starts[0], NULL, 2 * pi, D, &error), &error);
  ffi_check_near("monodromy", ffi_gap(4, D, (double[]){multiplier, 0, 0, 1}), 0, 1e-9);
  ff_ess_destroy(ess);
}

// ---- A body that turns: states on a manifold --------------------------------------------------------------

static void cross(const double *a, const double *b, double *out)
{
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// q = (x y z w) turned on by d, in body axes.
static void turn(const double *q, const double *d, double *out)
{
  const double angle = sqrt(dot(d, d)), s = angle > 1e-8 ? sin(angle / 2) / angle : 0.5;
  const double e[3] = {s * d[0], s * d[1], s * d[2]}, c = cos(angle / 2), w = q[3];
  double v[3];
  cross(q, e, v);
  out[3] = w * c - dot(q, e);
  for (int i = 0; i < 3; ++i)
    out[i] = w * e[i] + c * q[i] + v[i];
}

static void body_retract(const double *x, const double *d, double *out, void *user)
{
  (void)user;
  double q[4];
  turn(x, d, q);
  memcpy(out, q, sizeof q);
  for (int i = 0; i < 3; ++i)
    out[4 + i] = x[4 + i] + d[3 + i];
}

// d' = w + d x w / 2 + (1 - |d|/2 cot(|d|/2)) / |d|^2 d x (d x w).
static void body_pull(const double *x, const double *d, const double *velocity, double *rate, void *user)
{
  (void)x;
  (void)user;
  const double square = dot(d, d), angle = sqrt(square);
  const double c = angle > 1e-3 ? (1 - angle / 2 / tan(angle / 2)) / square : 1. / 12 + square / 720;
  double a[3], b[3];
  cross(d, velocity, a);
  cross(d, a, b);
  for (int i = 0; i < 3; ++i) {
    rate[i] = velocity[i] + a[i] / 2 + c * b[i];
    rate[3 + i] = velocity[3 + i];
  }
}

static void body_difference(const double *x, const double *y, double *d, void *user)
{
  (void)user;
  const double back[3] = {-x[0], -x[1], -x[2]};
  double v[3];
  cross(back, y, v);
  double w = x[3] * y[3] - dot(back, y);
  for (int i = 0; i < 3; ++i)
    v[i] += x[3] * y[i] + y[3] * back[i];
  const double sign = w < 0 ? -1 : 1, length = sqrt(dot(v, v));
  const double scale = length > 1e-12 ? 2 * atan2(length, sign * w) / length : 2;
  for (int i = 0; i < 3; ++i) {
    d[i] = sign * scale * v[i];
    d[3 + i] = y[4 + i] - x[4 + i];
  }
}

// Where an axis of the body points to, along z of the world.
static double pointing(const double *q, const double *body)
{
  double a[3], b[3];
  cross(q, body, a);
  for (int i = 0; i < 3; ++i)
    a[i] = 2 * a[i];
  cross(q, a, b);
  return body[2] + q[3] * a[2] + b[2];
}

typedef struct body {
  double inertia[3],
      torque[2][3]; // before and after the guard; in body axes, with a part that depends on orientation
  double level, kick;
} body;

static int body_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  const body *b = user;
  const double *w = x + 4, *I = b->inertia, *torque = b->torque[side[0] > 0];
  const double tilt = pointing(x, (double[]){1, 0, 0});
  memcpy(dx, w, 3 * sizeof *dx);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    dx[3 + i] = (torque[i] * (1 + tilt) - (I[k] - I[j]) * w[j] * w[k]) / I[i];
  }
  return 0;
}

static void body_guard(const double *x, double *h, void *user)
{
  h[0] = pointing(x, (double[]){0, 0.6, 0.8}) - ((const body *)user)->level;
}

static int body_reset(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)guard;
  (void)t;
  (void)side;
  const body *b = user;
  const double d[3] = {b->kick * x[5], 0, b->kick}; // it jerks, by what depends on its speed
  turn(x, d, out);
  for (int i = 0; i < 3; ++i)
    out[4 + i] = x[4 + i] * (1 - b->kick * pointing(x, d));
  return 0;
}

static ff_ess_system body_system(body *b)
{
  return (ff_ess_system){.size = 7,
                         .tangent = 6,
                         .guards = 1,
                         .field = body_field,
                         .guard = body_guard,
                         .reset = b->kick != 0 ? body_reset : NULL,
                         .retract = body_retract,
                         .pull = body_pull,
                         .difference = body_difference,
                         .user = b};
}

// A sphere that is turned about a fixed axis, with a torque that sets in at a guard: its angle is known. The axis
// that is watched leaves z by 0.8 cos(angle) + 0.6 sin(angle).
static void test_turning_about_an_axis(void **state)
{
  (void)state;
  body b = {{1, 1, 1}, {{0, 0, 0}, {2, 0, 0}}, 0.9, 0};
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    ff_ess_def def = tight(body_system(&b));
    def.method = (ff_ess_method)method;
    def.epsilon = 1e-5;
    ff_ess *ess = must_create(&def);
    ff_error error;
    ffi_must(ff_ess_start(ess, 0, (double[]){0, 0, 0, 1, 0.5, 0, 0}, NULL, &error), &error);
    ffi_must(ff_ess_advance(ess, 2, &error), &error);
    // body (0, 0.6, 0.8) turned about x by a: z = 0.6 sin a + 0.8 cos a = sin(a + atan2(0.8, 0.6)), which rises from
    // 0.8 to 0.9 at:
    const double angle = asin(0.9) - atan2(0.8, 0.6), when = angle / 0.5, after = 2 - when;
    const double w = 0.5 + 2 * after, end = angle + 0.5 * after + after * after;
    const double want[7] = {sin(end / 2), 0, 0, cos(end / 2), w, 0, 0};
    ffi_check_near("state", ffi_gap(7, ff_ess_state(ess), want), 0, method == FF_ESS_LOCATE ? 1e-10 : 1e-8);
    ff_ess_destroy(ess);
  }
}

// The derivative on the manifold against differences both ways, with a jump and without, in all directions of the
// tangent space.
static void test_derivative_on_a_manifold(void **state)
{
  (void)state;
  for (int i = 0; i < 2; ++i) {
    body b = {{1, 2, 2.7}, {{0.2, -0.1, 0.3}, {1, 0.5, -0.7}}, 0.9, i == 0 ? 0 : 0.1};
    const ff_ess_rearm none = {0, 0};
    ff_ess_def def = tight(body_system(&b));
    def.method = FF_ESS_LOCATE;
    def.rearm = &none;
    ff_ess *ess = must_create(&def);
    ff_error error;
    const double x0[7] = {0, 0, 0, 1, 0.9, 0.4, -0.3}, end = 1.5, s = 1e-4;
    double unit[36] = {0}, D[36], x1[7];
    for (int j = 0; j < 6; ++j)
      unit[7 * j] = 1;
    ffi_must(ff_ess_derivative(ess, 0, x0, NULL, end, 1e-9, 6, unit, x1, D, &error), &error);
    assert_int_equal(ff_ess_get_info(ess).crossings, 1);
    for (int j = 0; j < 6; ++j) {
      double d[6] = {0}, x[7], ends[2][6], want[6];
      for (int way = 0; way < 2; ++way) {
        d[j] = way ? s : -s;
        body_retract(x0, d, x, NULL);
        ffi_must(ff_ess_start(ess, 0, x, NULL, &error), &error);
        ffi_must(ff_ess_advance(ess, end, &error), &error);
        body_difference(x1, ff_ess_state(ess), ends[way], NULL);
      }
      for (int k = 0; k < 6; ++k)
        want[k] = (ends[1][k] - ends[0][k]) / (2 * s);
      ffi_check_near("column", ffi_gap(6, D + 6 * j, want), 0, 3e-7);
    }
    ff_ess_destroy(ess);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_monodromy),
      cmocka_unit_test(test_to_touch_down),
      cmocka_unit_test(test_touch_down_to_touch_down),
      cmocka_unit_test(test_limit_cycle),
      cmocka_unit_test(test_turning_about_an_axis),
      cmocka_unit_test(test_derivative_on_a_manifold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
