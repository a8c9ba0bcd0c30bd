// footfall bench python: the rows of an interpreter are shown and saved, and what goes wrong with it is told. What
// Python measures is tested with the package; here a script speaks in its place.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static void speak(const char *script)
{
  const char *path = ffi_write_file("python", script, (int)strlen(script));
  assert_int_equal(chmod(path, 0700), 0);
  assert_int_equal(setenv("FOOTFALL_PYTHON", path, 1), 0);
}

static void rows_are_shown_and_saved(void **state)
{
  (void)state;
  speak("#!/bin/sh\n"
        "[ \"$1 $2 $3\" = '-m footfall.measure --quick' ] || exit 1\n"
        "echo 'not a row'\n"
        "printf 'python\\tstep:overhead\\t0.25\\tus\\n'\n"
        "printf 'python\\tbatch:4096:overhead\\t-1.5e0\\t%%\\n'\n");
  ffi_json_value *rows = ffi_bench_rows("python --quick");
  ffi_bench_check_schema(rows, 0);
  assert_true(ffi_bench_need(rows, "python", "step:overhead", "us") == 0.25);
  assert_true(ffi_bench_need(rows, "python", "batch:4096:overhead", "%") == -1.5);
  ffi_json_free(rows);
  ffi_output table = ffi_run("", "bench python --quick");
  assert_int_equal(table.status, 0);
  assert_non_null(strstr(table.out, "step:overhead"));
  assert_non_null(strstr(table.out, "0.25"));
  assert_null(strstr(table.out, "not a row"));
  ffi_output_free(&table);
}

static void what_goes_wrong_is_told(void **state)
{
  (void)state;
  static const char *const scripts[] = {"#!/bin/sh\nexit 1\n", "#!/bin/sh\n",
                                        "#!/bin/sh\nprintf 'python\\tstep\\tmany\\tus\\n'\n",
                                        "#!/bin/sh\nprintf 'python\\tstep\\t1\\tus\\n'; exit 3\n"};
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; ++i) {
    speak(scripts[i]);
    ffi_output said = ffi_run("", "bench python --quick");
    assert_int_equal(said.status, 1);
    assert_non_null(strstr(said.err, "./dev python"));
    ffi_output_free(&said);
  }
  assert_int_equal(setenv("FOOTFALL_PYTHON", "/no'such", 1), 0);
  ffi_bench_check_refusal("python", 2, "FOOTFALL_PYTHON");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_shown_and_saved),
      cmocka_unit_test(what_goes_wrong_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
