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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_car_in_a_slope_is_told),
      cmocka_unit_test(on_ground_puts_it_on_top),
      cmocka_unit_test(on_ground_needs_a_plane_and_something_to_move),
      cmocka_unit_test(standing_scenes_have_no_note),
      cmocka_unit_test(a_fall_is_told_without_a_posture),
      cmocka_unit_test(bare_seconds_are_asked_about),
      cmocka_unit_test(limits_name_the_fields_of_scenes),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
