// slow: some ten seconds. Robots whose contacts have a slip flag fall: see drops.h. The flag brings no energy, and no
// step fails for it.
// soak: falls
#include "properties/falls/drops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int main(void)
{
  enum { ROBOTS = 3, CASTS = 2 * ROBOTS };
  static ffi_drops_cast casts[CASTS];
  struct CMUnitTest tests[CASTS];
  static const char *const names[CASTS] = {"solo12_1e5", "solo12_1e7",   "romeo_1e5",
                                           "romeo_1e7",  "starleth_1e5", "starleth_1e7"};
  for (int i = 0; i < CASTS; ++i) {
    casts[i] = (ffi_drops_cast){
        .robot = i / 2, .stiffness = i % 2 ? 1e7 : 1e5, .starts = 60, .contact_law = FF_LAW_SLIP_FLAG};
    tests[i] = (struct CMUnitTest){names[i], ffi_drops_throw_all, NULL, NULL, &casts[i]};
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
