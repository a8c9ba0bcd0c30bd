// slow: some ten seconds. The order of expo where feet leave the ground and come back: hops of solo12, their errors
// taken together. See landings.h for what is measured, and for how far the truth goes.
//
// The robot starts pressed 1 to 2 mm into the ground (K = 1e5 N/m, B = 300 N s/m), which throws its legs up: feet lift
// off one by one, fly, touch down, slide and stick, some of them more than once in 96 ms. The bar is 1.85 for both
// slopes, from 4 ms on.
// slow: fine reference solutions
#include "properties/order/landings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double least_order = 1.85;

static void hops_keep_the_order(void **state)
{
  (void)state;
  const ffi_landings l = {
      .robot = "solo12", .hops = 1, .count = 10, .friction = 1, .coarsest = 24, .rows = 7, .truth = 12288};
  const ffi_landings_order order = ffi_landings_measure(&l);
  // Some feet cease to push between two steps, which is no event inside one; those that land again have all left.
  assert_true(order.liftoffs >= l.count && order.touchdowns >= 2 * l.count);
  assert_true(order.slips >= l.count && order.sticks >= l.count);
  assert_true(order.rows >= 6); // 4 ms to 0.125 ms and beyond
  if (!(order.median >= least_order && order.mean >= least_order))
    fail_msg("orders %.3f (median) and %.3f (geometric mean), not %g", order.median, order.mean, least_order);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hops_keep_the_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
