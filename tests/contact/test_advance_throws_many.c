// slow: some ten seconds. Twenty thousand throws: no contact of thin and fast things is missed.
// soak: throws
#include "contact/throws.h"
#include "support/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void no_contact_is_missed(void **state)
{
  (void)state;
  const int throws = ffi_samples(20000);
  const throws_result r = throws_run(2, throws);
  assert_true(r.hits > 0.3 * throws && r.misses > 0.03 * throws);
  assert_true(
      r.left <
      1e-8); // the root of rounding times the wall: so well the direction of the nearest points is known
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_contact_is_missed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
