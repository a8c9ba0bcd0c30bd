// slow: some ten seconds. Twenty thousand random systems: the fast path of the frozen system against an exact
// exponential. test_frozen.c takes fewer.
// soak: frozen
#include "step/frozen/frozen_sweep.h"
#include "support/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_fast_path_meets_its_tolerance_many_times(void **state)
{
  (void)state;
  const int each = ffi_samples(3340);
  int first = 100000, tried = 0;
  for (double tolerance = 1e-3; tolerance > 0.5e-8; tolerance /= 10, first += each, tried += each)
    ffi_frozen_sweep(tolerance, 8, first, each);
  ffi_samples_tried(tried, "frozen systems");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fast_path_meets_its_tolerance_many_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
