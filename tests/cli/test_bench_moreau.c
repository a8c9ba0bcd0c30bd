// slow: some twenty seconds. footfall bench moreau-paper: its rows, its report and what it refuses.
#define _POSIX_C_SOURCE 200809L
#include "bench_rows.h"
#include "run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static const char *const configs[] = {"Cm",   "HmJ",  "HmS",  "HEJD", "HEJP", "HESD",
                                      "HESP", "HMJD", "HMJP", "HMSD", "HMSP"};
enum { CONFIGS = sizeof configs / sizeof *configs };

static double seconds; // processor time of the measurement

static int measure(void **state)
{
  char arguments[512];
  struct rusage used;
  snprintf(arguments, sizeof arguments, "moreau-paper --quick --html '%s/moreau.html'", ffi_scratch_folder());
  *state = ffi_bench_rows(arguments);
  getrusage(RUSAGE_CHILDREN, &used);
  seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  return 0;
}

static void quick_is_quick(void **state)
{
  (void)state;
  assert_true(seconds > 0 && seconds < 60);
}

static double need(const ffi_json_value *rows, const char *which, const char *metric, const char *unit)
{
  const double value = ffi_bench_find(rows, which, metric, unit);
  if (isnan(value))
    fail_msg("%s has no row %s", which, metric);
  return value;
}

static void every_configuration_has_its_rows(void **state)
{
  ffi_bench_check_schema(*state, 1);
  for (int i = 0; i < CONFIGS; ++i) {
    char which[32];
    snprintf(which, sizeof which, "config:%s", configs[i]);
    const double evaluations = need(*state, which, "evals_per_s", "1/s"),
                 rtf = need(*state, which, "rtf", "x");
    const double steps = need(*state, which, "steps_per_period", "per period");
    assert_true(evaluations > 10 && rtf > 0);
    assert_true(fabs(rtf / (evaluations * 2.5e-3 / steps) - 1) < 1e-4); // six digits each
    assert_true(need(*state, which, "unconverged", "of steps") <= 1);
    const double mean = need(*state, which, "iterations:mean", "per step");
    assert_true(mean <= need(*state, which, "iterations:max", "per step"));
    if (i == 0)
      continue;
    const double alpha = need(*state, which, "alpha", "1"), limit = need(*state, which, "alpha_limit", "1");
    assert_true(mean > 0 && alpha > 0 && fabs(alpha - limit / 2) < 1e-5 && limit <= 2);
    assert_true(need(*state, which, "push:pushes", "1") >= 1);
  }
}

// The same problem in other coordinates takes about as long as it did in the recording; phases make the whole, clock readings apart.
static void phases_make_the_step(void **state)
{
  static const char *const phases[] = {"phase:contact", "phase:prepare", "phase:integral", "phase:update"};
  double sum = 0;
  for (int p = 0; p < 4; ++p)
    sum += need(*state, "config:HMJD", phases[p], "us");
  const double whole = need(*state, "config:HMJD", "us_per_step", "us");
  assert_true(sum > 0.5 * whole && sum < 2 * whole);
}

// What does not depend on the machine's speed, and is far from the edge.
static void what_is_known_comes_out(void **state)
{
  assert_true(need(*state, "stability", "fewest_steps:hard", "per period") == 1);
  assert_true(need(*state, "stability", "fewest_steps:compliant", "per period") >= 2);
  // Half the weight of 26.82 kg on two springs at most, shared by four feet at times.
  const double deep = need(*state, "force", "compliant:penetration:mean", "mm"),
               full = 1e3 * 26.82 * 9.81 / 2 / 30000;
  assert_true(deep < full && deep > 0.5 * full);
  // A quarter of the weight is on this foot in the mean, whatever the ground.
  static const char *const means[] = {"hard:mean", "compliant:mean", "damped:mean"};
  for (int i = 0; i < 3; ++i)
    assert_true(fabs(need(*state, "force", means[i], "N") / (26.82 * 9.81 / 4) - 1) < 0.1);
  // Joints that are cut open in proportion to the step.
  const double coarse = need(*state, "drift", "joints:exact:maximal:dt=2500us", "um/min"),
               fine = need(*state, "drift", "joints:exact:maximal:dt=1250us", "um/min");
  assert_true(coarse / fine > 1.5 && coarse / fine < 2.5);
  // Where the others stall.
  assert_true(need(*state, "stack of ten", "exact:unconverged", "of steps") == 0);
  assert_true(need(*state, "1 kg under 1 t", "exact:unconverged", "of steps") == 0);
  assert_true(need(*state, "1 kg under 1 t", "jor:unconverged", "of steps") > 0);
  assert_true(need(*state, "pit:48", "exact:us_per_contact", "us") > 0);
}

static void claims_are_judged(void **state)
{
  static const char *const judged[] = {"M1", "M2", "M3",           "M4",          "M5",
                                       "M6", "M7", "goal-minimal", "goal-maximal"};
  static const char *const units[] = {"x", "x", "x", "x", "x", "x", "pushes", "us", "us"};
  for (size_t i = 0; i < sizeof judged / sizeof *judged; ++i) {
    char metric[64];
    snprintf(metric, sizeof metric, "claim:%s", judged[i]);
    const char *word = ffi_bench_find_word(*state, "paper", metric);
    assert_non_null(word);
    assert_true(strcmp(word, "holds") == 0 || strcmp(word, "fails") == 0);
    snprintf(metric, sizeof metric, "decided:%s", judged[i]);
    need(*state, "paper", metric, units[i]);
  }
  assert_string_equal(ffi_bench_find_word(*state, "paper", "claim:M2"), "holds");
  assert_string_equal(ffi_bench_find_word(*state, "paper", "claim:M5"), "holds");
  assert_string_equal(ffi_bench_find_word(*state, "paper", "claim:M6"), "holds");
}

static void report_stands_by_itself(void **state)
{
  static const char *const words[] = {"<!DOCTYPE html>", "Claims", "Table 1",      "Fig. 5",        "Fig. 6",
                                      "Fig. 7",          "Drift",  "Pushes",       "Many contacts", "</html>",
                                      "<svg ",           "HMSP",   "quick variant"};
  static const char *const forbidden[] = {"<script", "<link", "src=", "href=", ">nan", "inf<"};
  (void)state;
  char path[512];
  snprintf(path, sizeof path, "%s/moreau.html", ffi_scratch_folder());
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  enum { LARGEST = 1 << 21 };
  char *text = calloc(LARGEST + 1, 1);
  assert_non_null(text);
  assert_true(fread(text, 1, LARGEST, file) < LARGEST);
  fclose(file);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (!strstr(text, words[i]))
      fail_msg("the report has no '%s'", words[i]);
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; ++i)
    if (strstr(text, forbidden[i]))
      fail_msg("the report has '%s'", forbidden[i]);
  free(text);
}

static void nonsense_is_refused(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"moreau-paper starleth", 2, "options only"},
      {"moreau-paper --models a", 2, "--models"},
      {"moreau-paper --case Cm", 2, "--case"},
      {"moreau-paper --scenes /nowhere", 1, "--scenes"},
      {"moreau-paper --html /nowhere/a.html", 1, "cannot be written"},
      {"moreau-paper --html scenes/starleth-push.yaml", 1, "scene"},
      {"moreau-paper --json models/starleth.urdf", 1, "model"},
  };
  (void)state;
  ffi_bench_check_refusals(refusals, (int)(sizeof refusals / sizeof *refusals));
}

static void help_is_there(void **state)
{
  static const char *const words[] = {"--html", "--json", "--quick", "--scenes", NULL};
  (void)state;
  ffi_bench_check_help("moreau-paper", words);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(every_configuration_has_its_rows),
      cmocka_unit_test(quick_is_quick),
      cmocka_unit_test(phases_make_the_step),
      cmocka_unit_test(what_is_known_comes_out),
      cmocka_unit_test(claims_are_judged),
      cmocka_unit_test(report_stands_by_itself),
  };
  const struct CMUnitTest options[] = {
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(help_is_there),
  };
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
