// footfall run: how runs end is in their logs, in all formats, and 'info' and 'view' say it; a run that was resumed is
// judged as a whole one.
#define _XOPEN_SOURCE 700
#include "cli/run/csv_table.h"
#include "cli/run/mcap_file.h"
#include "cli/run/summary.h"
#include "cli/run_command.h"

#include <footfall/log.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SCENE(name) "'" FFI_TEST_SOURCE_DIR "/scenes/" name "'"

typedef struct ending {
  const char *prefix, *words;
  int status;
  const char *outcome, *reason; // part of it
} ending;

// At 0.1 s, or whenever it fails: a blow-up, a task that is not met, none of these, Ctrl-C.
static const ending endings[] = {
    {"", SCENE("solo-stand.yaml") " --stepper euler --set material.stiffness=1e8 --duration 0.1", 3, "failed",
     "a step of 2 ms with 'euler'"},
    {"", SCENE("solo-stand.yaml") " --set expect.steps=3 --duration 0.1", 4, "missed",
     "0 steps, expected at least 3"},
    {"", SCENE("solo-stand.yaml") " --set expect={} --duration 0.1", 0, "finished", ""},
    {"timeout --preserve-status -s INT 0.3", SOLO12 " --duration 1e5 --log-every 100", 130, "interrupted",
     "Ctrl-C"},
};
enum { ENDINGS = sizeof endings / sizeof endings[0] };

static void run_to(const ending *e, const char *path)
{
  ffi_output output = ffi_run(e->prefix, "run %s --quiet --out '%s'", e->words, path);
  if (output.status != e->status)
    fail_msg("status %d, not %d: %s", output.status, e->status, output.err);
  ffi_output_free(&output);
}

static void check_text(const ending *e, const char *outcome, const char *reason)
{
  assert_string_equal(outcome, e->outcome);
  if (!strstr(reason, e->reason) || (!*e->reason && *reason))
    fail_msg("'%s' is not in '%s'", e->reason, reason);
}

static void hdf5_says_how_it_ended(void **state)
{
  (void)state;
  for (int i = 0; i < ENDINGS; ++i) {
    const ending *e = &endings[i];
    const char *path = ffi_scratch_path("end.h5");
    ff_log *log;
    run_to(e, path);
    assert_int_equal(ff_log_open(path, &log, NULL), FF_OK);
    const ff_log_info *info = ff_log_get_info(log);
    check_text(e, info->outcome, info->reason);
    assert_true(info->is_whole && info->ended == info->to);
    ff_log_close(log);
    ffi_output output = ffi_run("", "info '%s'", path);
    assert_int_equal(output.status, 0);
    const char *said = strcmp(e->outcome, "missed") == 0 ? "task not met" : e->outcome;
    if (!strstr(output.out, "ended  ") || !strstr(output.out, said))
      fail_msg("'%s' is not in: %s", said, output.out);
    ffi_output_free(&output);
    output = ffi_run("", "info --json '%s'", path);
    assert_non_null(strstr(output.out, e->outcome));
    ffi_output_free(&output);
  }
}

static void csv_and_mcap_say_it_too(void **state)
{
  (void)state;
  for (int i = 0; i < ENDINGS; ++i) {
    const ending *e = &endings[i];
    char wanted[64];
    run_to(e, ffi_scratch_path("end.csv"));
    ffi_csv_table csv = ffi_csv_read(ffi_scratch_path("end.csv"));
    snprintf(wanted, sizeof wanted, "# %s at ", e->outcome);
    if (strcmp(e->outcome, "finished") == 0)
      assert_string_equal(csv.remark, "");
    else if (!strstr(csv.remark, wanted) || !strstr(csv.remark, e->reason))
      fail_msg("%s", csv.remark);
    ffi_csv_free(&csv);
    run_to(e, ffi_scratch_path("end.mcap"));
    ffi_mcap_file mcap = ffi_mcap_read(ffi_scratch_path("end.mcap"));
    assert_int_equal(mcap.metadata, 2);
    check_text(e, mcap.outcome, mcap.reason);
    assert_true(mcap.is_whole && fabs(mcap.ended - 1e-9 * (double)mcap.messages[mcap.count - 1].time) < 1e-8);
    ffi_mcap_free(&mcap);
  }
}

// Is the text in the page that 'view' makes of a log?
static int page_says(const char *log, const char *words)
{
  char page[512], line[1200];
  snprintf(page, sizeof page, "%s", ffi_scratch_path("end.html"));
  ffi_output output = ffi_run("", "view '%s' --no-open -o '%s'", log, page);
  if (strstr(output.err, "without its viewer")) {
    ffi_output_free(&output);
    skip();
  }
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  snprintf(line, sizeof line, "grep -qF '%s' '%s'", words, page);
  return system(line) == 0;
}

static void pages_say_it(void **state)
{
  char path[512];
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("end.h5"));
  run_to(&endings[0], path);
  assert_true(page_says(path, "failed at "));
  run_to(&endings[1], path);
  assert_true(page_says(path, endings[1].reason));
  run_to(&endings[2], path);
  assert_false(page_says(path, "failed at ") || page_says(path, endings[1].reason));
}

static void a_killed_run_did_not_end_in_order(void **state)
{
  const char *path = ffi_scratch_path("killed.h5");
  ff_log *log;
  (void)state;
  ffi_output output =
      ffi_run("timeout -s KILL 0.8", "run " SOLO12 " --duration 1e5 --quiet --out '%s'", path);
  assert_int_equal(output.status, 137);
  ffi_output_free(&output);
  assert_int_equal(ff_log_open(path, &log, NULL), FF_OK);
  const ff_log_info *info = ff_log_get_info(log);
  assert_string_equal(info->outcome, "not ended in order");
  assert_true(!info->is_whole && info->rows > 0);
  ff_log_close(log);
  output = ffi_run("", "info '%s'", path);
  assert_non_null(strstr(output.out, "incomplete: the program was killed"));
  ffi_output_free(&output);
}

// ---- Judging --------------------------------------------------------------------------------------------------------

// What a summary says about the task, from the first field to the last that is no measure of time.
static char *task_of(const ffi_output *output)
{
  const char *from = strstr(output->out, "\"task\": {"), *to = from ? strstr(from, "\"coordinates\"") : NULL;
  char *text = to ? calloc((size_t)(to - from) + 1, 1) : NULL;
  if (text)
    memcpy(text, from, (size_t)(to - from));
  assert_non_null(text);
  return text;
}

// Peaks, counts and ages of contacts go on: a jump that is cut in flight, steps of a trot, hard contact that settles,
// falling dominoes.
static void a_resumed_run_is_judged_as_a_whole(void **state)
{
  static const struct {
    const char *scene;
    double first, rest; // [s]
    int status;
  } cases[] = {
      {SCENE("solo-jump.yaml"), 1.3, 1.69, 0},
      {SCENE("solo-trot.yaml") " --set expect.steps=30", 0.73, 0.5, 4},
      {SCENE("gripper.yaml"), 0.03, 0.05, 4},
      {SCENE("dominoes.yaml"), 0.04, 0.06, 4},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const char *part = ffi_scratch_path("part.h5");
    ffi_output whole =
        ffi_run("", "run %s --json --no-log --duration %g", cases[i].scene, cases[i].first + cases[i].rest);
    assert_int_equal(whole.status, cases[i].status);
    ffi_output first =
        ffi_run("", "run %s --quiet --out '%s' --duration %g", cases[i].scene, part, cases[i].first);
    ffi_output rest = ffi_run("", "run --resume '%s' --json --no-log --duration %g", part, cases[i].rest);
    assert_int_equal(rest.status, cases[i].status);
    char *one = task_of(&whole), *other = task_of(&rest);
    assert_string_equal(one, other);
    free(one);
    free(other);
    ffi_output_free(&whole);
    ffi_output_free(&first);
    ffi_output_free(&rest);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hdf5_says_how_it_ended),
      cmocka_unit_test(csv_and_mcap_say_it_too),
      cmocka_unit_test(pages_say_it),
      cmocka_unit_test(a_killed_run_did_not_end_in_order),
      cmocka_unit_test(a_resumed_run_is_judged_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
