// footfall completion: bash completes with it, every option that it offers is one that the command knows, the manual
// page says what the help says.
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

static const char *const commands[] = {"info", "run",     "view",  "new",        "convert",
                                       "plan", "compare", "bench", "completion", "help"};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

// What bash offers for lines of words, cut as bash cuts them, the last word of each begun: a line of answer for each.
// One bash for all.
static ffi_output complete(const char *const *lines, int count)
{
  char script[8192], arguments[1024];
  int used = snprintf(
      script, sizeof script,
      "cd \"$2\" && eval \"$(\"$1\" completion bash)\"\nLC_ALL=C\nask() { COMP_WORDS=(\"$command\" \"$@\") "
      "COMP_CWORD=$#; _footfall; "
      "echo \"$(printf '%%s\\n' \"${COMPREPLY[@]}\" | paste -sd ' ')\"; }\ncommand=$1\n");
  for (int i = 0; i < count; ++i)
    used += snprintf(script + used, sizeof script - (size_t)used, "ask %s\n", lines[i]);
  assert_true(used < (int)sizeof script);
  snprintf(arguments, sizeof arguments, "'%s' '%s' '%s'", ffi_write_file("ask.sh", script, used),
           ffi_command_path(), FFI_TEST_SOURCE_DIR);
  return ffi_run_program("", "bash", arguments);
}

// What footfall itself answers, which is all that bash knows: words with spaces between them.
static ffi_output offered_for(const char *line)
{
  ffi_output output = ffi_run("", "completion words %s", line);
  char *to = output.out;
  for (const char *from = output.out; *from;
       from += strcspn(from, "\n") + 1) { // what is behind a tab is for people
    const size_t length = strcspn(from, "\t\n");
    memmove(to, from, length);
    to += length;
    *to++ = from[length] == '\t' ? ' ' : '\n';
    from += from[length] == '\t' ? length : 0;
  }
  *to = '\0';
  return output;
}

static void bash_completes(void **state)
{
  (void)state;
  static const struct {
    const char *line, *offered;
  } cases[] = {
      {"co", "convert compare completion\n"},
      {"--v", "--version\n"},
      {"run --st", "--stepper --stiffness\n"},
      {"run --stepper ex", "expo expo-paper\n"},
      {"run --stepper = ex", "expo expo-paper\n"},
      {"run --stepper =", "expo expo-paper euler symplectic rk4 implicit ess moreau ca c2a\n"},
      {"run --exponential order-", "order-1 order-2 order-3 order-5 order-7\n"},
      {"run --events o", "off on\n"},
      {"run models/solo12.urdf --posture s", "standing straight_standing squat\n"},
      {"run scenes/solo-stand.yaml --posture = sq", "squat\n"},
      {"run x.yaml --set stepper.ty", "stepper.type=\n"},
      {"run x.yaml --set stepper.ess.", "stepper.ess.epsilon= stepper.ess.relative_tolerance= "
                                        "stepper.ess.absolute_tolerance= stepper.ess.max_steps=\n"},
      {"run x.yaml --set stepper.c2a.impact =", "dissipation bounded coulomb\n"},
      {"run x.yaml --set stepper.type = mo", "moreau\n"},
      {"run x.yaml --set controller.mid", "controller.middle=\n"},
      {"run x.yaml --set controller.middle =", "true false\n"},
      {"run scenes/solo-s", "scenes/solo-stand.yaml scenes/solo-squat.yaml\n"},
      {"run --dt 2", "\n"},
      {"convert a.urdf --to m", "mjcf\n"},
      {"convert models/pass", "models/passive_walker.urdf\n"},
      {"info --mimic fr", "free\n"},
      {"info --mesh-path mod", "models\n"},
      {"info README.m", "\n"},
      {"help pl", "plan\n"},
      {"help un", "units\n"},
      {"help op", "options\n"},
      {"help bench st", "step\n"},
      {"completion z", "zsh\n"},
      {"new --f", "--floating-base --force --fixed-base\n"},
      {"plan t", "trot\n"},
      {"plan trot models/sta", "models/starleth.urdf\n"},
      {"view --steppers expo,eu", "expo,euler\n"},
      {"view --steppers expo,expo", "expo,expo-paper\n"},
      {"compare --tr", "--truth\n"},
      {"compare --truth \"\"", "common own both\n"},
      {"compare --steppers expo-paper : or", "order-1 order-2 order-3 order-5 order-7\n"},
      {"bench e", "ess-paper expo expo-paper\n"},
      {"bench step --c", "--case --count\n"},
      {"bench step --isa av", "avx2 avx512\n"},
      {"bench expo-paper --case s", "solo-squat solo-jump solo-trot\n"},
      {"nonsense --c", "\n"},
  };
  enum { CASES = sizeof cases / sizeof cases[0] };
  const char *lines[CASES];
  for (int i = 0; i < CASES; ++i)
    lines[i] = cases[i].line;
  ffi_output output = complete(lines, CASES);
  assert_int_equal(output.status, 0);
  const char *at = output.out;
  for (int i = 0; i < CASES; ++i) {
    const size_t length = strcspn(at, "\n") + 1;
    // files come in the order of the folder: of two, any
    const char *space = strchr(cases[i].offered, ' ');
    char turned[256] = "";
    if (space && !strchr(space + 1, ' '))
      snprintf(turned, sizeof turned, "%.*s %.*s\n", (int)strlen(space + 1) - 1, space + 1,
               (int)(space - cases[i].offered), cases[i].offered);
    if ((strlen(cases[i].offered) != length || strncmp(at, cases[i].offered, length) != 0) &&
        (strlen(turned) != length || strncmp(at, turned, length) != 0))
      fail_msg("%s: %.*s%s", cases[i].line, (int)length, at, output.err);
    at += length;
  }
  ffi_output_free(&output);
}

// An option that is offered is one that the command takes, and one that its help tells of.
static int check_options(const char *command, const char *extra)
{
  char line[128];
  int count = 0;
  snprintf(line, sizeof line, "%s -", command);
  ffi_output offered = offered_for(line), help = ffi_run("", "%s --help", command);
  assert_int_equal(help.status, 0);
  for (char *option = strtok(offered.out, " \n"); option; option = strtok(NULL, " \n"), ++count) {
    char unknown[128];
    if (strcmp(option, "--help") == 0)
      continue;
    ffi_output output = ffi_run("", "%s %s %s", command, option, extra);
    snprintf(unknown, sizeof unknown, "unknown option '%s'", option);
    if (output.status != 2 || strstr(output.err, unknown))
      fail_msg("%s %s: %d, %s", command, option, output.status, output.err);
    if (!strstr(help.out, option))
      fail_msg("%s --help does not tell of %s", command, option);
    ffi_output_free(&output);
  }
  ffi_output_free(&offered);
  ffi_output_free(&help);
  return count;
}

static void every_option_is_known_and_told_of(void **state)
{
  (void)state;
  int count = 0;
  for (int c = 0; c < COMMAND_COUNT; ++c)
    count += check_options(commands[c], "");
  count += check_options("bench all", "--nonsense");
  count += check_options("bench step", "--nonsense");
  assert_true(count > 110);
}

// The other way round: an option that the sources name in a table is offered. The tables are C: [SOMETHING] =
// {"--name", ...
static void every_option_of_the_sources_is_offered(void **state)
{
  (void)state;
  char arguments[1024];
  ffi_output known = ffi_run_program(
      "", "sh",
      "-c 'cat \"$0\"/apps/*.c \"$0\"/apps/*/*.c \"$0\"/cli/*/*.c \"$0\"/apps/load_options.h | tr \"\\n\" \" "
      "\" | grep -oE \"\\{ *\\\"--?[a-z-]+\\\", *(\\\"|\\.)\" | grep -oE -- \"--?[a-z-]+\" | sort -u' "
      "'" FFI_TEST_SOURCE_DIR "'");
  snprintf(arguments, sizeof arguments,
           "-c 'for c in info run view new convert plan compare \"bench all\" \"bench step\"; do \"$0\" "
           "completion words $c - | cut -f 1; done' '%s'",
           ffi_command_path());
  ffi_output offered = ffi_run_program("", "sh", arguments);
  int count = 0;
  for (char *option = strtok(known.out, "\n"); option; option = strtok(NULL, "\n"), ++count) {
    char line[64];
    snprintf(line, sizeof line, "\n%s\n", option);
    if (!strstr(offered.out, line) && strncmp(offered.out, line + 1, strlen(line) - 1) != 0)
      fail_msg("%s is in a table, but not offered", option);
  }
  assert_true(count > 50);
  ffi_output_free(&known);
  ffi_output_free(&offered);
}

// Cases are in the benchmarks' own tables: what they list when one is not known is what is offered.
static void every_case_of_a_bench_is_offered(void **state)
{
  (void)state;
  static const char *const with_cases[] = {"all", "expo", "expo-paper", "step"};
  for (size_t b = 0; b < sizeof with_cases / sizeof with_cases[0]; ++b) {
    char line[64];
    snprintf(line, sizeof line, "bench %s --case \"\"", with_cases[b]);
    ffi_output offered = offered_for(line), refused = ffi_run("", "bench %s --case ?", with_cases[b]);
    char *list = strstr(refused.err, "choose ");
    assert_non_null(list);
    int listed = 0, count = 0;
    for (char *word = strtok(list + 7, ", \n"); word; word = strtok(NULL, ", \n")) {
      listed += strcmp(word, "or") != 0;
      if (strcmp(word, "or") != 0 && !strstr(offered.out, word))
        fail_msg("bench %s --case: %s is not offered", with_cases[b], word);
    }
    for (char *word = strtok(offered.out, " \n"); word; word = strtok(NULL, " \n"))
      ++count;
    assert_int_equal(count, listed);
    ffi_output_free(&offered);
    ffi_output_free(&refused);
  }
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

// zsh's own completion at work: a shell on a pseudo-terminal of zsh's is given a line and the key Tab, and shows the
// line completed.
static void zsh_completes(void **state)
{
  (void)state;
  static const char script[] =
      "zmodload zsh/zpty || exit 3\n"
      "command=$1 folder=$2\n"
      "show() {\n"
      "  zpty z zsh -f -i\n"
      "  zpty -w z 'PS1= RPS1= PROMPT_EOL_MARK=; cd '\"$folder\"'; path=('\"${command:h}\"' $path); autoload "
      "-Uz compinit; compinit -u -D; eval \"$(footfall completion zsh)\"; "
      "finish() { print -r -- \"<<$BUFFER>>\"; exit }; zle -N finish; bindkey \"^X\" finish; print REA''DY'\n"
      "  local line all=''\n"
      "  while zpty -r z line; do [[ $line == *READY* ]] && break; done\n"
      "  zpty -w -n z \"$1\"$'\\t'$'\\x18'\n"
      "  while zpty -r z line; do all+=$line; [[ $all == *'<<'*'>>'* ]] && break; done\n"
      "  print -r -- \"${${all##*<<}%%>>*}\"\n"
      "  zpty -d z\n"
      "}\n"
      "show 'footfall conv'\nshow 'footfall run --stepp'\nshow 'footfall run --stepper mor'\nshow 'footfall "
      "run --stepper=mor'\n"
      "show 'footfall bench step --case solo12-stand2 --mark'\nshow 'footfall info models/pass'\n";
  static const char expected[] =
      "footfall convert \nfootfall run --stepper \nfootfall run --stepper moreau \nfootfall run --stepper=moreau \n"
      "footfall bench step --case solo12-stand2 --markdown \nfootfall info models/passive_walker.urdf \n";
  ffi_output words = ffi_run("", "completion zsh");
  assert_int_equal(strncmp(words.out, "#compdef footfall\n", 18), 0);
  ffi_output_free(&words);
  if (access("/usr/bin/zsh", X_OK) != 0)
    skip();
  char arguments[2048];
  snprintf(arguments, sizeof arguments, "-f '%s' '%s' '%s'",
           ffi_write_file("zsh.sh", script, (int)sizeof script - 1), ffi_command_path(), FFI_TEST_SOURCE_DIR);
  ffi_output output = ffi_run_program("", "zsh", arguments);
  if (output.status == 3)
    skip(); // no pseudo-terminals
  assert_string_equal(output.out, expected);
  ffi_output_free(&output);
}

static void other_words_are_refused(void **state)
{
  (void)state;
  static const char *const cases[][2] = {{"", "needs one of"},
                                         {"bash zsh", "needs one of"},
                                         {"bsah", "did you mean 'bash'?"},
                                         {"fish", "choose bash, zsh or man"}};
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
      cmocka_unit_test(every_option_is_known_and_told_of),
      cmocka_unit_test(every_option_of_the_sources_is_offered),
      cmocka_unit_test(every_case_of_a_bench_is_offered),
      cmocka_unit_test(the_manual_says_what_the_help_says),
      cmocka_unit_test(zsh_completes),
      cmocka_unit_test(other_words_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
