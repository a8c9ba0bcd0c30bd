// What the command does when it is used wrongly, when files are bad, and when its surroundings are: exit status, one
// line on stderr that starts with "footfall: ", nothing on stdout.
#include "cli/json_value.h"
#include "cli/run_command.h"

#include <footfall/version.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SOLO12 "'" FFI_TEST_SOURCE_DIR "/models/solo12.urdf'"

static void check_json(const ffi_output *output, const char *what, int status)
{
  char why[200] = "";
  ffi_json_value *value = ffi_json_parse(output->out, why);
  if (!value)
    fail_msg("%s: %s: %s", what, why, output->out);
  const char *message = ffi_json_get(value, "error")->text;
  assert_int_equal(strncmp(output->err + 10, message, strlen(message)), 0);
  assert_int_equal((int)ffi_json_get(value, "status")->number, status);
  ffi_json_free(value);
}

static void check_complaint(const ffi_output *output, const char *what, int status, const char *words)
{
  if (output->status != status)
    fail_msg("%s: exit status %d, expected %d; %s", what, output->status, status, output->err);
  if (strncmp(output->err, "footfall: ", 10) != 0)
    fail_msg("%s: stderr does not start with 'footfall: ': %s", what, output->err);
  if (!strstr(output->err, words))
    fail_msg("%s: '%s' is not in: %s", what, words, output->err);
  const char *end = strchr(output->err, '\n');
  if (!end || end[1] != '\0')
    fail_msg("%s: not one line: %s", what, output->err);
  if (output->out[0]) // by --json the same again, for machines
    check_json(output, what, status);
}

static void wrong_usage_is_refused_with_a_hint(void **state)
{
  static const struct {
    const char *arguments, *words;
  } cases[] = {
      {"inof " SOLO12, "did you mean 'footfall info'?"},
      {"INFO", "unknown command 'INFO'"},
      {"xyzzy", "'footfall help' lists"},
      {"''", "unknown command ''"},
      {"--verison", "did you mean 'footfall --version'?"},
      {"-x", "unknown option '-x'"},
      {"info", "needs a model"},
      {"info --json", "needs a model"},
      {"info --jsno " SOLO12, "did you mean '--json'?"},
      {"info --mesh-pth /tmp " SOLO12, "did you mean '--mesh-path'?"},
      {"info --frobnicate " SOLO12, "'footfall info --help' lists"},
      {"info -j " SOLO12, "unknown option '-j'"},
      {"info --json=yes " SOLO12, "takes no value"},
      {"info " SOLO12 " --mimic", "'--mimic' needs a value"},
      {"info " SOLO12 " --mesh-path", "'--mesh-path' needs a value"},
      {"info --mesh-path --json " SOLO12, "write '--mesh-path=--json'"},
      {"info --mimic -- " SOLO12, "'--mimic' needs a value"},
      {"info --mimic fre " SOLO12, "did you mean 'free'?"},
      {"info --mimic= " SOLO12, "refuse, free, fix or couple"},
      {"info --mimic maybe " SOLO12, "refuse, free, fix or couple"},
      {"info " SOLO12 " " SOLO12, "unexpected argument"},
      {"help bnech", "did you mean 'footfall bench'?"},
      {"help info bench", "unexpected argument"},
      {"help unit", "did you mean 'footfall help units'?"},
      {"help bench stp", "did you mean 'step'?"},
      {SOLO12, "for the file: 'footfall run "},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = ffi_run("", "%s", cases[i].arguments);
    check_complaint(&output, cases[i].arguments, 2, cases[i].words);
    if (!strstr(cases[i].arguments, "--json"))
      assert_string_equal(output.out, "");
    ffi_output_free(&output);
  }
}

static void without_arguments_there_is_an_overview(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "%s", "");
  assert_int_equal(output.status, 2);
  assert_string_equal(output.out, "");
  assert_non_null(strstr(output.err, "footfall COMMAND"));
  ffi_output_free(&output);
}

static void help_and_version_are_given(void **state)
{
  static const struct {
    const char *arguments, *words;
  } cases[] = {
      {"--version", "footfall " FF_VERSION "\n"},
      {"help", "info "},
      {"--help", "bench "},
      {"-h", "help "},
      {"help info", "--mesh-path DIR"},
      {"info --help", "--mimic"},
      {"info x -h", "--json"},
      {"help bench", "NAME"},
      {"help help", "COMMAND"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = ffi_run("", "%s", cases[i].arguments);
    if (output.status != 0 || !strstr(output.out, cases[i].words))
      fail_msg("footfall %s: status %d, '%s' not in:\n%s", cases[i].arguments, output.status, cases[i].words,
               output.out);
    assert_string_equal(output.err, "");
    ffi_output_free(&output);
  }
}

// ---- Bad files --------------------------------------------------------------------------------------------

static void files_that_cannot_be_read_are_named(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "info /no/such/robot.urdf");
  check_complaint(&output, "missing file", 1, "/no/such/robot.urdf: ");
  ffi_output_free(&output);
  output = ffi_run("", "info '%s'", ffi_scratch_folder());
  check_complaint(&output, "a folder", 1, ffi_scratch_folder());
  ffi_output_free(&output);
  output = ffi_run("", "info ''");
  check_complaint(&output, "an empty name", 1, "");
  ffi_output_free(&output);
  output = ffi_run("", "info '" FFI_TEST_SOURCE_DIR "/models/solo21.urdf'");
  check_complaint(&output, "swapped letters", 1, "/models/solo12.urdf'?");
  ffi_output_free(&output);
  output = ffi_run("", "run '" FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yml'");
  check_complaint(&output, "another ending", 1,
                  "did you mean '" FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml'?");
  ffi_output_free(&output);
  output = ffi_run("", "info -- --json");
  check_complaint(&output, "a file called --json", 1, "--json: ");
  ffi_output_free(&output);
}

static void bad_robots_are_refused_with_their_line(void **state)
{
  static const struct {
    const char *content, *words;
    int length; // 0: up to its end
  } cases[] = {
      {"", "", 0},
      {"this is no robot", "", 0},
      {"\x7f"
       "ELF\0\1\2\3",
       "", 8},
      {"<robot name='r'>\n<link name='a'>\n</robot>", "bad.urdf:3", 0},
      {"<sdf version='1.6'/>", "bad.urdf:1", 0},
      {"<robot name='r'>\n<link name='a'/>\n<link name='a'/>\n</robot>", "'a'", 0},
      {"<robot name='r'>\n<link name='a'/>\n<joint name='j' type='fixed'>\n<parent link='a'/>\n<child "
       "link='b'/></joint></robot>",
       "'b'", 0},
      {"<robot name='r'>\n<link name='a'><inertial>\n<mass value='heavy'/><inertia ixx='1' iyy='1' "
       "izz='1'/></inertial></link></robot>",
       "bad.urdf:3", 0},
      {"<robot name='r'>\n<link name='a'><inertial>\n<mass value='-1'/><inertia ixx='1' iyy='1' "
       "izz='1'/></inertial></link></robot>",
       "-1", 0},
      {"<mujoco>\n<worldbody>\n<body><geom type='banana'/></body></worldbody></mujoco>", "bad.urdf:3", 0},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const int length = cases[i].length ? cases[i].length : (int)strlen(cases[i].content);
    const char *path = ffi_write_file("bad.urdf", cases[i].content, length);
    for (int json = 0; json < 2; ++json) {
      ffi_output output = ffi_run("", "info %s '%s'", json ? "--json" : "", path);
      check_complaint(&output, cases[i].content, 1, cases[i].words);
      assert_int_equal(output.out[0] != '\0', json);
      assert_non_null(strstr(output.err, "bad.urdf"));
      ffi_output_free(&output);
    }
  }
}

// ---- Surroundings -----------------------------------------------------------------------------------------

static void output_that_cannot_be_written_is_a_failure(void **state)
{
  (void)state;
  if (access("/dev/full", W_OK) != 0)
    skip();
  static const char *const arguments[] = {"info " SOLO12, "info --json " SOLO12, "help", "--version"};
  for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; ++i) {
    ffi_output output = ffi_run("", "%s >/dev/full", arguments[i]);
    check_complaint(&output, arguments[i], 1, "could not be written");
    ffi_output_free(&output);
  }
}

static void copy_command(const char *to)
{
  char line[1024];
  snprintf(line, sizeof line, "cp '%s' '%s'", ffi_command_path(), to);
  assert_int_equal(system(line), 0);
}

static void bench_runs_the_program_beside_it(void **state)
{
  static const char script[] = "#!/bin/sh\nfor word; do echo \"<$word>\"; done\necho to-stderr >&2\nexit 7\n";
  char copy[512], beside[512];
  (void)state;
  snprintf(copy, sizeof copy, "%s/footfall", ffi_scratch_folder());
  snprintf(beside, sizeof beside, "%s/footfall-bench", ffi_scratch_folder());
  copy_command(copy);

  ffi_output output = ffi_run_program("", copy, "bench dynamics");
  check_complaint(&output, "no footfall-bench", 1, "footfall-bench");
  assert_non_null(strstr(output.err, ffi_scratch_folder()));
  ffi_output_free(&output);

  ffi_write_file("footfall-bench", script, (int)sizeof script - 1);
  assert_int_equal(chmod(beside, 0755), 0);
  output = ffi_run_program("", copy, "bench dynamics --json 'a b' --quick ''");
  assert_int_equal(output.status, 7);
  assert_string_equal(output.out, "<dynamics>\n<--json>\n<a b>\n<--quick>\n<>\n");
  assert_string_equal(output.err, "to-stderr\n");
  ffi_output_free(&output);
}

// Quiet commands say what they found by their exit status alone.
static void quiet_is_quiet(void **state)
{
  (void)state;
  static const struct {
    const char *arguments;
    int status;
  } cases[] = {{"info " SOLO12 " --quiet", 0},
               {"run " SOLO12 " --duration 10ms --no-log --quiet", 0},
               {"info /nowhere.urdf --quiet", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = ffi_run("", "%s", cases[i].arguments);
    assert_int_equal(output.status, cases[i].status);
    assert_string_equal(output.out, "");
    if ((output.err[0] == '\0') != (cases[i].status == 0))
      fail_msg("%s: %s", cases[i].arguments, output.err);
    ffi_output_free(&output);
  }
}

// With --json there is one document on stdout, whether a command did what it should or not.
static void json_is_one_document(void **state)
{
  (void)state;
  static const struct {
    const char *arguments;
    int status;
  } cases[] = {
      {"info " SOLO12 " --json", 0},
      {"info /nowhere.urdf --json", 1},
      {"run " SOLO12 " --duration 10ms --no-log --json", 0},
      {"run " SOLO12
       " --duration 1s --no-log --stepper euler --dt 20ms --stiffness 1e9N/m --no-pd --drop 10cm --json",
       3},
      {"run /nowhere.urdf --json", 1},
      {"run " SOLO12 " --json --dt never", 2},
      {"view /nowhere.h5 --json", 1},
      {"view --json", 2},
      {"new " SOLO12 " -o /nowhere/x.yaml --json", 1},
      {"new " SOLO12 " -o $T/solo.yaml --json", 0},
      {"convert " SOLO12 " $T/solo.xml --json", 0},
      {"convert " SOLO12 " $T/solo.txt --json", 2},
      {"plan walk --out $T/x.txt --json", 2},
      {"plan jump /nowhere.urdf --out $T/x.txt --json", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char why[200] = "", prefix[256];
    snprintf(prefix, sizeof prefix, "T='%s';", ffi_scratch_folder());
    ffi_output output = ffi_run(prefix, "%s", cases[i].arguments);
    ffi_json_value *value = ffi_json_parse(output.out, why);
    if (!value || output.status != cases[i].status)
      fail_msg("%s: status %d, %s: %s%s", cases[i].arguments, output.status, why, output.out, output.err);
    assert_int_equal(value->type, FFI_JSON_OBJECT);
    if (cases[i].status == 1 || cases[i].status == 2)
      check_json(&output, cases[i].arguments, cases[i].status);
    else if (cases[i].status == 0)
      assert_string_equal(output.err, "");
    ffi_json_free(value);
    ffi_output_free(&output);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quiet_is_quiet),
      cmocka_unit_test(json_is_one_document),
      cmocka_unit_test(wrong_usage_is_refused_with_a_hint),
      cmocka_unit_test(without_arguments_there_is_an_overview),
      cmocka_unit_test(help_and_version_are_given),
      cmocka_unit_test(files_that_cannot_be_read_are_named),
      cmocka_unit_test(bad_robots_are_refused_with_their_line),
      cmocka_unit_test(output_that_cannot_be_written_is_a_failure),
      cmocka_unit_test(bench_runs_the_program_beside_it),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
