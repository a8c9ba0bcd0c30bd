// slow: half a minute. solo12 falls four hundred times: see drops.h.
// soak: falls
#include "properties/falls/drops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int main(void)
{
  static ffi_drops_cast casts[] = {{.robot = 0, .stiffness = 1e5}, {.robot = 0, .stiffness = 1e7}};
  const struct CMUnitTest tests[] = {
      {"solo12_1e5", ffi_drops_throw_all, NULL, NULL, &casts[0]},
      {"solo12_1e7", ffi_drops_throw_all, NULL, NULL, &casts[1]},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
