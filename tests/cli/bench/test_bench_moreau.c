// slow: some twenty seconds. footfall bench moreau-paper: its rows, its report and what it refuses.
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const configs[] = {"Cm",   "HmJ",  "HmS",  "HEJD", "HEJP", "HESD",
                                      "HESP", "HMJD", "HMJP", "HMSD", "HMSP"};
enum { CONFIGS = sizeof configs / sizeof *configs };

static double seconds; // processor time of the measurement

static int measure(void **state)
{
  const double before = ffi_bench_spent();
  char arguments[512];
  snprintf(arguments, sizeof arguments, "moreau-paper --quick --html '%s/moreau.html'", ffi_scratch_folder());
  *state = ffi_bench_rows(arguments);
  seconds = ffi_bench_spent() - before;
  return 0;
}

static void quick_is_quick(void **state)
{
  (void)state;
  assert_true(seconds > 0 && seconds < 60);
}

static void every_configuration_has_its_rows(void **state)
{
  ffi_bench_check_schema(*state, 1);
  for (int i = 0; i < CONFIGS; ++i) {
    char which[32];
    snprintf(which, sizeof which, "config:%s", configs[i]);
    const double evaluations = ffi_bench_need(*state, which, "evals_per_s", "1/s"),
                 rtf = ffi_bench_need(*state, which, "rtf", "x");
    const double steps = ffi_bench_need(*state, which, "steps_per_period", "per period");
    assert_true(evaluations > 10 && rtf > 0);
    assert_true(fabs(rtf / (evaluations * 2.5e-3 / steps) - 1) < 1e-4); // six digits each
    assert_true(ffi_bench_need(*state, which, "unconverged", "of steps") <= 1);
    const double mean = ffi_bench_need(*state, which, "iterations:mean", "per step");
    assert_true(mean <= ffi_bench_need(*state, which, "iterations:max", "per step"));
    if (i == 0)
      continue;
    const double alpha = ffi_bench_need(*state, which, "alpha", "1"),
                 limit = ffi_bench_need(*state, which, "alpha_limit", "1");
    assert_true(mean > 0 && alpha > 0 && fabs(alpha - limit / 2) < 1e-5 && limit <= 2);
    assert_true(ffi_bench_need(*state, which, "push:pushes", "1") >= 1);
  }
}

// The same problem in other coordinates takes about as long as it did in the recording; phases make the whole, clock
// readings apart.
static void phases_make_the_step(void **state)
{
  static const char *const phases[] = {"phase:contact", "phase:prepare", "phase:integral", "phase:update"};
  double sum = 0;
  for (int p = 0; p < 4; ++p)
    sum += ffi_bench_need(*state, "config:HMJD", phases[p], "us");
  const double whole = ffi_bench_need(*state, "config:HMJD", "us_per_step", "us");
  assert_true(sum > 0.5 * whole && sum < 2 * whole);
}

// What does not depend on the machine's speed, and is far from the edge.
static void what_is_known_comes_out(void **state)
{
  assert_true(ffi_bench_need(*state, "stability", "fewest_steps:hard", "per period") == 1);
  assert_true(ffi_bench_need(*state, "stability", "fewest_steps:compliant", "per period") >= 2);
  // Half the weight of 26.82 kg on two springs at most, shared by four feet at times.
  const double deep = ffi_bench_need(*state, "force", "compliant:penetration:mean", "mm"),
               full = 1e3 * 26.82 * 9.81 / 2 / 30000;
  assert_true(deep < full && deep > 0.5 * full);
  // A quarter of the weight is on this foot in the mean, whatever the ground.
  static const char *const means[] = {"hard:mean", "compliant:mean", "damped:mean"};
  for (int i = 0; i < 3; ++i)
    assert_true(fabs(ffi_bench_need(*state, "force", means[i], "N") / (26.82 * 9.81 / 4) - 1) < 0.1);
  // Joints that are cut open in proportion to the step.
  const double coarse = ffi_bench_need(*state, "drift", "joints:exact:maximal:dt=2500us", "um/min"),
               fine = ffi_bench_need(*state, "drift", "joints:exact:maximal:dt=1250us", "um/min");
  assert_true(coarse / fine > 1.5 && coarse / fine < 2.5);
  // Where the others stall.
  assert_true(ffi_bench_need(*state, "stack of ten", "exact:unconverged", "of steps") == 0);
  assert_true(ffi_bench_need(*state, "1 kg under 1 t", "exact:unconverged", "of steps") == 0);
  assert_true(ffi_bench_need(*state, "1 kg under 1 t", "jor:unconverged", "of steps") > 0);
  assert_true(ffi_bench_need(*state, "pit:48", "exact:us_per_contact", "us") > 0);
}

// A quick run has figures but no verdicts.
static void claims_have_figures(void **state)
{
  static const char *const ids[] = {
      "M1",          "M1:hard",     "M2", "M3", "M3:minimal", "M3:extended",  "M4:feet",      "M4:maximal",
      "M4:extended", "M4:iterated", "M5", "M6", "M7",         "M7:converges", "goal-minimal", "goal-maximal"};
  assert_null(ffi_bench_find_word(*state, "paper", "claim:M8")); // it has a figure only where pushes fail
  for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i) {
    char metric[64];
    snprintf(metric, sizeof metric, "claim:%s", ids[i]);
    assert_null(ffi_bench_find_word(*state, "paper", metric));
    snprintf(metric, sizeof metric, "decided:%s", ids[i]);
    ffi_bench_need(*state, "paper", metric,
                   ids[i][0] == 'g'                       ? "us"
                   : ids[i][1] == '7' || ids[i][1] == '8' ? "pushes"
                                                          : "x");
  }
}

static void report_stands_by_itself(void **state)
{
  static const char *const words[] = {"Claims",        "<svg ",  "Table 1",       "Fig. 5",
                                      "Fig. 6",        "Fig. 7", "Drift",         "Pushes",
                                      "Many contacts", "HMSP",   "quick variant", NULL};
  (void)state;
  ffi_bench_check_report("moreau.html", words);
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
      cmocka_unit_test(claims_have_figures),
      cmocka_unit_test(report_stands_by_itself),
  };
  const struct CMUnitTest options[] = {
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(help_is_there),
  };
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
