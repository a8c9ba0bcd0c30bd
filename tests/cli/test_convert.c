// footfall convert: what is refused and that nothing is lost then, what is said. That the robot is the same:
// tests/io/test_save.c.
#include "cli/json_value.h"
#include "cli/run_command.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define SOLO12 "'" MODELS "solo12.urdf'"
// Nobody else makes a file of this name.
#define ABSENT FFI_TEST_BINARY_DIR "/never-written.xml"
#define BALL "'" MODELS "ball.urdf'"

static void what_is_wrong_is_told(void **state)
{
  (void)state;
  static const struct {
    const char *arguments;
    int status;
    const char *words;
  } cases[] = {
      {"", 2, "'convert' needs two files"},
      {BALL, 2, "'convert' needs two files"},
      {BALL " a.xml b.xml", 2, "unexpected argument 'b.xml'"},
      {BALL " ball.txt", 2, "'--to urdf' or '--to mjcf'"},
      {BALL " ball", 2, "'--to urdf' or '--to mjcf'"},
      {BALL " ball.xml --to mjfc", 2, "did you mean 'mjcf'?"},
      {BALL " ball.xml --forc", 2, "did you mean '--force'?"},
      {"/nowhere.urdf " ABSENT, 1, "/nowhere.urdf"},
      {"/etc/hostname " ABSENT, 1, "/etc/hostname"},
      {BALL " /nowhere/x.xml", 1, "/nowhere/x.xml: cannot be written: No such file"},
      {BALL " / --to urdf", 1, "/: is a folder"},
      {BALL " /dev/full --to urdf", 1, "/dev/full: is not a regular file"},
      {BALL " " BALL, 1, "is the model, which the new file would overwrite"},
      {BALL " " SOLO12, 1, "already exists; '--force' replaces it"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    ffi_must_refuse("convert", cases[i].arguments, cases[i].status, cases[i].words);
  assert_int_not_equal(access(ABSENT, F_OK), 0);
}

static void a_full_disk_costs_nothing(void **state)
{
  (void)state;
  char path[512], text[64] = "";
  strcpy(path, ffi_write_file("full.xml", "mine\n", 5));
  ffi_output output =
      ffi_run("sh -c 'ulimit -f 0; \"$0\" \"$@\" 2>&1'", "convert " SOLO12 " '%s' --force", path);
  assert_int_equal(output.status, 1);
  if (!strstr(output.out, "full.xml: cannot be written: File too large"))
    fail_msg("%s%s", output.out, output.err);
  ffi_output_free(&output);
  FILE *file = fopen(path, "r");
  assert_non_null(fgets(text, sizeof text, file));
  fclose(file);
  assert_string_equal(text, "mine\n");
  assert_int_not_equal(access(ffi_scratch_path("full.xml.part"), F_OK), 0);
}

static void notes_are_told(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "convert " SOLO12 " '%s'", ffi_scratch_path("solo.xml"));
  assert_int_equal(output.status, 0);
  assert_string_equal(output.err, "");
  assert_non_null(strstr(output.out, "solo.xml: MJCF\n"));
  assert_non_null(strstr(output.out, "note: 4 contact points are spheres of 1 mm"));
  ffi_output_free(&output);
  output =
      ffi_run("", "convert '%s' '%s' --json", ffi_scratch_path("solo.xml"), ffi_scratch_path("solo.urdf"));
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "\"format\": \"urdf\""));
  ffi_output_free(&output);
  output = ffi_run("", "convert " SOLO12 " '%s' --quiet --force", ffi_scratch_path("solo.urdf"));
  assert_int_equal(output.status, 0);
  assert_string_equal(output.out, "");
  ffi_output_free(&output);
  output = ffi_run("", "info '%s'", ffi_scratch_path("solo.urdf")); // and it is a robot
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "3: standing, straight_standing, squat"));
  ffi_output_free(&output);
}

// A hull that MJCF gives by its corners is a mesh file beside the URDF, with faces that everybody else reads; and it
// touches as before.
static void hulls_become_files(void **state)
{
  (void)state;
  static const char wedge[] =
      "<mujoco model='w'><asset><mesh name='m' vertex='0 0 0  0.2 0 0  0 0.2 0  0.2 0.2 0  0 0 0.1  0 0.2 "
      "0.1'/></asset>"
      "<worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 0.3'><freejoint/>"
      "<geom type='mesh' mesh='m' density='500'/></body></worldbody></mujoco>";
  char from[512], line[256];
  strcpy(from, ffi_write_file("wedge.xml", wedge, (int)strlen(wedge)));
  ffi_output output = ffi_run("", "convert '%s' '%s'", from, ffi_scratch_path("wedge.urdf"));
  if (output.status != 0 || !strstr(output.out, "1 convex hull without a mesh file"))
    fail_msg("%s%s", output.out, output.err);
  ffi_output_free(&output);
  FILE *file = fopen(ffi_scratch_path("wedge-hull0.obj"), "r");
  int corners = 0, faces = 0;
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    corners += line[0] == 'v';
    faces += line[0] == 'f';
  }
  fclose(file);
  assert_int_equal(corners, 6);
  assert_int_equal(faces, 2 * corners - 4); // Euler: V - E + F = 2 with 3 F = 2 E
  double deepest[2];
  for (int k = 0; k < 2; ++k) {
    char why[200];
    output = ffi_run("", "run '%s' --duration 1s --no-log --json", k ? ffi_scratch_path("wedge.urdf") : from);
    ffi_json_value *result = ffi_json_parse(output.out, why);
    assert_non_null(result);
    assert_int_equal(ffi_json_get(result, "contacts")->count, 4);
    deepest[k] = ffi_json_get(result, "penetration")->number;
    ffi_json_free(result);
    ffi_output_free(&output);
  }
  assert_true(deepest[0] > 1e-4 && fabs(deepest[0] - deepest[1]) < 1e-9 * deepest[0]);
  output = ffi_run("", "convert '%s' '%s' --to urdf", from,
                   ffi_scratch_path("wedge.robot")); // its mesh is there already
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "wedge-hull0.obj: already exists"));
  ffi_output_free(&output);
  assert_int_not_equal(access(ffi_scratch_path("wedge.robot"), F_OK), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_is_told),
      cmocka_unit_test(a_full_disk_costs_nothing),
      cmocka_unit_test(notes_are_told),
      cmocka_unit_test(hulls_become_files),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
