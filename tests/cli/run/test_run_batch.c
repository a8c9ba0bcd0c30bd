// footfall run SCENE --batch: many runs, the same whatever the number of threads; one of them is repeated by the
// command that is printed; what is wrong is said.
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
#define TROT SCENE("solo-trot.yaml") " --set duration=0.5s --set expect='{upright: true}'"
#define SLIPPERY " --vary material.friction=0.02..0.6"

static char *read_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  assert_true(file && text && fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static int count_lines(const char *text)
{
  int count = 0;
  for (; *text; ++text)
    count += *text == '\n';
  return count;
}

static ffi_json_value *batch_of(int status, const char *arguments)
{
  return ffi_summary_of(status, arguments);
}

// Both tables have the same bytes.
static void threads_change_nothing(void **state)
{
  (void)state;
  char paths[2][300], arguments[900];
  char *tables[2];
  for (int i = 0; i < 2; ++i) {
    snprintf(paths[i], sizeof paths[i], "%s", ffi_scratch_path(i == 0 ? "one.csv" : "three.csv"));
    snprintf(arguments, sizeof arguments, "%s%s --batch 40 --threads %d --csv '%s'", TROT, SLIPPERY,
             1 + 2 * i, paths[i]);
    ffi_json_free(batch_of(4, arguments));
    tables[i] = read_file(paths[i]);
  }
  assert_string_equal(tables[0], tables[1]);
  assert_int_equal(count_lines(tables[0]), 41);
  assert_true(strncmp(tables[0], "run,material.friction,outcome,time,x,y,z,tilt,speed,", 52) == 0);
  free(tables[0]);
  free(tables[1]);
}

// Outcomes add up, every run that went wrong is listed, and the command repeats it with the same end.
static void a_failure_is_repeated(void **state)
{
  (void)state;
  ffi_json_value *all = batch_of(4, TROT SLIPPERY " --batch 40 --seed 3 --duration 1.2s");
  const ffi_json_value *outcomes = ffi_json_get(all, "outcomes"), *failures = ffi_json_get(all, "failures");
  const double bad =
      ffi_number(outcomes, "missed") + ffi_number(outcomes, "fell") + ffi_number(outcomes, "failed");
  assert_true(ffi_number(all, "ended") == 40 && ffi_number(outcomes, "finished") + bad == 40);
  assert_true(bad > 3 && failures->count == (int)bad);
  const char *repeat = ffi_text(all, "repeat");
  assert_true(strncmp(repeat, "footfall run ", 13) == 0 && strstr(repeat, "--seed 3"));
  int tried = 0;
  for (int i = 0; i < failures->count && tried < 4; i += 3, ++tried) {
    const ffi_json_value *failure = ffi_json_at(failures, i);
    const int has_failed = strcmp(ffi_text(failure, "outcome"), "failed") == 0;
    char arguments[2048];
    assert_true(ffi_inner(failure, "drawn", "material.friction") < 0.6);
    snprintf(arguments, sizeof arguments, "%s%.0f --no-log", repeat + 13, ffi_number(failure, "run"));
    ffi_json_value *one = ffi_summary_of(has_failed ? 3 : 4, arguments);
    assert_true(ffi_number(one, "time") == ffi_number(failure, "time"));
    assert_string_equal(ffi_text(one, "outcome"), has_failed ? "failed" : "finished");
    if (!has_failed)
      assert_string_equal(ffi_text(ffi_json_get(one, "task"), "misses"), ffi_text(failure, "why"));
    ffi_json_free(one);
  }
  ffi_json_free(all);
}

// One run has the bits that it has in the table, and a log.
static void one_run_has_its_bits_and_a_log(void **state)
{
  (void)state;
  char csv[300], log[300], arguments[900];
  snprintf(csv, sizeof csv, "%s", ffi_scratch_path("all.csv"));
  snprintf(arguments, sizeof arguments, "%s --batch 20 --vary start.joints=1deg --csv '%s'", TROT, csv);
  ffi_json_value *all = batch_of(0, arguments);
  char *table = read_file(csv);
  const char *row = strstr(table, "\n13,");
  double drawn, time, x, y, z;
  assert_non_null(row);
  assert_int_equal(sscanf(row, "\n13,%lf,finished,%lf,%lf,%lf,%lf", &drawn, &time, &x, &y, &z), 5);
  snprintf(log, sizeof log, "%s", ffi_scratch_path("one.h5"));
  snprintf(arguments, sizeof arguments, "%s --only 13 --vary start.joints=1deg --out '%s'", TROT, log);
  ffi_json_value *one = ffi_summary_of(0, arguments);
  const ffi_json_value *end = ffi_json_get(ffi_json_get(one, "base"), "end");
  assert_true(ffi_json_at(end, 0)->number == x && ffi_json_at(end, 1)->number == y &&
              ffi_json_at(end, 2)->number == z);
  assert_true(ffi_number(one, "rows") == 251);
  ffi_output resumed = ffi_run("", "run --resume '%s' --no-log", log);
  assert_int_equal(resumed.status, 1);
  assert_non_null(strstr(resumed.err, "one run of a batch"));
  ffi_output_free(&resumed);
  ffi_json_free(one);
  ffi_json_free(all);
  free(table);
}

static void the_summary_and_the_page_say_so(void **state)
{
  (void)state;
  char page[300];
  snprintf(page, sizeof page, "%s", ffi_scratch_path("page.html"));
  ffi_output text = ffi_run("LC_ALL=C", "run %s%s --batch 30 --html '%s'", TROT, SLIPPERY, page);
  static const char *const words[] = {"runs        30, seed 1; expo, 250 steps of 2 ms each",
                                      "varied      material.friction from 0.02 to 0.6",
                                      "in lanes",
                                      "median",
                                      "largest tilt",
                                      "not upright",
                                      "Repeat run "};
  assert_int_equal(text.status, 4);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (!strstr(text.out, words[i]))
      fail_msg("'%s' is not in\n%s", words[i], text.out);
  char *html = read_file(page);
  assert_true(strstr(html, "<h2>Outcome against what varied</h2>") && strstr(html, "<svg") &&
              strstr(html, "</html>"));
  assert_null(strstr(html, "<script"));
  assert_null(strstr(html, "nan"));
  free(html);
  ffi_output_free(&text);
  ffi_output plain = ffi_run("LC_ALL=C", "run %s --batch 2", TROT);
  assert_non_null(strstr(plain.out, "nothing, so all runs are alike"));
  ffi_output_free(&plain);
}

static void what_is_wrong_is_said(void **state)
{
  (void)state;
  static const struct {
    const char *arguments, *words;
  } cases[] = {
      {"--batch 0", "--batch"},
      {"--batch 3 --vary material.frction=0..1", "did you mean 'material.friction'?"},
      {"--batch 3 --vary material.friction=1..0", "is empty"},
      {"--batch 3 --vary material.friction=0..inf", "not a number"},
      {"--batch 3 --vary motors.kp=0.5", "motors with gains"},
      {"--batch 3 --vary mass=0.1 --vary mass=0.1", "given twice"},
      {"--batch 3 --out log.h5", "--only RUN"},
      {"--batch 3 --only 3", "are 0 to 2"},
      {"--only 1 --csv x.csv", "'--csv' needs '--batch N' without '--only'"},
      {"--html x.html", "'--html' needs '--batch N'"},
      {"--vary mass=0.1", "needs '--batch N', or '--only RUN'"},
      {"--seed 2", "needs '--batch N', or '--only RUN'"},
      {"--batch 3 --seed -1", "--seed"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "%s %s", SCENE("solo-trot.yaml"), cases[i].arguments);
    ffi_must_refuse("run", arguments, 2, cases[i].words);
  }
  ffi_must_refuse("run", SCENE("solo-trot.yaml") " --batch 2 --csv nowhere/x.csv", 1, "nowhere/x.csv");
}

// A batch of a model alone, and of a scene whose pushes vary.
static void models_and_pushes_vary_too(void **state)
{
  (void)state;
  ffi_json_value *model = batch_of(0, SOLO12 " --batch 5 --duration 0.1s --vary start.z=0..1cm");
  assert_true(ffi_number(model, "ended") == 5);
  ffi_json_free(model);
  ffi_json_value *pushed =
      batch_of(4, SCENE("starleth-push.yaml") " --set expect={} --batch 6 --duration 1s");
  const ffi_json_value *y = ffi_json_get(ffi_json_get(pushed, "distributions"), "y");
  assert_true(ffi_number(y, "most") > ffi_number(y, "least") + 0.01);
  ffi_json_free(pushed);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_change_nothing),         cmocka_unit_test(a_failure_is_repeated),
      cmocka_unit_test(one_run_has_its_bits_and_a_log), cmocka_unit_test(the_summary_and_the_page_say_so),
      cmocka_unit_test(what_is_wrong_is_said),          cmocka_unit_test(models_and_pushes_vary_too),
  };
  ffi_command_path();
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
