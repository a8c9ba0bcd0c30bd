// slow: a hundred thousand random systems
//
// The fast path of the frozen system against an exact exponential: see test_frozen.c, which takes fewer.
#include "step/frozen_sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_fast_path_meets_its_tolerance_a_hundred_thousand_times(void **state)
{
  (void)state;
  enum { EACH = 16700 };
  int first = 100000;
  for (double tolerance = 1e-3; tolerance > 0.5e-8; tolerance /= 10, first += EACH)
    ffi_frozen_sweep(tolerance, 8, first, EACH);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fast_path_meets_its_tolerance_a_hundred_thousand_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
