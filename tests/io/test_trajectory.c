// Trajectories in files: what was written is read, and what is wrong is told with file and line.
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <footfall/load.h>
#include <footfall/trajectory.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// A pendulum: one coordinate, one velocity, one control, so a file can be read whole.
static ff_model *pendulum(void)
{
  ff_model *model = NULL;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/pendulum.urdf", NULL, &model, &error), &error);
  assert_int_equal(ff_model_get_size(model).nv, 1);
  return model;
}

static char path[64];

static void write_text(const char *text)
{
  snprintf(path, sizeof path, "/tmp/ff-trajectory-%d.txt", (int)getpid());
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static const char good[] = "footfall-trajectory 1\n"
                           "# by hand\n"
                           "robot pendulum\n"
                           "coordinates 1\n"
                           "velocities 1\n"
                           "controls 1\n"
                           "interval 0.5\n"
                           "states 3\n"
                           "\n"
                           "# before a word that may be absent\n"
                           "repeat-from 1\n"
                           "x 1 2\n"
                           "u 3\n"
                           "K 4 5\n"
                           "x -1e-1 +2.5\n"
                           "u 0\n"
                           "#  a second note\n"
                           "K 6 7e2\n"
                           "x 8 9\n";

static void check_good(const ff_trajectory *t)
{
  const ff_feedback_def *def = ff_trajectory_feedback(t);
  const double q[3] = {1, -0.1, 8}, v[3] = {2, 2.5, 9}, u[2] = {3, 0}, K[4] = {4, 5, 6, 700};
  assert_int_equal(def->states, 3);
  assert_int_equal(def->repeats, 1);
  assert_int_equal(def->repeat_from, 1);
  assert_true(def->interval == 0.5);
  assert_true(ffi_gap(3, def->q, q) == 0 && ffi_gap(3, def->v, v) == 0);
  assert_true(ffi_gap(2, def->control, u) == 0 && ffi_gap(4, def->gain, K) == 0);
  assert_string_equal(ff_trajectory_notes(t), "by hand\nbefore a word that may be absent\n a second note\n");
}

static void text_is_read(void **state)
{
  (void)state;
  ff_model *model = pendulum();
  ff_trajectory *t;
  ff_error error;
  char dos[2 * sizeof good], *to = dos;
  write_text(good);
  ffi_must(ff_trajectory_load(path, model, &t, &error), &error);
  check_good(t);
  ff_trajectory_destroy(t);
  for (const char *from = good; *from; ++from) {
    if (*from == '\n')
      *to++ = '\r';
    *to++ = *from;
  }
  *to = 0;
  write_text(dos);
  ffi_must(ff_trajectory_load(path, model, &t, &error), &error);
  ff_trajectory_destroy(t);
  remove(path);
  ff_model_destroy(model);
}

// The good file with one line replaced: what is said, and where.
static void mistakes_are_told_with_their_line(void **state)
{
  (void)state;
  static const struct {
    int line;
    const char *text; ///< instead of it; NULL: the file ends before it
    int told;         ///< line
    ff_status status;
    const char *words;
  } cases[] = {
      {1, "footfall-trajectory 2", 1, FF_ERROR_PARSE, "not a trajectory"},
      {1, "<robot>", 1, FF_ERROR_PARSE, "not a trajectory"},
      {1, NULL, 1, FF_ERROR_PARSE, "not a trajectory"},
      {3, "robot solo", 3, FF_ERROR_MODEL, "it is for the robot 'solo', not for 'pendulum'"},
      {3, NULL, 2, FF_ERROR_PARSE, "the file ends; expected 'robot'"},
      {4, "coordinates 2", 4, FF_ERROR_MODEL, "it has 2 coordinates, the robot 1"},
      {5, "velocities 18", 5, FF_ERROR_MODEL, "it has 18 velocities, the robot 1"},
      {6, "controls 0", 6, FF_ERROR_MODEL, "it has 0 controls, the robot 1"},
      {6, "controls -1", 6, FF_ERROR_PARSE, "must be a whole number"},
      {6, "controls 1.5", 6, FF_ERROR_PARSE, "must be a whole number"},
      {7, "interval 0", 7, FF_ERROR_PARSE, "the interval must be positive"},
      {7, "interval -1", 7, FF_ERROR_PARSE, "the interval must be positive"},
      {7, "interval nan", 7, FF_ERROR_PARSE, "'nan' is not a number"},
      {7, "interval", 7, FF_ERROR_PARSE, "too few numbers"},
      {7, "dt 0.5", 7, FF_ERROR_PARSE, "'dt'; expected 'interval'"},
      {8, "states 1", 8, FF_ERROR_PARSE, "from 2 to"},
      {8, "states 2", 11, FF_ERROR_PARSE, "'repeat-from' must be a whole number from 0 to 0"},
      {8, "states 4", 19, FF_ERROR_PARSE, "expected 'u'"},
      {8, "states 999999", 11, FF_ERROR_PARSE, "too short for 999999 states"},
      {8, "states 1e300", 8, FF_ERROR_PARSE, "from 2 to"},
      {11, "repeat-from 2", 11, FF_ERROR_PARSE, "from 0 to 1"},
      {11, "repeat-from -1", 11, FF_ERROR_PARSE, "from 0 to 1"},
      {12, "x 1", 12, FF_ERROR_PARSE, "too few numbers"},
      {12, "x 1 2 3", 12, FF_ERROR_PARSE, "'3' is superfluous"},
      {12, "x 1 2,5", 12, FF_ERROR_PARSE, "'2,5' is not a number"},
      {12, "x 1 0x1p3", 12, FF_ERROR_PARSE, "is not a number"},
      {12, "x 1 1e999", 12, FF_ERROR_PARSE, "'1e999' is not finite"},
      {12, "x 1 --2", 12, FF_ERROR_PARSE, "is not a number"},
      {12, "u 1", 12, FF_ERROR_PARSE, "'u'; expected 'x'"},
      {13, "K 4 5", 13, FF_ERROR_PARSE, "'K'; expected 'u'"},
      {14, "K 4", 14, FF_ERROR_PARSE, "too few numbers"},
      {19, "x 8 9\nx 1 2", 20, FF_ERROR_PARSE, "unexpected text after the last of 3 states"},
      {19, NULL, 18, FF_ERROR_PARSE, "the file ends; expected 'x'"},
  };
  ff_model *model = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[1024] = "", where[96];
    const char *at = good;
    for (int line = 1; *at; ++line) {
      const size_t length = strcspn(at, "\n") + 1;
      if (line == cases[i].line && !cases[i].text)
        break;
      if (line == cases[i].line)
        strcat(strcat(text, cases[i].text), "\n");
      else
        strncat(text, at, length);
      at += length;
    }
    write_text(text);
    ff_trajectory *t = (ff_trajectory *)1;
    ff_error error;
    assert_int_equal(ff_trajectory_load(path, model, &t, &error), cases[i].status);
    assert_null(t);
    snprintf(where, sizeof where, "%s:%d: ", path, cases[i].told);
    if (!strstr(error.message, cases[i].words) || strncmp(error.message, where, strlen(where)) != 0)
      fail_msg("case %zu: expected '%s' with '%s', got '%s'", i, where, cases[i].words, error.message);
  }
  remove(path);
  ff_model_destroy(model);
}

// Every beginning of a good file is refused, but those that lack only the last newline.
static void files_that_end_too_early_are_refused(void **state)
{
  (void)state;
  ff_model *model = pendulum();
  ff_error error;
  for (size_t length = 0; length < sizeof good - 3; ++length) {
    char text[sizeof good];
    ff_trajectory *t;
    snprintf(text, sizeof text, "%.*s", (int)length, good);
    write_text(text);
    if (ff_trajectory_load(path, model, &t, &error) == FF_OK)
      fail_msg("the first %zu characters were taken for a whole file", length);
  }
  remove(path);
  ff_model_destroy(model);
}

// A robot that cannot move has states without numbers.
static void a_robot_without_joints_has_empty_states(void **state)
{
  (void)state;
  static const char robot[] =
      "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
      "iyy=\"1\" izz=\"1\"/></inertial></link></robot>";
  ff_load_def def = ff_load_def_default();
  ff_model *model = NULL;
  ff_trajectory *t = NULL;
  ff_error error = {0};
  def.fixed_base = 1;
  write_text(
      "footfall-trajectory 1\nrobot r\ncoordinates 0\nvelocities 0\ncontrols 0\ninterval 0.01\nstates 2\n"
      "x\nu\nx\n");
  assert_int_equal(ff_model_load_memory(robot, strlen(robot), "robot", &def, &model, &error), FF_OK);
  assert_int_equal(ff_model_get_size(model).nv, 0);
  assert_int_equal(ff_trajectory_load(path, model, &t, &error), FF_OK);
  assert_int_equal(ff_trajectory_feedback(t)->states, 2);
  ff_trajectory_destroy(t);
  ff_model_destroy(model);
  unlink(path);
}

static void what_is_saved_is_read_again(void **state)
{
  (void)state;
  enum { NQ = 19, NV = 18, NU = 12, STATES = 5 };
  static double q[STATES][NQ], v[STATES][NV], u[STATES - 1][NU], K[STATES - 1][NU][2 * NV];
  ffi_random random = ffi_random_seed(3);
  ff_model *model = NULL;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &model, &error), &error);
  for (int k = 0; k < STATES; ++k)
    ffi_random_q(&random, model, q[k]);
  ffi_random_vector(&random, STATES * NV, 30, v[0]);
  ffi_random_vector(&random, (STATES - 1) * NU, 5, u[0]);
  ffi_random_vector(&random, (STATES - 1) * NU * 2 * NV, 100, K[0][0]);
  ff_feedback_def def = ff_feedback_def_default();
  def.states = STATES, def.q = q[0], def.v = v[0], def.control = u[0], def.gain = K[0][0];
  ff_trajectory *t;
  write_text("");
  ffi_must(ff_trajectory_save(path, model, &def, "one\ntwo", &error), &error);
  ffi_must(ff_trajectory_load(path, model, &t, &error), &error);
  const ff_feedback_def *got = ff_trajectory_feedback(t);
  assert_string_equal(ff_trajectory_notes(t), "one\ntwo\n");
  assert_int_equal(got->repeats, 0);
  // 12 and 5 digits: half a unit of the last, of numbers up to 5 and 30, and up to 100.
  assert_true(ffi_gap(STATES * NQ, got->q, q[0]) <= 0.5e-11);
  assert_true(ffi_gap(STATES * NV, got->v, v[0]) <= 0.5e-10);
  assert_true(ffi_gap((STATES - 1) * NU, got->control, u[0]) <= 0.5e-11);
  assert_true(ffi_gap((STATES - 1) * NU * 2 * NV, got->gain, K[0][0]) <= 0.5e-3);
  ff_trajectory_destroy(t);
  remove(path);
  assert_int_equal(ff_trajectory_save("/nowhere/x", model, &def, NULL, &error), FF_ERROR_FILE);
  assert_non_null(strstr(error.message, "/nowhere/x: cannot be written"));
  assert_int_equal(ff_trajectory_load("/nowhere/x", model, &t, &error), FF_ERROR_FILE);
  assert_int_equal(ff_trajectory_save("/dev/full", model, &def, NULL, &error), FF_ERROR_FILE);
  assert_non_null(strstr(error.message, "cannot be written"));
  def.gain = NULL;
  assert_int_equal(ff_trajectory_save(path, model, &def, NULL, &error), FF_ERROR_ARGUMENT);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_read),
      cmocka_unit_test(mistakes_are_told_with_their_line),
      cmocka_unit_test(files_that_end_too_early_are_refused),
      cmocka_unit_test(a_robot_without_joints_has_empty_states),
      cmocka_unit_test(what_is_saved_is_read_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
