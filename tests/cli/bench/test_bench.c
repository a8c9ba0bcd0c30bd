// slow: some ten seconds. footfall bench dynamics: the rows it writes and what it refuses. How fast the kernels are is
// not judged here, only that the figures are there, are possible, and that what is exact (operation counts, MuJoCo's
// robot) is right.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

// ---- Rows -------------------------------------------------------------------------------------------------

static char *read_text(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("%s was not written", path);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  const size_t length = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  assert_true(length > 0);
  return text;
}

// The rows of one quick run, shared by the tests below.
static int measure(void **state)
{
  char path[512], why[200];
  snprintf(path, sizeof path, "%s/rows.json", ffi_scratch_folder());
  ffi_output output = ffi_run("", "bench dynamics --quick --json '%s'", path);
  if (output.status != 0)
    fail_msg("exit status %d: %s", output.status, output.err);
  assert_string_equal(output.err, ""); // progress is for terminals
  assert_non_null(strstr(output.out, "solo12: 18 velocities"));
  assert_non_null(strstr(output.out, "romeo: 37 velocities"));
  ffi_output_free(&output);
  char *text = read_text(path);
  *state = ffi_json_parse(text, why);
  if (!*state)
    fail_msg("%s is not JSON: %s", path, why);
  free(text);
  return 0;
}

static double need(const ffi_json_value *rows, const char *which, const char *metric, const char *unit)
{
  const double value = ffi_bench_find(rows, which, metric, unit);
  if (!(value > 0))
    fail_msg("%s %s is %g", which, metric, value);
  return value;
}

static const char *const cases[] = {"solo12", "romeo"};

static void rows_have_the_schema(void **state)
{
  const ffi_json_value *rows = *state;
  ffi_bench_check_schema(rows, 0);
  assert_true(rows->count > 100);
}

static void every_kernel_has_a_time(void **state)
{
  // sincos and ltl are differences of two measurements, so on a busy machine they can come out at zero or below.
  static const char *const kernels[] = {
      "sincos",         "ltl",   "fk",  "fk_v",      "fk_va",   "rnea",     "bias",     "gravity",
      "crba",           "solve", "aba", "jacobians", "minv_jt", "delassus", "step_sum", "rnea_derivatives",
      "aba_derivatives"};
  char wide[64];
  for (int c = 0; c < 2; ++c) {
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
      snprintf(wide, sizeof wide, "%s_x8", kernels[k]);
      const double one = ffi_bench_find(*state, cases[c], kernels[k], "ns"),
                   many = ffi_bench_find(*state, cases[c], wide, "ns");
      const double least =
          k < 2 ? -1e6 : 1; // a nanosecond is three cycles; 10 ms is far above any debug build
      if (!(one > least && one < 1e7 && many > least && many < 1e7))
        fail_msg("%s %s: %g ns, wide %g ns", cases[c], kernels[k], one, many);
    }
    need(*state, cases[c], "integrate", "ns");
    need(*state, cases[c], "difference", "ns");
    const double lanes = need(*state, cases[c], "lanes_x8", "lanes");
    assert_true(lanes == 2 || lanes == 4 || lanes == 8);
    assert_true(need(*state, cases[c], "peak_scalar", "GF/s") < 1e3);
  }
  assert_true(ffi_bench_find(*state, "solo12", "points", "points") == 4);
  assert_true(ffi_bench_find(*state, "romeo", "points", "points") == 8);
}

// ---- What is exact ----------------------------------------------------------------------------------------

// Sums over the velocities of (d + 1)^2 and of d, d being how many velocities come before one on its path.
static void path_sums(const char *which, double *squares, double *depths, int *nv)
{
  char path[512];
  ff_model *model;
  snprintf(path, sizeof path, "%s/models/%s.urdf", FFI_TEST_SOURCE_DIR, which);
  assert_int_equal(ff_model_load(path, NULL, &model, NULL), FF_OK);
  *squares = *depths = 0;
  *nv = ff_model_get_size(model).nv;
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    ff_joint_info joint, above;
    ff_model_joint(model, j, &joint);
    int before = 0;
    for (int up = joint.parent; up >= 0; up = above.parent) {
      ff_model_joint(model, up, &above);
      before += above.nv;
    }
    for (int k = 0; k < joint.nv; ++k) {
      *depths += before + k;
      *squares += (before + k + 1) * (before + k + 1);
    }
  }
  ff_model_destroy(model);
}

// Row d of L'DL costs one division, d multiplications and d (d + 1) / 2 multiply-adds; a solve passes twice over the
// entries below the diagonal and once over it. The kernels may do up to a tenth more, for speed, but not less.
static void operations_are_counted(void **state)
{
  for (int c = 0; c < 2; ++c) {
    double squares, depths, factor, solve;
    int nv;
    path_sums(cases[c], &squares, &depths, &nv);
    factor = ffi_bench_find(*state, cases[c], "ltl_flops", "flop");
    if (isnan(factor))
      skip(); // a build without a C++ compiler
    solve = need(*state, cases[c], "solve_flops", "flop");
    if (!(factor >= squares && factor <= 1.1 * squares))
      fail_msg("%s: factoring takes %g operations, counted %g", cases[c], squares, factor);
    if (!(solve >= 4 * depths + nv && solve <= 1.1 * (4 * depths + nv)))
      fail_msg("%s: solving takes %g operations, counted %g", cases[c], 4 * depths + nv, solve);
    assert_true(need(*state, cases[c], "fk_flops", "flop") < need(*state, cases[c], "fk_v_flops", "flop"));
    assert_true(need(*state, cases[c], "crba_flops", "flop") <
                need(*state, cases[c], "delassus_flops", "flop"));
  }
}

// The peer is measured on our robot: same kinetic energy, up to rounding. (Of romeo it repairs inertias, which moves
// the energy by less than a hundredth.)
static void mujoco_has_our_robot(void **state)
{
  const double solo12 = ffi_bench_find(*state, "solo12", "mujoco:energy_error", "ratio");
  if (isnan(solo12))
    skip();                    // a build without MuJoCo
  assert_true(solo12 < 1e-12); // 256 states, sums of some hundred terms
  assert_true(ffi_bench_find(*state, "romeo", "mujoco:energy_error", "ratio") < 1e-2);
  for (int c = 0; c < 2; ++c) {
    const double sum = need(*state, cases[c], "mujoco:step_sum", "ns");
    need(*state, cases[c], "mujoco:kinematics", "ns");
    assert_true(need(*state, cases[c], "mujoco:crb", "ns") < sum);
    need(*state, cases[c], "mujoco:rne", "ns");
    need(*state, cases[c], "mujoco:factor", "ns");
    need(*state, cases[c], "mujoco:solve", "ns");
  }
}

// ---- What it refuses --------------------------------------------------------------------------------------

// Before a run of full length.
static void check_refusal(const char *arguments, int status, const char *text)
{
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  ffi_bench_check_refusal(arguments, status, text);
  clock_gettime(CLOCK_MONOTONIC, &end);
  assert_true(end.tv_sec - start.tv_sec < 30); // without --quick it would be 40
}

static void mistakes_are_told(void **state)
{
  (void)state;
  check_refusal("", 2, "needs the name of a benchmark");
  check_refusal("dynamisc", 2, "did you mean 'dynamics'?");
  check_refusal("everything-at-once-and-more-than-that", 2, "unknown benchmark 'everything");
  check_refusal("--quick", 2, "unknown option '--quick'");
  check_refusal("dynamics --fast", 2,
                "unknown option '--fast'; 'footfall bench dynamics --help' lists the options");
  check_refusal("dynamics --jsno x", 2, "did you mean '--json'?");
  check_refusal("dynamics --json", 2, "option '--json' needs a value");
  check_refusal("dynamics --json --quick", 2, "option '--json' needs a value; if its value is '--quick'");
  check_refusal("dynamics --quick=yes", 2, "takes no value");
  check_refusal("dynamics solo12", 2, "unexpected argument 'solo12'");
  check_refusal("dynamics --count --json x", 2, "'--count' measures nothing");
  check_refusal("dynamics --isa mmx", 2, "'--isa mmx' is not known; choose base");
  check_refusal("dynamics --isa=avx3", 2, "did you mean 'avx2'?");
  check_refusal("dynamics --quick --models /no/such/folder", 1, "/no/such/folder/solo12.urdf");
  check_refusal("all --case expo-papre", 2, "did you mean 'expo-paper'?");
  check_refusal("all --models models", 2, "unknown option '--models'");
  check_refusal("all --html /dev/null/reports", 1, "/dev/null/reports: the folder cannot be made");
  check_refusal("all --html /dev/null", 1, "the folder cannot be made: Not a directory");
}

// ---- Files --------------------------------------------------------------------------------------------------

static void check_content(const char *path, const char *expected)
{
  char text[64] = "";
  FILE *file = fopen(path, "r");
  if (file) {
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
  }
  assert_true((file != NULL) == (expected != NULL));
  if (expected)
    assert_string_equal(text, expected);
}

static void rows_that_cannot_be_written_are_told_before_the_run(void **state)
{
  (void)state;
  check_refusal("dynamics --json /no/such/folder/rows.json", 1,
                "/no/such/folder/rows.json: cannot be written: ");
  check_refusal("dynamics --json=/no/such/folder/rows.json", 1,
                "/no/such/folder/rows.json: cannot be written: ");
  check_refusal("dynamics --json=", 1, "cannot be written: ");
  check_refusal("dynamics --json /tmp", 1, "/tmp: cannot be written: ");
}

// A run that fails or is interrupted leaves no new file and lets an old one alone.
static void unfinished_runs_leave_files_alone(void **state)
{
  char fresh[512], old[512], arguments[1200];
  (void)state;
  snprintf(fresh, sizeof fresh, "%s/fresh.json", ffi_scratch_folder());
  snprintf(old, sizeof old, "%s", ffi_write_file("old.json", "old", 3));
  for (int k = 0; k < 2; ++k) {
    const char *path = k ? old : fresh;
    snprintf(arguments, sizeof arguments, "dynamics --models /no/such/folder --json '%s'", path);
    check_refusal(arguments, 1, "/no/such/folder/solo12.urdf");
    check_content(path, k ? "old" : NULL);
    ffi_output output = ffi_run("timeout -s INT 1", "bench dynamics --json '%s'", path);
    assert_int_equal(output.status, 124); // timeout's word for: it had to
    ffi_output_free(&output);
    check_content(path, k ? "old" : NULL);
  }
}

// What was longer before is not left behind the new rows; "-" is stdout, for the rows alone; a value may follow "=".
static void rows_replace_what_was_there(void **state)
{
  static char junk[100000];
  char old[512], why[200];
  (void)state;
  memset(junk, '#', sizeof junk);
  snprintf(old, sizeof old, "%s", ffi_write_file("old.json", junk, (int)sizeof junk));
  for (int k = 0; k < 2; ++k) {
    ffi_output output = ffi_run("", "bench dynamics --quick --markdown --json='%s'", k ? "-" : old);
    assert_int_equal(output.status, 0);
    assert_string_equal(output.err, "");
    char *text = k ? NULL : read_text(old);
    ffi_json_value *rows = ffi_json_parse(k ? output.out : text, why);
    if (!rows)
      fail_msg("not JSON: %s", why);
    assert_true(rows->count > 100);
    assert_true(k || strstr(output.out, "**solo12**"));
    ffi_json_free(rows);
    free(text);
    ffi_output_free(&output);
  }
}

static void full_disks_are_told(void **state)
{
  static const char *const arguments[] = {
      "dynamics --quick >/dev/full",
      "dynamics --count >/dev/full",
      "dynamics --help >/dev/full",
      "--help >/dev/full",
  };
  (void)state;
  if (access("/dev/full", W_OK) != 0)
    skip();
  for (size_t k = 0; k < sizeof arguments / sizeof *arguments; ++k)
    check_refusal(arguments[k], 1, "the standard output could not be written");
  check_refusal("dynamics --quick --json /dev/full >/dev/full", 1, "/dev/full: could not be written"); // once
}

static void help_names_the_options(void **state)
{
  (void)state;
  static const char *const words[] = {"--json", "--quick", "--models", "--isa", NULL};
  ffi_bench_check_help("dynamics", words);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(rows_have_the_schema),
      cmocka_unit_test(every_kernel_has_a_time),
      cmocka_unit_test(operations_are_counted),
      cmocka_unit_test(mujoco_has_our_robot),
  };
  const struct CMUnitTest refusals[] = {
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(rows_that_cannot_be_written_are_told_before_the_run),
      cmocka_unit_test(unfinished_runs_leave_files_alone),
      cmocka_unit_test(rows_replace_what_was_there),
      cmocka_unit_test(full_disks_are_told),
      cmocka_unit_test(help_names_the_options),
  };
  return cmocka_run_group_tests_name("rows", rows, measure, ffi_bench_forget) +
         cmocka_run_group_tests_name("refusals", refusals, NULL, ffi_tear_down);
}
