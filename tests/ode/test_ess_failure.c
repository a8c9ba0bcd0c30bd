// After a callback has failed, at any call, the motion continues from the last valid state as if nothing had
// happened: against the closed form of a hopper.
#include "ode/ess_hopper.h"
#include "support/must.h"
#include "support/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ffi_hopper leg = {9.81, 20, 0};

// The call that fails, of all calls of the field and the reset.
static int call, failing;

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  return call++ == failing ? 1 : ffi_hopper_system(&leg).field(t, x, side, dx, user);
}

static int no_jump(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)guard, (void)t, (void)side, (void)user;
  memcpy(out, x, 2 * sizeof *x);
  return call++ == failing;
}

// Without a list the paper's rule is what arms.
static int failures_of_all_calls(ff_ess_method method, int has_list, double tolerance)
{
  const double end = 3;
  double exact[2];
  ffi_hopper_exact(&leg, 1.7, end, exact);
  ff_ess_def def = ff_ess_def_default();
  def.system = ffi_hopper_system(&leg);
  def.system.field = field;
  def.system.reset = no_jump;
  def.method = method;
  def.epsilon = 1e-5;
  def.relative_tolerance = def.absolute_tolerance = 1e-10;
  def.rearm = has_list ? ffi_hopper_rearm : NULL;
  def.rearm_count = has_list ? 2 : 0;
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  int failures = 0;
  for (failing = 1;; ++failing) { // number 0 is the start's
    call = 0;
    ffi_must(ff_ess_start(ess, 0, (double[]){1.7, 0}, NULL, &error), &error);
    if (ff_ess_advance(ess, end, &error) != FF_OK) {
      ++failures;
      ffi_must(ff_ess_advance(ess, end, &error), &error);
    }
    ffi_check_near("state", ffi_gap(2, ff_ess_state(ess), exact), 0, tolerance);
    if (call <= failing)
      break;
  }
  ff_ess_destroy(ess);
  return failures;
}

// A field that fails inside of an ordinary step shortens it. What ends the call is a failure at a crossing, or at the
// edge of a band: there are some of both in three seconds. Tolerances: of steps 1e-10, which a hop multiplies by 10;
// a straight line to lift-off is off by omega^2 epsilon^2 / 2 in energy, 2e-8 a hop, and that in times of some 4 s.
static void test_goes_on(void **state)
{
  (void)state;
  for (int has_list = 0; has_list < 2; ++has_list) {
    assert_true(failures_of_all_calls(FF_ESS_LOCATE, has_list, 1e-7) > 10);
    assert_true(failures_of_all_calls(FF_ESS_PROJECT, has_list, 1e-6) > 10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_goes_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
