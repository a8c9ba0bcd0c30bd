// slow: some seconds, for its examples are run.
// footfall help: lines that fit a terminal, the same words by 'help COMMAND' and '--help', and examples that do what
// they say.
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const topics[] = {"",
                                     "info",
                                     "run",
                                     "view",
                                     "new",
                                     "convert",
                                     "plan",
                                     "compare",
                                     "bench",
                                     "completion",
                                     "help",
                                     "units",
                                     "options",
                                     "bench all",
                                     "bench c2a-paper",
                                     "bench dynamics",
                                     "bench ess-paper",
                                     "bench expo",
                                     "bench expo-paper",
                                     "bench moreau-paper",
                                     "bench step"};
enum { TOPIC_COUNT = sizeof topics / sizeof topics[0] };

// Columns, of UTF-8.
static int columns(const char *line, size_t length)
{
  int count = 0;
  for (size_t i = 0; i < length; ++i)
    count += ((unsigned char)line[i] & 0xc0) != 0x80;
  return count;
}

static void lines_fit(void **state)
{
  (void)state;
  for (int t = 0; t < TOPIC_COUNT; ++t) {
    ffi_output help = ffi_run("", "help %s", topics[t]);
    assert_int_equal(help.status, 0);
    assert_true(strlen(help.out) > 80);
    for (const char *line = help.out; *line; line += strcspn(line, "\n") + 1)
      if (columns(line, strcspn(line, "\n")) >= 80)
        fail_msg("help %s: %.*s", topics[t], (int)strcspn(line, "\n"), line);
    ffi_output_free(&help);
  }
}

static void both_ways_say_the_same(void **state)
{
  (void)state;
  for (int t = 1; t < TOPIC_COUNT; ++t) {
    if (strcmp(topics[t], "units") == 0 || strcmp(topics[t], "options") == 0 ||
        strcmp(topics[t], "vary") == 0)
      continue;
    ffi_output help = ffi_run("", "help %s", topics[t]), option = ffi_run("", "%s --help", topics[t]);
    assert_string_equal(help.out, option.out);
    assert_int_equal(option.status, 0);
    ffi_output_free(&help);
    ffi_output_free(&option);
  }
}

// The guide's list of options is what the command prints.
static void the_guide_lists_the_options(void **state)
{
  (void)state;
  ffi_output help = ffi_run("", "help options");
  FILE *file = fopen(FFI_TEST_SOURCE_DIR "/docs/guide/options.md", "rb");
  char *page = calloc(1, 1 << 18);
  assert_true(file && page && fread(page, 1, (1 << 18) - 1, file) > 1000);
  fclose(file);
  assert_true(strlen(help.out) > 5000);
  if (!strstr(page, help.out))
    fail_msg("docs/guide/options.md is not what 'footfall help options' prints; put that there");
  free(page);
  ffi_output_free(&help);
}

// Every unit that is listed is one that is read: each is given to an option, or a field, of its quantity.
static void listed_units_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *quantity, *option;
  } cases[] = {{"  time ", "--duration"},
               {"  length ", "--drop"},
               {"  angle ", "--slope"},
               {"  contact stiffness ", "--stiffness"},
               {"  contact damping ", "--damping"},
               {"  gain kp ", "--kp"},
               {"  gain kd ", "--kd"}};
  ffi_output units = ffi_run("", "help units");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const char *at = strstr(units.out, cases[i].quantity);
    char list[256];
    int count = 0;
    assert_non_null(at);
    at += strlen(cases[i].quantity);
    snprintf(list, sizeof list, "%.*s", (int)strcspn(at, "\n"), at);
    for (char *unit = strtok(list, ", "); unit; unit = strtok(NULL, ", "), ++count) {
      ffi_output output = ffi_run("", "run nowhere.urdf %s '1 %s'", cases[i].option, unit);
      if (output.status != 1 || !strstr(output.err, "nowhere.urdf"))
        fail_msg("%s 1 %s: %s", cases[i].option, unit, output.err);
      ffi_output_free(&output);
    }
    assert_true(count >= 2);
  }
  ffi_output_free(&units);
}

// In a folder that has models and scenes, as the sources have. Those of plan and bench take long; tests of their own
// run both.
static void examples_work(void **state)
{
  (void)state;
  static const char script[] =
      "mkdir \"$2/examples\" && cd \"$2/examples\" && ln -s \"$1/models\" \"$1/scenes\" . || exit 1\n"
      "PATH=$(dirname \"$3\"):$PATH\nexport PATH FOOTFALL_OUT=out\n"
      "has_viewer=yes\nfootfall view scenes/solo-jump.yaml --no-open --duration 1ms 2>&1 | grep -q 'without "
      "its viewer' && has_viewer=no\n"
      "count=0\n"
      "for c in run info view new convert compare completion help; do\n"
      "  [ $c$has_viewer = viewno ] && continue\n"
      "  footfall help $c | sed -n '/^Examples:/,/^$/p' | sed '1d;/^$/d' >lines\n"
      "  [ -s lines ] || { echo \"$c: no examples\"; exit 1; }\n"
      "  sh -e lines >said 2>&1 || { echo \"$c:\"; cat said; exit 1; }\n"
      "done\n"
      "ls out/solo-jump.html out/solo-trot.h5 my.yaml solo12.xml squat.svg drop.csv >said 2>&1 || { [ "
      "$has_viewer = no ] || { cat said; exit 1; }; }\n"
      "cd / && rm -r \"$2/examples\"\n";
  char arguments[2048];
  snprintf(arguments, sizeof arguments, "-u '%s' '%s' '%s' '%s'",
           ffi_write_file("examples.sh", script, (int)sizeof script - 1), FFI_TEST_SOURCE_DIR,
           ffi_scratch_folder(), ffi_command_path());
  ffi_output output = ffi_run_program("", "sh", arguments);
  if (output.status != 0)
    fail_msg("%s%s", output.out, output.err);
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_fit),
      cmocka_unit_test(the_guide_lists_the_options),
      cmocka_unit_test(both_ways_say_the_same),
      cmocka_unit_test(listed_units_are_read),
      cmocka_unit_test(examples_work),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
