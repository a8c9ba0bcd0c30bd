// slow: fills a disk, and waits for a run to be interrupted
// footfall run: logs in HDF5: where they go, that they have what CSV has, how a run goes on from one, and what is left
// when it ends early.
#define _XOPEN_SOURCE 700
#include "cli/run/csv_table.h"
#include "cli/run/summary.h"
#include "cli/run_command.h"

#include <footfall/log.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SCENE(name) "'" FFI_TEST_SOURCE_DIR "/scenes/" name "'"

static ff_log *must_open(const char *path)
{
  ff_log *log;
  ff_error error = {0};
  if (ff_log_open(path, &log, &error) != FF_OK)
    fail_msg("%s", error.message);
  return log;
}

static ff_log_row must_read(ff_log *log, long long index)
{
  ff_log_row row;
  ff_error error = {0};
  if (ff_log_read(log, index, &row, &error) != FF_OK)
    fail_msg("%s", error.message);
  return row;
}

static int is_there(const char *name)
{
  return access(ffi_scratch_path(name), F_OK) == 0;
}

static void must_run(const char *prefix, const char *arguments, int status)
{
  ffi_output output = ffi_run(prefix, "%s", arguments);
  if (output.status != status)
    fail_msg("status %d of '%s': %s", output.status, arguments, output.err);
  ffi_output_free(&output);
}

static const char *with_paths(const char *format, const char *a, const char *b)
{
  static char text[2048];
  snprintf(text, sizeof text, format, a, b);
  return text;
}

// ---- Where ----------------------------------------------------------------------------------------------------------

static void a_run_has_a_log_unless_it_is_told_not_to(void **state)
{
  char here[600];
  (void)state;
  snprintf(here, sizeof here, "cd '%s'; unset FOOTFALL_OUT;", ffi_scratch_folder());
  must_run(here, "run " SOLO12 " --dt 10ms --duration 0.1 --no-log --quiet", 0);
  assert_false(is_there("out"));
  must_run(here, "run " SOLO12 " --dt 10ms --duration 0.1 --quiet", 0);
  assert_true(is_there("out/solo12.h5"));
  must_run(here, "run " SCENE("solo-squat.yaml") " --set expect={} --duration 0.4 --quiet", 0);
  assert_true(is_there("out/solo-squat.h5"));
  ff_log *log = must_open(ffi_scratch_path("out/solo12.h5")); // it lives on when the next takes its name
  must_run(here, "run " SOLO12 " --dt 10ms --duration 0.2 --quiet", 0);
  assert_int_equal(ff_log_get_info(log)->rows, 11);
  assert_true(must_read(log, 10).step == 10);
  ff_log_close(log);
  log = must_open(ffi_scratch_path("out/solo12.h5"));
  assert_int_equal(ff_log_get_info(log)->rows, 21);
  ff_log_close(log);
  must_run(here, "run --resume out/solo12.h5 --duration 0.1 --quiet", 0);
  assert_true(is_there("out/solo12-2.h5"));
  must_run(here, "run --resume out/solo12-2.h5 --duration 0.1 --quiet", 0);
  assert_true(is_there("out/solo12-3.h5"));

  snprintf(here, sizeof here, "cd '%s'; FOOTFALL_OUT=elsewhere", ffi_scratch_folder());
  must_run(here, "run " SOLO12 " --dt 10ms --duration 0.1 --quiet", 0);
  assert_true(is_there("elsewhere/solo12.h5"));
  static const char *const made[] = {"out/solo12.h5", "out/solo12-2.h5", "out/solo12-3.h5",
                                     "out/solo-squat.h5", "elsewhere/solo12.h5"};
  for (size_t i = 0; i < sizeof made / sizeof made[0]; ++i)
    unlink(ffi_scratch_path(made[i]));
  rmdir(ffi_scratch_path("out"));
  rmdir(ffi_scratch_path("elsewhere"));
}

static void places_that_cannot_be_written_are_told(void **state)
{
  char here[600];
  (void)state;
  ffi_output output = ffi_run("", "run " SOLO12 " --out /no/such/folder/a.h5");
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "/no/such/folder/a.h5: cannot be written: No such file or directory"));
  assert_string_equal(output.out, "");
  ffi_output_free(&output);
  ffi_write_file("out", "a file, no folder", 17);
  snprintf(here, sizeof here, "cd '%s'; unset FOOTFALL_OUT;", ffi_scratch_folder());
  output = ffi_run(here, "run " SOLO12 " --duration 0.1");
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "out/solo12.h5: cannot be written: "));
  assert_non_null(strstr(output.err, "'--no-log' writes none"));
  ffi_output_free(&output);
  unlink(ffi_scratch_path("out"));
}

// One at a time writes it; those that come too early are refused, and say so.
static void runs_of_one_name_do_not_disturb_each_other(void **state)
{
  char line[2048];
  (void)state;
  snprintf(line, sizeof line,
           "cd '%s'; for i in 1 2 3 4 5 6 7 8; do '%s' run " SOLO12
           " --duration 0.05 --quiet --out same.h5 2>>said || echo $i >>refused & done; wait; "
           "touch said refused; test $(grep -c 'another program is writing' said) = $(wc -l <refused)",
           ffi_scratch_folder(), ffi_command_path());
  for (int k = 0; k < 3; ++k)
    assert_int_equal(system(line), 0);
  ff_log *log = must_open(ffi_scratch_path("same.h5"));
  assert_int_equal(ff_log_get_info(log)->rows, 51);
  assert_int_equal(ff_log_get_info(log)->is_whole, 1);
  ff_log_close(log);
}

// ---- What -----------------------------------------------------------------------------------------------------------

// The same run in both formats.
static void it_has_what_csv_has(void **state)
{
  static const char arguments[] = "run " SOLO12 " --drop 5cm --dt 2ms --duration 0.6 --quiet --out '%s%s'";
  (void)state;
  must_run("", with_paths(arguments, ffi_scratch_path("a.csv"), ""), 0);
  must_run("", with_paths(arguments, ffi_scratch_path("a.h5"), ""), 0);
  ffi_csv_table csv = ffi_csv_read(ffi_scratch_path("a.csv"));
  ff_log *log = must_open(ffi_scratch_path("a.h5"));
  const ff_log_info *info = ff_log_get_info(log);
  assert_int_equal(info->rows, csv.rows);
  int touched = 0;
  for (int r = 0; r < csv.rows; ++r) {
    const double *cells = csv.cells + r * csv.columns;
    const ff_log_row row = must_read(log, r);
    assert_memory_equal(row.q, cells + 1, 19 * sizeof(double));
    assert_memory_equal(row.v, cells + 20, 18 * sizeof(double));
    assert_int_equal(row.contact_count, (int)ffi_csv_cell(&csv, r, "contacts [1]"));
    const double total = ffi_csv_cell(&csv, r, "energy [J]");
    assert_true(fabs(row.energy.total - total) <= 1e-11 * fabs(total)); // twelve digits
    double normal = 0;
    for (int i = 0; i < row.contact_count; ++i)
      normal += row.contacts[i].force[2];
    const double wanted = ffi_csv_cell(&csv, r, "normal_force [N]");
    assert_true(fabs(normal - wanted) <= 1e-6 * fabs(wanted)); // a float's digits
    touched += row.contact_count > 0;
  }
  assert_true(touched > 10);
  ff_log_close(log);
  ffi_csv_free(&csv);
}

// A motor's force is what its gains make of the logged q and v, in whichever coordinates the run steps.
static void forces_of_motors_are_logged(void **state)
{
  char path[256];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("motors.h5"));
  must_run("",
           with_paths(
               "run " MODEL("pendulum.urdf") " --posture horizontal --pd 40,2 --dt 10ms --duration 1 --quiet "
                                             "--out '%s%s'",
               path, ""),
           0);
  ff_log *log = must_open(path);
  double most = 0;
  for (long long k = 0; k < ff_log_get_info(log)->rows; ++k) {
    const ff_log_row row = must_read(log, k);
    const double wanted = 40 * (1.5707963267948966 - row.q[0]) - 2 * row.v[0];
    if (!(fabs(row.motor[0] - wanted) <= 1e-12 * 40))
      fail_msg("%.17g, not %.17g", row.motor[0], wanted);
    assert_true(row.tau[0] == 0);
    most = fmax(most, fabs(wanted));
  }
  assert_true(most > 1);
  ff_log_close(log);
}

// ---- Going on -------------------------------------------------------------------------------------------------------

// The last rows of two logs are the same, bit for bit.
static void check_same_end(const char *one, const char *other)
{
  ff_log *a = must_open(one), *b = must_open(other);
  const ff_log_info *info = ff_log_get_info(a);
  const ff_log_row x = must_read(a, info->rows - 1), y = must_read(b, ff_log_get_info(b)->rows - 1);
  assert_true(x.step == y.step && x.time == y.time);
  assert_memory_equal(x.q, y.q, (size_t)info->nq * sizeof *x.q);
  assert_memory_equal(x.v, y.v, (size_t)info->nv * sizeof *x.v);
  assert_memory_equal(x.tau, y.tau, (size_t)info->nv * sizeof *x.tau);
  assert_int_equal(x.contact_count, y.contact_count);
  ff_log_close(a);
  ff_log_close(b);
}

static void two_seconds_are_one_and_one_more(void **state)
{
  static const struct {
    const char *words, *dt;
    int in_time; // part of a second, so that slow ones take less
  } cases[] = {
      {SOLO12 " --drop 5cm --slope 5deg --stepper expo", "5ms", 1},
      {SOLO12 " --drop 5cm --stepper implicit", "10ms", 1},
      {SOLO12 " --stepper symplectic --friction 0.5", "0.1ms", 10},
      {MODEL("four_bar.xml") " --stepper moreau", "2ms", 1},
      {SCENE("solo-trot.yaml") " --set expect={}", "2ms", 1},
      {SCENE("starleth-push.yaml") " --set expect={} --set pushes.seed=3", "2.5ms", 2},
  };
  char one[256], both[256], rest[256];
  (void)state;
  snprintf(one, sizeof one, "%s", ffi_scratch_path("one.h5"));
  snprintf(both, sizeof both, "%s", ffi_scratch_path("both.h5"));
  snprintf(rest, sizeof rest, "%s", ffi_scratch_path("rest.h5"));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char arguments[1024];
    const double half = 1.0 / cases[i].in_time;
    snprintf(arguments, sizeof arguments, "run %s --dt %s --quiet --duration %g --out '%s'", cases[i].words,
             cases[i].dt, half, one);
    must_run("", arguments, 0);
    snprintf(arguments, sizeof arguments, "run %s --dt %s --quiet --duration %g --out '%s'", cases[i].words,
             cases[i].dt, 2 * half, both);
    must_run("", arguments, 0);
    snprintf(arguments, sizeof arguments, "run --resume '%s' --quiet --duration %g --out '%s'", one, half,
             rest);
    must_run("", arguments, 0);
    check_same_end(both, rest);
  }
}

// The rest of the time that was asked for, in a log that has a row now and then only.
static void ctrl_c_leaves_a_log_to_go_on_from(void **state)
{
  char path[256];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("stopped.h5"));
  ffi_output output = ffi_run("timeout --preserve-status -s INT 1",
                              "run " SOLO12 " --duration 1e5 --log '%s' --log-every 1000", path);
  assert_int_equal(output.status, 128 + 2);
  assert_non_null(strstr(output.out, "outcome     interrupted at "));
  assert_string_equal(output.err, "");
  ffi_output_free(&output);
  ff_log *log = must_open(path);
  const ff_log_info *info = ff_log_get_info(log);
  assert_int_equal(info->is_whole, 1);
  const long long steps = must_read(log, info->rows - 1).step;
  assert_true(steps > 10);
  ff_log_close(log);
  output = ffi_run("", "run --resume '%s' --duration 0.1 --json --out '%s'", path, ffi_scratch_path("b.h5"));
  assert_int_equal(output.status, 0);
  char why[200];
  ffi_json_value *s = ffi_json_parse(output.out, why);
  assert_non_null(s);
  assert_true(fabs(ffi_number(s, "time") - 1e-3 * (double)(steps + 100)) < 1e-6);
  ffi_json_free(s);
  ffi_output_free(&output);
}

// A terminal that is closed asks to end, too, unless nohup was before it.
static void closing_the_terminal_ends_a_run_in_order(void **state)
{
  static const char arguments[] = "run " SOLO12 " --duration %s --quiet --log '%s'";
  char path[256];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("closed.h5"));
  ffi_output output = ffi_run("timeout --preserve-status -s HUP 0.5", arguments, "1e5", path);
  assert_int_equal(output.status, 128 + 1);
  ffi_output_free(&output);
  ff_log *log = must_open(path);
  assert_int_equal(ff_log_get_info(log)->is_whole, 1);
  ff_log_close(log);
  output = ffi_run("timeout --preserve-status -s HUP 0.1 nohup", arguments, "1", path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  log = must_open(path);
  assert_int_equal(ff_log_get_info(log)->rows, 1001);
  ff_log_close(log);
}

static void check_refusal(const char *path, const char *more, const char *words)
{
  ffi_output output = ffi_run("", "run --resume '%s' %s", path, more);
  assert_int_equal(output.status == 1 || output.status == 2, 1);
  if (!strstr(output.err, words) || !strstr(output.err, path))
    fail_msg("'%s' is not in: %s", words, output.err);
  assert_string_equal(output.out, "");
  ffi_output_free(&output);
}

static void what_cannot_be_resumed_is_refused(void **state)
{
  char path[256], cut[256], line[600];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("whole.h5"));
  snprintf(cut, sizeof cut, "%s", ffi_scratch_path("cut.h5"));
  snprintf(line, sizeof line, "run " SOLO12 " --dt 10ms --duration 1 --quiet --out '%s'", path);
  must_run("", line, 0);
  check_refusal("/no/such.h5", "", "there is no such file");
  check_refusal(FFI_TEST_SOURCE_DIR "/README.md", "", "is not a log");
  check_refusal(path, "", "has reached its end, 1 s; '--duration TIME'");
  ffi_output output = ffi_run("", "run --resume '%s' --duration 1e300s --no-log", path);
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "more than 1e15"));
  ffi_output_free(&output);
  snprintf(line, sizeof line, "--duration 1 --out '%s'", path);
  check_refusal(path, line, "is the log that is resumed, which the new one would overwrite");
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  snprintf(line, sizeof line, "head -c %lld '%s' >'%s'", (long long)info.st_size / 2, path, cut);
  assert_int_equal(system(line), 0);
  check_refusal(cut, "--duration 1", "damaged");
}

// ---- Full disks -----------------------------------------------------------------------------------------------------

static void what_a_full_disk_took_stays(void **state)
{
  char path[256];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("full.h5"));
  // a file of some MB at most, and far more to be written than that
  ffi_output output =
      ffi_run("ulimit -f 16000;", "run " SCENE("ball-pit.yaml") " --duration 1000 --out '%s'", path);
  if (output.status != 1 || !strstr(output.err, "full.h5: cannot be written: File too large; it ends after "))
    fail_msg("status %d: %s", output.status, output.err);
  assert_non_null(strstr(output.out, "the log could not be written"));
  assert_null(strstr(output.err, "HDF5"));
  ffi_output_free(&output);
  ff_log *log = must_open(path);
  const ff_log_info *info = ff_log_get_info(log);
  assert_int_equal(info->is_whole, 0);
  for (long long k = 0; k < info->rows; ++k)
    assert_true(must_read(log, k).step == k);
  ff_log_close(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_has_a_log_unless_it_is_told_not_to),
      cmocka_unit_test(places_that_cannot_be_written_are_told),
      cmocka_unit_test(runs_of_one_name_do_not_disturb_each_other),
      cmocka_unit_test(it_has_what_csv_has),
      cmocka_unit_test(forces_of_motors_are_logged),
      cmocka_unit_test(two_seconds_are_one_and_one_more),
      cmocka_unit_test(ctrl_c_leaves_a_log_to_go_on_from),
      cmocka_unit_test(closing_the_terminal_ends_a_run_in_order),
      cmocka_unit_test(what_cannot_be_resumed_is_refused),
      cmocka_unit_test(what_a_full_disk_took_stays),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
