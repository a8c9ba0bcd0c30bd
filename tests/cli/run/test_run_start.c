// footfall run: robots that start inside the ground are told so, `start.on_ground` puts them on top, a fall is told
// without a posture too, and a bare `--dt 2` is taken for the slip that it is.
#include "cli/run/summary.h"
#include "cli/run_command.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROBOT(file) FFI_TEST_SOURCE_DIR "/tests/new_user/robots/" file

// A scene of the car on a slope. `start` is the map's content.
static ffi_json_value *run_car(int status, const char *start, const char *more)
{
  char scene[1200], arguments[700];
  snprintf(
      scene, sizeof scene,
      "model: '%s'\nground: {type: plane, slope: 10deg}\nstart: {%s}\ncontroller: none\nstepper: expo\ndt: 1ms\n"
      "duration: 20ms\n",
      ROBOT("car.urdf"), start);
  snprintf(arguments, sizeof arguments, "'%s' --no-log %s",
           ffi_write_file("car.yaml", scene, (int)strlen(scene)), more);
  return ffi_summary_of(status, arguments);
}

// The plane z = 0 is invented for what can fall. A cart on a rail at that height has none, unless an option describes
// it.
static void no_ground_is_invented_through_a_fixed_robot(void **state)
{
  (void)state;
  ffi_json_value *s =
      ffi_summary_of(0, "'" ROBOT("cart_pole.urdf") "' --fixed-base --no-log --duration 20ms");
  assert_true(ffi_has_note(s, "There is no ground") && ffi_has_note(s, "0.05 m below z = 0"));
  ffi_check_near("depth", ffi_number(s, "penetration"), 0, 0);
  ffi_json_free(s);
  s = ffi_summary_of(0, "'" ROBOT("cart_pole.urdf") "' --fixed-base --no-log --duration 20ms --slope 0");
  assert_true(ffi_has_note(s, "0.05 m deep in the ground"));
  assert_true(ffi_number(s, "penetration") > 0.04);
  ffi_json_free(s);
}

// What becomes of an arm whose file does not fix it, and the option that does.
static void an_arm_that_floats_is_told(void **state)
{
  (void)state;
  ffi_json_value *s = ffi_summary_of(0, "'" ROBOT("arm_without_world.urdf") "' --no-log --duration 100ms");
  assert_true(ffi_has_note(s, "--fixed-base"));
  ffi_json_free(s);
  s = ffi_summary_of(0, "'" ROBOT("arm_without_world.urdf") "' --no-log --duration 100ms --fixed-base");
  assert_false(ffi_has_note(s, "--fixed-base") || ffi_has_note(s, "fell"));
  ffi_json_free(s);
  s = ffi_summary_of(0, "'" ROBOT("quad.urdf") "' --no-log --duration 100ms --on-ground");
  assert_false(ffi_has_note(s, "--fixed-base"));
  ffi_json_free(s);
}

// The wheels uphill: their centres 0.15 m from the middle, 0.07 m above z = 0, and the ground there 0.15 m tan 10
// degrees high.
static void a_car_in_a_slope_is_told(void **state)
{
  (void)state;
  const double slope = 10 * 3.141592653589793 / 180;
  const double depth = 0.07 - (0.07 - 0.15 * tan(slope)) * cos(slope);
  ffi_json_value *s = run_car(0, "position: [0, 0, 0.1]", "");
  ffi_check_near("gap", ffi_number(s, "gap"), -depth, 1e-9);
  assert_true(ffi_has_note(s, "deep in the ground"));
  assert_true(ffi_has_note(s, "start.on_ground: true"));
  ffi_json_free(s);
  s = run_car(0, "position: [0, 0, 0.1]", "--stepper moreau"); // hard contacts have no force yet
  assert_true(ffi_has_note(s, "deep in the ground"));
  ffi_json_free(s);
}

// What the note proposes: it stands on the slope as it stood on z = 0, wherever it was.
static void on_ground_puts_it_on_top(void **state)
{
  (void)state;
  const char *const starts[] = {"position: [0, 0, 0.1], on_ground: true",
                                "position: [0, 0, -3], on_ground: true", "on_ground: true",
                                "position: [0, 0, 5], on_ground: true"};
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; ++i) {
    ffi_json_value *s = run_car(0, starts[i], "--duration 0");
    ffi_check_near("gap", ffi_number(s, "gap"), 0, 1e-12);
    ffi_check_near("height", ffi_inner(s, "base", "height_start"), 0.1, 1e-9); // along the normal
    assert_false(ffi_has_note(s, "deep in the ground"));
    ffi_json_free(s);
  }
}

static void refuse(const char *scene, const char *words)
{
  const char *path = ffi_write_file("refused.yaml", scene, (int)strlen(scene));
  ffi_output output = ffi_run("", "run '%s' --no-log --duration 0", path);
  if (output.status != 1 || !strstr(output.err, words) || !strstr(output.err, "start.on_ground"))
    fail_msg("status %d: %s", output.status, output.err);
  ffi_output_free(&output);
}

static void on_ground_needs_a_plane_and_something_to_move(void **state)
{
  (void)state;
  refuse("model: '" ROBOT("car.urdf") "'\nstart: {on_ground: true}\nground: [{type: box, size: [9, 9, 1]}]\n",
         "the ground must be one plane");
  refuse("model: '" ROBOT("car.urdf") "'\nstart: {on_ground: true}\nground: []\n",
         "the ground must be one plane");
  refuse("model: '" ROBOT("arm.urdf") "'\nground: plane\nstart: {on_ground: true}\n", "nothing floats");
}

// A robot that stands or lands lightly has no such note.
static void standing_scenes_have_no_note(void **state)
{
  (void)state;
  static const char *const scenes[] = {"solo-squat.yaml", "romeo-walk.yaml"};
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
    char arguments[400];
    snprintf(arguments, sizeof arguments, "'" FFI_TEST_SOURCE_DIR "/scenes/%s' --no-log --duration 0",
             scenes[i]);
    ffi_json_value *s = ffi_summary_of(4, arguments); // nothing was simulated
    assert_false(ffi_has_note(s, "deep in the ground"));
    ffi_json_free(s);
  }
}

// A file without postures, nothing that holds its joints.
static void a_fall_is_told_without_a_posture(void **state)
{
  (void)state;
  ffi_json_value *s =
      ffi_summary_of(0, "'" ROBOT("biped.urdf") "' --on-ground --no-pd --no-log --duration 2");
  assert_int_equal(ffi_json_get(s, "posture")->type, FFI_JSON_NULL);
  assert_true(ffi_has_note(s, "The robot fell"));
  ffi_json_free(s);
  s = ffi_summary_of(0, "'" ROBOT("car.urdf") "' --on-ground --no-pd --no-log --duration 1");
  assert_false(ffi_has_note(s, "The robot fell"));
  ffi_json_free(s);
}

// Two posts with an arm each, one on a foot, one on its tip, and a ball: each post has a base, and the one that falls
// is named.
static void each_robot_has_a_base(void **state)
{
  (void)state;
  static const char model[] =
      "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body name='firm' pos='0 0 .6'><freejoint/><geom type='box' size='.02 .02 .3' pos='0 0 -.3'/>"
      "<geom type='box' size='.2 .2 .01' pos='0 0 -.59'/><body name='a'><joint axis='0 1 0'/>"
      "<geom type='box' size='.1 .02 .02' pos='.1 0 0'/></body></body>"
      "<body name='loose' pos='2 0 .6' euler='0 3 0'><freejoint/><geom type='box' size='.02 .02 .3' pos='0 0 -.3'/>"
      "<body name='b'><joint axis='0 1 0'/><geom type='box' size='.1 .02 .02' pos='.1 0 0'/></body></body>"
      "<body name='ball' pos='-2 0 .1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  char arguments[300];
  snprintf(arguments, sizeof arguments, "'%s' --no-log --duration 2s",
           ffi_write_file("posts.xml", model, (int)strlen(model)));
  ffi_json_value *s = ffi_summary_of(0, arguments);
  const ffi_json_value *bases = ffi_json_get(s, "bases"), *firm = ffi_json_at(bases, 0),
                       *loose = ffi_json_at(bases, 1);
  assert_int_equal(ffi_json_get(s, "base")->type, FFI_JSON_NULL);
  assert_int_equal(bases->count, 2);
  assert_string_equal(ffi_text(firm, "link"), "firm");
  assert_string_equal(ffi_text(loose, "link"), "loose");
  ffi_check_near("height", ffi_number(firm, "height_end"), 0.6, 5e-3);
  assert_int_equal(ffi_json_get(firm, "has_fallen")->type, FFI_JSON_FALSE);
  assert_int_equal(ffi_json_get(loose, "has_fallen")->type, FFI_JSON_TRUE);
  assert_true(ffi_has_note(s, "The robot 'loose' fell") && !ffi_has_note(s, "'firm'"));
  ffi_json_free(s);
}

static void bare_seconds_are_asked_about(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "run '%s' --no-log --dt 2", ROBOT("car.urdf"));
  assert_int_equal(output.status, 2);
  assert_non_null(
      strstr(output.err, "'--dt 2' is 2 s; did you mean '--dt 2ms'? For seconds write '--dt 2s'"));
  ffi_output_free(&output);
  ffi_json_value *s =
      ffi_summary_of(0, "'" ROBOT("car.urdf") "' --on-ground --no-log --dt 2ms --duration 10ms");
  ffi_check_near("dt", ffi_number(s, "dt"), 0.002, 1e-15);
  ffi_json_free(s);
  s = ffi_summary_of(0, "'" ROBOT("car.urdf") "' --on-ground --no-log --dt 0.01 --duration 10ms");
  ffi_check_near("dt", ffi_number(s, "dt"), 0.01, 1e-15);
  ffi_json_free(s);
}

// Messages of steps name the fields of scenes; with the field as told the scene runs.
static void limits_name_the_fields_of_scenes(void **state)
{
  (void)state;
  static const char scene[] =
      "model: '" ROBOT("car.urdf") "'\nstart: {on_ground: true}\ncontroller: none\n"
                                   "stepper: {type: expo, max_contacts: 2}\nduration: 20ms\n";
  const char *path = ffi_write_file("few.yaml", scene, (int)strlen(scene));
  ffi_output output = ffi_run("", "run '%s' --no-log", path);
  assert_int_not_equal(output.status, 0);
  assert_non_null(strstr(output.err, "stepper.max_contacts"));
  assert_null(strstr(output.err, "ff_sim_def"));
  ffi_output_free(&output);
  output = ffi_run("", "run '%s' --no-log --set stepper.max_contacts=40", path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
}

// Links of one robot that overlap because the file lists their shapes as a pair: excluding them does not help.
static void listed_pairs_that_overlap_are_told(void **state)
{
  (void)state;
  static const char robot[] =
      "<mujoco><worldbody><body name='one' pos='0 0 1'><freejoint/><geom name='a' size='0.1'/>"
      "<body name='two' pos='0 0 0.15'><joint axis='0 1 0'/><geom name='b' size='0.08'/></body></body></worldbody>"
      "<contact><pair geom1='a' geom2='b'/></contact></mujoco>";
  char arguments[700];
  snprintf(arguments, sizeof arguments, "'%s' --no-log --duration 0",
           ffi_write_file("pair.xml", robot, (int)sizeof robot - 1));
  ffi_json_value *s = ffi_summary_of(0, arguments);
  assert_true(ffi_has_note(s, "'one' and 'two' (30 mm, a listed pair)"));
  assert_true(ffi_has_note(s, "collides until its <pair> is removed"));
  ffi_json_free(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_ground_is_invented_through_a_fixed_robot),
      cmocka_unit_test(an_arm_that_floats_is_told),
      cmocka_unit_test(a_car_in_a_slope_is_told),
      cmocka_unit_test(on_ground_puts_it_on_top),
      cmocka_unit_test(on_ground_needs_a_plane_and_something_to_move),
      cmocka_unit_test(standing_scenes_have_no_note),
      cmocka_unit_test(a_fall_is_told_without_a_posture),
      cmocka_unit_test(listed_pairs_that_overlap_are_told),
      cmocka_unit_test(each_robot_has_a_base),
      cmocka_unit_test(bare_seconds_are_asked_about),
      cmocka_unit_test(limits_name_the_fields_of_scenes),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
