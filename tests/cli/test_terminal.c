// Colours: on a terminal, unless NO_COLOR or TERM say otherwise; never into a pipe or a file. Names, whatever is in
// them, are only shown.
#define _XOPEN_SOURCE 700
#include "cli/on_terminal.h"
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ROMEO FFI_TEST_SOURCE_DIR "/models/romeo.urdf"

// Run "footfall info romeo" with a terminal as stdout and keep its output.
static void run_on_terminal(const char *term, const char *no_color, char *out, size_t size)
{
  char term_is[64], no_color_is[64];
  snprintf(term_is, sizeof term_is, "TERM=%s", term);
  snprintf(no_color_is, sizeof no_color_is, "NO_COLOR=%s", no_color);
  const char *const arguments[] = {
      "env", "LC_ALL=C.UTF-8", term_is, no_color_is, ffi_command_path(), "info", ROMEO, NULL};
  assert_int_equal(ffi_run_on_terminal(STDOUT_FILENO, arguments, out, size), 0);
  assert_non_null(strstr(out, "37 velocities"));
}

static void colours_are_for_terminals_only(void **state)
{
  static const struct {
    const char *term, *no_color;
    int has_colors;
  } cases[] = {{"xterm-256color", "", 1}, {"xterm", "1", 0}, {"dumb", "", 0}};
  static char out[65536];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    run_on_terminal(cases[i].term, cases[i].no_color, out, sizeof out);
    if ((strchr(out, '\033') != NULL) != cases[i].has_colors)
      fail_msg("TERM=%s NO_COLOR=%s: colours %s", cases[i].term, cases[i].no_color,
               cases[i].has_colors ? "are missing" : "are there");
  }
  ffi_output output = ffi_run("TERM=xterm NO_COLOR=", "info '%s'", ROMEO);
  assert_int_equal(output.status, 0);
  assert_null(strchr(output.out, '\033'));
  ffi_output_free(&output);
}

// Every look that is switched on is switched off again before the line ends.
static void colours_end_with_the_line(void **state)
{
  static char out[65536];
  (void)state;
  run_on_terminal("xterm", "", out, sizeof out);
  int is_on = 0;
  for (const char *at = out; *at; ++at) {
    if (*at == '\033') {
      assert_true(at[1] == '[');
      is_on = strncmp(at, "\033[0m", 4) != 0;
    }
    if (*at == '\n' && is_on)
      fail_msg("a colour runs on after: %.60s", at > out + 60 ? at - 60 : out);
  }
  assert_false(is_on);
}

// ---- Names that are no plain text ---------------------------------------------------------------------------

// Characters that a terminal obeys instead of showing them: C1 controls (CSI, OSC and the first and last of them), line
// separators, and everything that turns the direction of writing.
static const char *const wild[] = {
    "\xc2\x80",     "\xc2\x9b",     "\xc2\x9d",     "\xc2\x9f",     "\xe2\x80\xa8",
    "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9",
};

// Their neighbours, which are to be shown.
static const char *const tame[] = {"\xc2\xa0",     "\xc3\xa9",     "\xe2\x80\xa7",    "\xe2\x80\xaf",
                                   "\xe2\x81\xa5", "\xe2\x81\xaa", "\xf0\x9f\xa4\x96"};

static void show_name(const char *character, char *out, size_t size)
{
  char robot[256];
  snprintf(robot, sizeof robot, "<robot name='r%sr'><link name='a%sb'/></robot>", character, character);
  const char *path = ffi_write_file("wild.urdf", robot, (int)strlen(robot));
  ffi_output output = ffi_run("LC_ALL=C.UTF-8", "info --fixed-base '%s'", path);
  if (output.status != 0)
    fail_msg("exit status %d: %s", output.status, output.err);
  snprintf(out, size, "%s", output.out);
  ffi_output_free(&output);
}

static void names_cannot_command_the_terminal(void **state)
{
  static char out[65536];
  char shown[32];
  (void)state;
  for (size_t i = 0; i < sizeof wild / sizeof wild[0]; ++i) {
    show_name(wild[i], out, sizeof out);
    if (strstr(out, wild[i]) || !strstr(out, "a?b") || !strstr(out, "r?r"))
      fail_msg("character %zu of the wild ones is shown", i);
  }
  for (size_t i = 0; i < sizeof tame / sizeof tame[0]; ++i) {
    show_name(tame[i], out, sizeof out);
    snprintf(shown, sizeof shown, "a%sb", tame[i]);
    if (!strstr(out, shown))
      fail_msg("character %zu of the tame ones is not shown", i);
  }
}

// File names are bytes; those that are no UTF-8 (alone, too long for their number, cut short, half of a pair, too
// large) become question marks, one for each byte, and the text after them stays whole.
static void complaints_cannot_command_the_terminal(void **state)
{
  static const struct {
    const char *name, *shown;
  } cases[] = {
      {"x\xc2\x9by", "x?y: "},
      {"x\xe2\x80\xaey", "x?y: "},
      {"x\x9by", "x?y: "},
      {"x\xc0\x9by", "x??y: "},
      {"x\xe2\x80y", "x??y: "},
      {"x\xed\xa0\x80y", "x???y: "},
      {"x\xf4\x90\x80\x80y", "x????y: "},
      {"x\xffy\xc3\xa9", "x?y\xc3\xa9: "},
      {"x\xe2", "x?: "},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = ffi_run("LC_ALL=C.UTF-8", "info '/no/such/%s'", cases[i].name);
    assert_int_equal(output.status, 1);
    if (!strstr(output.err, cases[i].shown))
      fail_msg("case %zu: '%s' is not in: %s", i, cases[i].shown, output.err);
    ffi_output_free(&output);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(colours_are_for_terminals_only),
      cmocka_unit_test(colours_end_with_the_line),
      cmocka_unit_test(names_cannot_command_the_terminal),
      cmocka_unit_test(complaints_cannot_command_the_terminal),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
