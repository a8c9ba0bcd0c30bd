// slow: some ten seconds. The order of expo through touch-downs, slips and sticks: of many landings of solo12 together,
// against a truth that is rk4's. See landings.h. Lift-offs are in test_order_hops.c.
//
// The bar is 1.85 for the slope of the medians and of the geometric means, from 4 ms to 31 us.
// slow: fine reference solutions
#include "properties/order/landings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double least_order = 1.85;

static void check(const ffi_landings *l)
{
  const ffi_landings_order order = ffi_landings_measure(l);
  assert_true(order.touchdowns >= 3 * l->count);
  assert_int_equal(order.rows, l->rows); // two truths agree to a tenth of the least errors
  if (!(order.median >= least_order && order.mean >= least_order))
    fail_msg("orders %.3f (median) and %.3f (geometric mean), not %g", order.median, order.mean, least_order);
}

static void landings_that_stick(void **state)
{
  (void)state;
  const ffi_landings l = {
      .robot = "solo12", .count = 12, .friction = 10, .coarsest = 16, .rows = 8, .truth = 8192};
  check(&l);
}

static void landings_that_slide_and_stick(void **state)
{
  (void)state;
  const ffi_landings l = {
      .robot = "solo12", .count = 12, .friction = 1, .coarsest = 16, .rows = 8, .truth = 8192};
  check(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landings_that_stick),
      cmocka_unit_test(landings_that_slide_and_stick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
