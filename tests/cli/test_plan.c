// slow: some ten seconds. footfall plan: what is refused, and a whole plan from the command line.
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define SOLO12 "'" MODELS "solo12.urdf'"

static void wrong_usage_is_told(void **state)
{
  (void)state;
  static const struct {
    const char *arguments;
    int status;
    const char *words;
  } cases[] = {
      {"", 2, "needs a motion: trot or jump"},
      {"jmup --out x", 2, "did you mean 'jump'?"},
      {"dance --out x", 2, "choose trot or jump"},
      {"jump", 2, "needs '--out FILE'"},
      {"jump a.urdf b.urdf --out x", 2, "unexpected argument 'b.urdf'"},
      {"jump --uot x", 2, "did you mean '--out'?"},
      {"jump /nowhere.urdf --out x", 1, "/nowhere.urdf"},
      {"jump " SOLO12 " --posture lying --out x", 2, "'--posture lying' is not known"},
      {"jump '" MODELS "romeo.urdf' --posture standing --out x", 1, "romeo"},
      {"jump " SOLO12 " --out " SOLO12, 1, "solo12.urdf"},
      {"jump " SOLO12 " --out /nowhere/x", 1, "/nowhere/x: cannot be written"},
      {"jump " SOLO12 " --out /", 1, "/: cannot be written: Is a directory"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    ffi_must_refuse("plan", cases[i].arguments, cases[i].status, cases[i].words);
}

// The file says how it was made; its numbers are compared with what is stored in control/test_plan.
static void a_jump_is_planned_and_says_where_it_comes_from(void **state)
{
  (void)state;
  char path[512], line[512], notes[4096] = "";
  snprintf(path, sizeof path, "%s/jump.txt", ffi_scratch_folder());
  ffi_output output = ffi_run("", "plan jump " SOLO12 " --out '%s'", path);
  assert_int_equal(output.status, 0);
  assert_string_equal(output.err, "");
  assert_non_null(strstr(output.out, "251 states, every 10 ms"));
  ffi_output_free(&output);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  assert_string_equal(line, "footfall-trajectory 1\n");
  while (fgets(line, sizeof line, file) && line[0] == '#')
    strncat(notes, line, sizeof notes - strlen(notes) - 1);
  fclose(file);
  const char *const words[] = {"footfall plan jump", "solo12.urdf, FNV-1a ", "Riccati", "torque 1",
                               "version "};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (!strstr(notes, words[i]))
      fail_msg("'%s' is not in the notes: %s", words[i], notes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_usage_is_told),
      cmocka_unit_test(a_jump_is_planned_and_says_where_it_comes_from),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
