// The order test of the event-selection paper, section 4: exact in the limit, of second order in epsilon.
#include "ode/ess_order_system.h"
#include "support/must.h"
#include "support/near.h"

#include <footfall/ess.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct watch {
  double sum; // of squared errors of the samples
  int samples;
  double times[3];
  int guards[3], crossings;
} watch;

static watch seen;

static void record(double t, const double *x, int guard, void *user)
{
  (void)user;
  double exact[3];
  ffi_order_exact(t, exact);
  for (int i = 0; i < 3; ++i)
    seen.sum += (x[i] - exact[i]) * (x[i] - exact[i]);
  ++seen.samples;
  if (guard < 0)
    return;
  assert_true(seen.crossings < 3);
  seen.times[seen.crossings] = t;
  seen.guards[seen.crossings++] = guard;
}

// Runs it; x is then the end. The RMS error over the integrator's own samples.
static double run(ff_ess_method method, double epsilon, double tolerance, double x[3])
{
  ff_ess_def def = ff_ess_def_default();
  def.system = ffi_order_system();
  def.method = method;
  def.epsilon = epsilon;
  def.relative_tolerance = def.absolute_tolerance = tolerance;
  def.record = record;
  ff_ess *ess;
  ff_error error;
  seen = (watch){0};
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  ffi_must(ff_ess_start(ess, 0, ffi_order_start, NULL, &error), &error);
  ffi_must(ff_ess_advance(ess, ffi_order_duration, &error), &error);
  assert_true(ff_ess_time(ess) == ffi_order_duration);
  memcpy(x, ff_ess_state(ess), 3 * sizeof *x);
  ff_ess_destroy(ess);
  return sqrt(seen.sum / seen.samples);
}

// The closed form of this test against the facts, which come from matrix exponentials.
static void test_closed_form(void **state)
{
  (void)state;
  double x[3];
  ffi_order_exact(ffi_order_duration, x);
  for (int i = 0; i < 3; ++i)
    ffi_check_near("end", x[i], ffi_order_end[i], 2e-14);
}

static void check_run(ff_ess_method method, double epsilon, double tolerance, double allowed)
{
  double x[3];
  run(method, epsilon, tolerance, x);
  assert_int_equal(seen.crossings, 3);
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(seen.guards[i], ffi_order_sequence[i]);
    ffi_check_near("time", seen.times[i], ffi_order_times[i], allowed);
    ffi_check_near("end", x[i], ffi_order_end[i], allowed);
  }
}

// Errors of the steps are 1e-13 each and there are hundreds; after the crossing of x they grow by exp(1.3).
static void test_locate_is_exact(void **state)
{
  (void)state;
  check_run(FF_ESS_LOCATE, 1, 1e-13, 2e-12);
}

// At epsilon 1e-6 the error is some epsilon^2.
static void test_project_is_exact_in_the_limit(void **state)
{
  (void)state;
  check_run(FF_ESS_PROJECT, 1e-6, 1e-13, 2e-11);
}

// As in the paper: 40 widths, logspace(0.3, -4.4), and a line through numbers 9 to 33 of them.
static void test_second_order(void **state)
{
  (void)state;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const int first = 9, last = 33, n = last - first + 1;
  for (int i = first; i <= last; ++i) {
    double x[3];
    const double epsilon = pow(10, 0.3 - 4.7 * i / 39), rms = run(FF_ESS_PROJECT, epsilon, 1e-12, x);
    const double a = log(epsilon), b = log(rms);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  const double order = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  print_message("order %.4f\n", order);
  assert_true(order >= 1.95 && order < 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_closed_form),
      cmocka_unit_test(test_locate_is_exact),
      cmocka_unit_test(test_project_is_exact_in_the_limit),
      cmocka_unit_test(test_second_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
