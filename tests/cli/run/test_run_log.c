// footfall run: what it writes: the log, whatever ends the run, and progress on a terminal.
#define _XOPEN_SOURCE 700
#include "cli/on_terminal.h"
#include "cli/run/csv_table.h"
#include "cli/run/summary.h"
#include "cli/run_command.h"
#include "support/near.h"

#include <footfall/dynamics.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// ---- The log ----------------------------------------------------------------------------------------------

static void logs_have_names_and_units(void **state)
{
  (void)state;
  const char *path = ffi_scratch_path("solo.csv");
  ffi_output output = ffi_run("", "run " SOLO12 " --dt 10ms --duration 0.5 --out '%s' --quiet", path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  ffi_csv_table log = ffi_csv_read(ffi_scratch_path("solo.csv"));
  assert_int_equal(log.rows, 51);
  assert_int_equal(log.columns, 1 + 19 + 18 + 9 + 3 * 4);
  assert_int_equal(ffi_csv_column(&log, "time [s]"), 0);
  assert_int_equal(ffi_csv_column(&log, "q.root_joint.x [m]"), 1);
  assert_int_equal(ffi_csv_column(&log, "q.root_joint.qw [1]"), 7);
  assert_int_equal(ffi_csv_column(&log, "q.FL_HAA [rad]"), 8);
  assert_int_equal(ffi_csv_column(&log, "v.root_joint.wx [rad/s]"), 1 + 19 + 3);
  assert_int_equal(ffi_csv_column(&log, "v.HR_KFE [rad/s]"), 1 + 19 + 17);
  ffi_check_near("start", ffi_csv_cell(&log, 0, "q.root_joint.z [m]"), 0.215897248269,
                 0); // as it stands in the model
  ffi_check_near("start", ffi_csv_cell(&log, 0, "q.HR_KFE [rad]"), 1.6, 0);
  for (int r = 0; r < log.rows; ++r) {
    static const char *const feet[] = {"FL", "FR", "HL", "HR"};
    double force = 0;
    char title[64];
    ffi_check_near("time", ffi_csv_cell(&log, r, "time [s]"), 0.01 * r, 1e-9);
    ffi_check_near("energy", ffi_csv_cell(&log, r, "energy [J]"),
                   ffi_csv_cell(&log, r, "kinetic [J]") + ffi_csv_cell(&log, r, "potential [J]") +
                       ffi_csv_cell(&log, r, "elastic [J]"),
                   1e-10); // twelve digits
    for (int f = 0; f < 4; ++f) {
      snprintf(title, sizeof title, "force.%s_FOOT.z [N]", feet[f]);
      force += ffi_csv_cell(&log, r, title);
    }
    ffi_check_near("force", force, ffi_csv_cell(&log, r, "normal_force [N]"), 1e-9);
    ffi_check_near("contacts", ffi_csv_cell(&log, r, "contacts [1]"), 4, 0);
  }
  ffi_csv_free(&log);
}

// The log is the motion: potential energy is m g times the height of the centre of mass, computed from the logged q.
static void logged_states_are_the_motion(void **state)
{
  ff_model *model;
  ff_dynamics *dynamics;
  (void)state;
  ffi_output output =
      ffi_run("", "run " MODEL("romeo.urdf") " --no-pd --duration 0.3 --log '%s' --log-every 30 --quiet",
              ffi_scratch_path("romeo.csv"));
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  ffi_csv_table log = ffi_csv_read(ffi_scratch_path("romeo.csv"));
  assert_int_equal(log.rows, 11);
  assert_int_equal(ff_model_load(FFI_TEST_SOURCE_DIR "/models/romeo.urdf", NULL, &model, NULL), FF_OK);
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, NULL), FF_OK);
  for (int r = 0; r < log.rows; ++r) {
    const double *q = log.cells + r * log.columns + 1, *v = q + 38;
    double com[3], kinetic;
    ff_dynamics_kinematics(dynamics, q, v, NULL);
    ff_dynamics_com(dynamics, com);
    ff_dynamics_kinetic_energy(dynamics, &kinetic);
    ffi_check_near("potential", ffi_csv_cell(&log, r, "potential [J]"), ff_model_mass(model) * 9.81 * com[2],
                   1e-8);
    ffi_check_near("kinetic", ffi_csv_cell(&log, r, "kinetic [J]"), kinetic, 1e-8);
  }
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
  ffi_csv_free(&log);
}

static void logs_can_go_to_stdout(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "run " MODEL("ball.urdf") " --dt 10ms --duration 0.1 --log -");
  assert_int_equal(output.status, 0);
  assert_string_equal(output.err, "");
  ffi_csv_table log = ffi_csv_parse(output.out, "stdout");
  assert_int_equal(log.rows, 11);
  ffi_csv_free(&log);
  ffi_output_free(&output);
}

// Names with commas and quotes are quoted.
static void odd_names_stay_whole(void **state)
{
  static const char robot[] =
      "<robot name='r'><link name='world'/><link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
      "<joint name='a, \"b\"' type='continuous'><parent link='world'/><child link='a'/><axis xyz='0 0 "
      "1'/></joint></robot>";
  (void)state;
  char model[512];
  snprintf(model, sizeof model, "%s", ffi_write_file("odd.urdf", robot, (int)sizeof robot - 1));
  ffi_output output = ffi_run("", "run '%s' --duration 0.01 --log -", model);
  assert_int_equal(output.status, 0);
  ffi_csv_table log = ffi_csv_parse(output.out, "stdout");
  assert_int_equal(ffi_csv_column(&log, "q.a, \"b\" [rad]"), 1);
  ffi_csv_free(&log);
  ffi_output_free(&output);
}

static void full_disks_are_told_and_rows_stay_whole(void **state)
{
  (void)state;
  // 16 blocks of 512 bytes: the file may not grow beyond a few rows.
  ffi_output output = ffi_run("ulimit -f 16;", "run " SOLO12 " --dt 10ms --duration 1 --log '%s'",
                              ffi_scratch_path("full.csv"));
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "full.csv: could not be written: "));
  ffi_output_free(&output);
  ffi_csv_table log = ffi_csv_read(ffi_scratch_path("full.csv"));
  assert_true(log.rows > 1 && log.rows < 100);
  ffi_csv_free(&log);
  if (access("/dev/full", W_OK) == 0) {
    output = ffi_run("", "run " SOLO12 " --dt 10ms --duration 0.05 --log /dev/full --quiet");
    assert_int_equal(output.status, 1);
    assert_non_null(strstr(output.err, "/dev/full: could not be written: "));
    ffi_output_free(&output);
  }
}

// ---- Failure ----------------------------------------------------------------------------------------------

// The error message names time, body, contact and what to try; the log has all rows up to the last good state.
static void explicit_euler_fails_clearly(void **state)
{
  char arguments[1024], why[200];
  (void)state;
  snprintf(arguments, sizeof arguments,
           "run " SOLO12 " --stepper euler --dt 10ms --duration 10 --log '%s' --json",
           ffi_scratch_path("euler.csv"));
  ffi_output output = ffi_run("", "%s", arguments);
  assert_int_equal(output.status, 3);
  static const char *const words[] = {"t = ", "link '", "FOOT", "Try dt", "'expo'"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (!strstr(output.err, words[i]))
      fail_msg("'%s' is not in: %s", words[i], output.err);
  assert_int_equal(strncmp(output.err, "footfall: ", 10), 0);
  assert_true(strchr(output.err, '\n')[1] == '\0');
  ffi_json_value *s = ffi_json_parse(output.out, why);
  assert_non_null(s);
  assert_string_equal(ffi_text(s, "outcome"), "failed");
  assert_non_null(strstr(output.err, ffi_text(s, "error")));
  ffi_csv_table log = ffi_csv_read(ffi_scratch_path("euler.csv"));
  ffi_check_near("rows", log.rows, ffi_number(s, "steps") + 1, 0);
  ffi_check_near("rows told", ffi_number(s, "rows"), log.rows, 0);
  ffi_check_near("last time", ffi_csv_cell(&log, log.rows - 1, "time [s]"), ffi_number(s, "time"), 1e-12);
  for (int c = 0; c < log.columns; ++c)
    assert_true(isfinite(log.cells[(log.rows - 1) * log.columns + c]));
  ffi_csv_free(&log);
  ffi_json_free(s);
  ffi_output_free(&output);

  output = ffi_run("", "run " SOLO12 " --stepper euler --dt 10ms --duration 10");
  assert_int_equal(output.status, 3);
  assert_non_null(strstr(output.out, "outcome     failed at "));
  ffi_output_free(&output);
}

// A last state that was not due is in the log when the run ends early.
static void the_last_state_is_logged(void **state)
{
  (void)state;
  ffi_output output =
      ffi_run("", "run " SOLO12 " --stepper euler --dt 1ms --log '%s' --log-every 1000 --quiet",
              ffi_scratch_path("last.csv"));
  assert_int_equal(output.status, 3);
  ffi_output_free(&output);
  ffi_csv_table log = ffi_csv_read(ffi_scratch_path("last.csv"));
  assert_int_equal(log.rows, 2);
  assert_true(ffi_csv_cell(&log, 1, "time [s]") > 0);
  ffi_csv_free(&log);
}

static void ctrl_c_ends_it_cleanly(void **state)
{
  (void)state;
  ffi_output output =
      ffi_run("timeout --preserve-status -s INT 1", "run " SOLO12 " --duration 1e6 --log '%s' --log-every 50",
              ffi_scratch_path("interrupted.csv"));
  assert_int_equal(output.status, 128 + 2);
  assert_non_null(strstr(output.out, "outcome     interrupted at "));
  assert_string_equal(output.err, "");
  ffi_output_free(&output);
  ffi_csv_table log = ffi_csv_read(ffi_scratch_path("interrupted.csv"));
  assert_true(log.rows > 10);
  ffi_csv_free(&log);
}

// ---- On a terminal ----------------------------------------------------------------------------------------

static void progress_is_shown_on_a_terminal(void **state)
{
  static char out[65536];
  // in the foreground: else timeout tells the command once and its group again, and a second signal ends a run at once,
  // as it should
  const char *const arguments[] = {"timeout",    "--foreground",
                                   "-s",         "INT",
                                   "1.5",        ffi_command_path(),
                                   "run",        FFI_TEST_SOURCE_DIR "/models/ball.urdf",
                                   "--duration", "1e6",
                                   "--log",      "/dev/null",
                                   NULL};
  (void)state;
  assert_int_equal(ffi_run_on_terminal(STDERR_FILENO, arguments, out, sizeof out), 124); // it was interrupted
  const char *line = strstr(out, " of 1e+06 s, ");
  if (!line || !strstr(line, "times real time") || !strstr(out, " left "))
    fail_msg("no progress in: %s", out);
  const char *last = strrchr(out, '\r'); // the line is wiped at the end
  assert_non_null(last);
  assert_null(strstr(last, "left"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(logs_have_names_and_units),
      cmocka_unit_test(logged_states_are_the_motion),
      cmocka_unit_test(logs_can_go_to_stdout),
      cmocka_unit_test(odd_names_stay_whole),
      cmocka_unit_test(full_disks_are_told_and_rows_stay_whole),
      cmocka_unit_test(explicit_euler_fails_clearly),
      cmocka_unit_test(the_last_state_is_logged),
      cmocka_unit_test(ctrl_c_ends_it_cleanly),
      cmocka_unit_test(progress_is_shown_on_a_terminal),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
