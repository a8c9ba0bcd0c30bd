// footfall run SCENE.yaml: the shipped scenes do their task, any field can be changed, and what is wrong is named.
#define _POSIX_C_SOURCE 200809L
#include "cli/run/summary.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SCENE(file) "'" FFI_TEST_SOURCE_DIR "/scenes/" file "'"
#define SQUAT SCENE("solo-squat.yaml")
#define WALK SCENE("romeo-walk.yaml")

static int is_true(const ffi_json_value *value, const char *key)
{
  return ffi_json_get(value, key)->type == FFI_JSON_TRUE;
}

// ---- Tasks ----------------------------------------------------------------------------------------------------------

static void shipped_scenes_meet_their_tasks(void **state)
{
  (void)state;
  ffi_json_value *summary = ffi_summary_of(0, WALK);
  const ffi_json_value *task = ffi_json_get(summary, "task");
  assert_true(is_true(task, "is_met") && is_true(task, "is_upright"));
  assert_true(ffi_number(task, "steps_taken") == 4);
  assert_true(ffi_number(summary, "dt") == 0.04 && ffi_number(summary, "steps") == 157);
  assert_string_equal(ffi_text(summary, "stepper"), "expo");
  assert_string_equal(ffi_text(task, "controller"), "walk");
  ffi_json_free(summary);
  summary = ffi_summary_of(0, SQUAT);
  task = ffi_json_get(summary, "task");
  assert_true(is_true(task, "is_met") && ffi_number(task, "com_error") < 5e-3);
  assert_true(ffi_number(task, "missed") == 0 && ffi_number(task, "expected") == 2);
  assert_true(ffi_inner(summary, "ground", "stiffness") == 1e5 &&
              ffi_inner(summary, "ground", "damping") == 300);
  ffi_json_free(summary);
  summary = ffi_summary_of(0, SCENE("solo-jump.yaml"));
  assert_true(ffi_inner(summary, "task", "flight") >= 0.6 && ffi_number(summary, "dt") == 0.01);
  ffi_json_free(summary);
  summary = ffi_summary_of(0, SCENE("solo-trot.yaml"));
  assert_true(fabs(ffi_inner(summary, "task", "speed") - 0.2) <= 0.05 && ffi_number(summary, "dt") == 0.002);
  ffi_json_free(summary);
  summary = ffi_summary_of(0, SCENE("solo-trot.yaml") " --accuracy 1e-4");
  assert_true(is_true(ffi_json_get(summary, "task"), "is_met"));
  assert_true(ffi_inner(summary, "totals", "integrator_steps") > 1500 &&
              ffi_inner(summary, "totals", "longest") <= 0.002);
  ffi_json_free(summary);
}

static void the_summary_says_so(void **state)
{
  (void)state;
  ffi_output output = ffi_run("LC_ALL=C", "run %s", SQUAT);
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "task        met\n"));
  assert_non_null(strstr(output.out, "centre of mass within 4."));
  assert_non_null(strstr(output.out, "controller  squat, every 40 ms"));
  ffi_output_free(&output);
}

// Without `rise` the reference is 16 mm ahead at once: a task that is not met has a status of its own.
static void a_task_that_is_not_met_is_told(void **state)
{
  (void)state;
  ffi_output output = ffi_run("LC_ALL=C", "run %s --set controller.squat.rise=0", SQUAT);
  assert_int_equal(output.status, 4);
  assert_non_null(strstr(output.out, "task        not met: the centre of mass is off by 17"));
  assert_string_equal(output.err, "");
  ffi_output_free(&output);
  ffi_json_value *summary = ffi_summary_of(4, SQUAT " --set controller.squat.rise=0");
  const ffi_json_value *task = ffi_json_get(summary, "task");
  assert_int_equal(ffi_json_get(task, "is_met")->type, FFI_JSON_FALSE);
  assert_true(ffi_number(task, "missed") == 1);
  ffi_json_free(summary);
}

// A start is no achievement: what was never tried is not met. Without a task it is a look at the start.
static void nothing_simulated_meets_no_task(void **state)
{
  (void)state;
  ffi_output output = ffi_run("LC_ALL=C", "run %s --duration 0", SQUAT);
  assert_int_equal(output.status, 4);
  assert_non_null(strstr(output.out, "task        not met: nothing was simulated\n"));
  assert_null(strstr(output.out, "nan"));
  ffi_output_free(&output);
  ffi_json_value *summary = ffi_summary_of(4, SQUAT " --duration 0");
  const ffi_json_value *task = ffi_json_get(summary, "task");
  assert_int_equal(ffi_json_get(task, "is_met")->type, FFI_JSON_FALSE);
  assert_true(ffi_number(task, "missed") == ffi_number(task, "expected"));
  ffi_json_free(summary);
  summary = ffi_summary_of(0, SQUAT " --duration 0 --set 'expect={}'");
  assert_true(ffi_number(summary, "steps") == 0);
  ffi_json_free(summary);
}

// ---- Changes --------------------------------------------------------------------------------------------------------

static void fields_are_changed_by_options(void **state)
{
  (void)state;
  ffi_json_value *summary =
      ffi_summary_of(0, SQUAT " --stepper implicit --dt 10ms --duration 1s --stiffness 2e5 --damping=400Ns/m "
                              "--friction 0.9 --set expect.com_error=20mm --set ground[0].slope=0.01deg");
  assert_string_equal(ffi_text(summary, "stepper"), "implicit");
  assert_true(ffi_number(summary, "dt") == 0.01 && ffi_number(summary, "steps") == 100);
  assert_true(ffi_inner(summary, "ground", "stiffness") == 2e5);
  assert_true(ffi_inner(summary, "ground", "damping") == 400);
  assert_true(ffi_inner(summary, "ground", "friction") == 0.9);
  assert_true(ffi_inner(summary, "ground", "slope") > 0);
  assert_true(ffi_inner(summary, "task", "period") == 0.04);
  ffi_json_free(summary);
  summary =
      ffi_summary_of(0, SQUAT " --set dt=5ms --set 'controller={type: posture-pd, kp: 50, kd: 1}' "
                              "--set expect.com_error=1 --posture standing --set 'expect={upright: yes}'");
  assert_string_equal(ffi_text(ffi_json_get(summary, "task"), "controller"), "posture-pd");
  assert_string_equal(ffi_text(summary, "posture"), "standing");
  const ffi_json_value *motors = ffi_json_get(summary, "motors");
  assert_true(ffi_number(motors, "held") == 12 && ffi_number(motors, "held_by_model") == 0);
  assert_true(ffi_inner(summary, "task", "expected") == 1);
  ffi_json_free(summary);
}

static void a_log_may_be_asked_for_by_either(void **state)
{
  (void)state;
  char arguments[1000];
  snprintf(arguments, sizeof arguments, SQUAT " --log '%s' --log-every 10", ffi_scratch_path("a.csv"));
  ffi_json_value *summary = ffi_summary_of(0, arguments);
  assert_true(ffi_number(summary, "rows") == 11);
  ffi_json_free(summary);
  snprintf(arguments, sizeof arguments, SQUAT " --set 'log.file=%s' --set log.every=50",
           ffi_scratch_path("b.csv"));
  summary = ffi_summary_of(0, arguments);
  assert_true(ffi_number(summary, "rows") == 3);
  ffi_json_free(summary);
}

// A scene that says where its log goes means its own folder, wherever it is run from; the command line means the
// working folder.
static void a_log_lies_beside_its_scene(void **state)
{
  static const char scene[] = "model: " FFI_TEST_SOURCE_DIR "/models/ball.urdf\nduration: 10ms\nlog:\n"
                              "  file: beside.csv\n";
  char prefix[600], path[512];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_write_file("beside.yaml", scene, (int)strlen(scene)));
  ffi_output output = ffi_run("cd /;", "run '%s' --quiet", path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  assert_int_equal(remove(ffi_scratch_path("beside.csv")), 0);
  snprintf(prefix, sizeof prefix, "cd '%s';", ffi_scratch_folder());
  output = ffi_run(prefix, "run beside.yaml --quiet");
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  assert_int_equal(remove(ffi_scratch_path("beside.csv")), 0);
  output = ffi_run(prefix, "run ./beside.yaml --set log.file=here.csv --quiet");
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  assert_int_equal(remove(ffi_scratch_path("here.csv")), 0);
}

// ---- What it refuses ------------------------------------------------------------------------------------------------

static void check_refusal(const char *arguments, int status, const char *words)
{
  ffi_output output = ffi_run("", "run %s", arguments);
  const char *end = strchr(output.err, '\n');
  if (output.status != status || strncmp(output.err, "footfall: ", 10) != 0 || !end || end[1] ||
      !strstr(output.err, words) || (output.out[0] && !strstr(arguments, "--json")))
    fail_msg("run %s: exit status %d instead of %d, or not one line with '%s': %s", arguments, output.status,
             status, words, output.err);
  ffi_output_free(&output);
}

static void wrong_usage_is_refused(void **state)
{
  (void)state;
  check_refusal(SQUAT " --drop 1m", 2, "'--drop' is for models; in a scene change a field with '--set'");
  check_refusal(SQUAT " --on-ground", 2, "'--on-ground' is for models");
  check_refusal(SQUAT " --no-pd", 2, "'--no-pd' is for models");
  check_refusal(SQUAT " --set dt", 2, "'--set dt' must be FIELD=VALUE");
  check_refusal(SQUAT " --set =3", 2, "'--set =3' must be FIELD=VALUE");
  check_refusal(SQUAT " --dt fast", 2, "not a number; expected a time");
  check_refusal(SQUAT " --stepper rk4 --order 1", 2, "of the stepper expo, not of rk4");
  check_refusal(SQUAT " --log - --json", 2, "would both write to the standard output");
  check_refusal(SQUAT " --log-every 3 --no-log", 2, "cannot be combined");
  check_refusal(SQUAT " --set log.file=a.txt", 1,
                "'log.file a.txt': the name of a log ends in .h5, .csv or .mcap");
  check_refusal(SOLO12 " --set material.friction=1", 2, "is a model, not a scene");
}

// An option of other steppers is refused with those that have it, for scenes and models alike.
static void options_of_other_steppers_are_refused(void **state)
{
  (void)state;
  static const char has[] = " is an option of the steppers ca and c2a, not of expo";
  static const char *const both[] = {SQUAT, SOLO12};
  char arguments[600];
  for (int i = 0; i < 2; ++i) {
    snprintf(arguments, sizeof arguments, "%s --set stepper.c2a.impact=coulomb", both[i]);
    check_refusal(arguments, 2, has);
    snprintf(arguments, sizeof arguments, "%s --set stepper.c2a.skin=1mm", both[i]);
    check_refusal(arguments, 2, has);
    snprintf(arguments, sizeof arguments, "%s --epsilon 1mm", both[i]);
    check_refusal(arguments, 2, "'--epsilon 1mm' is an option of the stepper ess, not of expo");
    snprintf(arguments, sizeof arguments, "%s --stepper rk4 --accuracy 1e-3", both[i]);
    check_refusal(arguments, 2, "is an option of the steppers expo and c2a, not of rk4");
    snprintf(arguments, sizeof arguments, "%s --set stepper.expo.order=3", both[i]);
    check_refusal(arguments, 2, "expo.order: '3' must not be above 2");
  }
  check_refusal(
      SCENE("solo-trot.yaml") " --set stepper.impact=coulomb", 2,
      "'--set stepper.impact=coulomb': stepper.impact: is an option of the steppers ca and c2a, not of expo");
  check_refusal(SOLO12 " --set stepper.order=1", 2, "there is no option 'order'; did you mean 'expo.order'?");
}

// By --set a model has the same options as a scene, and as the option of its own name; they go on with its log.
static void models_take_options_of_steppers(void **state)
{
  (void)state;
  static const char *const ways[] = {"--set stepper.expo.order=1", "--order 1"};
  char *first = NULL;
  for (int i = 0; i < 2; ++i) {
    ffi_output output =
        ffi_run("", "run " SOLO12 " --drop 1cm --dt 5ms --duration 100ms %s --out - ", ways[i]);
    assert_int_equal(output.status, 0);
    assert_true(strlen(output.out) > 1000);
    if (i > 0)
      assert_string_equal(output.out, first);
    free(first);
    first = strcpy(malloc(strlen(output.out) + 1), output.out);
    ffi_output_free(&output);
  }
  ffi_output half =
      ffi_run("",
              "run " SOLO12 " --drop 1cm --dt 5ms --duration 50ms --set stepper.expo.order=1 --quiet "
              "--out '%s/half.h5'",
              ffi_scratch_folder());
  assert_int_equal(half.status, 0);
  ffi_output rest = ffi_run("", "run --resume '%s/half.h5' --duration 50ms --out -", ffi_scratch_folder());
  assert_int_equal(rest.status, 0);
  const char *last = strrchr(rest.out, '\n') ? rest.out + strlen(rest.out) - 1 : rest.out;
  while (last > rest.out && last[-1] != '\n')
    --last;
  assert_non_null(strstr(first, last)); // the last row is that of the whole run
  ffi_output_free(&half);
  ffi_output_free(&rest);
  free(first);
}

// Old keys run, and a line says how they are written now. Options that wait for other steppers are no reason to warn.
static void old_keys_are_told(void **state)
{
  (void)state;
  static const char scene[] =
      "model: " FFI_TEST_SOURCE_DIR "/models/ball.urdf\nstepper:\n  type: expo\n  order: 1\n"
      "  moreau: {stabilise: true}\nduration: 10ms\nlog: {file: old.csv}\n";
  char want[700], path[512];
  snprintf(path, sizeof path, "%s", ffi_write_file("old.yaml", scene, (int)sizeof scene - 1));
  ffi_output output = ffi_run("", "run '%s' --quiet", path);
  assert_int_equal(output.status, 0);
  snprintf(want, sizeof want, "footfall: %s:4: stepper.order is now written stepper.expo.order\n", path);
  assert_string_equal(output.err, want);
  ffi_output_free(&output);
  output = ffi_run("", "run '%s' --quiet --stepper moreau", path);
  assert_int_equal(output.status, 0);
  assert_string_equal(output.err, want);
  ffi_output_free(&output);
}

static void wrong_scenes_and_changes_are_refused(void **state)
{
  (void)state;
  char words[600];
  check_refusal("nowhere.yaml", 1, "nowhere.yaml: cannot be opened: No such file");
  check_refusal(SQUAT " --set stepper.odor=1", 2,
                "'--set stepper.odor=1': stepper: there is no field 'odor'; known are type");
  check_refusal(SQUAT " --posture lying", 2,
                "'--posture lying': start.posture: the model has no posture 'lying'; it has standing");
  check_refusal(
      SQUAT " --kp 3", 2,
      "'--kp 3': controller.kp: is a gain of posture-pd and posture; the controller 'squat' has none");
  check_refusal(SQUAT " --set controller.kd=1", 2, "the controller 'squat' has none");
  check_refusal(SQUAT " --dt 30ms", 1, "controller.period: 0.04 s is not a multiple of dt, 0.03 s");
  check_refusal(SQUAT " --set controller.squat.feet=[A]", 2,
                "controller.squat.feet[0]: 'solo' has no frame 'A'");
  static const char bad[] = "model: x.urdf\nground:\n  friction: -1\n";
  const char *path = ffi_write_file("bad.yaml", bad, (int)sizeof bad - 1);
  snprintf(words, sizeof words, "%s:3: ground.friction: '-1' must not be below 0", path);
  check_refusal(path, 1, words);
}

// A log does not replace the trajectory that a scene follows, not even one that is called as a log.
static void a_trajectory_is_not_logged_over(void **state)
{
  static const char way[] = "footfall-trajectory 1\nrobot pendulum\ncoordinates 1\nvelocities 1\ncontrols 1\n"
                            "interval 0.5\nstates 2\nx 0.25 1\nu 2\nK 10 3\nx 0.75 1\n";
  char scene[400], path[300], arguments[1000];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_write_file("way.csv", way, (int)sizeof way - 1));
  snprintf(scene, sizeof scene,
           "model: " FFI_TEST_SOURCE_DIR
           "/models/pendulum.urdf\ncontroller: {type: feedback, trajectory: way.csv}\n"
           "dt: 500ms\nduration: 500ms\n");
  ffi_write_file("swing.yaml", scene, (int)strlen(scene));
  snprintf(arguments, sizeof arguments, "'%s/swing.yaml' --log '%s'", ffi_scratch_folder(), path);
  check_refusal(arguments, 1, "is the trajectory, which the log would overwrite");
  snprintf(arguments, sizeof arguments, "'%s/swing.yaml' --set 'log.file=%s'", ffi_scratch_folder(), path);
  check_refusal(arguments, 1, "is the trajectory, which the log would overwrite");
}

// A scene that runs away ends as a model that does.
static void a_scene_that_runs_away_says_when(void **state)
{
  (void)state;
  ffi_output output = ffi_run("LC_ALL=C", "run %s --stepper euler", SQUAT);
  assert_int_equal(output.status, 3);
  assert_non_null(strstr(output.err, "with 'euler'"));
  assert_non_null(strstr(output.out, "outcome     failed at"));
  ffi_output_free(&output);
  output = ffi_run("LC_ALL=C", "run %s --stepper euler --set 'expect={com_error: 1000m}'", SQUAT);
  assert_int_equal(output.status, 3);
  assert_non_null(strstr(output.out, "task        not met: the run ended early\n"));
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_scenes_meet_their_tasks),
      cmocka_unit_test(the_summary_says_so),
      cmocka_unit_test(a_task_that_is_not_met_is_told),
      cmocka_unit_test(nothing_simulated_meets_no_task),
      cmocka_unit_test(fields_are_changed_by_options),
      cmocka_unit_test(a_log_may_be_asked_for_by_either),
      cmocka_unit_test(a_log_lies_beside_its_scene),
      cmocka_unit_test(wrong_usage_is_refused),
      cmocka_unit_test(options_of_other_steppers_are_refused),
      cmocka_unit_test(models_take_options_of_steppers),
      cmocka_unit_test(old_keys_are_told),
      cmocka_unit_test(wrong_scenes_and_changes_are_refused),
      cmocka_unit_test(a_trajectory_is_not_logged_over),
      cmocka_unit_test(a_scene_that_runs_away_says_when),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
