// footfall completion: bash completes with it, every option that it offers is one that the command knows, the manual page says what the help says.
#include "run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const commands[] = {"info", "run",     "view",  "new",        "convert",
                                       "plan", "compare", "bench", "completion", "help"};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

// What bash offers for a line of words, the last of them begun.
static ffi_output complete(const char *line, int words)
{
  char script[1024];
  snprintf(
      script, sizeof script,
      "-c 'eval \"$(\"$0\" completion bash)\"; COMP_WORDS=(%s); COMP_CWORD=%d; _footfall; echo \"${COMPREPLY[@]}\"' '%s'",
      line, words - 1, ffi_command_path());
  return ffi_run_program("", "bash", script);
}

static void bash_completes(void **state)
{
  (void)state;
  static const struct {
    const char *line;
    int words;
    const char *offered;
  } cases[] = {
      {"footfall co", 2, "convert compare completion\n"},
      {"footfall --v", 2, "--version\n"},
      {"footfall run --st", 3, "--stepper --stiffness\n"},
      {"footfall run --stepper ex", 4, "expo expo-paper\n"},
      {"footfall convert a.urdf --to m", 5, "mjcf\n"},
      {"footfall help pl", 3, "plan\n"},
      {"footfall completion z", 3, "zsh\n"},
      {"footfall new --f", 3, "--force --fixed-base\n"},
      {"footfall info /etc/hostnam", 3, "/etc/hostname\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = complete(cases[i].line, cases[i].words);
    if (output.status != 0 || strcmp(output.out, cases[i].offered) != 0)
      fail_msg("%s: %s%s", cases[i].line, output.out, output.err);
    ffi_output_free(&output);
  }
}

// Options are taken from the text of the help: is each of them one that the command takes?
static void every_option_is_known(void **state)
{
  (void)state;
  int count = 0;
  for (int c = 0; c < COMMAND_COUNT; ++c) {
    char line[64];
    if (strcmp(commands[c], "compare") == 0 || strcmp(commands[c], "bench") == 0) // another program's
      continue;
    snprintf(line, sizeof line, "footfall %s -", commands[c]);
    ffi_output offered = complete(line, 3);
    for (char *option = strtok(offered.out, " \n"); option; option = strtok(NULL, " \n")) {
      if (strcmp(option, "--help") == 0)
        continue;
      ffi_output output = ffi_run("", "%s %s", commands[c], option);
      if (output.status != 2 || strstr(output.err, "unknown option"))
        fail_msg("%s %s: %d, %s", commands[c], option, output.status, output.err);
      ffi_output_free(&output);
      ++count;
    }
    ffi_output_free(&offered);
  }
  assert_true(count > 60);
}

// Without what roff adds, every line of the help is in the manual page.
static void the_manual_says_what_the_help_says(void **state)
{
  (void)state;
  ffi_output man = ffi_run("", "completion man");
  char *plain = calloc(1, strlen(man.out) + 1), *to = plain;
  assert_int_equal(man.status, 0);
  for (const char *from = man.out; *from; ++from) {
    if (from[0] == '\\' && from[1] == '&')
      ++from;
    else if (from[0] == '\\' && from[1] == 'e')
      *to++ = '\\', ++from;
    else if (from[0] != '\\')
      *to++ = *from;
  }
  for (int c = 0; c < COMMAND_COUNT; ++c) {
    ffi_output help = ffi_run("", "help %s", commands[c]);
    assert_int_equal(help.status, 0);
    for (char *line = strtok(help.out, "\n"); line; line = strtok(NULL, "\n"))
      if (!strstr(plain, line))
        fail_msg("'%s' is not in the manual page", line);
    ffi_output_free(&help);
  }
  free(plain);
  ffi_output_free(&man);
}

// Where zsh is, it finds nothing wrong with it.
static void zsh_understands_it(void **state)
{
  (void)state;
  if (access("/usr/bin/zsh", X_OK) == 0) {
    ffi_output output = ffi_run("", "completion zsh >'%s/_footfall' && zsh -n '%s/_footfall'",
                                ffi_scratch_folder(), ffi_scratch_folder());
    assert_int_equal(output.status, 0);
    assert_string_equal(output.err, "");
    ffi_output_free(&output);
  }
  ffi_output output = ffi_run("", "completion zsh");
  assert_int_equal(strncmp(output.out, "#compdef footfall\n", 18), 0);
  ffi_output_free(&output);
}

static void other_words_are_refused(void **state)
{
  (void)state;
  static const char *const cases[][2] = {{"", "takes one word"},
                                         {"bash zsh", "takes one word"},
                                         {"bsah", "did you mean 'bash'?"},
                                         {"fish", "there are bash, zsh and man"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = ffi_run("", "completion %s", cases[i][0]);
    assert_int_equal(output.status, 2);
    if (!strstr(output.err, cases[i][1]))
      fail_msg("completion %s: %s", cases[i][0], output.err);
    ffi_output_free(&output);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bash_completes),
      cmocka_unit_test(every_option_is_known),
      cmocka_unit_test(the_manual_says_what_the_help_says),
      cmocka_unit_test(zsh_understands_it),
      cmocka_unit_test(other_words_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
