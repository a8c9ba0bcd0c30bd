// slow: some seconds, for there is nothing to show of short work.
// Long work of every command on a terminal: it says how far it is in lines that fit, and Ctrl-C ends it in order:
// status 130, no line left behind, no part of a file.
#include "cli/on_terminal.h"
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SOURCE FFI_TEST_SOURCE_DIR
#define SQUAT SOURCE "/scenes/solo-squat.yaml"
#define STAND SOURCE "/scenes/solo-stand.yaml" // can go on for hours

static char out[1 << 18];

static const char *scratch(const char *name)
{
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", ffi_scratch_folder(), name);
  return path;
}

// Between two returns of the carriage, what is left of a line is narrower than the terminal; the last of them is empty,
// or an error message.
static void check_lines(const char *what, int columns)
{
  int count = 0;
  const char *last = out;
  for (const char *line = strchr(out, '\r'); line; line = strchr(line + 1, '\r')) {
    const size_t length = strcspn(line + 1, "\r\n\033");
    if (length >= (size_t)columns)
      fail_msg("%s: wider than %d columns: %.*s", what, columns, (int)length, line + 1);
    count += strstr(line, "left") != NULL && length > 0;
    last = line;
  }
  if (count == 0)
    fail_msg("%s: no progress in: %s", what, out);
  if (strstr(last, "left") || strstr(last, "["))
    if (!strstr(last, "\033[K"))
      fail_msg("%s: a line is left behind: %s", what, last);
  assert_null(strstr(last, "left"));
}

static void is_interrupted(const char *what, const char *const *arguments, int columns)
{
  const int status = ffi_run_on_wide_terminal(columns, "left", arguments, out, sizeof out);
  if (status != 130)
    fail_msg("%s: status %d, %s", what, status, out);
  check_lines(what, columns);
}

static void a_run_keeps_its_log(void **state)
{
  (void)state;
  char log[512];
  strcpy(log, scratch("run.csv"));
  const char *const arguments[] = {
      ffi_command_path(), "run", STAND, "--duration", "1000s", "--out", log, NULL};
  is_interrupted("run", arguments, 60);
  assert_non_null(strstr(out, " of 1000 s"));
  FILE *file = fopen(log, "r");
  char row[4096];
  int rows = 0;
  assert_non_null(file);
  while (fgets(row, sizeof row, file))
    rows += strchr(row, '\n') != NULL;
  fclose(file);
  assert_true(rows > 10);
}

static void a_page_is_not_begun(void **state)
{
  (void)state;
  ffi_output output =
      ffi_run("", "view " SQUAT " --duration 40ms --no-open --out '%s'", scratch("page.html"));
  const int has_viewer = output.status == 0;
  ffi_output_free(&output);
  if (!has_viewer)
    skip();
  char page[512];
  strcpy(page, scratch("new.html"));
  const char *const arguments[] = {ffi_command_path(), "view", STAND, "--duration", "10000s", "--out", page,
                                   "--no-open",        NULL};
  is_interrupted("view", arguments, 100);
  assert_non_null(strstr(out, "footfall: interrupted; nothing was written"));
  assert_int_not_equal(access(page, F_OK), 0);
}

#define INERTIAL                                                                                             \
  "<inertial><mass value='0.1'/>"                                                                            \
  "<inertia ixx='1e-3' iyy='1e-3' izz='1e-3' ixy='0' ixz='0' iyz='0'/></inertial>"

// A robot of so many legs that even a fast machine takes seconds to try it.
static void write_myriapod(const char *path)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "<robot name='myriapod'><link name='body'>" INERTIAL "</link>\n");
  for (int i = 0; i < 500; ++i)
    fprintf(file,
            "<link name='leg%d'>" INERTIAL "<collision><origin xyz='0 0 -0.2'/>"
            "<geometry><sphere radius='0.02'/></geometry></collision></link>"
            "<joint name='hip%d' type='revolute'><parent link='body'/><child link='leg%d'/>"
            "<origin xyz='%g %g 0'/><axis xyz='0 1 0'/>"
            "<limit lower='-1' upper='1' effort='50' velocity='10'/></joint>\n",
            i, i, i, 0.1 * (i / 2), 0.3 * (i % 2));
  fprintf(file, "</robot>\n");
  assert_int_equal(fclose(file), 0);
}

static void no_scene_is_written(void **state)
{
  (void)state;
  char scene[512], robot[512];
  strcpy(robot, scratch("myriapod.urdf"));
  write_myriapod(robot);
  strcpy(scene, scratch("new.yaml"));
  const char *const arguments[] = {ffi_command_path(), "new", robot, "-o", scene, NULL};
  is_interrupted("new", arguments, 40);
  assert_int_not_equal(access(scene, F_OK), 0);
  strcat(scene, ".part");
  assert_int_not_equal(access(scene, F_OK), 0);
}

static void no_plan_is_stored(void **state)
{
  (void)state;
  char file[512];
  strcpy(file, scratch("jump.txt"));
  const char *const arguments[] = {
      ffi_command_path(), "plan", "jump", SOURCE "/models/solo12.urdf", "--out", file, NULL};
  is_interrupted("plan", arguments, 30);
  assert_int_not_equal(access(file, F_OK), 0);
}

// An old file stays as it was.
static void comparisons_and_benchmarks_end(void **state)
{
  (void)state;
  char file[512], text[16] = "";
  strcpy(file, ffi_write_file("old.json", "old\n", 4));
  const char *const compare[] = {ffi_command_path(), "compare", SQUAT, "--quick", "--json", file, NULL};
  is_interrupted("compare", compare, 120);
  const char *const step[] = {ffi_command_path(), "bench", "step", "--json", file, NULL};
  is_interrupted("bench step", step, 50);
  FILE *old = fopen(file, "r");
  assert_non_null(fgets(text, sizeof text, old));
  fclose(old);
  assert_string_equal(text, "old\n");
}

// By --quiet nothing, also on a terminal.
static void quiet_work_shows_nothing(void **state)
{
  (void)state;
  const char *const run[] = {ffi_command_path(), "run",      SQUAT,     "--duration", "30s", "--set",
                             "dt=0.5ms",         "--no-log", "--quiet", NULL};
  assert_int_equal(ffi_run_on_wide_terminal(80, NULL, run, out, sizeof out), 0);
  assert_string_equal(out, "");
  const char *const step[] = {ffi_command_path(), "bench", "step",    "--quick",
                              "--case",           "box-4", "--quiet", NULL};
  assert_int_equal(ffi_run_on_wide_terminal(80, NULL, step, out, sizeof out), 0);
  assert_string_equal(out, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_keeps_its_log),      cmocka_unit_test(a_page_is_not_begun),
      cmocka_unit_test(no_scene_is_written),      cmocka_unit_test(no_plan_is_stored),
      cmocka_unit_test(quiet_work_shows_nothing), cmocka_unit_test(comparisons_and_benchmarks_end),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
