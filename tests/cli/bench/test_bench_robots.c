// slow: ten seconds. footfall bench robots: the rows it writes and what it refuses. Which of the two is faster is not
// judged here, only that the figures are there and fit each other, and that both robots do the same.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char robots[] = FFI_TEST_SOURCE_DIR "/tests/new_user/robots";

// Two robots that stand by their motors, of which one has servos of its own; one that is fixed to the world.
static const char *const chosen[] = {"quad.urdf", "servo_humanoid.xml", "arm.urdf"};

static ffi_json_value *rows_of(const char *name, const char *environment)
{
  char arguments[700];
  snprintf(arguments, sizeof arguments, "robots --quick --models '%s' --case %s --html '%s'", robots, name,
           ffi_scratch_path("robots.html"));
  return ffi_bench_rows_with(environment, arguments);
}

static void check_figures(const ffi_json_value *rows, const char *name)
{
  const double ours = ffi_bench_need(rows, name, "step:expo", "us"),
               theirs = ffi_bench_need(rows, name, "mujoco:step", "us"),
               ratio = ffi_bench_need(rows, name, "speed_over_mujoco", "ratio");
  assert_true(ours > 0.03 && ours < 1e6 && theirs > 0.03 && theirs < 1e6);
  assert_true(fabs(ratio * ours - theirs) < 1e-4 * theirs); // six digits are written
  assert_true(ffi_bench_need(rows, name, "pieces", "per step") >= 1);
  assert_true(ffi_bench_need(rows, name, "factorisations", "per step") > 0);
  assert_true(ffi_bench_need(rows, name, "contacts", "contacts") >= 0);
  assert_true(ffi_bench_need(rows, name, "phase:integral", "us") > 0);
  assert_true(ffi_bench_need(rows, "robots", "median", "ratio") == ratio); // of one
  assert_true(ffi_bench_need(rows, "robots", "least", "ratio") == ratio);
  assert_true(ffi_bench_need(rows, "robots", "below_one", "robots") == (ratio < 1));
}

static void both_are_measured(void **state)
{
  (void)state;
  for (int i = 0; i < 3; ++i) {
    ffi_json_value *rows = rows_of(chosen[i], "");
    ffi_bench_check_schema(rows, 0);
    assert_true(ffi_bench_need(rows, "robots", "count", "robots") == 1);
    if (!ffi_bench_find_word(rows, "run", "mujoco")) {
      ffi_json_free(rows);
      skip(); // it is not there
    }
    check_figures(rows, chosen[i]);
    // After 2 s on their feet, or held, they are where they were: contacts differ by what they give, a few mm.
    assert_true(ffi_bench_need(rows, chosen[i], "apart", "m or rad") < 0.03);
    ffi_json_free(rows);
  }
}

static void the_page_is_whole(void **state)
{
  static const char *const words[] = {"Robots in expo and in MuJoCo", "quick variant", ".urdf", NULL};
  (void)state;
  ffi_bench_check_report("robots.html", words);
}

static void without_mujoco_ours_says_why(void **state)
{
  (void)state;
  ffi_json_value *rows = rows_of("arm.urdf", "FOOTFALL_MUJOCO=none");
  ffi_bench_check_schema(rows, 1);
  assert_string_equal(ffi_bench_find_word(rows, "arm.urdf", "why_not"), "FOOTFALL_MUJOCO=none");
  assert_true(ffi_bench_need(rows, "robots", "measured", "robots") == 0);
  ffi_json_free(rows);
}

// A robot that cannot be read is listed with its reason, and the others are measured.
static void a_bad_file_is_listed(void **state)
{
  char arguments[700];
  (void)state;
  ffi_write_file("broken.urdf", "<robot", 6);
  snprintf(arguments, sizeof arguments, "robots --quick --models '%s' --case broken.urdf",
           ffi_scratch_folder());
  ffi_json_value *rows = ffi_bench_rows(arguments);
  assert_non_null(strstr(ffi_bench_find_word(rows, "broken.urdf", "why_not"), "broken.urdf:1"));
  ffi_json_free(rows);
}

static void mistakes_are_told(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"robot", 2, "did you mean 'robots'?"},
      {"robots --case solo12.udrf", 2, "did you mean 'solo12.urdf'?"},
      {"robots --case a-robot-that-is-not-there", 2, "is not a robot of this folder"},
      {"robots --models /no/such/folder", 1, "/no/such/folder: cannot be read"},
      {"robots --json /no/such/folder/x.json", 1, "/no/such/folder/x.json: cannot be written"},
      {"robots --isa avx", 2, "did you mean 'avx2'?"},
      {"robots now", 2, "unexpected argument 'now'"},
  };
  static const char *const words[] = {"--case NAME", "--models DIR", NULL};
  (void)state;
  ffi_bench_check_refusals(refusals, sizeof refusals / sizeof *refusals);
  ffi_bench_check_help("robots", words);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_are_measured),
      cmocka_unit_test(the_page_is_whole),
      cmocka_unit_test(without_mujoco_ours_says_why),
      cmocka_unit_test(a_bad_file_is_listed),
      cmocka_unit_test(mistakes_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
