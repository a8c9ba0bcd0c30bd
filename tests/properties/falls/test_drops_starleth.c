// slow: half a minute. starleth falls four hundred times: see drops.h.
// soak: falls
#include "properties/falls/drops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int main(void)
{
  static ffi_drops_cast casts[] = {{.robot = 2, .stiffness = 1e5}, {.robot = 2, .stiffness = 1e7}};
  const struct CMUnitTest tests[] = {
      {"starleth_1e5", ffi_drops_throw_all, NULL, NULL, &casts[0]},
      {"starleth_1e7", ffi_drops_throw_all, NULL, NULL, &casts[1]},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
