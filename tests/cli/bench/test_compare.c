// slow: under sanitizers. footfall compare: its rows, its picture and what it refuses. That errors are what they should
// be is tested in tests/bench; here, that a scene becomes a comparison, and that its figures say what anybody who knows
// these methods would say: by factors that are far from the edge.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SQUAT FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml"

static int measure(void **state)
{
  *state = ffi_bench_rows("compare " SQUAT
                          " --duration 0.4s --quick --substeps 4,16 --steppers expo,expo-paper,implicit,rk4");
  return 0;
}

static double need(const ffi_json_value *rows, const char *metric, const char *unit)
{
  const double value = ffi_bench_find(rows, "solo-squat", metric, unit);
  if (isnan(value))
    fail_msg("there is no row %s", metric);
  return value;
}

static void rows_have_the_schema(void **state)
{
  static const char *const schemes[] = {"expo", "expo-paper", "implicit", "rk4"};
  static const char *const errors[] = {"mean", "median", "largest", "norm-mean"};
  static const char *const truths[] = {"common", "own"};
  static const double dt[] = {10000, 2500};
  char metric[96];
  ffi_bench_check_schema(*state, 1); // where every period failed
  for (int s = 0; s < 3; ++s)
    for (int d = 0; d < 2; ++d) {
      for (int t = 0; t < 2; ++t)
        for (int e = 0; e < 4; ++e) {
          snprintf(metric, sizeof metric, "error:%s:dt=%gus:%s:%s", schemes[s], dt[d], truths[t], errors[e]);
          assert_true(need(*state, metric, "SI") > 0);
        }
      snprintf(metric, sizeof metric, "speed:%s:dt=%gus", schemes[s], dt[d]);
      const double speed = need(*state, metric, "x");
      snprintf(metric, sizeof metric, "step:%s:dt=%gus", schemes[s], dt[d]);
      assert_true(fabs(speed * need(*state, metric, "us") / dt[d] - 1) < 1e-4); // rows have six digits
    }
  assert_true(need(*state, "period", "ms") == 40 && need(*state, "periods", "") == 10);
}

// The orders: expo's error falls by 16 from 10 ms to 2.5 ms, those of expo-paper and implicit by 4. rk4 cannot take
// such steps at K = 1e5.
static void figures_make_sense(void **state)
{
  const double expo = need(*state, "error:expo:dt=10000us:common:mean", "SI") /
                      need(*state, "error:expo:dt=2500us:common:mean", "SI");
  const double paper = need(*state, "error:expo-paper:dt=10000us:common:mean", "SI") /
                       need(*state, "error:expo-paper:dt=2500us:common:mean", "SI");
  const double implicit = need(*state, "error:implicit:dt=10000us:common:mean", "SI") /
                          need(*state, "error:implicit:dt=2500us:common:mean", "SI");
  assert_true(expo > 8 && paper > 3 && paper < 5 && implicit > 3 && implicit < 5);
  assert_true(need(*state, "error:rk4:dt=2500us:common:mean", "SI") > 1);
  assert_true(need(*state, "truth:common:mean", "SI") < 1e-7);
  assert_true(need(*state, "truth:common:largest", "SI") >= need(*state, "truth:common:mean", "SI"));
}

// The ground throws twenty grams up wherever rk4 takes steps of 62.5 us, its own truth's: on it the truth is of no use,
// and that is told.
static void truths_that_are_none_are_told(void **state)
{
  (void)state;
  static const char crumb[] =
      "<robot name='crumb'><link name='b'><inertial><mass value='.02'/><inertia ixx='2e-6' iyy='2e-6' "
      "izz='2e-6'/></inertial>"
      "<collision><geometry><box size='.01 .01 .01'/></geometry></collision></link></robot>";
  static const char scene[] =
      "model: crumb.urdf\nstart: {position: [0, 0, 0.005]}\ncontroller: none\ndt: 1ms\n";
  ffi_write_file("crumb.urdf", crumb, (int)strlen(crumb));
  ffi_output output = ffi_run(
      "", "compare '%s' --duration 200ms --damping 700 --quick --substeps 1 --steppers expo,rk4,implicit",
      ffi_write_file("crumb.yaml", scene, (int)strlen(scene)));
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "The own truth of rk4, with steps of 62.5 us, is a different motion"));
  assert_null(strstr(output.out, "The own truth of implicit"));
  ffi_output_free(&output);
}

// The same field by --set and by its option gives the same errors, which are others than the scene's; and the period is
// a field as any other.
static void fields_can_be_changed(void **state)
{
#define FEW "compare " SQUAT " --duration 0.2s --quick --truth common --steppers expo-paper --substeps 4 "
  static const char *const ways[] = {FEW, FEW "--stiffness 2e4", FEW "--set material.stiffness=2e4",
                                     FEW "--set controller.period=20ms --set dt=20ms"};
  double errors[4], periods[4];
  (void)state;
  for (int i = 0; i < 4; ++i) {
    void *rows = ffi_bench_rows(ways[i]);
    errors[i] = need(
        rows, i < 3 ? "error:expo-paper:dt=10000us:common:mean" : "error:expo-paper:dt=5000us:common:mean",
        "SI");
    periods[i] = need(rows, "periods", "");
    ffi_bench_forget(&rows);
  }
  assert_true(errors[1] == errors[2] && errors[1] != errors[0]);
  assert_true(periods[0] == 5 && periods[3] == 10);
}

static void pictures_are_drawn(void **state)
{
  (void)state;
  char path[256], text[200] = "";
  snprintf(path, sizeof path, "%s/squat.svg", ffi_scratch_folder());
  ffi_output output = ffi_run(
      "",
      "compare " SQUAT " --duration 0.2s --quick --substeps 1..4 --steppers expo --truth common --svg '%s'",
      path);
  assert_int_equal(output.status, 0);
  assert_string_equal(output.err, "");
  assert_non_null(strstr(output.out, "Common truth: expo"));
  assert_null(strstr(output.out, "own mean"));
  ffi_output_free(&output);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(text, sizeof text, file));
  fclose(file);
  assert_int_equal(strncmp(text, "<svg ", 5), 0);
}

static void nonsense_is_refused(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"compare", 2, "needs a scene"},
      {"compare a b", 2, "unexpected argument"},
      {"compare a --steppers exop", 2, "did you mean 'expo'?"},
      {"compare a --steppers expo,", 2, "'' is not known"},
      {"compare a --steppers expo,rk4,expo", 2, "twice"},
      {"compare a --steppers rk4:order-3", 2, "'rk4:order-3' is not known"},
      {"compare a --substeps 0", 2, "--substeps"},
      {"compare a --substeps 4,2", 2, "must grow"},
      {"compare a --substeps 8..4", 2, "--substeps"},
      {"compare a --truth mine", 2, "--truth"},
      {"compare a --json - --svg -", 2, "both"},
      {"compare nowhere.yaml", 1, "nowhere.yaml"},
      {"compare " SQUAT " --json /nowhere/a", 1, "cannot be written"},
      {"compare " SQUAT " --duration=-1s", 2, "duration"},
      {"compare " SQUAT " --duration=1e12s", 1, "more than 1000000 control periods"},
      {"compare " SQUAT " --duration 0", 1, "a duration of 0 s is shorter than the control period, 0.04 s"},
      {"compare " SQUAT " --duration 39ms", 1, "nothing to compare"},
      {"compare " SQUAT " --set dt", 2, "'--set dt' must be FIELD=VALUE"},
      {"compare " SQUAT " --set stepper.odor=1", 2, "there is no field 'odor'"},
      {"compare " SQUAT " --posture lying", 2, "the model has no posture 'lying'"},
      {"compare " SQUAT " --stiffness=-1", 2, "'--stiffness -1': material.stiffness"},
      {"compare " SQUAT " --json " SQUAT, 1, "is the scene, which the result would overwrite"},
      {"compare " SQUAT " --svg " SQUAT, 1, "is the scene, which the result would overwrite"},
      {"compare a --json b --svg b", 2, "cannot both be 'b'"},
      {"compare a --json b --svg ./b", 2, "cannot both be './b'"},
      {"compare a --json /tmp/b --svg /tmp/../tmp/./b", 2, "cannot both be"},
      {"compare " SQUAT " --json ''", 1, "'--json' names no file"},
      {"compare a --steppers moreau", 2, "'moreau' has rigid contacts"},
      {"compare " SQUAT " --set stepper.type=moreau", 1, "add '--set stepper.type=expo'"},
      {"compare " SQUAT " --kp 3", 2, "the controller 'squat' has none"},
      {"compare " SQUAT " --set coordinates=maximal", 2, "choose it, or minimal coordinates"},
      {"expo-paper --json b --html b", 2, "cannot both be 'b'"},
      {"expo-paper --json b --html ./b", 2, "cannot both be './b'"},
  };
  (void)state;
  ffi_bench_check_refusals(refusals, (int)(sizeof refusals / sizeof *refusals));
}

// Nor are the scenes of the paper's report, of which there is a copy here: its scene, model and trajectory.
static void reports_spare_what_they_are_made_from(void **state)
{
  static const char *const files[] = {"scenes/solo-jump.yaml", "models/solo12.urdf",
                                      "scenes/data/solo-jump.txt"};
  char command[2000], arguments[1000];
  (void)state;
  snprintf(command, sizeof command,
           "cd '%s' && mkdir -p scenes/data models && cp '" FFI_TEST_SOURCE_DIR
           "/scenes/solo-jump.yaml' scenes && "
           "cp '" FFI_TEST_SOURCE_DIR "/scenes/data/solo-jump.txt' scenes/data && cp '" FFI_TEST_SOURCE_DIR
           "/models/solo12.urdf' models",
           ffi_scratch_folder());
  assert_int_equal(system(command), 0);
  for (int i = 0; i < 6; ++i) {
    snprintf(arguments, sizeof arguments,
             "expo-paper --quick --case solo-jump --scenes '%s/scenes' %s '%s/%s'", ffi_scratch_folder(),
             i < 3 ? "--json" : "--html", ffi_scratch_folder(), files[i % 3]);
    ffi_bench_check_refusals(&(ffi_bench_refusal){arguments, 1, "which the result would overwrite"}, 1);
    snprintf(command, sizeof command, "cmp -s '%s/%s' '" FFI_TEST_SOURCE_DIR "/%s'", ffi_scratch_folder(),
             files[i % 3], files[i % 3]);
    assert_int_equal(system(command), 0);
  }
}

// A scene's model and trajectory are not written over, whatever they are called.
static void inputs_stay_as_they_are(void **state)
{
  static const char way[] = "footfall-trajectory 1\nrobot pendulum\ncoordinates 1\nvelocities 1\ncontrols 1\n"
                            "interval 0.5\nstates 2\nx 0.25 1\nu 2\nK 10 3\nx 0.75 1\n";
  static const char scene[] = "model: pendulum.urdf\ncontroller: {type: feedback, trajectory: way.txt}\n"
                              "dt: 500ms\nduration: 500ms\n";
  static const char *const outputs[] = {"--json", "--svg"}, *const kinds[] = {"model", "trajectory"};
  char model[8192], paths[2][300], arguments[1000], words[100];
  (void)state;
  FILE *file = fopen(FFI_TEST_SOURCE_DIR "/models/pendulum.urdf", "r");
  assert_non_null(file);
  const size_t length = fread(model, 1, sizeof model, file);
  assert_true(length > 0 && length < sizeof model);
  fclose(file);
  snprintf(paths[0], sizeof paths[0], "%s", ffi_write_file("pendulum.urdf", model, (int)length));
  snprintf(paths[1], sizeof paths[1], "%s", ffi_write_file("way.txt", way, (int)sizeof way - 1));
  ffi_write_file("swing.yaml", scene, (int)sizeof scene - 1);
  for (int i = 0; i < 4; ++i) {
    char after[sizeof model];
    snprintf(arguments, sizeof arguments, "compare '%s/swing.yaml' --quick --substeps 1 %s '%s'",
             ffi_scratch_folder(), outputs[i / 2], paths[i % 2]);
    snprintf(words, sizeof words, "is the %s, which the result would overwrite", kinds[i % 2]);
    ffi_bench_check_refusals(&(ffi_bench_refusal){arguments, 1, words}, 1);
    file = fopen(paths[i % 2], "r");
    assert_non_null(file);
    assert_int_equal(fread(after, 1, sizeof after, file), i % 2 == 0 ? length : sizeof way - 1);
    fclose(file);
    assert_memory_equal(after, i % 2 == 0 ? model : way, i % 2 == 0 ? length : sizeof way - 1);
  }
}

static void help_is_there(void **state)
{
  static const char *const words[] = {"--steppers", "--substeps", "--truth", "--svg", "--set", NULL};
  (void)state;
  ffi_bench_check_help("compare", words);
  ffi_output output = ffi_run("", "compare --help");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "--substeps"));
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(rows_have_the_schema),
      cmocka_unit_test(figures_make_sense),
  };
  const struct CMUnitTest options[] = {
      cmocka_unit_test(truths_that_are_none_are_told),
      cmocka_unit_test(fields_can_be_changed),
      cmocka_unit_test(pictures_are_drawn),
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(inputs_stay_as_they_are),
      cmocka_unit_test(reports_spare_what_they_are_made_from),
      cmocka_unit_test(help_is_there),
  };
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
