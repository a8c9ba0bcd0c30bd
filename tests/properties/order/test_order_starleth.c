// slow: some ten seconds. The order of expo when another robot lands, ten times as heavy as solo12: starleth on its
// four feet, which touch down, slide and stick. Errors of all landings taken together, from 4 ms
// to 0.25 ms; the bar is 1.85 for both slopes. See landings.h.
// slow: fine reference solutions
#include "properties/order/landings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double least_order = 1.85;

static void landings_keep_the_order(void **state)
{
  (void)state;
  const ffi_landings l = {
      .robot = "starleth", .count = 16, .friction = 1, .coarsest = 16, .rows = 5, .truth = 4096};
  const ffi_landings_order order = ffi_landings_measure(&l);
  assert_true(order.touchdowns >= 3 * l.count && order.slips >= l.count && order.sticks >= l.count);
  assert_int_equal(order.rows, l.rows); // two truths agree to a tenth of the least errors
  if (!(order.median >= least_order && order.mean >= least_order))
    fail_msg("orders %.3f (median) and %.3f (geometric mean), not %g", order.median, order.mean, least_order);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landings_keep_the_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
