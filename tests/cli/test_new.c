// footfall new: what is refused and that nothing is lost then, what the scene says, and that it runs as it was tried.
// Whole robots: tests/new_user.
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define SOLO12 "'" MODELS "solo12.urdf'"
// Nobody else makes a file of this name.
#define ABSENT FFI_TEST_BINARY_DIR "/never-written.yaml"
#define BALL "'" MODELS "ball.urdf'"

static char *read_all(const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 65536);
  if (file) {
    const size_t length = fread(text, 1, 65535, file);
    text[length] = '\0';
    fclose(file);
  }
  return text;
}

static void what_is_wrong_is_told(void **state)
{
  (void)state;
  static const struct {
    const char *arguments;
    int status;
    const char *words;
  } cases[] = {
      {"", 2, "'new' needs a model"},
      {BALL " " BALL, 2, "unexpected argument"},
      {BALL " --frce", 2, "did you mean '--force'?"},
      {BALL " -o", 2, "'-o' needs a value"},
      {BALL " -o scene.txt", 2, "the name of a scene ends in .yaml or .yml"},
      {BALL " --mimic fre", 2, "did you mean 'free'?"},
      {"/nowhere.urdf -o " ABSENT, 1, "/nowhere.urdf"},
      {FFI_TEST_SOURCE_DIR "/models/solo21.urdf -o " ABSENT, 1, "/models/solo12.urdf'?"},
      {"/etc/hostname -o " ABSENT, 1, "/etc/hostname"},
      {"/ -o " ABSENT, 1, "/"},
      {BALL " --posture flying -o " ABSENT, 2, "flying"},
      {SOLO12 " --posture standng -o " ABSENT, 2, "did you mean 'standing'?"},
      {BALL " -o /nowhere/x.yaml", 1, "/nowhere/x.yaml: cannot be written: No such file"},
      {BALL " -o /proc/x.yaml", 1, "/proc/x.yaml: cannot be written"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    ffi_must_refuse("new", cases[i].arguments, cases[i].status, cases[i].words);
  assert_int_not_equal(access(ABSENT, F_OK), 0);
}

static void nothing_is_replaced_unless_forced(void **state)
{
  (void)state;
  char arguments[1024], path[512];
  strcpy(path, ffi_write_file("mine.yaml", "mine\n", 5));
  snprintf(arguments, sizeof arguments, BALL " -o '%s'", path);
  ffi_must_refuse("new", arguments, 1, "already exists; '--force' replaces it");
  char *text = read_all(path);
  assert_string_equal(text, "mine\n");
  free(text);
  ffi_output output = ffi_run("", "new " BALL " -o '%s' --force --quiet", path);
  assert_int_equal(output.status, 0);
  assert_string_equal(output.out, "");
  assert_string_equal(output.err, "");
  ffi_output_free(&output);
  text = read_all(path);
  assert_non_null(strstr(text, "posture: \"resting\""));
  free(text);
  assert_int_not_equal(access(ffi_scratch_path("mine.yaml.part"), F_OK), 0);
  snprintf(arguments, sizeof arguments, "'%s' --force -o '%s'", path, path);
  ffi_must_refuse("new", arguments, 1, "is the model, which the scene would overwrite");
}

// A disk that is full: what was there stays, and no part of the new file is left.
static void a_full_disk_costs_nothing(void **state)
{
  (void)state;
  char path[512];
  strcpy(path, ffi_write_file("full.yaml", "mine\n", 5));
  ffi_output output =
      ffi_run("sh -c 'ulimit -f 0; \"$0\" \"$@\" 2>&1'", "new " BALL " -o '%s' --force", path);
  if (!strstr(output.out, "full.yaml: cannot be written: File too large"))
    fail_msg("%s%s", output.out, output.err);
  ffi_output_free(&output);
  char *text = read_all(path);
  assert_string_equal(text, "mine\n");
  free(text);
  assert_int_not_equal(access(ffi_scratch_path("full.yaml.part"), F_OK), 0);
}

// Two masses on sliders, 2 kg and 0.5 kg behind it. The rule by hand: (2 pi 4 Hz)^2 = 631.65 / s^2 times 2.5 kg, and
// times 0.5 kg; kd = sqrt(kp I).
static void gains_come_from_inertia(void **state)
{
  (void)state;
  static const char rail[] =
      "<robot name='rail'><link name='world'/>"
      "<joint name='first' type='prismatic'><parent link='world'/><child link='a'/><limit lower='-1' "
      "upper='1' effort='100' velocity='1'/></joint>"
      "<link name='a'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link>"
      "<joint name='second' type='prismatic'><parent link='a'/><child link='b'/><limit lower='0.5' upper='1' "
      "effort='100' velocity='1'/></joint>"
      "<link name='b'><inertial><mass value='0.5'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link></robot>";
  char path[512];
  strcpy(path, ffi_write_file("rail.urdf", rail, (int)strlen(rail)));
  ffi_output output = ffi_run("", "new '%s' -o '%s' --json", path, ffi_scratch_path("rail.yaml"));
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "\"state\": \"held\""));
  ffi_output_free(&output);
  char *text = read_all(ffi_scratch_path("rail.yaml"));
  const char *const words[] = {"\"first\": {kp: 1579 N/m, kd: 62.83 Ns/m}",
                               "\"second\": {kp: 315.8 N/m, kd: 12.57 Ns/m}", "\"first\": 0 #",
                               "\"second\": 0.5 # 0.5 to 1", "model: \"rail.urdf\""};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (!strstr(text, words[i]))
      fail_msg("'%s' is not in:\n%s", words[i], text);
  free(text);
}

// Make a scene of a model, and expect these words in what is said or in the scene.
static void expect_scene(const char *name, const char *model, const char *const *words)
{
  char path[512];
  strcpy(path, ffi_write_file(name, model, (int)strlen(model)));
  ffi_output output = ffi_run("", "new '%s' -o '%s' --json --force", path, ffi_scratch_path("start.yaml"));
  assert_int_equal(output.status, 0);
  char *text = read_all(ffi_scratch_path("start.yaml"));
  for (; *words; ++words)
    if (!strstr(output.out, *words) && !strstr(text, *words))
      fail_msg("%s: '%s' is not in:\n%s\n%s", name, *words, output.out, text);
  free(text);
  ffi_output_free(&output);
  output = ffi_run("", "run '%s' --no-log", ffi_scratch_path("start.yaml"));
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
}

// At zero its legs point up, and it would rest on its belly; in the middle of their limits it stands on their tips.
static void legs_are_better_than_a_belly(void **state)
{
  (void)state;
  char model[8192];
  int used = snprintf(
      model, sizeof model,
      "<robot name='beetle'><link name='body'><inertial><mass value='2'/><inertia ixx='.01' iyy='.01' "
      "izz='.01'/></inertial>"
      "<collision><geometry><box size='.2 .2 .06'/></geometry></collision></link>");
  for (int i = 0; i < 4; ++i)
    used += snprintf(
        model + used, sizeof model - (size_t)used,
        "<link name='leg%d'><inertial><origin xyz='0 0 .1'/><mass value='.1'/><inertia ixx='.001' iyy='.001' "
        "izz='.001'/></inertial>"
        "<collision><origin xyz='0 0 .1'/><geometry><box size='.02 .02 .2'/></geometry></collision></link>"
        "<joint name='hip%d' type='revolute'><parent link='body'/><child link='leg%d'/><origin xyz='%g %g 0'/>"
        "<axis xyz='0 1 0'/><limit lower='0' upper='6.2' effort='50' velocity='9'/></joint>",
        i, i, i, i % 2 ? 0.12 : -0.12, i / 2 ? 0.12 : -0.12);
  snprintf(model + used, sizeof model - (size_t)used, "</robot>");
  expect_scene("beetle.urdf", model,
               (const char *const[]){"\"state\": \"stands\"",
                                     "\"leg0\",\n    \"leg1\",\n    \"leg2\",\n    \"leg3\"\n  ]",
                                     "[\n    \"leg0\"", "\"hip0\": 3.1", NULL});
}

// A table of 0.4 m whose file has a floor 0.5 m high, with or without a lid on a hinge.
static void expect_table(const char *height, const char *lid, const char *want)
{
  char table[2048];
  snprintf(
      table, sizeof table,
      "<mujoco model='table'><worldbody><geom type='plane' size='0 0 1' pos='0 0 0.5'/><body pos='0 0 %s'><freejoint/>"
      "<geom type='box' size='.2 .15 .05' mass='5'/><geom type='capsule' fromto='.2 .15 0 .2 .15 -.38' size='.02'/>"
      "<geom type='capsule' fromto='.2 -.15 0 .2 -.15 -.38' size='.02'/><geom type='capsule' fromto='-.2 .15 "
      "0 -.2 .15 -.38' size='.02'/>"
      "<geom type='capsule' fromto='-.2 -.15 0 -.2 -.15 -.38' size='.02'/>%s</body></worldbody></mujoco>",
      height, lid);
  expect_scene("table.xml", table,
               (const char *const[]){"\"state\": \"stands\"", want, "upright: true", NULL});
}

// Inside its floor it would be thrown out, and a robot high above it would fall. Who has no joints may be meant to.
static void robots_start_on_their_own_floor(void **state)
{
  (void)state;
  static const char lid[] =
      "<body pos='0 0 .1'><joint name='lid' axis='0 1 0'/><geom type='box' size='.1 .1 .01' mass='1'/></body>";
  expect_table("0.6", "", "position: [0, 0, 0.9] # of the base [m]\n");
  expect_table("0.91", "", "position: [0, 0, 0.91] # of the base [m]\n");
  expect_table("0.6", lid, "position: [0, 0, 0.9] # of the base [m]\n");
  expect_table("1.7", lid, "position: [0, 0, 0.9] # of the base [m]\n");
}

// Two tons on the usual 1e5 N/m would sink by 5 cm, and bounce: the whole weight may press one contact in by 1 cm.
static void ground_under_heavy_robots_is_stiff(void **state)
{
  (void)state;
  static const char block[] =
      "<robot name='block'><link name='b'><inertial><mass value='2000'/><inertia ixx='333' iyy='333' "
      "izz='333'/></inertial>"
      "<collision><geometry><box size='1 1 1'/></geometry></collision></link></robot>";
  expect_scene(
      "block.urdf", block,
      (const char *const[]){"\"state\": \"stands\"", "stiffness: 2e+06 N/m", "damping: 6000 Ns/m", NULL});
}

// A robot of grams is thrown into the air by symplectic Euler with steps of 1 ms, upright. That is not what a scene of
// one that stands expects.
static void what_flies_away_does_not_stand(void **state)
{
  (void)state;
  static const char crumb[] =
      "<robot name='crumb'><link name='b'><inertial><mass value='.002'/><inertia ixx='2e-8' iyy='2e-8' "
      "izz='2e-8'/></inertial>"
      "<collision><geometry><box size='.01 .01 .01'/></geometry></collision></link></robot>";
  expect_scene("crumb.urdf", crumb, (const char *const[]){"\"state\": \"stands\"", "moved: 0.002", NULL});
  ffi_output output =
      ffi_run("", "run '%s' --no-log --stepper symplectic --duration 100ms", ffi_scratch_path("start.yaml"));
  assert_int_equal(output.status, 4);
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_is_told),
      cmocka_unit_test(nothing_is_replaced_unless_forced),
      cmocka_unit_test(a_full_disk_costs_nothing),
      cmocka_unit_test(gains_come_from_inertia),
      cmocka_unit_test(legs_are_better_than_a_belly),
      cmocka_unit_test(robots_start_on_their_own_floor),
      cmocka_unit_test(ground_under_heavy_robots_is_stiff),
      cmocka_unit_test(what_flies_away_does_not_stand),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
