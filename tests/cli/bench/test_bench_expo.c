// footfall bench expo: its tables and what it refuses. What its rows say: test_bench_expo_rows.c.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void tables_are_printed(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "bench expo --quick --case slope");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "expo-paper"));
  assert_null(strstr(output.out, "motors"));
  ffi_output_free(&output);
  output = ffi_run("", "bench expo --quick --case slope --markdown");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "\n| expo | "));
  ffi_output_free(&output);
}

static void mistakes_are_told(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"exop", 2, "did you mean 'expo'?"},
      {"expo --case lending", 2, "did you mean 'landing'?"},
      {"expo --case tower", 2, "slope"},
      {"expo now", 2, "unexpected argument 'now'"},
      {"expo --frobnicate", 2, "'footfall bench expo --help' lists the options"},
      {"expo --json /no/such/folder/x.json", 1, "/no/such/folder/x.json: cannot be written"},
      {"expo --models /no/such/folder", 1, "/no/such/folder/solo12.urdf: cannot be read"},
  };
  static const char *const words[] = {"--case NAME", NULL};
  (void)state;
  ffi_bench_check_refusals(refusals, sizeof refusals / sizeof *refusals);
  ffi_bench_check_help("expo", words);
}

int main(void)
{
  const struct CMUnitTest options[] = {
      cmocka_unit_test(tables_are_printed),
      cmocka_unit_test(mistakes_are_told),
  };
  return cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
