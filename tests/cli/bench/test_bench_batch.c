// slow: half a minute. footfall bench batch: the rows it writes and what it refuses. How fast batches are is not judged
// here, only that the figures are there, are possible, and fit each other.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"
#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Rows -------------------------------------------------------------------------------------------------

static int measure(void **state)
{
  char arguments[700];
  snprintf(arguments, sizeof arguments, "batch --quick --html '%s'", ffi_scratch_path("batch.html"));
  *state = ffi_bench_rows(arguments);
  return 0;
}

static const struct {
  const char *name, *steppers[5];
} cases[] = {
    {"solo12-stand", {"expo", "expo-paper", "euler", "moreau"}},
    {"solo12-trot", {"expo", "expo-paper", "euler", "moreau"}},
    {"solo12-drop", {"expo", "expo-paper", "moreau"}},
    {"romeo-walk", {"expo", "expo-paper"}},
    {"starleth-trot", {"moreau", "expo"}},
};
enum { CASES = sizeof cases / sizeof *cases };

// A step takes from a hundredth of a microsecond, which no processor does, to a second, as no build does.
static double need_rate(const ffi_json_value *rows, const char *which, const char *front, const char *name,
                        const char *back)
{
  char metric[96];
  snprintf(metric, sizeof metric, "%s%s%s", front, name, back);
  const double rate = ffi_bench_need(rows, which, metric, "1/s");
  if (!(rate > 1 && rate < 1e8))
    fail_msg("%s %s is %g 1/s", which, metric, rate);
  return rate;
}

static double share(const ffi_json_value *rows, const char *which, const char *front, const char *name)
{
  char metric[96];
  snprintf(metric, sizeof metric, "%s%s", front, name);
  const double value = ffi_bench_find(rows, which, metric, "share");
  if (!isnan(value) && !(value >= 0 && value <= 1))
    fail_msg("%s %s is %g", which, metric, value);
  return value;
}

static void rows_have_the_schema(void **state)
{
  ffi_bench_check_schema(*state, 0);
}

static void every_stepper_has_its_rates(void **state)
{
  for (int c = 0; c < CASES; ++c)
    for (int s = 0; cases[c].steppers[s]; ++s) {
      const char *which = cases[c].name, *stepper = cases[c].steppers[s];
      char metric[96];
      const double one = need_rate(*state, which, "batch:", stepper, ""),
                   two = need_rate(*state, which, "batch:", stepper, ":2threads");
      need_rate(*state, which, "scalar:", stepper, "");
      snprintf(metric, sizeof metric, "speedup_2threads:%s", stepper);
      const double speedup = ffi_bench_need(*state, which, metric, "ratio");
      assert_true(fabs(speedup * one - 2 * two) < 1e-4 * two); // six digits are written
      snprintf(metric, sizeof metric, "failed:%s", stepper);
      assert_true(ffi_bench_need(*state, which, metric, "robots") == 0);
      snprintf(metric, sizeof metric, "bytes_per_robot:%s", stepper);
      assert_true(ffi_bench_need(*state, which, metric, "B") > 8 * 24); // more than q and v of the smallest
    }
}

// Steps are in lanes or scalar, and lanes are busy only where steps are in lanes. Each step in lanes keeps one lane's
// result at least; the lanes of a pass are at most 8.
static void shares_fit_each_other(void **state)
{
  for (int c = 0; c < CASES; ++c)
    for (int s = 0; cases[c].steppers[s]; ++s) {
      const char *which = cases[c].name, *stepper = cases[c].steppers[s];
      const double scalar = share(*state, which, "scalar_steps:", stepper),
                   busy = share(*state, which, "lanes_busy:", stepper);
      assert_true(!isnan(scalar));
      assert_true(scalar == 1 || !isnan(busy));
      char metric[96];
      snprintf(metric, sizeof metric, "no_lanes:%s", stepper);
      assert_true(!ffi_bench_find_word(*state, which, metric) || scalar == 1);
    }
  assert_true(share(*state, "solo12-stand", "scalar_steps:", "expo") < 0.1);         // all is calm
  assert_true(share(*state, "solo12-stand", "lanes_busy:", "expo:robots=1") <= 0.5); // of two lanes at least
}

static void sizes_and_variation_are_there(void **state)
{
  static const char *const sizes[] = {":robots=1", ":robots=8", ":robots=64"};
  for (int c = 0; c < CASES; ++c) {
    for (int k = 0; k < 3; ++k)
      need_rate(*state, cases[c].name, "batch:", cases[c].steppers[0], sizes[k]);
    need_rate(*state, cases[c].name, "batch:", cases[c].steppers[0], ":varied");
  }
  assert_string_equal(ffi_bench_find_word(*state, "starleth-trot", "solver:moreau"), "exact");
}

static void mujoco_is_beside_us(void **state)
{
  if (!ffi_bench_find_word(*state, "run", "mujoco"))
    skip(); // it is not there
  for (int c = 0; c < CASES; ++c) {
    const double one = need_rate(*state, cases[c].name, "mujoco", "", "");
    need_rate(*state, cases[c].name, "mujoco", "", ":2threads");
    const double own = ffi_bench_find(*state, cases[c].name, "mujoco:batch", "1/s"),
                 best = isnan(own) || own < one ? one : own;
    char metric[96];
    snprintf(metric, sizeof metric, "over_mujoco:%s", cases[c].steppers[0]);
    const double ratio = ffi_bench_need(*state, cases[c].name, metric, "ratio");
    assert_true(fabs(ratio * best - need_rate(*state, cases[c].name, "batch:", cases[c].steppers[0], "")) <
                1e-4 * best * (1 + ratio)); // six digits are written
  }
}

static void the_page_is_whole(void **state)
{
  static const char *const words[] = {
      "<svg ",      "Many robots at once", "quick variant", "solo12-stand", "solo12-trot", "solo12-drop",
      "romeo-walk", "starleth-trot",       "batch:expo",    "lanes busy",   NULL};
  (void)state;
  ffi_bench_check_report("batch.html", words);
}

// ---- Options ----------------------------------------------------------------------------------------------

static void it_runs_without_mujoco(void **state)
{
  (void)state;
  ffi_json_value *rows =
      ffi_bench_rows_with("FOOTFALL_MUJOCO=none", "batch --quick --case solo12-drop --isa base");
  ffi_bench_check_schema(rows, 0);
  need_rate(rows, "solo12-drop", "batch:", "expo", "");
  assert_true(isnan(ffi_bench_find(rows, "solo12-drop", "mujoco", "1/s")));
  assert_string_equal(ffi_bench_find_word(rows, "solo12-drop", "why_not:mujoco"), "FOOTFALL_MUJOCO=none");
  assert_true(isnan(ffi_bench_find(rows, "solo12-trot", "batch:expo", "1/s"))); // not chosen
  ffi_json_free(rows);
}

static void mistakes_are_told(void **state)
{
  static const ffi_bench_refusal refusals[] = {
      {"batsh", 2, "did you mean 'batch'?"},
      {"batch --case solo12-trott", 2, "did you mean 'solo12-trot'?"},
      {"batch --case tower", 2, "starleth-trot"},
      {"batch --isa avx", 2, "did you mean 'avx2'?"},
      {"batch now", 2, "unexpected argument 'now'"},
      {"batch --robots 7", 2, "'footfall bench batch --help' lists the options"},
      {"batch --count --json -", 2, "measures nothing"},
      {"batch --html x.html --json x.html", 2, "cannot both be"},
      {"batch --json /no/such/folder/x.json", 1, "/no/such/folder/x.json: cannot be written"},
      {"batch --html /no/such/folder/x.html", 1, "/no/such/folder/x.html: cannot be written"},
      {"batch --quick --models /no/such/folder", 1, "/no/such/folder/solo12.urdf: cannot be read"},
      {"batch --quick --case romeo-walk --scenes /no/such/folder", 1,
       "/no/such/folder/romeo-walk.yaml: cannot be read"},
  };
  static const char *const words[] = {"--case NAME", "--instructions", "--html FILE", NULL};
  (void)state;
  ffi_bench_check_refusals(refusals, sizeof refusals / sizeof *refusals);
  ffi_bench_check_help("batch", words);
}

int main(void)
{
  const struct CMUnitTest rows[] = {
      cmocka_unit_test(rows_have_the_schema),  cmocka_unit_test(every_stepper_has_its_rates),
      cmocka_unit_test(shares_fit_each_other), cmocka_unit_test(sizes_and_variation_are_there),
      cmocka_unit_test(mujoco_is_beside_us),   cmocka_unit_test(the_page_is_whole),
  };
  const struct CMUnitTest options[] = {
      cmocka_unit_test(it_runs_without_mujoco),
      cmocka_unit_test(mistakes_are_told),
  };
  const int failed = cmocka_run_group_tests(rows, measure, ffi_bench_forget);
  return failed + cmocka_run_group_tests(options, NULL, ffi_tear_down);
}
