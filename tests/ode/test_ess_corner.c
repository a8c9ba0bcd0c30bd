// Guards that are crossed together where only the first arms the second: a neighbour then cannot choose its own
// order.
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

// Guard 0 is x, guard 1 is x - y and armed by guard 0. The fields before, between and after: (1, 0.1), (1.5, -0.3),
// (2, 0.7).
static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t, (void)x, (void)user;
  dx[0] = side[0] < 0 ? 1 : side[1] < 0 ? 1.5 : 2;
  dx[1] = side[0] < 0 ? 0.1 : side[1] < 0 ? -0.3 : 0.7;
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0];
  h[1] = x[0] - x[1];
}

// From (-1, -0.1) both are met at t = 1, in the origin. By hand: a neighbour that is off by (a, b) meets guard 0 at 1
// - a, where y is b - 0.1 a; guard 1 follows after s = (b - 0.1 a) / 1.8; at t = 2 it is off by (2 a - 0.5 s, b + 0.6
// a - s). If s < 0 it is beyond guard 1 before that is armed, and does not cross it.
static void test_armed_within_the_corner(void **state)
{
  (void)state;
  const ff_ess_rearm rearm = {0, 1};
  const signed char side[2] = {-1, 1};
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){.size = 2, .guards = 2, .field = field, .guard = guard};
  def.rearm = &rearm, def.rearm_count = 1;
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  int refused = 0;
  for (int i = 0; i < 24; ++i) {
    const double a = cos(0.1 + i * 0.26), b = sin(0.1 + i * 0.26), s = (b - 0.1 * a) / 1.8;
    double x1[2], out[2];
    const ff_status status =
        ff_ess_derivative(ess, 0, (double[]){-1, -0.1}, side, 2, 1e-9, 1, (double[]){a, b}, x1, out, &error);
    assert_int_equal(status, s < 0 ? FF_ERROR_NUMERIC : FF_OK);
    if (s < 0) {
      assert_non_null(strstr(error.message, "guard 1"));
      ++refused;
      continue;
    }
    ffi_check_near("x", out[0], 2 * a - 0.5 * s, 1e-8); // rates by differences
    ffi_check_near("y", out[1], b + 0.6 * a - s, 1e-8);
  }
  assert_true(refused > 8 && refused < 16);
  ff_ess_destroy(ess);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_armed_within_the_corner)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
