// footfall run: what it refuses, and what units mean.
#define _POSIX_C_SOURCE 200809L
#include "cli/run/summary.h"
#include "cli/run_command.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- What it refuses --------------------------------------------------------------------------------------

static void check_refusal(const char *arguments, int status, const char *words)
{
  ffi_output output = ffi_run("", "run %s", arguments);
  const char *end = strchr(output.err, '\n');
  if (output.status != status || strncmp(output.err, "footfall: ", 10) != 0 || !end || end[1] ||
      !strstr(output.err, words) || (output.out[0] && !strstr(arguments, "--json")))
    fail_msg("run %s: exit status %d instead of %d, or not one line with '%s': %s", arguments, output.status,
             status, words, output.err);
  ffi_output_free(&output);
}

static void wrong_usage_is_refused_with_a_hint(void **state)
{
  static const struct {
    const char *arguments, *words;
  } cases[] = {
      {"", "needs a model"},
      {"--dt 1ms", "needs a model"},
      {SOLO12 " " SOLO12, "unexpected argument"},
      {SOLO12 " --steper expo", "did you mean '--stepper'?"},
      {SOLO12 " --frobnicate", "'footfall run --help' lists"},
      {SOLO12 " --stepper expos", "did you mean 'expo'?"},
      {SOLO12 " --stepper leapfrog",
       "expo, expo-paper, euler, symplectic, rk4, implicit, ess, moreau, ca or c2a"},
      {SOLO12 " --dt", "needs a value"},
      {SOLO12 " --dt 0", "must be above 0"},
      {SOLO12 " --dt -1ms", "must be above 0"},
      {SOLO12 " --dt fast", "not a number; expected a time, such as 2ms"},
      {SOLO12 " --dt ''", "not a number"},
      {SOLO12 " --dt nan", "not a number"},
      {SOLO12 " --dt inf", "not a number"},
      {SOLO12 " --dt 0x10", "not a number"},
      {SOLO12 " --dt 1e999", "too large"},
      {SOLO12 " --dt 10m", "the unit 'm' is not known here; expected a time"},
      {SOLO12 " --dt 10sm", "the unit 'sm'"},
      {SOLO12 " --dt 1ms1", "the unit 'ms1'"},
      {SOLO12 " --dt 1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "is not known here"},
      {SOLO12 " --duration -1", "must not be below 0"},
      {SOLO12 " --duration 10kg", "the unit 'kg'"},
      {SOLO12 " --dt 1e-12 --duration 1e9", "more than 1e15"},
      {SOLO12 " --stepper rk4 --exponential exact", "of the steppers expo and expo-paper, not of rk4"},
      {SOLO12 " --stepper rk4 --order 1", "of the stepper expo, not of rk4"},
      {SOLO12 " --stepper rk4 --accuracy 1e-4", "of the steppers expo and c2a, not of rk4"},
      {SOLO12 " --accuracy -1", "must not be below 0"},
      {SOLO12 " --accuracy nan", "not a number"},
      {SOLO12 " --epsilon 1mm", "of the stepper ess, not of expo"},
      {SOLO12 " --stepper rk4 --tolerance 1e-3", "of the stepper ess, not of rk4"},
      {SOLO12 " --stepper ess --epsilon 0", "must be above 0"},
      {SOLO12 " --stepper ess --epsilon 1s", "expected a length"},
      {SOLO12 " --stepper ess --tolerance -1", "must not be below 0"},
      {SOLO12 " --slope 10", "needs a unit; expected an angle, such as 10deg"},
      {SOLO12 " --slope 90deg", "less than 89 degrees"},
      {SOLO12 " --slope 10m", "the unit 'm'"},
      {SOLO12 " --drop 1e300", "'--drop 1e300' must be at most 1e7 m"},
      {SOLO12 " --stiffness 0", "must be above 0"},
      {SOLO12 " --stiffness 1e5Ns/m", "expected a stiffness, such as 1e5N/m"},
      {SOLO12 " --damping -3", "must not be below 0"},
      {SOLO12 " --friction 1N", "'N' is superfluous; expected a plain number"},
      {SOLO12 " --friction -0.1", "must not be below 0"},
      {SOLO12 " --pd 40", "two gains separated by a comma"},
      {SOLO12 " --pd 40,", "not a number"},
      {SOLO12 " --pd 40,-1", "must not be below 0"},
      {SOLO12 " --pd 40,1 --kp 3", "cannot be combined"},
      {SOLO12 " --kd 3 --no-pd", "cannot be combined"},
      {SOLO12 " --drop 1m --on-ground", "cannot be combined"},
      {SOLO12 " --drop 1s", "expected a length"},
      {SOLO12 " --exponential order-4", "did you mean 'order-"},
      {SOLO12 " --exponential best", "auto, exact, order-1, order-2, order-3, order-5 or order-7"},
      {SOLO12 " --order 3", "a whole number from 1 to 2"},
      {SOLO12 " --order one", "a whole number from 1 to 2"},
      {SOLO12 " --events maybe", "choose off or on"},
      {SOLO12 " --stepper euler --order 1", "an option of the stepper expo, not of euler"},
      {SOLO12 " --stepper rk4 --exponential exact", "not of rk4"},
      {SOLO12 " --stepper expo-paper --events off", "not of expo-paper"},
      {SOLO12 " --log run.txt", "ends in .h5, .csv or .mcap"},
      {SOLO12 " --log out/", "names no file"},
      {SOLO12 " --log a.csv --out b.csv", "cannot be combined"},
      {SOLO12 " --no-log --out b.csv", "cannot be combined"},
      {SOLO12 " --resume a.h5", "unexpected argument"},
      {"--resume a.h5 --dt 1ms", "a run continues with its own options"},
      {"--resume a.h5 --set dt=1ms", "a run continues with its own options"},
      {SOLO12 " --log-every 10 --no-log", "'--log-every' and '--no-log' cannot be combined"},
      {SOLO12 " --log a.csv --log-every 0", "a whole number from 1"},
      {SOLO12 " --log a.csv --log-every 1.5", "a whole number from 1"},
      {SOLO12 " --log - --json", "both write to the standard output"},
      {SOLO12 " --mimic fre", "did you mean 'free'?"},
      {SOLO12 " --json=yes", "takes no value"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    check_refusal(cases[i].arguments, 2, cases[i].words);
}

// What only the model, the ground or the disk can tell.
static void what_cannot_be_done_is_told(void **state)
{
  char arguments[1400];
  (void)state;
  check_refusal("/no/such/robot.urdf", 1, "/no/such/robot.urdf: ");
  check_refusal(SOLO12 " --posture stading", 2, "did you mean 'standing'?");
  check_refusal(SOLO12 " --posture asleep", 2, "choose standing, straight_standing or squat");
  check_refusal(SOLO12 " --log /no/such/folder/a.csv", 1, "/no/such/folder/a.csv: cannot be written: ");
  check_refusal(MODEL("box.xml") " --slope 10deg", 1, "brings its own ground, so '--slope'");
  check_refusal(MODEL("four_bar.xml") " --drop 1", 1,
                "is fixed to the world, so '--drop' has nothing to move");
  check_refusal(MODEL("four_bar.xml") " --on-ground", 1, "so '--on-ground' has nothing to move");
  check_refusal(MODEL("box.xml") " --on-ground", 1, "brings its own ground, so '--on-ground'");
  check_refusal(MODEL("box.xml") " --friction 1", 1, "brings its own ground, so '--friction'");
  static const char two[] =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
      "iyz='0' izz='1'/></inertial>"
      "<contact><lateral_friction value='0.1'/></contact><collision><geometry><sphere "
      "radius='1'/></geometry></collision></link>"
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
      "<collision><geometry><sphere radius='1'/></geometry></collision></link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>";
  snprintf(arguments, sizeof arguments, "'%s' --stiffness 1e4",
           ffi_write_file("two.urdf", two, (int)sizeof two - 1));
  check_refusal(arguments, 1, "differ in material");
  snprintf(arguments, sizeof arguments, "'%s' --posture x", ffi_scratch_path("two.urdf"));
  check_refusal(arguments, 2, "has no postures");
  snprintf(arguments, sizeof arguments, "'%s/two.csv' --log '%s/two.csv'", ffi_scratch_folder(),
           ffi_scratch_folder());
  ffi_write_file("two.csv", two, (int)sizeof two - 1);
  check_refusal(arguments, 1, "which the log would overwrite");
}

// Events of a landing, and more steps for a smaller tolerance.
static void ess_tells_of_its_integrator(void **state)
{
  (void)state;
  double steps[2];
  for (int fine = 0; fine < 2; ++fine) {
    ffi_json_value *summary = ffi_summary_of(
        0, fine ? SOLO12 " --stepper ess --dt 2ms --duration 0.2 --drop 2cm --epsilon 1um --tolerance 1e-10"
                : SOLO12 " --stepper ess --dt 2ms --duration 0.2 --drop 2cm");
    assert_string_equal(ffi_text(summary, "stepper"), "ess");
    steps[fine] = ffi_inner(summary, "totals", "integrator_steps");
    assert_true(ffi_inner(summary, "totals", "touchdowns") >= 4);
    assert_true(ffi_inner(summary, "totals", "projections") + ffi_inner(summary, "totals", "located") >= 4);
    ffi_json_free(summary);
  }
  assert_true(steps[0] >= 100 && steps[1] > steps[0]);
}

// An accuracy instead of a step: what was done is in the summary.
static void an_accuracy_tells_of_its_steps(void **state)
{
  (void)state;
  const char *const arguments = SOLO12 " --dt 5ms --duration 0.2 --drop 2cm --accuracy 1e-5";
  ffi_json_value *summary = ffi_summary_of(0, arguments);
  const double steps = ffi_inner(summary, "totals", "integrator_steps"),
               shortest = ffi_inner(summary, "totals", "shortest"),
               longest = ffi_inner(summary, "totals", "longest");
  assert_true(ffi_number(summary, "steps") == 40 && steps > 60);
  assert_true(shortest > 0 && shortest < 1e-3 && longest > shortest && longest <= 5e-3);
  assert_true(shortest * steps < 0.2 && longest * steps > 0.2);
  assert_true(ffi_inner(summary, "totals", "rejected") >= 1 &&
              ffi_inner(summary, "totals", "inaccurate") == 0);
  ffi_json_free(summary);
  ffi_output output = ffi_run("", "run --ascii %s", arguments);
  char line[64];
  snprintf(line, sizeof line, "accuracy    %.0f steps of ", steps);
  if (output.status != 0 || !strstr(output.out, line))
    fail_msg("'%s' is not in:\n%s", line, output.out);
  ffi_output_free(&output);
}

static void units_mean_what_they_say(void **state)
{
  static const struct {
    const char *option, *group, *key;
    double value;
  } cases[] = {
      {"--dt 2ms", NULL, "dt", 2e-3},
      {"--dt 0.002", NULL, "dt", 2e-3},
      {"--dt '2000 us'", NULL, "dt", 2e-3},
      {"--dt=2000\xc2\xb5s", NULL, "dt", 2e-3},
      {"--dt .002s", NULL, "dt", 2e-3},
      {"--dt 2e6ns", NULL, "dt", 2e-3},
      {"--dt 10ms --duration 0.001min", NULL, "duration", 0.06},
      {"--slope 10deg", "ground", "slope", 0.17453292519943295},
      {"--slope=-10deg", "ground", "slope", -0.17453292519943295},
      {"--slope 10\xc2\xb0", "ground", "slope", 0.17453292519943295},
      {"--slope 100mrad", "ground", "slope", 0.1},
      {"--slope 0", "ground", "slope", 0},
      {"--stiffness 1e5N/m", "ground", "stiffness", 1e5},
      {"--stiffness 100kN/m", "ground", "stiffness", 1e5},
      {"--stiffness '100 N/mm'", "ground", "stiffness", 1e5},
      {"--stiffness 1e5", "ground", "stiffness", 1e5},
      {"--damping 300Ns/m", "ground", "damping", 300},
      {"--damping '300 N s/m'", "ground", "damping", 300},
      {"--damping 0.3kN*s/m", "ground", "damping", 300},
      {"--damping 0.3kN\xc2\xb7s/m", "ground", "damping", 300},
      {"--friction 0.8", "ground", "friction", 0.8},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, SOLO12 " %s %s",
             strstr(cases[i].option, "--duration") ? "" : "--duration 0", cases[i].option);
    ffi_json_value *s = ffi_summary_of(0, arguments);
    const ffi_json_value *group = cases[i].group ? ffi_json_get(s, cases[i].group) : s;
    ffi_check_near(cases[i].option, ffi_number(group, cases[i].key), cases[i].value,
                   1e-15 * fabs(cases[i].value));
    ffi_json_free(s);
  }
}

static void help_names_every_option(void **state)
{
  static const char *const words[] = {"--stepper",
                                      "--dt",
                                      "--duration",
                                      "--posture",
                                      "--on-ground",
                                      "--drop",
                                      "--slope",
                                      "--pd",
                                      "--kp",
                                      "--kd",
                                      "--no-pd",
                                      "--stiffness",
                                      "--damping",
                                      "--friction",
                                      "--exponential",
                                      "--order",
                                      "--events",
                                      "--log",
                                      "--out",
                                      "--log-every",
                                      "--json",
                                      "--quiet",
                                      "--fixed-base",
                                      "--mimic",
                                      "--accuracy",
                                      "--epsilon",
                                      "--tolerance",
                                      "--mesh-path",
                                      "--contact-parameters",
                                      "--ascii",
                                      "3    the simulation diverged"};
  (void)state;
  ffi_output output = ffi_run("", "help run");
  assert_int_equal(output.status, 0);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (!strstr(output.out, words[i]))
      fail_msg("'%s' is not in:\n%s", words[i], output.out);
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_usage_is_refused_with_a_hint), cmocka_unit_test(what_cannot_be_done_is_told),
      cmocka_unit_test(ess_tells_of_its_integrator),        cmocka_unit_test(an_accuracy_tells_of_its_steps),
      cmocka_unit_test(units_mean_what_they_say),           cmocka_unit_test(help_names_every_option),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
