// Sine and cosine against long double: from the source, and on every instruction set through a hinge.

#include "dynamics/cases.h"

#define FFI_LANES 1
#define FFI_ISA base
#include "dynamics/sincos.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SAMPLES = 200000 };

// A way to compute sine and cosine of `count` angles.
typedef struct method {
  const char *name;
  ff_dynamics *dynamics; // of a hinge about z; NULL: sincos_lanes itself
} method;

static void evaluate(const method *m, int count, const double *x, double *s, double *c)
{
  if (!m->dynamics) {
    for (int k = 0; k < count; ++k)
      sincos_lanes(x[k], &s[k], &c[k]);
    return;
  }
  const int lanes = ff_dynamics_lanes(m->dynamics);
  for (int k = 0; k < count; k += lanes) {
    double q[8], R[9 * 8];
    for (int r = 0; r < lanes; ++r)
      q[r] = x[k + r < count ? k + r : count - 1];
    ff_dynamics_kinematics(m->dynamics, q, NULL, NULL);
    ff_dynamics_frame_pose(m->dynamics, 1, NULL, R);
    for (int r = 0; r < lanes && k + r < count; ++r) {
      c[k + r] = R[r];             // R_xx
      s[k + r] = R[3 * lanes + r]; // R_yx
    }
  }
}

static ff_model *hinge(void)
{
  ff_link_def link = ff_link_def_default();
  link.name = "hand";
  link.joint.type = FF_JOINT_CONTINUOUS;
  link.joint.axis[2] = 1;
  link.inertia.mass = 1;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 1;
  return ffi_chain(1, &link);
}

// Run a check by every method this machine has.
static void by_every_method(void (*check)(const method *m))
{
  ff_model *model = hinge();
  check(&(method){"from the source", NULL});
  for (ff_isa isa = FF_ISA_BASE; isa <= ff_isa_best(); ++isa)
    for (int wide = 0; wide < 2; ++wide) {
      const ff_dynamics_def def = {.lanes = wide ? FF_LANES_WIDE : 1, .isa = isa, .max_points = 1};
      method m = {ff_isa_name(isa), NULL};
      assert_int_equal(ff_dynamics_create(model, &def, &m.dynamics, NULL), FF_OK);
      check(&m);
      ff_dynamics_destroy(m.dynamics);
    }
  ff_model_destroy(model);
}

// It is not on some machines, and not under valgrind.
static int is_long_double_better(void)
{
  volatile long double one = 1;
  return one + 0x1p-60L != one;
}

// Error in units in the last place of the true value; up to 1e-28 counts as none (see sincos.h).
static double in_ulp(double got, long double want)
{
  const double rounded = (double)want;
  const double ulp = nextafter(fabs(rounded), INFINITY) - fabs(rounded);
  const long double error = fabsl((long double)got - want);
  return error <= 1e-28L && fabs(rounded) > 1e-300 ? 0 : (double)(error / (long double)ulp);
}

typedef double choose(ffi_random *random, int k);

// The worst error over SAMPLES angles, in ulp or absolute.
static double worst(const method *m, choose *angle, int is_relative)
{
  static double x[SAMPLES], s[SAMPLES], c[SAMPLES];
  ffi_random random = ffi_random_seed(4);
  double error = 0;
  for (int k = 0; k < SAMPLES; ++k)
    x[k] = angle(&random, k);
  evaluate(m, SAMPLES, x, s, c);
  for (int k = 0; k < SAMPLES; ++k) {
    const long double sine = sinl((long double)x[k]), cosine = cosl((long double)x[k]);
    const double one = is_relative ? in_ulp(s[k], sine) : (double)fabsl((long double)s[k] - sine);
    const double other = is_relative ? in_ulp(c[k], cosine) : (double)fabsl((long double)c[k] - cosine);
    if (!(fmax(one, other) <= error))
      error = fmax(one, other);
  }
  return error;
}

static double one_turn(ffi_random *random, int k)
{
  (void)random;
  return 6.3 * (2.0 * k / SAMPLES - 1);
}
static double many_turns(ffi_random *random, int k)
{
  (void)k;
  return ffi_random_between(random, -1e5, 1e5);
}
static double tiny(ffi_random *random, int k)
{
  return ldexp(ffi_random_between(random, -1, 1), -(k % 300));
}
// The numbers nearest to multiples of pi/2, and their neighbours: most of the angle cancels here.
static double near_quarters(ffi_random *random, int k)
{
  (void)random;
  double x = (double)((k / 5 - SAMPLES / 10) * 1.57079632679489661923132169163975144L);
  for (int step = 0; step < k % 5; ++step)
    x = nextafter(x, step % 2 ? 1e9 : -1e9);
  return x;
}
static double up_to_a_million(ffi_random *random, int k)
{
  (void)k;
  return ffi_random_between(random, -1e6, 1e6);
}
static double up_to_a_billion(ffi_random *random, int k)
{
  (void)k;
  return ffi_random_between(random, -1e9, 1e9);
}

static int has_fma(const method *m)
{
  return m->dynamics && ff_dynamics_isa(m->dynamics) != FF_ISA_BASE;
}

// What sincos.h promises up to 1e5, near the zeros too.
static void check_ulp(const method *m)
{
  const double a = worst(m, one_turn, 1), b = worst(m, many_turns, 1), c = worst(m, tiny, 1);
  const double d = worst(m, near_quarters, 1), limit = has_fma(m) ? 1.6 : 2.5;
  print_message("  %-16s ulp: %.3f within a turn, %.3f to 1e5, %.3f of tiny ones, %.3f near zeros\n", m->name,
                a, b, c, d);
  assert_true(fmax(fmax(a, b), fmax(c, d)) <= limit);
}

static void errors_in_ulp(void **state)
{
  (void)state;
  if (!is_long_double_better())
    skip();
  by_every_method(check_ulp);
}

// For larger angles the header promises an absolute error.
static void check_absolute(const method *m)
{
  const double a = worst(m, up_to_a_million, 0), b = has_fma(m) ? worst(m, up_to_a_billion, 0) : 0;
  print_message("  %-16s %.2e to 1e6, %.2e to 1e9\n", m->name, a, b);
  assert_true(a <= 1e-15);
  assert_true(b <= 1e-15);
}

static void absolute_errors_of_large_angles(void **state)
{
  (void)state;
  if (!is_long_double_better())
    skip();
  by_every_method(check_absolute);
}

static void check_special(const method *m)
{
  const double x[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 5e-324, -5e-324, 1e-310};
  enum { COUNT = sizeof x / sizeof x[0] };
  double s[COUNT], c[COUNT];
  evaluate(m, COUNT, x, s, c);
  for (int k = 0; k < COUNT; ++k) {
    if (!isfinite(x[k])) {
      assert_true(isnan(s[k]) && isnan(c[k]));
      continue;
    }
    assert_true(s[k] == x[k]); // sin x = x to rounding
    assert_true(c[k] == 1);
  }
}

static void zeros_tiny_numbers_and_no_numbers(void **state)
{
  (void)state;
  by_every_method(check_special);
}

// sin^2 + cos^2 = 1, sin(-x) = -sin(x), cos(-x) = cos(x).
static void check_identities(const method *m)
{
  enum { COUNT = 10000 };
  static double x[COUNT], y[COUNT], s[COUNT], c[COUNT], t[COUNT], d[COUNT];
  ffi_random random = ffi_random_seed(6);
  for (int k = 0; k < COUNT; ++k) {
    x[k] = ffi_random_between(&random, -1000, 1000);
    y[k] = -x[k];
  }
  evaluate(m, COUNT, x, s, c);
  evaluate(m, COUNT, y, t, d);
  for (int k = 0; k < COUNT; ++k) {
    assert_true(s[k] == -t[k] && c[k] == d[k]);
    assert_true(fabs(s[k] * s[k] + c[k] * c[k] - 1) <= 4 * DBL_EPSILON);
  }
}

static void identities_hold(void **state)
{
  (void)state;
  by_every_method(check_identities);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_in_ulp),
      cmocka_unit_test(absolute_errors_of_large_angles),
      cmocka_unit_test(zeros_tiny_numbers_and_no_numbers),
      cmocka_unit_test(identities_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
