// slow: under sanitizers. footfall run with hard contact: StarlETH trots at the paper's step, its summary tells how the
// solver fared, coordinates and seeds change from the command line, and logs have the model's own columns.
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
#define TROT SCENE("starleth-trot.yaml")
#define PUSH SCENE("starleth-push.yaml")

static void starleth_trots_for_twenty_seconds(void **state)
{
  (void)state;
  ffi_json_value *summary = ffi_summary_of(0, TROT " --stepper moreau --dt 2.5ms");
  const ffi_json_value *task = ffi_json_get(summary, "task"), *totals = ffi_json_get(summary, "totals");
  assert_string_equal(ffi_text(summary, "stepper"), "moreau");
  assert_true(ffi_number(summary, "dt") == 0.0025 && ffi_number(summary, "steps") == 8000);
  assert_true(ffi_json_get(task, "is_met")->type == FFI_JSON_TRUE);
  assert_true(fabs(ffi_number(task, "advance") - 3.83) < 0.05 && ffi_number(task, "steps_taken") >= 90);
  assert_true(ffi_number(totals, "unconverged") == 0 && ffi_number(totals, "iterations") >= 4000);
  assert_true(ffi_number(totals, "iterations_most") >= 1 && ffi_number(totals, "drift") == 0);
  assert_string_equal(ffi_text(task, "coordinates"), "minimal");
  ffi_json_free(summary);
}

static void the_summary_tells_of_the_solver(void **state)
{
  (void)state;
  ffi_output output =
      ffi_run("LC_ALL=C", "run %s", TROT " --duration 1 --set coordinates=maximal --set expect={}");
  assert_int_equal(output.status, 0);
  assert_non_null(
      strstr(output.out, "moreau (hard contact, exact, maximal coordinates), 400 steps of 2.5 ms"));
  assert_non_null(strstr(output.out, "solver      "));
  assert_non_null(strstr(output.out, "0 steps not converged"));
  assert_non_null(strstr(output.out, "drift       joints and loops at most "));
  assert_non_null(strstr(output.out, "later than 50 ms after touching"));
  ffi_output_free(&output);
  output = ffi_run("LC_ALL=C", "run %s",
                   TROT " --duration 0.5 --dt 1.25ms --set stepper.moreau.contact=compliant --set expect={}");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "moreau (compliant contact, minimal coordinates), 400 steps"));
  ffi_output_free(&output);
}

// Balls that have begun to fall have contacts that do not push; seen from below their normals point down.
static void nothing_is_minus_zero(void **state)
{
  (void)state;
  static const char *const runs[] = {SCENE("ball-pit.yaml") " --duration 300ms --set expect={}",
                                     SCENE("stack.yaml") " --duration 50ms --json"};
  for (int i = 0; i < 2; ++i) {
    ffi_output output = ffi_run("LC_ALL=C", "run %s", runs[i]);
    assert_int_equal(output.status, 0);
    assert_non_null(strstr(output.out, i ? "\"contacts\"" : " 0 N"));
    assert_null(strstr(output.out, " -0 "));
    assert_null(strstr(output.out, " -0,"));
    ffi_output_free(&output);
  }
}

// What could be done about steps that were not solved depends on who did not solve them.
static void unsolved_steps_are_said(void **state)
{
  (void)state;
  ffi_output output = ffi_run(
      "LC_ALL=C", "run %s",
      PUSH
      " --duration 1 --set stepper.moreau.solver=jor --set stepper.moreau.max_iterations=1 --set expect={}");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "the contact solver did not reach its tolerance; use more iterations"));
  ffi_output_free(&output);
  output = ffi_run(
      "LC_ALL=C", "run %s",
      PUSH
      " --duration 1 --set stepper.moreau.absolute_tolerance=1e-30Ns --set stepper.moreau.relative_tolerance=0"
      " --set stepper.moreau.max_iterations=1 --set expect={}");
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "did not reach its tolerance; its last impulses"));
  assert_null(strstr(output.out, "iterations help"));
  ffi_output_free(&output);
}

// Whether pieces step or the whole: the same columns, and nearly the same numbers.
static void logs_have_the_models_columns(void **state)
{
  (void)state;
  char title[2][400] = {"", ""};
  for (int i = 0; i < 2; ++i) {
    ffi_output output = ffi_run("LC_ALL=C", "run %s --set coordinates=%s --log -",
                                TROT " --duration 5ms --quiet --set expect={}", i ? "maximal" : "minimal");
    assert_int_equal(output.status, 0);
    snprintf(title[i], sizeof title[i], "%.*s", (int)strcspn(output.out, "\n"), output.out);
    ffi_output_free(&output);
  }
  assert_true(strlen(title[0]) > 100);
  assert_string_equal(title[0], title[1]);
}

static void a_seed_gives_another_push(void **state)
{
  (void)state;
  double moved[3];
  const char *const seeds[] = {"7", "8", "7"};
  for (int i = 0; i < 3; ++i) {
    char text[300];
    snprintf(text, sizeof text, PUSH " --set pushes.seed=%s --set 'expect={penetration: 1mm}'", seeds[i]);
    ffi_json_value *summary = ffi_summary_of(0, text);
    moved[i] = ffi_inner(summary, "task", "moved");
    ffi_json_free(summary);
  }
  assert_true(moved[0] != moved[1] && moved[0] == moved[2]);
}

// What a scene asks for can be missed: exit status 4.
static void a_task_that_is_not_met_is_said(void **state)
{
  (void)state;
  ffi_output output = ffi_run("LC_ALL=C", "run %s", PUSH " --set 'pushes.list=[]'");
  assert_int_equal(output.status, 4);
  assert_non_null(strstr(output.out, "task        not met: "));
  assert_non_null(strstr(output.out, "0 fallen, expected 1 to 1"));
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starleth_trots_for_twenty_seconds),
      cmocka_unit_test(the_summary_tells_of_the_solver),
      cmocka_unit_test(nothing_is_minus_zero),
      cmocka_unit_test(logs_have_the_models_columns),
      cmocka_unit_test(a_seed_gives_another_push),
      cmocka_unit_test(a_task_that_is_not_met_is_said),
      cmocka_unit_test(unsolved_steps_are_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
