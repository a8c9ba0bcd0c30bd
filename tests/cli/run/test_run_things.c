// footfall run: a walker without motors, a trot, and things that are thrown, dropped and gripped do what the heads of
// their scenes say.
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

static void is_met(const ffi_json_value *summary)
{
  const ffi_json_value *task = ffi_json_get(summary, "task");
  if (ffi_json_get(task, "is_met")->type != FFI_JSON_TRUE)
    fail_msg("%s", ffi_text(task, "misses"));
  assert_true(ffi_number(task, "expected") > 0);
}

// The published step: 1.00711403622 long; in two of them a foot's disk moves (0.476167 while it swings, 0.036224 while
// it stands). After twenty steps the left foot, which the walk begins with, has struck again and the walker is where it
// was, this way farther. Time-stepping is of first order and finds strikes late by up to a step; c2a ends its steps at
// them.
static void a_walker_without_motors_keeps_its_gait(void **state)
{
  (void)state;
  const double way = 10 * (0.476167 + 0.036224);
  static const struct {
    const char *options;
    double most; // off, of the way
  } runs[] = {{"--stepper moreau --dt 1ms", 0.003},
              {"--stepper moreau --dt 0.5ms", 0.0015},
              {"", 0.001},
              {"--stepper ca --dt 2.5ms", 0.001}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
    char arguments[300];
    snprintf(arguments, sizeof arguments,
             SCENE("passive-walker.yaml") " %s --set expect.steps=19 --duration 20.1422807244",
             runs[i].options);
    ffi_json_value *summary = ffi_summary_of(0, arguments);
    is_met(summary);
    const double off = ffi_inner(summary, "task", "advance") - way;
    print_message("  %s: %g off of %g\n", runs[i].options, off, way);
    assert_true(fabs(off) < runs[i].most * way);
    ffi_json_free(summary);
  }
}

// Maximum dissipation lets the trailing foot push: it stumbles, and the summary says so.
static void another_law_of_impact_makes_it_stumble(void **state)
{
  (void)state;
  ffi_json_value *summary = ffi_summary_of(
      4, SCENE("passive-walker.yaml") " --stepper ca --dt 5ms --set stepper.c2a.impact=dissipation");
  assert_true(ffi_inner(summary, "task", "steps_taken") >= 1);
  ffi_json_free(summary);
}

static void links_trots(void **state)
{
  (void)state;
  static const char *const steppers[] = {"c2a", "moreau", "expo"};
  for (int i = 0; i < 3; ++i) {
    char arguments[300];
    snprintf(arguments, sizeof arguments, SCENE("links-trot.yaml") "%s%s", i ? " --stepper " : "",
             i ? steppers[i] : "");
    ffi_json_value *summary = ffi_summary_of(0, arguments);
    is_met(summary);
    assert_string_equal(ffi_text(summary, "stepper"), steppers[i]);
    assert_true(ffi_number(summary, "dt") == 0.001 && ffi_number(summary, "steps") == 5000);
    assert_true(fabs(ffi_inner(summary, "task", "advance") - 0.95) <
                0.1); // 0.2 m/s, but for half of the ramp
    ffi_json_free(summary);
  }
}

// What they fall on takes their energy, and all comes to rest.
static void thrown_and_dropped_things_come_to_rest(void **state)
{
  (void)state;
  ffi_json_value *summary;
  for (int i = 0; i < 2; ++i) {
    summary = ffi_summary_of(0, i ? SCENE("hammer.yaml") " --stepper moreau --dt 1ms" : SCENE("hammer.yaml"));
    is_met(summary);
    assert_true(ffi_number(summary, "dt") == (i ? 0.001 : 0.01) &&
                ffi_inner(summary, "totals", "passed") == 0);
    assert_true(ffi_inner(summary, "energy", "start") > 10 && ffi_inner(summary, "energy", "end") < 0.5);
    ffi_json_free(summary);
  }
  summary = ffi_summary_of(0, SCENE("books.yaml"));
  is_met(summary);
  // a pile of ten on a shelf: 0.15 kg each at 0.504, 0.512, ... m
  assert_true(fabs(ffi_inner(summary, "energy", "end") - 1.5 * 9.81 * 0.54) < 0.05);
  ffi_json_free(summary);
}

// Up by 0.15 m less what springs give under 0.86 kg, from where the fingers took it; without friction it stays on the
// table.
static void a_gripper_lifts_by_friction_alone(void **state)
{
  (void)state;
  ffi_json_value *summary = ffi_summary_of(0, SCENE("gripper.yaml"));
  is_met(summary);
  const double rise = ffi_inner(summary, "task", "rise");
  assert_true(rise > 0.1 && rise < 0.15 - 0.86 * 9.81 / 300);
  ffi_json_free(summary);
  ffi_output output = ffi_run("LC_ALL=C", "run %s --set expect.rise=13cm", SCENE("gripper.yaml"));
  assert_int_equal(output.status, 4);
  assert_non_null(strstr(output.out, "task        not met: 0.118 m higher, expected at least 0.13 m"));
  ffi_output_free(&output);
}

// However long the step: it meets the wall, and slides down it.
static void a_bullet_is_stopped_by_paper(void **state)
{
  (void)state;
  static const char *const runs[] = {SCENE("bullet-paper.yaml") " --stepper c2a",
                                     SCENE("bullet-paper.yaml") " --stepper c2a --dt 10ms",
                                     SCENE("bullet-paper.yaml") " --stepper ca --dt 20ms"};
  for (int i = 0; i < 3; ++i) {
    ffi_json_value *summary = ffi_summary_of(0, runs[i]);
    is_met(summary);
    assert_true(ffi_inner(summary, "totals", "passed") == 0);
    const double gap = 0.2245 - ffi_inner(summary, "task", "advance");
    print_message("  stops %g um before the wall\n", 1e6 * gap);
    assert_true(gap > -1e-9 && gap < 2e-4); // its skin is 0.1 mm
    assert_true(ffi_inner(summary, "task", "final_speed") < 9.81 * 0.02);
    ffi_json_free(summary);
  }
}

// Ten centimetres a step, and a wall of 1 mm 22.45 cm ahead: the task is not met, and the summary says why.
static void what_passes_through_is_said(void **state)
{
  (void)state;
  ffi_output output =
      ffi_run("LC_ALL=C", "run %s", SCENE("bullet-paper.yaml") " --stepper symplectic --dt 1ms");
  assert_int_equal(output.status, 4);
  assert_non_null(strstr(output.out, "task        not met: "));
  assert_non_null(strstr(output.out, "ball passed through wall at t = 2.24"));
  assert_non_null(strstr(output.out, "tunnelling  ball passed through wall at t = 2.24"));
  assert_non_null(strstr(output.out, " ms (1 time)\n"));
  ffi_output_free(&output);
  ffi_json_value *summary = ffi_summary_of(4, SCENE("bullet-paper.yaml") " --stepper symplectic --dt 1ms");
  assert_true(ffi_inner(summary, "totals", "passed") == 1);
  assert_true(fabs(ffi_inner(summary, "passing", "time") - 2.245e-3) < 1.1e-6);
  assert_true(ffi_inner(summary, "task", "final_speed") > 99);
  ffi_json_free(summary);
  summary = ffi_summary_of(
      0, SCENE("bullet-paper.yaml") " --stepper symplectic --dt 1ms --set 'expect={passed: 1}'");
  ffi_json_free(summary);
  summary = ffi_summary_of(0, SCENE("bullet-paper.yaml") " --stepper moreau --dt 10us");
  is_met(summary);
  assert_true(ffi_inner(summary, "totals", "passed") == 0);
  assert_int_equal(ffi_json_get(summary, "passing")->type, FFI_JSON_NULL);
  ffi_json_free(summary);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_walker_without_motors_keeps_its_gait),
      cmocka_unit_test(another_law_of_impact_makes_it_stumble),
      cmocka_unit_test(links_trots),
      cmocka_unit_test(thrown_and_dropped_things_come_to_rest),
      cmocka_unit_test(a_gripper_lifts_by_friction_alone),
      cmocka_unit_test(a_bullet_is_stopped_by_paper),
      cmocka_unit_test(what_passes_through_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
