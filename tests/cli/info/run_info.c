// Runs footfall info and checks that it worked.
#include "cli/info/run_info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

ffi_output ffi_run_info(const char *prefix, const char *options, const char *path)
{
  ffi_output output = ffi_run(prefix, "info %s '%s'", options, path);
  if (output.status != 0)
    fail_msg("info %s %s: exit status %d, %s", options, path, output.status, output.err);
  assert_string_equal(output.err, "");
  return output;
}
